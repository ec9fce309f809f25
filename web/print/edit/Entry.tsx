import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { mmText } from '#kit/print/edit/draft.ts'
import { within } from '#kit/print/edit/resize.ts'
import { Choice } from '../../form/Choice.tsx'
import { Labelled } from '../../form/Labelled.tsx'
import { TextInput } from '../../form/TextField.tsx'
import styles from './panel.module.css'

type Limits = { least: number; most: number }

type NumberProps = {
  label: string
  value: number
  limits: Limits
  unit: string
  step: number
  /** As it is shown, and back. */
  text: (value: number) => string
  read: (typed: string) => number
  onChange: (value: number) => void
  disabled?: boolean
}

/**
 * A number that applies as it is typed; arrows change it by a step. What is none, or beyond the limits, is refused in words here, and the
 * number of before stands again: never another one than was typed.
 */
export function useTypedNumber({
  label,
  value,
  limits,
  unit,
  step,
  text,
  read,
  onChange,
}: Omit<NumberProps, 'disabled'>) {
  const [typed, setTyped] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const before = useRef(value)
  const id = useId()
  const take = (next: number) => {
    if (next !== value) onChange(next)
  }
  const isOver = (next: number) => next > limits.most
  const isWrong = (next: number) => !(next >= limits.least && next <= limits.most)
  const wordsOf = (entered: string) =>
    Number.isFinite(read(entered))
      ? `${label}为 ${text(limits.least)} 到 ${text(limits.most)} ${unit}`
      : `${label}请输入数字`
  const settle = () => {
    if (typed === null) return
    setTyped(null)
    if (!isWrong(read(typed))) return
    take(before.current)
    setRefusal(typed.trim() === '' ? null : `${wordsOf(typed)}，仍为 ${text(before.current)}`)
  }
  const change = (entered: string) => {
    if (typed === null) before.current = value
    setTyped(entered)
    const next = read(entered)
    if (!isWrong(next)) take(next)
    // A number that is too small may be the beginning of one that is not.
    setRefusal(isOver(next) || isText(entered) ? wordsOf(entered) : null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') settle()
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (way === undefined) return
    event.preventDefault()
    setTyped(null)
    setRefusal(null)
    take(within(value + way * step, limits))
  }
  return {
    change,
    /** Of the box itself. */
    box: {
      value: typed ?? text(value),
      'aria-invalid': refusal !== null || undefined,
      'aria-describedby': refusal === null ? undefined : id,
      onBlur: settle,
      onKeyDown,
    },
    refused: (
      <p id={id} className={styles.refusal} role="alert">
        {refusal}
      </p>
    ),
  }
}

function NumberEntry(props: NumberProps) {
  const { label, unit, disabled } = props
  const { change, box, refused } = useTypedNumber(props)
  return (
    <div className={styles.entry}>
      <Labelled label={label}>
        <TextInput
          {...box}
          inputMode="decimal"
          maxLength={7}
          unit={unit}
          disabled={disabled}
          onChange={change}
        />
      </Labelled>
      {refused}
    </div>
  )
}

/** No number, and none that is being begun. */
const isText = (typed: string) => !/^\s*-?[\d０-９]*[.,。，．]?[\d０-９]*\s*$/.test(typed)

/** Typed in full width, too. */
export const readNumber = (typed: string) =>
  typed.trim() === '' ? Number.NaN : Number(typed.normalize('NFKC').replace(/[,。]/, '.'))

type LengthProps = Pick<NumberProps, 'label' | 'value' | 'limits' | 'onChange' | 'disabled'>

/** A length: millimetres on the screen, micrometres in the draft. */
export function LengthEntry(props: LengthProps) {
  const read = (typed: string) => Math.round(readNumber(typed) * 1_000)
  return <NumberEntry {...props} unit="mm" step={100} text={mmText} read={read} />
}

/** The size of text in points. */
export function PointsEntry(props: LengthProps) {
  const read = (typed: string) => Math.round(readNumber(typed) * 2) / 2
  return <NumberEntry {...props} unit="pt" step={1} text={String} read={read} />
}

/** Two entries side by side. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>

/** Entries that belong together. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.panel}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** A few choices under their small label. */
export function Choices<V>(props: Omit<ComponentProps<typeof Choice<V>>, 'id'>) {
  const id = useId()
  return (
    <div className={styles.choices}>
      <span aria-hidden="true">{props.label}</span>
      <Choice {...props} id={id} />
    </div>
  )
}
