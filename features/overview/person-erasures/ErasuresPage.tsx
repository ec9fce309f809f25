import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { personErasures } from './contract.ts'
import { erasuresApi } from './erasuresApi.tsx'
import { ERASURES } from './fields.ts'

const LookDialog = lazy(() => import('./LookDialog.tsx'))
const ErasureDrawer = lazy(() => import('./ErasureDrawer.tsx'))

type Row = Out<typeof personErasures.list>['rows'][number]

/** Who asked to be forgotten. `?erasure=` opens one over the list. */
export default function ErasuresPage() {
  const [{ erasure }, ask] = usePageSearch<'/admin/operations/person-erasures'>()
  const [looking, setLooking] = useState(false)
  const open = (id: number | undefined) => ask({ erasure: id })
  const id = Number(erasure)
  const isOpen = Number.isSafeInteger(id) && id > 0
  return (
    <>
      <List
        of={ERASURES}
        from={erasuresApi.list}
        onOpen={(row: Row) => open(row.id)}
        openKey={isOpen ? id : null}
        main={
          <Button kind="primary" onClick={() => setLooking(true)}>
            查找个人信息
          </Button>
        }
        rowActions={row => [{ key: 'details', label: '查看', reads: true, onClick: () => open(row.id) }]}
        actionsWidth={72}
      />
      <Suspense>
        {looking && (
          <LookDialog
            onLooked={found => {
              setLooking(false)
              open(found)
            }}
            onClose={() => setLooking(false)}
          />
        )}
        {isOpen && <ErasureDrawer key={id} id={id} onClose={() => open(undefined)} />}
      </Suspense>
    </>
  )
}
