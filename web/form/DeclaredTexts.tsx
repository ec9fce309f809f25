import type { Fields } from '#kit/declare/fields.ts'
import { TextField } from './TextField.tsx'
import type { FieldsOf } from './useForm.ts'

type Props<D> = {
  fields: Fields
  /** The group whose texts it shows, in their order. */
  group: string
  form: FieldsOf<D>
  lockOf?: (field: string) => string | null
}

/** The texts of a group that the form holds, each as its field declares it. */
export function DeclaredTexts<D extends object>({ fields, group, form, lockOf }: Props<D>) {
  const texts = form as unknown as FieldsOf<Record<string, string>>
  const shown = Object.entries(fields).filter(
    ([key, { entry }]) => entry?.group === group && key in form.draft,
  )
  return shown.map(([key, { label, max, entry }]) => {
    const { group: _, counted, ...input } = { group, ...entry }
    const lock = lockOf?.(key) ?? null
    return (
      <TextField
        key={key}
        {...input}
        form={texts}
        name={key}
        label={label}
        count={counted && max}
        wide={input.rows !== undefined}
        lock={lock}
        disabled={lock !== null}
      />
    )
  })
}
