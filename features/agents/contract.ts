import { z } from 'zod'
import { op } from '#kit/op.ts'
import { searchText } from '#kit/page.ts'

export const agents = {
  /** For pickers: at most 20 agents whose number or name matches. */
  options: op(
    { permission: 'agentDesk.list' },
    { method: 'GET', path: '/agents/options', summary: 'Agents for a picker' },
  )
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), companyName: z.string() })) })),
}
