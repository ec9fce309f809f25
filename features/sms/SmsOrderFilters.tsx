import { PAY_METHODS } from '#features/ledger/rules.ts'
import { Choice, FilterFields, OrderDates } from '#features/services/OrderDates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { SMS_ORDER_KINDS, SMS_ORDER_STATUSES } from './rules.ts'
import type { OrderParams } from './SmsOrdersPage.tsx'

/** The advanced filter of SMS orders. Each change applies at once. */
export default function SmsOrderFilters() {
  const [params, setParams] = useListParams<OrderParams>()
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <Choice
        label="类型"
        names={SMS_ORDER_KINDS}
        value={params.kind}
        onChange={kind => setParams({ kind })}
      />
      <Choice
        label="状态"
        names={SMS_ORDER_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <Choice
        label="支付方式"
        names={PAY_METHODS}
        value={params.payMethod}
        onChange={payMethod => setParams({ payMethod })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
    </FilterFields>
  )
}
