import type { Merchant } from '#features/shops/merchants/contract.ts'
import { CodeField } from '#features/shops/messages/CodeField.tsx'
import { type AskedPurpose, refuseReceiver, SEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'

type Props = {
  form: FieldsOf<{ code: string }>
  merchant: Merchant
  purpose: AskedPurpose
  label: string
}

/** The code that is sent to a shop's phone before something about it is changed. */
export function ShopCodeField({ form, merchant, purpose, label }: Props) {
  const code = refuseReceiver(merchant)
  const refusal = code && SEND_REFUSALS[code]
  return (
    <Field
      label={label}
      name="code"
      form={form}
      required
      hint={refusal ?? `验证码发送到 ${merchant.account}，10 分钟内有效`}
    >
      {control => (
        <CodeField
          {...control}
          merchantId={merchant.id}
          purpose={purpose}
          refusal={refusal}
          value={form.draft.code}
          onChange={typed => form.change({ code: typed })}
        />
      )}
    </Field>
  )
}
