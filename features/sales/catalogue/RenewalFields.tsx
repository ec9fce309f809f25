import { Day } from '#web/form/dates/Day.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import type { RENEWAL } from './fields.ts'

/** Of something that is sold no more: whether those who have it may renew it, and until which day. */
export function RenewalFields({ form, today }: { form: FormOf<typeof RENEWAL>; today: string }) {
  return (
    <>
      <FormFields form={form} only={['renewable']} />
      {form.draft.renewable && (
        <FormFields form={form} only={['renewUntil']}>
          {{
            renewUntil: control => (
              <Day
                {...control}
                value={form.draft.renewUntil}
                first={today}
                allowClear
                placeholder="不限"
                onChange={renewUntil => form.change({ renewUntil })}
              />
            ),
          }}
        </FormFields>
      )}
    </>
  )
}
