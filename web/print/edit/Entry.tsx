import { type ComponentProps, type ReactNode, useId, useState } from 'react'
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

/** A number that applies as it is typed; arrows change it by a step, what is no number is put right when it is left. */
function NumberEntry({ label, value, limits, unit, step, text, read, onChange, disabled }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const take = (next: number) => {
    const to = within(next, limits)
    if (to !== value) onChange(to)
  }
  return (
    <Labelled label={label}>
      <TextInput
        inputMode="decimal"
        maxLength={7}
        unit={unit}
        disabled={disabled}
        value={typed ?? text(value)}
        onChange={entered => {
          setTyped(entered)
          const next = read(entered)
          if (Number.isFinite(next) && next >= limits.least && next <= limits.most) take(next)
        }}
        onBlur={() => {
          const next = read(typed ?? '')
          if (typed !== null && Number.isFinite(next)) take(next)
          setTyped(null)
        }}
        onKeyDown={event => {
          const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
          if (way === undefined) return
          event.preventDefault()
          setTyped(null)
          take(value + way * step)
        }}
      />
    </Labelled>
  )
}

const readNumber = (typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed.replace(',', '.')))

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
