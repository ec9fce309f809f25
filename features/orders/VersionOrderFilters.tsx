import { PAY_METHODS } from '#features/ledger/rules.ts'
import { Choice, FilterFields, NameChoice, OrderDates } from '#features/services/OrderDates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { type OrderParams, useActors, useVersions } from './OrderChips.tsx'
import { ORDER_STATUSES, SALES_TYPES } from './rules.ts'

/** The advanced filter of version orders (D2 §9). Each change applies at once. */
export default function VersionOrderFilters() {
  const [params, setParams] = useListParams<OrderParams>()
  const catalogue = useVersions(true)
  const actors = useActors(params.agentId, true)
  return (
    <FilterFields
      agentId={params.agentId}
      onAgent={({ agentId }) => setParams({ agentId, actorId: undefined })}
    >
      <NameChoice
        label="版本"
        rows={catalogue.data?.rows}
        value={params.versionId}
        onChange={versionId => setParams({ versionId })}
      />
      <Choice
        label="支付方式"
        names={PAY_METHODS}
        value={params.payMethod}
        onChange={payMethod => setParams({ payMethod })}
      />
      <Choice
        label="订单类型"
        names={SALES_TYPES}
        value={params.salesType}
        onChange={salesType => setParams({ salesType })}
      />
      <Choice
        label="订单状态"
        names={ORDER_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <NameChoice
        label="操作人"
        rows={actors.data?.rows}
        value={params.actorId}
        onChange={actorId => setParams({ actorId })}
      />
      <OrderDates
        label="支付时间"
        presets={PRESETS}
        from={params.paidFrom}
        to={params.paidTo}
        onChange={({ from, to }) => setParams({ paidFrom: from, paidTo: to })}
      />
    </FilterFields>
  )
}

/** D2 §9. */
const PRESETS = [
  [7, 'day'],
  [15, 'day'],
  [1, 'month'],
  [3, 'month'],
  [12, 'month'],
] as const
