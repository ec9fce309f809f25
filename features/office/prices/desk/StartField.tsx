import { addMonths, formatDay, startOfDay } from '#kit/time.ts'
import { Choice } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field } from '#web/form/Field.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'

/** From now on, or from a moment on. */
export type Start = { begins: 'now' | 'later'; startsAt: string }

/** 00:00 of the 1st of next month. */
export function nextMonth(): string {
  return addMonths(startOfDay(`${formatDay(new Date()).slice(0, 8)}01`), 1).toISOString()
}

export const NOW: Start = { begins: 'now', startsAt: nextMonth() }
export const startOf = ({ begins, startsAt }: Start) => (begins === 'now' ? null : startsAt)

/** When what is set begins. */
export function StartField<D extends Start>({
  form,
  label = '生效时间',
}: {
  form: FieldsOf<D>
  label?: string
}) {
  const change = form.change as (changed: Partial<Start>) => void
  return (
    <>
      <Field form={form} name="begins" label={label} group>
        {control => (
          <Choice
            {...control}
            label={label}
            options={[
              { value: 'now' as const, label: '立即' },
              { value: 'later' as const, label: '指定时间' },
            ]}
            value={form.draft.begins}
            onChange={begins => change({ begins })}
          />
        )}
      </Field>
      {form.draft.begins === 'later' && (
        <Field form={form} name="startsAt" label="指定时间">
          {control => (
            <InstantPicker
              {...control}
              value={form.draft.startsAt}
              onChange={startsAt => change({ startsAt })}
              firstDay={formatDay(new Date())}
            />
          )}
        </Field>
      )}
    </>
  )
}
