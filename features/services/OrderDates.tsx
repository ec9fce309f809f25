// The fields of an order list's advanced filter. Each change applies at once.
import type { ReactNode } from 'react'
import { addMonths, formatDay } from '#kit/time.ts'
import { DateRange, type DayPreset, pastDays } from '#web/form/DateRange.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import styles from './order-lists.module.css'

export { Labelled }

export function FilterRow({ children }: { children: ReactNode }) {
  return <div className={styles.orderFilters}>{children}</div>
}

type ChoiceProps<T extends string> = {
  label: string
  names: Readonly<Record<T, string>>
  value: T | undefined
  onChange: (value: T | undefined) => void
}

/** One of a few words, or all. */
export function Choice<T extends string>({ label, names, value, onChange }: ChoiceProps<T>) {
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      options={optionsOf(names)}
      allowClear
      placeholder="全部"
    />
  )
}

type Unit = 'day' | 'month'
type Preset = readonly [count: number, unit: Unit]
/** D1 §9; today is D2's, screen 15. */
const PRESETS: readonly Preset[] = [1, 7, 15, 30, 90, 365].map(days => [days, 'day'])

type Days = { from?: string; to?: string }
type DatesProps = Days & {
  label?: string
  presets?: readonly Preset[]
  onChange: (days: Days) => void
}

/** The first and last day of the orders that are listed, either open. */
export function OrderDates({ from, to, label = '时间', presets = PRESETS, onChange }: DatesProps) {
  return (
    <DateRange
      label={label}
      from={from}
      to={to}
      onChange={(first, last) => onChange({ from: first, to: last })}
      presets={presets.map(rangeOf)}
    />
  )
}

/** So many days with today, or since the same day so many months ago. */
function rangeOf([count, unit]: Preset): DayPreset {
  if (unit === 'day') return pastDays(count)
  const today = new Date()
  return { label: `近 ${count} 个月`, from: formatDay(addMonths(today, -count)), to: formatDay(today) }
}
