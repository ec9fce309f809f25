import { api } from '#web/api.ts'
import { List } from '#web/list/List.tsx'
import { look } from '#web/look.ts'
import type { merchants } from './contract.ts'
import { SECONDARY_MERCHANTS } from './fields.ts'
import { SHOP_OPTIONS, SUB_AGENT_OPTIONS } from './MerchantOptions.tsx'
import { PLAIN_CELLS } from './merchantCells.tsx'

const merchantsApi = api<typeof merchants>('merchants')

/** The shops of the acting agent's sub-agents, to be read alone (decisions.md, "Stubs and defects"). */
export default function SecondaryMerchantsPage() {
  return (
    <List
      of={SECONDARY_MERCHANTS}
      from={merchantsApi.secondary}
      cells={PLAIN_CELLS}
      options={{ ...SHOP_OPTIONS, agentId: SUB_AGENT_OPTIONS }}
      summary={() => <span className={look.quiet}>下级代理商的商户，仅供查看</span>}
    />
  )
}
