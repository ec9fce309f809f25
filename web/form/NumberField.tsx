import { use } from 'react'
import { notACount, parseCount } from '#kit/words/count.ts'
import { Field } from './Field.tsx'
import { type InputProps, TextInput, type TextProps } from './TextField.tsx'
import type { FieldsOf } from './useForm.ts'
import { UnreadContext, useUnread } from './useUnread.ts'

type Props<Name extends string> = TextProps & { form: FieldsOf<Record<Name, number | null>>; name: Name }

/** A whole number under its label; null where nothing is typed, or what is none. */
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
        <CountInput
          inputMode="numeric"
          {...control}
          {...input}
          label={label ?? ''}
          value={form.draft[name]}
          onChange={count => form.change({ [name]: count } as Record<Name, number | null>)}
        />
      )}
    </Field>
  )
}

type CountProps = Omit<InputProps, 'value' | 'onChange'> & {
  label: string
  value: number | null
  /** What the value becomes where none is typed. */
  blank?: number
  onChange: (count: number | null) => void
}

/** The same without a field around it: whoever draws it provides `UnreadContext`. */
export function CountInput({ label, value, blank, onChange, ...input }: CountProps) {
  const unread = useUnread(value, use(UnreadContext))
  return (
    <TextInput
      {...input}
      value={unread.text ?? String(value ?? '')}
      onChange={typed => {
        const text = typed.trim()
        const count = text === '' ? null : parseCount(text)
        const message = text === '' || count !== null ? null : notACount(label, text)
        // NaN is never kept, since a draft is compared as text.
        onChange(count)
        if (message === null) unread.drop()
        else unread.keep(typed, message, blank ?? null)
      }}
    />
  )
}
