import { AGENT_OPTIONS } from '#features/agents/AgentOptions.tsx'
import { DOCUMENT_CELLS } from '#features/ledger/documentCells.tsx'
import { SHOWN_ORDER_CHARS } from '#features/ledger/rules.ts'
import { useOpenOrder } from '#features/ledger/useOpenOrder.tsx'
import { useOrderUndo } from '#features/settlement/useUndo.tsx'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { buttonLook } from '#web/Button.tsx'
import { Copyable } from '#web/format.tsx'
import { Link } from '#web/Link.tsx'
import { List } from '#web/list/List.tsx'
import type { orderDetails } from './contract.ts'
import { BATCHES } from './fields.ts'

const orderDetailsApi = api<typeof orderDetails>('orderDetails')

type Row = Out<typeof orderDetails.batches>['rows'][number]

/** Bulk renewals with their single undo. */
export default function BatchesPage() {
  const order = useOpenOrder()
  const undo = useOrderUndo('batch')
  const { rowActions } = undo
  return (
    <>
      <List
        of={BATCHES}
        from={orderDetailsApi.batches}
        rowKey={row => row.batchNo}
        cells={CELLS}
        options={OPTIONS}
        main={
          <Link className={buttonLook()} to="/admin/order/versionsOrder">
            返回版本订单
          </Link>
        }
        openKey={order.orderNo}
        onOpen={row => order.open(row.batchNo)}
        actionsWidth={104}
        rowActions={rowActions && (row => rowActions({ orderNo: row.batchNo, undo: row.undo }))}
      />
      {undo.dialog}
    </>
  )
}

const CELLS = {
  agentName: DOCUMENT_CELLS.agentName,
  batchNo: ({ batchNo }: Row) => <Copyable text={batchNo} shown={batchNo.slice(-SHOWN_ORDER_CHARS)} />,
}

const OPTIONS = { agentId: AGENT_OPTIONS }
