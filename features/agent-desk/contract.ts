import { z } from 'zod'
import { AGENT_FIELDS } from '#features/agents/fields.ts'
import { MerchantRow } from '#features/merchants/contract.ts'
import { REFUSALS } from '#features/merchants/rules.ts'
import { fileOf, listInput, rowShape } from '#kit/list-input.ts'
import { errorsOf, op } from '#kit/op.ts'
import { pageOf, searchText } from '#kit/page.ts'
import { AGENTS, SECONDARY_MERCHANTS } from './fields.ts'

export const AgentRow = z.object({ ...rowShape(AGENT_FIELDS), discountBasisPoints: z.number() })

export const agentDesk = {
  list: op(
    { permission: 'agentDesk.list' },
    { method: 'GET', path: '/agents', summary: 'Agents with level and balances' },
  )
    .input(z.object(listInput(AGENTS)))
    .output(pageOf(AgentRow)),
  /** Of the agents under the acting one; for vendor staff, of all agents that have a parent. */
  secondary: op(
    { permission: 'agentDesk.secondary', scope: 'below' },
    { method: 'GET', path: '/merchants/secondary', summary: 'Merchants of sub-agents' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(SECONDARY_MERCHANTS)))
    .output(pageOf(MerchantRow)),
  /** For the filter of `secondary`: at most 20 sub-agents whose number or name matches. */
  secondaryAgents: op(
    { permission: 'agentDesk.secondary' },
    { method: 'GET', path: '/merchants/secondary/agents', summary: 'Sub-agents for a picker' },
  )
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), companyName: z.string() })) })),
}

export const agentDeskDownloads = { secondary: fileOf(SECONDARY_MERCHANTS) }
