import { useQuery } from '@tanstack/react-query'
import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { ChangeParams } from './BalanceChangesPage.tsx'
import type { ledger } from './contract.ts'
import { PAY_METHOD_KEYS, PAY_METHODS } from './rules.ts'

const ledgerApi = api<typeof ledger>('ledger')

/** D1 §9. */
const PRESET_DAYS = [7, 15, 30, 90, 365]

/** The advanced filter of balance changes. Each change applies at once. */
export default function BalanceChangeFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<ChangeParams>()
  const actors = useQuery({ queryKey: ['ledger', 'changeActors'], queryFn: () => ledgerApi.changeActors() })
  return (
    <div className="change-filters">
      <Labelled label="支付方式">
        <Select
          aria-label="支付方式"
          value={params.payMethod}
          onChange={payMethod => setParams({ payMethod })}
          options={PAY_METHOD_KEYS.map(value => ({ value, label: PAY_METHODS[value] }))}
          allowClear
          placeholder="全部"
        />
      </Labelled>
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
      <Labelled label="时间" className="change-dates">
        <DatePicker.RangePicker
          aria-label="时间"
          value={[dayOf(params.from), dayOf(params.to)]}
          onChange={range => setParams({ from: textOf(range?.[0]), to: textOf(range?.[1]) })}
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

function Labelled({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
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
