import type { InputHTMLAttributes, ReactNode } from 'react'
import { useReadOnly } from '../shell/OwnAffairs.tsx'
import styles from './Check.module.css'
import { Field, type FieldProps } from './Field.tsx'
import type { FieldsOf } from './useForm.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'type' | 'value' | 'disabled'> & {
  checked: boolean
  /** Some of what it stands for holds, and some does not. */
  mixed?: boolean
  onChange: (checked: boolean) => void
  /** Why it cannot be changed now, shown as its tooltip; `true` without a reason. */
  disabled?: string | boolean | null
  children?: ReactNode
  /** Below its words. */
  note?: ReactNode
}

/** A box to tick, with its words. */
export function Check(props: Props) {
  return <Ticked {...props} className={styles.check} />
}

/** What holds or does not, as a switch. */
export function Switch(props: Props) {
  const readOnly = useReadOnly()
  return <Ticked {...props} disabled={readOnly ?? props.disabled} role="switch" className={styles.switch} />
}

function Ticked({ onChange, disabled, mixed = false, children, note, className, ...rest }: Props) {
  return (
    <label className={className} data-tip={typeof disabled === 'string' ? disabled : undefined}>
      <input
        {...rest}
        ref={box => {
          if (box) box.indeterminate = mixed
        }}
        type="checkbox"
        aria-disabled={Boolean(disabled) || undefined}
        onChange={event => {
          if (!disabled) onChange(event.target.checked)
        }}
      />
      {note === undefined ? (
        children
      ) : (
        <span>
          {children}
          <small>{note}</small>
        </span>
      )}
    </label>
  )
}

type SwitchFieldProps<Name extends string> = FieldProps & {
  form: FieldsOf<Record<Name, boolean>>
  name: Name
}

/** A switch under its label. */
export function SwitchField<Name extends string>(field: SwitchFieldProps<Name>) {
  const { form, name } = field
  return (
    <Field {...field}>
      {control => (
        <Switch
          {...control}
          checked={form.draft[name]}
          onChange={checked => form.change({ [name]: checked } as Record<Name, boolean>)}
        />
      )}
    </Field>
  )
}
