// The fields of an order list's advanced filter. Each change applies at once.
import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { formatDay } from '#kit/time.ts'
import { useSession } from '#web/session.ts'
import './order-lists.css'

type AgentChosen = { agentId: number | undefined }
type FieldsProps = {
  agentId: number | undefined
  onAgent: (chosen: AgentChosen) => void
  children: ReactNode
}

/** The fields in a row; vendor staff also choose the agent. */
export function FilterFields({ agentId, onAgent, children }: FieldsProps) {
  const session = useSession()
  return (
    <div className="order-filters">
      {children}
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={agentId} onChange={chosen => onAgent({ agentId: chosen })} />
        </Labelled>
      )}
    </div>
  )
}

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

type NameChoiceProps = {
  label: string
  /** Undefined while they are on their way. */
  rows: readonly { id: number; name: string }[] | undefined
  value: number | undefined
  onChange: (id: number | undefined) => void
}

/** One of the rows by its name, or all. */
export function NameChoice({ label, rows, value, onChange }: NameChoiceProps) {
  return (
    <Labelled label={label}>
      <Select<number>
        aria-label={label}
        value={rows ? value : undefined}
        onChange={chosen => onChange(chosen)}
        options={rows?.map(row => ({ value: row.id, label: row.name }))}
        loading={rows === undefined}
        showSearch={{ optionFilterProp: 'label' }}
        allowClear
        placeholder="全部"
      />
    </Labelled>
  )
}

type Unit = 'day' | 'month'
type Preset = readonly [count: number, unit: Unit]
const UNIT_NAMES: Record<Unit, string> = { day: '天', month: '个月' }
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
    <Labelled label={label} isWide>
      <DatePicker.RangePicker
        aria-label={label}
        value={[dayOf(from), dayOf(to)]}
        onChange={range => onChange({ from: textOf(range?.[0]), to: textOf(range?.[1]) })}
        presets={presets.map(rangeOf)}
        allowEmpty={[true, true]}
        classNames={{ popup: { root: 'order-days' } }}
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

/** So many days with today, or since the same day so many months ago. */
function rangeOf([count, unit]: Preset): { label: string; value: [Dayjs, Dayjs] } {
  const today = dayjs(formatDay(new Date()))
  const first = unit === 'day' ? today.subtract(count - 1, 'day') : today.subtract(count, 'month')
  const label = unit === 'day' && count === 1 ? '今天' : `近 ${count} ${UNIT_NAMES[unit]}`
  return { label, value: [first, today] }
}
