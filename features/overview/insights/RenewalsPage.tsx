import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { List } from '#web/list/List.tsx'
import type { insights } from './contract.ts'
import { RENEWED } from './fields.ts'
import { Opens } from './Opens.tsx'

const insightsApi = api<typeof insights>('insights')
type Row = Out<typeof insights.renewals>['rows'][number]

/** Terms that were renewed; each leads to its shop. */
export default function RenewalsPage() {
  return (
    <List
      of={RENEWED}
      from={insightsApi.renewals}
      options={{ versionId: SHOP_OPTIONS.versionId, agentId: AGENT_OPTIONS }}
      cells={CELLS}
    />
  )
}

const CELLS = {
  shopName: {
    copy: (row: Row) => row.shopName,
    render: (row: Row) => (
      <Opens path="/admin/merchant/myMerchant" search={{ search: String(row.merchantId) }}>
        {row.shopName}
      </Opens>
    ),
  },
}
