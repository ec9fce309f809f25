import { look } from '#web/look.ts'
import styles from './settlement.module.css'

type Props = {
  id: string
  label: string
  max: number
  required?: boolean
  value: string
  /** The broken rule's message. */
  message: string | null
  onChange: (text: string) => void
}

/** A short text that says why, with its message and how much of it is used. */
export function ReasonField({ id, label, max, required, value, message, onChange }: Props) {
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
        onChange={event => onChange(event.target.value)}
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
