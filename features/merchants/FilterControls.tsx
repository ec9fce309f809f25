import type { ReactNode } from 'react'
import { comingDays, DateRange, pastDays } from '#web/form/DateRange.tsx'
import { Select } from '#web/form/Select.tsx'
import styles from './merchants.module.css'
import { DATE_PRESET_DAYS } from './rules.ts'

export { Labelled } from '#web/form/Labelled.tsx'
export { optionsOf as choicesOf } from '#web/form/options.ts'

/** The controls of a list's filter, side by side. */
export function FilterGrid({ children }: { children: ReactNode }) {
  return <div className={styles.merchantFilters}>{children}</div>
}

type ChoiceProps<V> = {
  label: string
  value: V | undefined
  options: { value: V; label: string }[] | undefined
  onChange: (value: V | undefined) => void
}

/** One of a list, or all. */
export function Choice<V extends string | number>({ label, value, options, onChange }: ChoiceProps<V>) {
  return (
    <Select label={label} value={value} options={options} onChange={onChange} allowClear placeholder="全部" />
  )
}

type RangeProps = {
  label: string
  from: string | undefined
  to: string | undefined
  /** Whether the presets look back (近 7 天) or ahead (7 天内). */
  direction: 'past' | 'coming'
  onChange: (from: string | undefined, to: string | undefined) => void
}

export function DayRange({ direction, ...range }: RangeProps) {
  return <DateRange {...range} presets={DATE_PRESET_DAYS.map(direction === 'past' ? pastDays : comingDays)} />
}
