import { ShopSelect } from '#features/sales/aftersales/ShopSelect.tsx'
import { formatCents } from '#kit/money.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { depositsApi } from './depositsApi.tsx'
import { ASK } from './fields.ts'
import { ASK_REFUSALS, refuseAsk } from './rules.ts'

type Props = { onClose: () => void; onAsked: (id: number) => void }

/** Asks a shop for a deposit; the drawer that opens then has the code by which it is paid. */
export default function AskDialog({ onClose, onAsked }: Props) {
  return (
    <FormDialog
      title="收取押金"
      submitText="收取"
      of={ASK}
      refuse={values => {
        const broken = refuseAsk(values)
        return broken && { field: broken.field, message: ASK_REFUSALS[broken.code] }
      }}
      question={({ amountFen, subject }) => ({
        title: `收取押金 ${formatCents(amountFen ?? 0)} 元？`,
        text: `用途：${subject}。代理商会收到通知，商户扫码付款后押金由厂商保管，退还或扣留须由另一人审批。`,
        confirmText: '确认收取',
      })}
      send={async (values, idempotencyKey) => {
        const { id } = await depositsApi.ask(values, { idempotencyKey })
        toast.success('已生成付款码')
        await reread()
        onAsked(id)
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>押金付到厂商账户，保管至退还或扣留。</FormNote>
          <FormFields form={form}>
            {{
              merchantId: control => (
                <ShopSelect
                  {...control}
                  value={form.draft.merchantId}
                  onChange={merchantId => form.change({ merchantId })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
