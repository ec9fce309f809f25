import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { partnerClosing } from './contract.ts'
import { CLOSINGS } from './fields.ts'

const closingApi = api<typeof partnerClosing>('partnerClosing')
const StartDialog = lazy(() => import('./StartDialog.tsx'))
const ClosingDrawer = lazy(() => import('./ClosingDrawer.tsx'))

export type ClosingRow = Out<typeof partnerClosing.list>['rows'][number]

/** Partners that are or were closed. `?closing=` opens one over the list, `?close=` begins with a partner. */
export default function ClosingsPage() {
  const [{ closing, close }, ask] = usePageSearch<'/admin/operations/closings'>()
  const [starting, setStarting] = useState(close !== undefined)
  const open = (id: number | undefined) => ask({ closing: id, close: undefined })
  const id = Number(closing)
  return (
    <>
      <List
        of={CLOSINGS}
        from={closingApi.list}
        onOpen={(row: ClosingRow) => open(row.id)}
        openKey={Number.isSafeInteger(id) ? id : null}
        main={
          <Button kind="primary" onClick={() => setStarting(true)}>
            办理停止合作
          </Button>
        }
        rowActions={row => [{ key: 'details', label: '进度', reads: true, onClick: () => open(row.id) }]}
        actionsWidth={72}
      />
      <Suspense>
        {starting && (
          <StartDialog
            agentId={close === undefined ? undefined : Number(close)}
            onStarted={started => {
              setStarting(false)
              open(started)
            }}
            onClose={() => {
              setStarting(false)
              if (close !== undefined) ask({ close: undefined })
            }}
          />
        )}
        {Number.isSafeInteger(id) && id > 0 && (
          <ClosingDrawer key={id} id={id} onClose={() => open(undefined)} />
        )}
      </Suspense>
    </>
  )
}
