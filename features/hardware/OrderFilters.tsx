import { Choice, FilterFields, OrderDates } from '#features/services/OrderDates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { OrderParams } from './HardwareOrdersPage.tsx'
import { DATE_PRESET_DAYS, DELIVERY_STATUSES } from './rules.ts'

/** The advanced filter of hardware orders (D2 §4, §9). Each change applies at once. */
export default function OrderFilters() {
  const [params, setParams] = useListParams<OrderParams>()
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <Choice
        label="发货状态"
        names={DELIVERY_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <OrderDates
        label="下单时间"
        presets={DATE_PRESET_DAYS.map(days => [days, 'day'])}
        from={params.from}
        to={params.to}
        onChange={setParams}
      />
    </FilterFields>
  )
}
