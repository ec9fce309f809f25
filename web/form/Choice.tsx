import type { ReactNode } from 'react'
import styles from './Choice.module.css'

type Option<V> = { value: V; label: ReactNode; disabled?: boolean }

type Props<V> = {
  id?: string
  /** Names the group for screen readers. */
  label: string
  options: readonly Option<V>[]
  value: V | null | undefined
  onChange: (value: V) => void
  onBlur?: () => void
  /** Small ones side by side, lines with a radio, or cards that say more. */
  look?: 'buttons' | 'lines' | 'cards'
  'aria-invalid'?: boolean
  'aria-required'?: boolean
  'aria-describedby'?: string
}

/** A few choices that are all seen, of which one holds. */
export function Choice<V extends string | number | boolean>({
  id,
  label,
  options,
  value,
  onChange,
  onBlur,
  look = 'buttons',
  ...aria
}: Props<V>) {
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
        <label key={String(option.value)} className={styles.option}>
          <input
            type="radio"
            name={id ?? label}
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
