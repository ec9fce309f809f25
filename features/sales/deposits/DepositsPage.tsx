import { lazy, useState } from 'react'
import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { Sum } from '#web/list/ListTotals.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { DepositRow, deposits } from './contract.ts'
import { depositsApi } from './depositsApi.tsx'
import { DEPOSIT_FIELDS, DEPOSITS } from './fields.ts'
import { DEPOSIT_STATES, type DepositState } from './rules.ts'

const AskDialog = lazy(() => import('./AskDialog.tsx'))
const DepositDrawer = lazy(() => import('./DepositDrawer.tsx'))

/** D3 §2 importDeposit: what shops have deposited. `?id=` in its address opens one. */
export default function DepositsPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/tool/importDeposit'>()
  const [params, setParams] = useListParams(DEPOSITS)
  const [asking, setAsking] = useState(false)
  const mayDecide = usePermission('deposits.decide')
  const open = (id: number | undefined) => ask({ id })
  const opened = idAsked(asked)
  return (
    <>
      <List
        of={DEPOSITS}
        from={depositsApi.list}
        cells={{ agentName: AGENT_CELL, orderNo: DOCUMENT_CELLS.orderNo }}
        options={{ agentId: AGENT_OPTIONS }}
        main={
          <Permit permission="deposits.ask">
            <Button kind="primary" aria-haspopup="dialog" onClick={() => setAsking(true)}>
              收取押金
            </Button>
          </Permit>
        }
        summary={totals => (
          <Totals
            totals={totals}
            chosen={params.state as DepositState | undefined}
            onChoose={state => setParams({ state })}
          />
        )}
        openKey={opened}
        onOpen={(row: DepositRow) => open(row.id)}
        rowActions={(row: DepositRow) => [
          {
            key: 'open',
            label:
              mayDecide && row.state === 'deciding' ? '审批' : row.state === 'waiting' ? '付款码' : '查看',
            reads: true,
            onClick: () => open(row.id),
          },
        ]}
        actionsWidth={88}
      />
      <Suspense>
        {asking && (
          <AskDialog
            onClose={() => setAsking(false)}
            onAsked={id => {
              setAsking(false)
              open(id)
            }}
          />
        )}
        {opened !== null && <DepositDrawer key={opened} id={opened} onClose={() => open(undefined)} />}
      </Suspense>
    </>
  )
}

type TotalsProps = {
  totals: Out<typeof deposits.list>
  chosen: DepositState | undefined
  onChoose: (state: DepositState | undefined) => void
}

/** How many there are of each state, which a press shows, and what is held of those that are listed. */
function Totals({ totals: { counts, sumHeldFen, shopsCapped }, chosen, onChoose }: TotalsProps) {
  return (
    <CountsBar>
      <Counts
        label="各状态的押金"
        words={DEPOSIT_STATES}
        counts={counts}
        chosen={chosen}
        onChoose={onChoose}
      />
      <Sum label={DEPOSIT_FIELDS.heldFen.label} value={formatCents(sumHeldFen)} unit="元" />
      {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </CountsBar>
  )
}
