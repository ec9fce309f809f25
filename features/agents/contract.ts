import { z } from 'zod'
import { listInput } from '#kit/list-input.ts'
import { op } from '#kit/op.ts'
import { pageOf, searchText } from '#kit/page.ts'
import { AGENTS } from './fields.ts'

export const AgentRow = z.object({
  id: z.number(),
  companyName: z.string(),
  contactName: z.string(),
  mobile: z.string(),
  levelName: z.string(),
  discountBasisPoints: z.number(),
  parentName: z.string().nullable(),
  enabled: z.boolean(),
  merchantCount: z.number(),
  tokenBalanceCents: z.number(),
  smsBalance: z.number(),
  createdAt: z.string(),
})

export const agents = {
  list: op(
    { permission: 'agents.list' },
    { method: 'GET', path: '/agents', summary: 'Agents with level and balances' },
  )
    .input(z.object(listInput(AGENTS)))
    .output(pageOf(AgentRow)),
  /** For pickers: at most 20 agents whose number or name matches. */
  options: op(
    { permission: 'agents.list' },
    { method: 'GET', path: '/agents/options', summary: 'Agents for a picker' },
  )
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), companyName: z.string() })) })),
}
