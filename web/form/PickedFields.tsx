import type { Words } from '#kit/declare/fields.ts'
import { Day } from './dates/Day.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { optionsOf } from './options.ts'
import { Select } from './Select.tsx'
import type { FieldsOf } from './useForm.ts'

type Props = FieldProps & {
  form: FieldsOf<Record<string, string | null>>
  name: string
  placeholder?: string
}

/** A day under its label; null where none is chosen. */
export function PickedDay({ placeholder, ...field }: Props) {
  const { form, name } = field
  return (
    <Field {...field}>
      {control => (
        <Day
          {...control}
          placeholder={placeholder}
          value={form.draft[name] ?? null}
          onChange={day => form.change({ [name]: day })}
        />
      )}
    </Field>
  )
}

/** One of the words of a field under its label; null where none is chosen. */
export function PickedWord({ placeholder, words, ...field }: Props & { words: Words }) {
  const { form, name } = field
  return (
    <Field {...field}>
      {control => (
        <Select
          {...control}
          placeholder={placeholder}
          value={form.draft[name] ?? undefined}
          options={optionsOf(words)}
          onSearch={null}
          onChange={word => form.change({ [name]: word ?? null })}
        />
      )}
    </Field>
  )
}
