import { and, asc, eq, ilike, or, type SQL } from 'drizzle-orm'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
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

/** Whether the operator lets an agent be paid on its own account. */
export async function payAllowed(ctx: Ctx, agentId: number): Promise<boolean> {
  const [agent] = await ctx.db
    .select({ payEnabled: agents.payEnabled })
    .from(agents)
    .where(eq(agents.id, agentId))
  return agent?.payEnabled ?? false
}

export async function setPayAllowed(
  ctx: Ctx,
  agentId: number,
  payEnabled: boolean,
): Promise<{ companyName: string; changed: boolean }> {
  const [before] = await ctx.db
    .select({ companyName: agents.companyName, payEnabled: agents.payEnabled })
    .from(agents)
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
    .for('update')
  const { companyName, payEnabled: was } = found(before)
  await ctx.db.update(agents).set({ payEnabled }).where(eq(agents.id, agentId))
  return { companyName, changed: was !== payEnabled }
}

export const agentsRouter = serve(contract, { options: agentOptions })
