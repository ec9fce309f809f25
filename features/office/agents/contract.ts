import { op } from '#kit/declare/op.ts'
import { searchText } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'

/** Under whose name a public page stands; all that whoever opens it may know. */
export const Brand = z.object({
  companyName: z.string(),
  /** A picture that is served without a session. */
  logoId: z.string().nullable(),
})
export type Brand = z.infer<typeof Brand>

export const agents = {
  /** For pickers: at most 20 agents whose number or name matches. */
  options: op(
    { permission: 'agentDesk.list' },
    { method: 'GET', path: '/agents/options', summary: 'Agents for a picker' },
  )
    .input(z.object({ search: searchText }))
    .output(z.object({ rows: z.array(z.object({ id: z.number(), companyName: z.string() })) })),
}
