import { useQuery } from '@tanstack/react-query'
import type { Field } from '#kit/declare/fields.ts'
import { inputOf } from '#web/form/FormFields.tsx'
import { TextField, type TextProps } from '#web/form/TextField.tsx'
import type { FieldsOf } from '#web/form/useForm.ts'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'
import type { ReasonKind } from './rules.ts'

/** They change seldom, and a change of this page asks for them again. */
const FRESH_MS = 60_000

type Props<Name extends string> = TextProps & {
  form: FieldsOf<Record<Name, string>>
  name: Name
  /** Whose reasons are offered; null: none. */
  of: ReasonKind | null
}

/** A reason: one of those that the operator keeps for it, or typed. */
export function ReasonText<Name extends string>({ of, ...text }: Props<Name>) {
  const { form, name, label, disabled } = text
  const kept = useQuery({
    ...referenceApi.reasons.query(),
    enabled: of !== null && !disabled,
    staleTime: FRESH_MS,
  })
  const offered = (kept.data?.reasons ?? []).filter(({ kind }) => kind === of)
  return (
    <div className={styles.reason} data-wide={text.wide || undefined}>
      <TextField<Name> {...text} form={form} name={name} />
      {offered.length > 0 && !disabled && (
        <ul className={styles.offered} aria-label={`常用${label ?? '原因'}`}>
          {offered.map(reason => (
            <li key={reason.name}>
              <button
                type="button"
                aria-pressed={form.draft[name] === reason.name}
                onClick={() => form.change({ [name]: reason.name } as Record<Name, string>)}
              >
                {reason.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type FieldProps<Name extends string> = {
  form: FieldsOf<Record<Name, string>> & { fields: Partial<Record<Name, Field>> }
  name: Name
  of: ReasonKind | null
  /** Over it, where what is done says which reason. */
  label?: string
  /** This time, where the field alone does not say so. */
  required?: boolean
}

/** The same as its field declares it. */
export function ReasonField<Name extends string>(props: FieldProps<Name>) {
  const { form, name, of, label, required } = props
  const field = form.fields[name]
  if (!field) return null
  const input = inputOf(field)
  const told = { ...input, label: label ?? input.label, required: required ?? input.required }
  return <ReasonText<Name> {...told} form={form} name={name} of={of} />
}
