import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { formatDay } from '#kit/time.ts'
import './services.css'

/** D1 §9. */
const PRESET_DAYS = [7, 15, 30, 90, 365]

/** A named control of an order list's filter. */
export function Labelled({
  label,
  isWide,
  children,
}: {
  label: string
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <div className={isWide ? 'order-dates' : undefined}>
      <span className="filter-name">{label}</span>
      {children}
    </div>
  )
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
    <Labelled label={label}>
      <Select<T>
        aria-label={label}
        value={value}
        onChange={chosen => onChange(chosen)}
        options={(Object.keys(names) as T[]).map(key => ({ value: key, label: names[key] }))}
        allowClear
        placeholder="全部"
      />
    </Labelled>
  )
}

type Days = { from?: string; to?: string }

/** The first and last day of the orders that are listed, either open. */
export function OrderDates({ from, to, onChange }: Days & { onChange: (days: Days) => void }) {
  return (
    <Labelled label="时间" isWide>
      <DatePicker.RangePicker
        aria-label="时间"
        value={[dayOf(from), dayOf(to)]}
        onChange={range => onChange({ from: textOf(range?.[0]), to: textOf(range?.[1]) })}
        presets={presets()}
        allowEmpty={[true, true]}
        placeholder={['开始日期', '结束日期']}
      />
    </Labelled>
  )
}

function dayOf(text: string | undefined): Dayjs | null {
  return text ? dayjs(text) : null
}

function textOf(day: Dayjs | null | undefined): string | undefined {
  return day?.format('YYYY-MM-DD')
}

function presets() {
  const today = dayjs(formatDay(new Date()))
  return PRESET_DAYS.map(days => ({
    label: `近 ${days} 天`,
    value: [today.subtract(days - 1, 'day'), today] as [Dayjs, Dayjs],
  }))
}
