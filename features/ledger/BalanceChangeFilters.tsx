import { useQuery } from '@tanstack/react-query'
import { Choice, FilterFields, NameChoice, OrderDates } from '#features/services/OrderDates.tsx'
import { api } from '#web/api.ts'
import { useListParams } from '#web/list/useListParams.ts'
import type { ChangeParams } from './BalanceChangesPage.tsx'
import type { ledger } from './contract.ts'
import { PAY_METHODS } from './rules.ts'

const ledgerApi = api<typeof ledger>('ledger')

/** The advanced filter of balance changes. Each change applies at once. */
export default function BalanceChangeFilters() {
  const [params, setParams] = useListParams<ChangeParams>()
  const actors = useQuery(ledgerApi.changeActors.query())
  return (
    <FilterFields agentId={params.agentId} onAgent={setParams}>
      <Choice
        label="支付方式"
        names={PAY_METHODS}
        value={params.payMethod}
        onChange={payMethod => setParams({ payMethod })}
      />
      <NameChoice
        label="操作人"
        rows={actors.data?.rows}
        value={params.actorId}
        onChange={actorId => setParams({ actorId })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
    </FilterFields>
  )
}
