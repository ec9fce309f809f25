import type { FieldsOf } from '#web/form/useForm.ts'
import { look } from '#web/look.ts'
import styles from './settlement.module.css'

type Props<Name extends string> = {
  form: FieldsOf<Record<Name, string>>
  name: Name
  label: string
  max: number
  required?: boolean
}

/** A short text that says why, with its message and how much of it is used. */
export function ReasonField<Name extends string>({ form, name, label, max, required }: Props<Name>) {
  const id = form.idOf(name)
  const message = form.messageOf(name)
  const value = form.draft[name]
  return (
    <div className={styles.reasonField}>
      <label htmlFor={id}>
        {label}
        {required && (
          <span className={styles.reasonRequired} aria-hidden="true">
            *
          </span>
        )}
      </label>
      <textarea
        id={id}
        className={look.input}
        rows={2}
        maxLength={max}
        required={required}
        aria-required={required}
        aria-invalid={message !== null}
        aria-describedby={`${id}-note`}
        value={value}
        onChange={event => form.change({ [name]: event.target.value } as Record<Name, string>)}
      />
      <p id={`${id}-note`} className={styles.reasonNote}>
        <span role="alert">{message}</span>
        <span className={look.number}>
          {value.trim().length} / {max}
        </span>
      </p>
    </div>
  )
}
