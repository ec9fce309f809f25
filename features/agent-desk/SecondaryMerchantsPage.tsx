import { agentOptions } from '#features/agents/AgentOptions.tsx'
import { SHOP_OPTIONS } from '#features/merchants/MerchantOptions.tsx'
import { PLAIN_CELLS } from '#features/merchants/merchantCells.tsx'
import { api } from '#web/api.ts'
import { List } from '#web/list/List.tsx'
import { look } from '#web/look.ts'
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
