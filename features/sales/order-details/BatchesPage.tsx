import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { useOrderUndo } from '#features/sales/settlement/useUndo.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Copyable } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
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
