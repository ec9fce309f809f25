import { useMutation } from '@tanstack/react-query'
import { useHistory } from '#features/office/access/slots.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { paymentDesk } from './contract.ts'
import { PAYMENT_EVENTS } from './fields.ts'
import { NO_PAYMENT, useOpenedPayment } from './useOpenedPayment.tsx'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Row = Out<typeof paymentDesk.events>['rows'][number]

/** It is processed in the background. */
const LOOK_AGAIN_MS = 1_500

/** Callbacks as they came; what fits no payment can be looked at again. */
export default function PaymentEvents() {
  const payment = useOpenedPayment()
  const history = useHistory()
  const retrying = useMutation({
    mutationFn: (id: number) => paymentDeskApi.retryEvent({ id }),
    onSuccess: () => {
      toast.info('已重新处理，结果稍后显示')
      setTimeout(() => readAgain('paymentDesk'), LOOK_AGAIN_MS)
    },
    onError: error => toast.warning(messageOf(error)),
  })
  return (
    <>
      <List
        of={PAYMENT_EVENTS}
        from={paymentDeskApi.events}
        cells={CELLS}
        actionsWidth={216}
        rowActions={row => [
          payment.actionOf(row.intentId),
          {
            key: 'retry',
            label: '重新处理',
            disabled:
              row.status === 'unmatched' || row.status === 'refused' ? null : '该通知已处理，无需重试',
            onClick: () => retrying.mutate(row.id),
          },
          ...history.actionsOf({ kind: 'callback', id: row.id, name: row.eventId }),
        ]}
      />
      {payment.dialog}
      {history.drawer}
    </>
  )
}

/** A callback that fits nothing says so. */
const problemOf = (row: Row) => (row.status === 'unmatched' ? NO_PAYMENT : row.problem)

const CELLS = { problem: { copy: problemOf, render: (row: Row) => problemOf(row) || '—' } }
