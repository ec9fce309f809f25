import { Button } from '#web/Button.tsx'
import { look } from '#web/look.ts'
import styles from './services.module.css'

type Props = {
  /** What is counted, for screen readers: 微商城 年数. */
  label: string
  value: number
  max: number
  unit: string
  /** Why nothing can be chosen, or null. */
  refusal: string | null
  onChange: (value: number) => void
}

/** A small whole number from 0: two buttons and a field to type in. */
export function Stepper({ label, value, max, unit, refusal, onChange }: Props) {
  const set = (wanted: number) => onChange(Math.min(Math.max(wanted, 0), max))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex row in every browser.
    <div className={styles.stepper} role="group" aria-label={label}>
      <Button
        icon={<span aria-hidden="true">−</span>}
        aria-label={`减少 ${label}`}
        disabled={refusal ?? value <= 0}
        onClick={() => set(value - 1)}
      />
      <input
        className={look.input}
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        value={value}
        disabled={refusal !== null}
        onFocus={event => event.target.select()}
        onChange={event => set(Number(event.target.value.replace(/\D/g, '').slice(0, 4)))}
        onKeyDown={event => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          set(value + (event.key === 'ArrowUp' ? 1 : -1))
        }}
      />
      <Button
        icon={<span aria-hidden="true">+</span>}
        aria-label={`增加 ${label}`}
        disabled={refusal ?? (value >= max && `最多 ${max} ${unit}`)}
        onClick={() => set(value + 1)}
      />
      <span className={styles.stepperUnit}>{unit}</span>
    </div>
  )
}
