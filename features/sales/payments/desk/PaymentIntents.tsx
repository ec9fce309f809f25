import { SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import { useHistory } from '#features/office/access/slots.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { List } from '#web/list/List.tsx'
import type { paymentDesk } from './contract.ts'
import { PAYMENT_INTENTS } from './fields.ts'
import { useOpenedPayment } from './useOpenedPayment.tsx'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Row = Out<typeof paymentDesk.intents>['rows'][number]

const CELLS = {
  agentName: AGENT_CELL,
  id: (row: Row) => <span className={look.number}>{row.id.slice(-SHOWN_ORDER_CHARS)}</span>,
  orderNo: {
    copy: (row: Row) => row.orderNo,
    render: (row: Row) => <OrderLink orderNo={row.orderNo} />,
  },
}

/** Payments from outside, of all agents. */
export function PaymentIntents() {
  const payment = useOpenedPayment()
  const history = useHistory()
  return (
    <>
      <List
        of={PAYMENT_INTENTS}
        from={paymentDeskApi.intents}
        cells={CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        openKey={payment.opened}
        onOpen={row => payment.open(row.id)}
        rowActions={row => history.actionsOf({ kind: 'payment', id: row.id, name: row.subject })}
        summary={totals => (
          <>
            <span>
              已支付 <b>{formatCents(totals.paidFen)}</b> 元
            </span>
            {totals.refundedFen > 0 && (
              <>
                <span>
                  已退款 <b>{formatCents(totals.refundedFen)}</b> 元
                </span>
                <span>
                  实收 <b>{formatCents(totals.paidFen - totals.refundedFen)}</b> 元
                </span>
              </>
            )}
            <span>
              笔数 <b>{formatCount(totals.total)}</b>
              {totals.totalCapped && ' 以上'}
            </span>
          </>
        )}
      />
      {payment.dialog}
      {history.drawer}
    </>
  )
}
