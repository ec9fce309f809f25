import { SwitchField } from '#web/form/Check.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field } from '#web/form/Field.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'

export type Renewal = { renewable: boolean; renewUntil: string | null }
/** Whoever has it may go on with it, without an end. */
export const RENEWED: Renewal = { renewable: true, renewUntil: null }

/** Of something that is sold no more: whether those who have it may renew it, and until which day. */
export function RenewalFields({ form, today }: { form: FieldsOf<Renewal>; today: string }) {
  return (
    <>
      <SwitchField form={form} name="renewable" label="现有商户仍可续费" />
      {form.draft.renewable && (
        <Field form={form} name="renewUntil" label="续费截止日期" hint="留空为一直可以续费；当天仍可续费">
          {control => (
            <Day
              {...control}
              value={form.draft.renewUntil}
              first={today}
              allowClear
              placeholder="不限"
              onChange={renewUntil => form.change({ renewUntil })}
            />
          )}
        </Field>
      )}
    </>
  )
}
