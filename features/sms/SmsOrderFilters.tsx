import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { Choice, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import { useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import { SMS_ORDER_KINDS, SMS_ORDER_STATUSES } from './rules.ts'
import type { OrderParams } from './SmsOrdersPage.tsx'

/** The advanced filter of SMS orders. Each change applies at once. */
export default function SmsOrderFilters() {
  const session = useSession()
  const [params, setParams] = useListParams<OrderParams>()
  return (
    <div className="order-filters">
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
      {session.isVendorStaff && (
        <Labelled label="代理商">
          <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
        </Labelled>
      )}
    </div>
  )
}
