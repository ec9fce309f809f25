import { useMutation } from '@tanstack/react-query'
import type { payments } from '#features/sales/payments/contract.ts'
import { SMS_ORDER_STATUSES, type SmsOrderStatus } from '#features/sales/sms/rules.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import styles from './sms-desk.module.css'

const paymentsApi = api<typeof payments>('payments')

const ASK_EVERY_MS = 1_000
const ASK_WITHIN_MS = 6_000

type Props = { orderNo: string; status: SmsOrderStatus }

/** The state of an order that is not complete: a click has the payment checked (D2 §4), also after its end. */
export function PaymentCheck({ orderNo, status }: Props) {
  const checking = useMutation({
    mutationFn: () => checkPayment(orderNo),
    onSuccess: isPaid => {
      if (isPaid) toast.success('订单已支付，已刷新')
      else toast.warning('订单未支付')
      readAgain('smsDesk', ...(isPaid ? ['sms', 'ledger'] : []))
    },
    onError: error => toast.warning(messageOf(error)),
  })
  return (
    <Button
      kind="link"
      changes
      className={styles.paymentCheck}
      data-status={status}
      busy={checking.isPending}
      tip="点击查询是否已支付"
      onClick={() => {
        if (!checking.isPending) checking.mutate()
      }}
    >
      {SMS_ORDER_STATUSES[status]}
    </Button>
  )
}

/** Waits a few seconds for what the channels say. */
async function checkPayment(orderNo: string): Promise<boolean> {
  const { queryId, result, asking, askedAt } = await paymentsApi.check({ orderNo })
  if (result === 1 || !asking) return result === 1
  const until = Date.now() + ASK_WITHIN_MS
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, ASK_EVERY_MS))
    const told = await paymentsApi.result({ queryId })
    if (told.action === 1) return true
    if (told.askedAt !== askedAt || Date.now() > until) return false
  }
}
