import { useState } from 'react'
import { useViewOnly } from '../client/session.ts'
import { Button } from '../controls/Button.tsx'
import styles from './Stepper.module.css'

type Props = {
  /** What is counted, for screen readers: 微商城 年数. */
  label: string
  value: number
  min?: number
  max: number
  unit?: string
  /** Why no more can be chosen. */
  maxReason: string
  /** Why nothing can be chosen, or null. */
  refusal?: string | null
  /** Takes what is typed when the field is left or Enter is pressed, not with every key. */
  late?: boolean
  onChange: (value: number) => void
}

/** A small whole number: two buttons and a field to type in. */
export function Stepper({
  label,
  value,
  min = 0,
  max,
  unit,
  maxReason,
  refusal: given = null,
  late,
  onChange,
}: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const refusal = useViewOnly() ?? given
  const set = (wanted: number) => {
    const taken = Math.min(Math.max(wanted, min), Math.max(max, min))
    if (taken !== value) onChange(taken)
  }
  const apply = () => {
    setTyped(null)
    if (typed) set(Number(typed))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex row in every browser.
    <div className={styles.stepper} role="group" aria-label={label}>
      <Button
        icon={<span aria-hidden="true">−</span>}
        aria-label={`减少 ${label}`}
        disabled={refusal ?? value <= min}
        onClick={() => set(value - 1)}
      />
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        maxLength={4}
        value={typed ?? value}
        disabled={refusal !== null}
        onFocus={event => event.target.select()}
        onBlur={apply}
        onChange={event => {
          const digits = event.target.value.replace(/\D/g, '')
          if (late) setTyped(digits)
          else set(Number(digits))
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') apply()
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          set(value + (event.key === 'ArrowUp' ? 1 : -1))
        }}
      />
      <Button
        icon={<span aria-hidden="true">+</span>}
        aria-label={`增加 ${label}`}
        disabled={refusal ?? (value >= max && maxReason)}
        onClick={() => set(value + 1)}
      />
      {unit && <span className={styles.unit}>{unit}</span>}
    </div>
  )
}
