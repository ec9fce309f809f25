import { DatePicker, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { formatDay } from '#kit/time.ts'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { OrderParams } from './HardwareOrdersPage.tsx'
import { DATE_PRESET_DAYS, DELIVERY_STATUS_KEYS, DELIVERY_STATUSES } from './rules.ts'
import './hardware.css'

/** The advanced filter of hardware orders (D2 §4, §9). Each change applies at once. */
export default function OrderFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<OrderParams>()
  const today = dayjs(formatDay(new Date()))
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  return (
    <div className="order-filters">
      <div>
        <span className="order-filter-name">发货状态</span>
        <Select
          aria-label="发货状态"
          value={params.status}
          onChange={status => setParams({ status })}
          options={DELIVERY_STATUS_KEYS.map(value => ({ value, label: DELIVERY_STATUSES[value] }))}
          allowClear
          placeholder="全部"
        />
      </div>
      <div>
        <span className="order-filter-name">下单时间</span>
        <DatePicker.RangePicker
          aria-label="下单时间"
          value={[day(params.from), day(params.to)]}
          onChange={range =>
            setParams({ from: range?.[0]?.format('YYYY-MM-DD'), to: range?.[1]?.format('YYYY-MM-DD') })
          }
          presets={DATE_PRESET_DAYS.map(days => ({
            label: `近 ${days} 天`,
            value: [today.subtract(days - 1, 'day'), today] as [Dayjs, Dayjs],
          }))}
          allowEmpty={[true, true]}
          classNames={{ popup: { root: 'order-filter-days' } }}
          placeholder={['开始日期', '结束日期']}
        />
      </div>
      {session.isVendorStaff && (
        <div>
          <span className="order-filter-name">代理商</span>
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </div>
      )}
    </div>
  )
}
