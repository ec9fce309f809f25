import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { SALES_TYPES, type SalesType } from '#features/orders/rules.ts'
import { formatDay } from '#kit/time.ts'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { BillParams } from './BillingDetailsPage.tsx'
import { BILL_STATUS_KEYS, BILL_STATUSES } from './rules.ts'
import './settlement.css'

/** D1 §9. */
const PRESET_DAYS = [7, 15, 30, 90, 365]

/** The advanced filter of the billing details. Each change applies at once. */
export default function BillFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<BillParams>()
  return (
    <div className="bill-filters">
      <Labelled label="销售类型">
        <Select
          aria-label="销售类型"
          value={params.salesType}
          onChange={salesType => setParams({ salesType })}
          options={(Object.keys(SALES_TYPES) as SalesType[]).map(value => ({
            value,
            label: SALES_TYPES[value],
          }))}
          allowClear
          placeholder="全部"
        />
      </Labelled>
      <Labelled label="状态">
        <Select
          aria-label="状态"
          value={params.status}
          onChange={status => setParams({ status })}
          options={BILL_STATUS_KEYS.map(value => ({ value, label: BILL_STATUSES[value] }))}
          allowClear
          placeholder="全部"
        />
      </Labelled>
      <Labelled label="支付时间" className="bill-dates">
        <DatePicker.RangePicker
          aria-label="支付时间"
          value={[dayOf(params.paidFrom), dayOf(params.paidTo)]}
          onChange={range => setParams({ paidFrom: textOf(range?.[0]), paidTo: textOf(range?.[1]) })}
          presets={presets()}
          allowEmpty={[true, true]}
          placeholder={['开始日期', '结束日期']}
        />
      </Labelled>
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </Labelled>
      )}
    </div>
  )
}

type LabelledProps = { label: string; className?: string; children: ReactNode }

function Labelled({ label, className, children }: LabelledProps) {
  return (
    <div className={className}>
      <span className="filter-name">{label}</span>
      {children}
    </div>
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
