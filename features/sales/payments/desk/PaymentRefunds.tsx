import { useMutation } from '@tanstack/react-query'
import { useHistory } from '#features/office/access/slots.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { REFUND_REFUSALS } from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { paymentDesk } from './contract.ts'
import { PAYMENT_REFUNDS } from './fields.ts'
import { useOpenedPayment } from './useOpenedPayment.tsx'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Row = Out<typeof paymentDesk.refunds>['rows'][number]

/** Refunds of second payments and of the operator. */
export default function PaymentRefunds() {
  const payment = useOpenedPayment()
  const history = useHistory()
  const mayRefund = usePermission('paymentDesk.refund')
  const retrying = useMutation({
    mutationFn: (id: number) => paymentDeskApi.retryRefund({ id }),
    onSuccess: () => toast.info('已重新提交退款'),
    onError: error => toast.warning(messageOf(error)),
  })
  const retryAction = (row: Row) => ({
    key: 'retry',
    label: '重试',
    disabled: row.status === 'failed' ? null : REFUND_REFUSALS.REFUND_NOT_FAILED,
    onClick: () => retrying.mutate(row.id),
  })
  return (
    <>
      <List
        of={PAYMENT_REFUNDS}
        from={paymentDeskApi.refunds}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        actionsWidth={184}
        rowActions={row => [
          payment.actionOf(row.intentId),
          ...(mayRefund ? [retryAction(row)] : []),
          ...history.actionsOf({ kind: 'payment', id: row.intentId, name: row.refundNo }),
        ]}
      />
      {payment.dialog}
      {history.drawer}
    </>
  )
}
