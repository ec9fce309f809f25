import { formatCents } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { RequestData } from './contract.ts'
import { depositsApi } from './depositsApi.tsx'
import { PAY_OUT } from './fields.ts'

/** Keeps the number of the receipt by which it was paid out by hand. */
export default function PayOutDialog({ request, onClose }: { request: RequestData; onClose: () => void }) {
  const amount = formatCents(request.amountFen)
  return (
    <FormDialog
      title="登记线下退款"
      submitText="登记"
      of={PAY_OUT}
      question={({ receiptNo }) => ({
        title: `已线下退款 ${amount} 元？`,
        text: `回单号 ${receiptNo}。登记后不再原路退款，不能撤销。`,
        confirmText: '确认登记',
      })}
      send={async ({ receiptNo }, idempotencyKey) => {
        await depositsApi
          .payOut({ id: request.id, receiptNo }, { idempotencyKey })
          .catch((error: unknown) => {
            readAgain('deposits')
            throw error
          })
        toast.success('已登记')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>请先把 {amount} 元付给商户，再登记付款回单号。</FormNote>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
