// What an agency says of itself, written for the acting agency alone; features/agencies/agent-profile says what may stand there.
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import { agents } from './tables.ts'

type Agent = typeof agents.$inferSelect
/** What is the agency's own to change; level, flags and the company's name are the operator's. */
type OwnValues = Partial<
  Pick<
    Agent,
    | 'contactName'
    | 'mobile'
    | 'telephone'
    | 'districtCode'
    | 'address'
    | 'domainLabel'
    | 'hotline'
    | 'qq'
    | 'wechat'
    | 'logoId'
  >
>

/** The acting agency, locked. */
export async function lockOwnAgent(ctx: Ctx): Promise<Agent> {
  const [agent] = await ctx.db.select().from(agents).where(eq(agents.id, ctx.actor.agentId)).for('update')
  return found(agent)
}

/** 'taken': another agency took the domain meanwhile. */
export async function updateOwnAgent(ctx: Ctx, values: OwnValues): Promise<'taken' | 'done'> {
  try {
    await ctx.db
      .update(agents)
      .set({ ...values })
      .where(eq(agents.id, ctx.actor.agentId))
    return 'done'
  } catch (error) {
    if (sqlState(error) === '23505') return 'taken'
    throw error
  }
}

/** Whether another agency has this domain: only yes or no is told. */
export async function isDomainTaken(ctx: Ctx, label: string): Promise<boolean> {
  const { rows } = await ctx.db.execute<{ taken: boolean }>(
    sql`select agent_domain_taken(${label}, ${ctx.actor.agentId}) as taken`,
  )
  return rows[0]?.taken === true
}
