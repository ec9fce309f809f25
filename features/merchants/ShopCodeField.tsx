import { CodeField } from '#features/messages/CodeField.tsx'
import { type CodePurpose, refuseReceiver, SEND_REFUSALS } from '#features/messages/rules.ts'
import { type DraftForm, FormField } from './FormField.tsx'
import type { Merchant } from './MerchantFacts.tsx'

type Props = {
  form: Pick<DraftForm<{ code: string }>, 'draft' | 'change' | 'messageOf' | 'touch'>
  merchant: Merchant
  purpose: CodePurpose
  label: string
}

/** The code that is sent to a shop's phone before something about it is changed. */
export function ShopCodeField({ form, merchant, purpose, label }: Props) {
  const code = refuseReceiver(merchant)
  const refusal = code && SEND_REFUSALS[code]
  return (
    <FormField
      label={label}
      name="code"
      form={form}
      required
      hint={refusal ?? `验证码发送到 ${merchant.account}，10 分钟内有效`}
    >
      {({ status: _status, ...control }) => (
        <CodeField
          {...control}
          merchantId={merchant.id}
          purpose={purpose}
          refusal={refusal}
          value={form.draft.code}
          onChange={typed => form.change({ code: typed })}
        />
      )}
    </FormField>
  )
}
