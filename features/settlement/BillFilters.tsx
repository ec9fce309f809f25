import { SALES_TYPES } from '#features/orders/rules.ts'
import { Choice, FilterFields, OrderDates } from '#features/services/OrderDates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { BillParams } from './BillingDetailsPage.tsx'
import { BILL_STATUSES } from './rules.ts'

/** The advanced filter of the billing details. Each change applies at once. */
export default function BillFilters() {
  const [params, setParams] = useListParams<BillParams>()
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <Choice
        label="销售类型"
        names={SALES_TYPES}
        value={params.salesType}
        onChange={salesType => setParams({ salesType })}
      />
      <Choice
        label="状态"
        names={BILL_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <OrderDates
        label="支付时间"
        from={params.paidFrom}
        to={params.paidTo}
        onChange={({ from, to }) => setParams({ paidFrom: from, paidTo: to })}
      />
    </FilterFields>
  )
}
