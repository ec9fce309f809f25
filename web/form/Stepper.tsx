import { use, useId } from 'react'
import { formatCount } from '#kit/money.ts'
import { notACount, parseCount } from '#kit/words/count.ts'
import { useViewOnly } from '../client/session.ts'
import { Button } from '../controls/Button.tsx'
import styles from './Stepper.module.css'
import { UnreadContext, useUnread } from './useUnread.ts'

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

/** A small whole number: two buttons and a field to type in. What is none, or out of range, is said and not taken. */
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
  const noteId = useId()
  const refusal = useViewOnly() ?? given
  const unread = useUnread(value, use(UnreadContext))
  const set = (wanted: number) => {
    unread.drop()
    if (wanted !== value) onChange(wanted)
  }
  const brokenOf = (text: string) => {
    const count = parseCount(text)
    if (count === null) return notACount(label, text)
    if (count > Math.max(max, min)) return maxReason
    return count < min ? `${label}最少为${formatCount(min)}` : null
  }
  /** Nothing typed is the least, or with `late` what was there. */
  const take = (text: string, isLeft: boolean) => {
    const broken = text === '' ? null : brokenOf(text)
    if (broken !== null) unread.keep(text, broken)
    else if (late && !isLeft) unread.keep(text, null)
    else set(text === '' ? (late ? value : min) : (parseCount(text) ?? value))
  }
  const apply = () => {
    if (unread.text !== null) take(unread.text, true)
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
        value={unread.text ?? value}
        aria-invalid={unread.message !== null}
        aria-describedby={unread.message === null ? undefined : noteId}
        disabled={refusal !== null}
        onFocus={event => event.target.select()}
        onBlur={apply}
        onChange={event => take(event.target.value.trim(), false)}
        onKeyDown={event => {
          if (event.key === 'Enter') apply()
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          const next = value + (event.key === 'ArrowUp' ? 1 : -1)
          if (next >= min && next <= max) set(next)
        }}
      />
      <Button
        icon={<span aria-hidden="true">+</span>}
        aria-label={`增加 ${label}`}
        disabled={refusal ?? (value >= max && maxReason)}
        onClick={() => set(value + 1)}
      />
      {unit && <span className={styles.unit}>{unit}</span>}
      {unread.message !== null && (
        <span id={noteId} role="alert" className={styles.unread}>
          {unread.message}
        </span>
      )}
    </div>
  )
}
