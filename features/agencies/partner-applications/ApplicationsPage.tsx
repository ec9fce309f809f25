import { lazy } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { partnerApplications } from './contract.ts'
import { APPLICATIONS } from './fields.ts'

const applicationsApi = api<typeof partnerApplications>('partnerApplications')
const ApplicationDrawer = lazy(() => import('./ApplicationDrawer.tsx'))

export type ApplicationRow = Out<typeof partnerApplications.list>['rows'][number]

/** Who wants to become a partner. `?application=` in its address opens the details over it. */
export default function ApplicationsPage() {
  const [{ application }, ask] = usePageSearch<'/admin/operations/applications'>()
  const open = (id: number | undefined) => ask({ application: id })
  const id = Number(application)
  return (
    <>
      <List
        of={APPLICATIONS}
        from={applicationsApi.list}
        onOpen={(row: ApplicationRow) => open(row.id)}
        openKey={Number.isSafeInteger(id) ? id : null}
        rowActions={row => [{ key: 'details', label: '查看', reads: true, onClick: () => open(row.id) }]}
        actionsWidth={72}
      />
      {Number.isSafeInteger(id) && id > 0 && (
        <Suspense>
          <ApplicationDrawer key={id} id={id} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}
