import { and, asc, eq, ilike, or, type SQL } from 'drizzle-orm'
import type { In, Out } from '#kit/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { agents as contract } from './contract.ts'
import { agents } from './tables.ts'

export async function agentOptions(
  ctx: Ctx,
  input: In<typeof contract.options>,
): Promise<Out<typeof contract.options>> {
  const rows = await ctx.db
    .select({ id: agents.id, companyName: agents.companyName })
    .from(agents)
    .where(and(ownRows(ctx, agents.id), agentMatches(input.search)))
    .orderBy(asc(agents.id))
    .limit(20)
  return { rows }
}

/** Its number, or a part of a name. */
export function agentMatches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const byText = or(ilike(agents.companyName, pattern), ilike(agents.contactName, pattern))
  return /^\d{1,15}$/.test(search) ? or(eq(agents.id, Number(search)), byText) : byText
}

export const agentsRouter = serve(contract, { options: agentOptions })
