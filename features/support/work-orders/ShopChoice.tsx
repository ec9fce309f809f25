import { ShopSelect } from '#features/sales/aftersales/ShopSelect.tsx'
import { Field } from '#web/form/Field.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import { NEW_ORDER } from './fields.ts'

const { label, control: asked } = NEW_ORDER.merchantId

/** The shop that it is about; it may be about none. */
export function ShopChoice({ form }: { form: FieldsOf<{ merchantId: number | null }> }) {
  return (
    <Field form={form} name="merchantId" label={label} hint={asked.hint}>
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
