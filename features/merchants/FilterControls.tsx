import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { formatDay } from '#kit/time.ts'
import { DATE_PRESET_DAYS } from './rules.ts'
import './merchants.css'

/** A control of a list's filter under its label. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="merchant-filter">
      <span className="merchant-filter-label">{label}</span>
      {children}
    </label>
  )
}

export function choicesOf<K extends string>(names: Record<K, string>): { value: K; label: string }[] {
  return (Object.keys(names) as K[]).map(value => ({ value, label: names[value] }))
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
    <Labelled label={label}>
      <Select
        aria-label={label}
        value={options ? value : undefined}
        onChange={chosen => onChange(chosen)}
        options={options}
        loading={!options}
        showSearch={{ optionFilterProp: 'label' }}
        allowClear
        placeholder="全部"
      />
    </Labelled>
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

export function DayRange({ label, from, to, direction, onChange }: RangeProps) {
  const today = dayjs(formatDay(new Date()))
  const presets = DATE_PRESET_DAYS.map(days => ({
    label: direction === 'past' ? `近 ${days} 天` : `${days} 天内`,
    value: (direction === 'past'
      ? [today.subtract(days - 1, 'day'), today]
      : [today, today.add(days - 1, 'day')]) as [Dayjs, Dayjs],
  }))
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  return (
    <Labelled label={label}>
      <DatePicker.RangePicker
        aria-label={label}
        value={[day(from), day(to)]}
        onChange={range => onChange(range?.[0]?.format('YYYY-MM-DD'), range?.[1]?.format('YYYY-MM-DD'))}
        presets={presets}
        allowEmpty={[true, true]}
        classNames={{ popup: { root: 'merchant-filter-days' } }}
        placeholder={['开始日期', '结束日期']}
      />
    </Labelled>
  )
}
