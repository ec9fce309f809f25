import { type ReactNode, useId } from 'react'
import styles from './Choice.module.css'
import { Field, type FieldProps } from './Field.tsx'
import type { FieldsOf } from './useForm.ts'

type Option<V> = {
  value: V
  label: ReactNode
  disabled?: boolean
  /** Of rows, a whole one. */
  wide?: boolean
}

type Props<V> = {
  id?: string
  /** Names the group for screen readers. */
  label: string
  options: readonly Option<V>[]
  value: V | null | undefined
  onChange: (value: V) => void
  onBlur?: () => void
  /** Small ones side by side, lines with a radio, cards that say more, rows of a radio, a name and a price, or a stack. */
  look?: 'buttons' | 'lines' | 'cards' | 'rows' | 'stack'
  'aria-invalid'?: boolean
  'aria-required'?: boolean
  'aria-describedby'?: string
}

/** A few choices that are all seen, of which one holds. */
export function Choice<V>({
  id,
  label,
  options,
  value,
  onChange,
  onBlur,
  look = 'buttons',
  ...aria
}: Props<V>) {
  // No name that another choice of the page may have: of radios of one name only one holds.
  const own = useId()
  return (
    <div
      {...aria}
      id={id}
      role="radiogroup"
      aria-label={label}
      aria-required={aria['aria-required'] || undefined}
      className={styles[look]}
    >
      {options.map(option => (
        <label key={String(option.value)} className={styles.option} data-wide={option.wide || undefined}>
          <input
            type="radio"
            name={id ?? own}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            onBlur={onBlur}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}

type ChoiceFieldProps<D, Name extends keyof D & string> = FieldProps & {
  label: string
  form: FieldsOf<D>
  name: Name
  options: readonly Option<D[Name]>[]
  look?: 'buttons' | 'lines'
}

/** A few choices under their label. */
export function ChoiceField<D, Name extends keyof D & string>({
  options,
  look,
  ...field
}: ChoiceFieldProps<D, Name>) {
  const { form, name, label } = field
  return (
    <Field {...field} group>
      {control => (
        <Choice
          {...control}
          look={look}
          label={label}
          options={options}
          value={form.draft[name]}
          onChange={value => form.change({ [name]: value } as unknown as Partial<D>)}
        />
      )}
    </Field>
  )
}
