import { useState } from 'react'
import styles from './hardware.module.css'
import { LIMITS } from './rules.ts'

type Props = {
  name: string
  value: number
  /** Pieces that are there. */
  max: number
  onChange: (quantity: number) => void
}

/** How many pieces: one more, one less, or typed. One less than one takes the product out. */
export function QuantityStepper({ name, value, max, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const most = Math.min(max, LIMITS.quantityMax)
  const apply = () => {
    if (typed === null) return
    setTyped(null)
    const wanted = Number(typed)
    if (typed !== '' && Number.isSafeInteger(wanted) && wanted !== value)
      onChange(Math.max(0, Math.min(wanted, Math.max(most, 1))))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen.
    <span className={styles.stepper} role="group" aria-label={`${name} 数量`}>
      <button type="button" aria-label={`减少 ${name}`} onClick={() => onChange(value - 1)}>
        −
      </button>
      <input
        inputMode="numeric"
        aria-label={`${name} 数量`}
        value={typed ?? String(value)}
        maxLength={3}
        onChange={event => setTyped(event.target.value.replace(/\D/g, ''))}
        onBlur={apply}
        onKeyDown={event => {
          if (event.key === 'Enter') apply()
        }}
      />
      <button
        type="button"
        aria-label={`增加 ${name}`}
        aria-disabled={value >= most || undefined}
        data-tip={value >= most ? '库存不足' : undefined}
        onClick={() => {
          if (value < most) onChange(value + 1)
        }}
      >
        +
      </button>
    </span>
  )
}
