import { Field } from './Field.tsx'
import { TextInput, type TextProps } from './TextField.tsx'
import type { FieldsOf } from './useForm.ts'

type Props<Name extends string> = TextProps & { form: FieldsOf<Record<Name, number | null>>; name: Name }

/** A whole number under its label; null where nothing is typed. */
export function NumberField<Name extends string>({
  form,
  name,
  label,
  required,
  hint,
  wide,
  lock,
  ...input
}: Props<Name>) {
  return (
    <Field label={label} name={name} form={form} required={required} hint={hint} wide={wide} lock={lock}>
      {control => (
        <TextInput
          inputMode="numeric"
          maxLength={4}
          {...control}
          {...input}
          value={String(form.draft[name] ?? '')}
          onChange={text => form.change({ [name]: numberOf(text) } as Record<Name, number | null>)}
        />
      )}
    </Field>
  )
}

/** NaN is never kept, since a draft is compared as text. */
function numberOf(text: string): number | null {
  const digits = text.replace(/\D/g, '')
  return digits === '' ? null : Number(digits)
}
