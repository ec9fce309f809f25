import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { PAY_METHOD_KEYS, PAY_METHODS } from '#features/ledger/rules.ts'
import { formatDay } from '#kit/time.ts'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import { type OrderParams, useActors, useVersions } from './OrderChips.tsx'
import { ORDER_STATUS_KEYS, ORDER_STATUSES, SALES_TYPE_KEYS, SALES_TYPES } from './rules.ts'

/** The advanced filter of version orders (D2 §9). Each change applies at once. */
export default function VersionOrderFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<OrderParams>()
  const catalogue = useVersions(true)
  const actors = useActors(params.agentId, true)
  return (
    <div className="order-filters">
      <Labelled label="版本">
        <Select
          aria-label="版本"
          value={catalogue.data ? params.versionId : undefined}
          onChange={versionId => setParams({ versionId })}
          options={catalogue.data?.rows.map(row => ({ value: row.id, label: row.name }))}
          loading={catalogue.isPending}
          allowClear
          placeholder="全部"
        />
      </Labelled>
      <Choice
        label="支付方式"
        value={params.payMethod}
        options={PAY_METHOD_KEYS.map(value => ({ value, label: PAY_METHODS[value] }))}
        onChange={payMethod => setParams({ payMethod })}
      />
      <Choice
        label="订单类型"
        value={params.salesType}
        options={SALES_TYPE_KEYS.map(value => ({ value, label: SALES_TYPES[value] }))}
        onChange={salesType => setParams({ salesType })}
      />
      <Choice
        label="订单状态"
        value={params.status}
        options={ORDER_STATUS_KEYS.map(value => ({ value, label: ORDER_STATUSES[value] }))}
        onChange={status => setParams({ status })}
      />
      <Labelled label="操作人">
        <Select
          aria-label="操作人"
          value={actors.data ? params.actorId : undefined}
          onChange={actorId => setParams({ actorId })}
          options={actors.data?.rows.map(row => ({ value: row.id, label: row.name }))}
          loading={actors.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          allowClear
          placeholder="全部"
        />
      </Labelled>
      <Labelled label="支付时间" className="order-dates">
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
          <AgentPicker
            value={params.agentId}
            onChange={agentId => setParams({ agentId, actorId: undefined })}
          />
        </Labelled>
      )}
    </div>
  )
}

type ChoiceProps<Key extends string> = {
  label: string
  value: Key | undefined
  options: { value: Key; label: string }[]
  onChange: (value: Key | undefined) => void
}

function Choice<Key extends string>({ label, value, options, onChange }: ChoiceProps<Key>) {
  return (
    <Labelled label={label}>
      <Select
        aria-label={label}
        value={value}
        onChange={chosen => onChange(chosen)}
        options={options}
        allowClear
        placeholder="全部"
      />
    </Labelled>
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

/** 7 and 15 days, 1, 3 and 12 months (D2 §9). */
function presets() {
  const today = dayjs(formatDay(new Date()))
  const since = (label: string, from: Dayjs) => ({ label, value: [from, today] as [Dayjs, Dayjs] })
  return [
    ...[7, 15].map(days => since(`近 ${days} 天`, today.subtract(days - 1, 'day'))),
    ...[1, 3, 12].map(months => since(`近 ${months} 个月`, today.subtract(months, 'month'))),
  ]
}
