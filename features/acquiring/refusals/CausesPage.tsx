import { lazy } from 'react'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { CauseRow } from './contract.ts'
import { CAUSES } from './fields.ts'
import { refusalsApi } from './refusalsApi.tsx'

const CauseDrawer = lazy(() => import('./CauseDrawer.tsx'))

/** Why applications are refused, over all shops. `?id=` in its address opens one. */
export default function CausesPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/schedule/payRefusals'>()
  const opened = idAsked(asked)
  return (
    <>
      <List
        of={CAUSES}
        from={refusalsApi.causes}
        openKey={opened}
        onOpen={(row: CauseRow) => ask({ id: row.id })}
      />
      {opened !== null && (
        <Suspense>
          <CauseDrawer key={opened} id={opened} onClose={() => ask({ id: undefined })} />
        </Suspense>
      )}
    </>
  )
}
