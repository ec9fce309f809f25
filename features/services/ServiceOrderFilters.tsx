import { useQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { useListParams } from '#web/list/useListParams.ts'
import type { services } from './contract.ts'
import { Choice, FilterFields, NameChoice, OrderDates } from './OrderDates.tsx'
import { SERVICE_ORDER_STATES } from './rules.ts'
import type { OrderParams } from './ServiceOrdersPage.tsx'

const servicesApi = api<typeof services>('services')

/** The advanced filter of value-added orders. Each change applies at once. */
export default function ServiceOrderFilters() {
  const [params, setParams] = useListParams<OrderParams>()
  const options = useQuery(servicesApi.options.query())
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <Choice
        label="支付状态"
        names={SERVICE_ORDER_STATES}
        value={params.state}
        onChange={state => setParams({ state })}
      />
      <NameChoice
        label="服务类型"
        rows={options.data?.rows}
        value={params.serviceId}
        onChange={serviceId => setParams({ serviceId })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
    </FilterFields>
  )
}
