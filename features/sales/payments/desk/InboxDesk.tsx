import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import type { paymentDesk } from './contract.ts'
import { NO_PAYMENT } from './useOpenedPayment.tsx'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')
const PaymentDialog = lazy(() => import('./PaymentDialog.tsx'))
const ResolveDialog = lazy(() => import('./ResolveDialog.tsx'))

/** It is processed in the background. */
const LOOK_AGAIN_MS = 1_500

/** Money from outside that needs a hand, over the inbox. */
export default function InboxDesk({ item, onClose }: InboxDeskProps) {
  if (item.source === 'payment-desk.difference')
    return (
      <Suspense>
        <ResolveDialog
          id={item.id}
          outTradeNo={item.about}
          note={`${item.title}。${item.detail}`}
          onClose={onClose}
        />
      </Suspense>
    )
  return <Again item={item} onClose={onClose} />
}

/** A refund or a callback: what is wrong with it, its payment, and once more. */
function Again({ item, onClose }: InboxDeskProps) {
  const isRefund = item.source === 'payment-desk.refund'
  const mayRefund = usePermission('paymentDesk.refund')
  const [showsPayment, setShowsPayment] = useState(false)
  const again = useMutation<unknown>({
    mutationFn: () =>
      isRefund ? paymentDeskApi.retryRefund({ id: item.id }) : paymentDeskApi.retryEvent({ id: item.id }),
    onSuccess: () => {
      toast.info(isRefund ? '已重新提交退款' : '已重新处理，结果稍后显示')
      setTimeout(() => readAgain('paymentDesk', 'inbox'), LOOK_AGAIN_MS)
      onClose()
    },
    onError: error => toast.warning(messageOf(error)),
  })
  return (
    <>
      <Dialog
        title={isRefund ? '退款失败' : '支付通知异常'}
        width={520}
        onClose={onClose}
        footer={
          <>
            <Button onClick={onClose}>关闭</Button>
            <Button disabled={item.about === '' ? NO_PAYMENT : null} onClick={() => setShowsPayment(true)}>
              支付单
            </Button>
            {(!isRefund || mayRefund) && (
              <Button kind="primary" busy={again.isPending} onClick={() => again.mutate()}>
                {isRefund ? '重试退款' : '重新处理'}
              </Button>
            )}
          </>
        }
      >
        <DialogText>{item.title}</DialogText>
        <DialogText>{item.detail}</DialogText>
      </Dialog>
      <Suspense>
        {showsPayment && <PaymentDialog id={item.about} onClose={() => setShowsPayment(false)} />}
      </Suspense>
    </>
  )
}
