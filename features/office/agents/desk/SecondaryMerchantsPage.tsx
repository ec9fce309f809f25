import { agentOptions } from '#features/office/agents/AgentOptions.tsx'
import { SHOP_OPTIONS } from '#features/shops/merchants/MerchantOptions.tsx'
import { PLAIN_CELLS } from '#features/shops/merchants/merchantCells.tsx'
import { api } from '#web/client/api.ts'
import { look } from '#web/controls/look.ts'
import { List } from '#web/list/List.tsx'
import type { agentDesk } from './contract.ts'
import { SECONDARY_MERCHANTS } from './fields.ts'

const agentDeskApi = api<typeof agentDesk>('agentDesk')

/** The agents below the acting one. */
const SUB_AGENT_OPTIONS = agentOptions(['subAgents', 'options'], agentDeskApi.secondaryAgents)

/** The shops of the acting agent's sub-agents, to be read alone (decisions.md, "Stubs and defects"). */
export default function SecondaryMerchantsPage() {
  return (
    <List
      of={SECONDARY_MERCHANTS}
      from={agentDeskApi.secondary}
      cells={PLAIN_CELLS}
      options={{ ...SHOP_OPTIONS, agentId: SUB_AGENT_OPTIONS }}
      summary={() => <span className={look.quiet}>下级代理商的商户，仅供查看</span>}
    />
  )
}
