import { and, asc, eq, ilike, or, type SQL } from 'drizzle-orm'
import { ownRows, type Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { agents as contract } from './contract.ts'
import { agents } from './tables.ts'

export const agentOptions: Verb<typeof contract.options> = async (ctx, input) => {
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
