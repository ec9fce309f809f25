import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { api } from '#web/api.ts'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { services } from './contract.ts'
import { Choice, Labelled, OrderDates } from './OrderDates.tsx'
import { SERVICE_ORDER_STATES } from './rules.ts'
import type { OrderParams } from './ServiceOrdersPage.tsx'

const servicesApi = api<typeof services>('services')

/** The advanced filter of value-added orders. Each change applies at once. */
export default function ServiceOrderFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<OrderParams>()
  const options = useQuery({ queryKey: ['services', 'options'], queryFn: () => servicesApi.options() })
  return (
    <div className="order-filters">
      <Choice
        label="支付状态"
        names={SERVICE_ORDER_STATES}
        value={params.state}
        onChange={state => setParams({ state })}
      />
      <Labelled label="服务类型">
        <Select
          aria-label="服务类型"
          value={options.data ? params.serviceId : undefined}
          onChange={serviceId => setParams({ serviceId })}
          options={options.data?.rows.map(row => ({ value: row.id, label: row.name }))}
          loading={options.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          allowClear
          placeholder="全部"
        />
      </Labelled>
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </Labelled>
      )}
    </div>
  )
}
