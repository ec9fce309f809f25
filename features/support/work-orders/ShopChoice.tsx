import { ShopSelect } from '#features/sales/aftersales/ShopSelect.tsx'
import { Field } from '#web/form/Field.tsx'
import type { Form } from '#web/form/useForm.ts'
import type { OrderForm } from './rules.ts'

/** The shop that it is about; it may be about none. */
export function ShopChoice({ form }: { form: Form<OrderForm> }) {
  return (
    <Field form={form} name="merchantId" label="相关店铺" hint="与某家店铺有关时选择">
      {control => (
        <ShopSelect
          {...control}
          value={form.draft.merchantId}
          onChange={merchantId => form.change({ merchantId })}
          allowClear
        />
      )}
    </Field>
  )
}
