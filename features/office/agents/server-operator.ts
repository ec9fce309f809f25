// The rows of agents as the operator changes them; features/agencies/partners says what may stand there and who may.
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import { AGENT_STEPS } from './rules.ts'
import { beginLevel } from './server-levels.ts'
import { agentLevels, agents } from './tables.ts'

export type Agent = typeof agents.$inferSelect
type Terms = Pick<
  Agent,
  | 'companyName'
  | 'levelId'
  | 'parentId'
  | 'districtCode'
  | 'contactName'
  | 'mobile'
  | 'accountFormat'
  | 'isVendorStaff'
  | 'hasFullMenu'
  | 'payEnabled'
  | 'contractFrom'
  | 'contractTo'
>

const above = alias(agents, 'above')

/** An agent, locked. */
export async function lockAgent(ctx: Ctx, id: number): Promise<Agent> {
  const [agent] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
    .for('update')
  return found(agent)
}

/** Until the commit this agent stays what it is: nobody suspends or ends it. */
export async function holdAgent(ctx: Ctx, id: number): Promise<void> {
  await ctx.db
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
    .for('share')
}

/** Until the commit nobody else takes a name or moves an agent in the tree. */
export async function lockTree(ctx: Ctx): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext('agents.tree'))`)
}

export async function isCompanyTaken(
  ctx: Ctx,
  companyName: string,
  exceptId: number | null,
): Promise<boolean> {
  const same = sql`company_key(${agents.companyName}) = company_key(${companyName})`
  const another = exceptId === null ? undefined : ne(agents.id, exceptId)
  return (await ctx.db.$count(agents, and(same, another))) > 0
}

export async function levelOf(ctx: Ctx, id: number): Promise<typeof agentLevels.$inferSelect | undefined> {
  const [level] = await ctx.db.select().from(agentLevels).where(eq(agentLevels.id, id))
  return level
}

/** What a parent must be known by: its state, and whether it stands under another, and that under a third. */
export async function parentOf(ctx: Ctx, id: number) {
  const [parent] = await ctx.db
    .select({
      id: agents.id,
      companyName: agents.companyName,
      status: agents.status,
      isVendor: sql<boolean>`${agents.isOperator} or ${agents.isVendorStaff}`,
      parentId: agents.parentId,
      grandparentId: above.parentId,
    })
    .from(agents)
    .leftJoin(above, eq(above.id, agents.parentId))
    .where(eq(agents.id, id))
  return parent
}

/** How many levels stand below an agent: 0, 1 or more. */
export async function depthBelow(ctx: Ctx, id: number): Promise<number> {
  const children = ctx.db.select({ id: agents.id }).from(agents).where(eq(agents.parentId, id))
  if ((await ctx.db.$count(agents, eq(agents.parentId, id))) === 0) return 0
  return (await ctx.db.$count(agents, inArray(agents.parentId, children))) === 0 ? 1 : 2
}

/** 'taken': another has the name, whoever gave it that one without asking here. */
export async function insertAgent(ctx: Ctx, terms: Terms): Promise<number | 'taken'> {
  const row = { ...terms, createdAt: ctx.now.toISOString() }
  return unlessTaken(async () => {
    const [agent] = await ctx.db.insert(agents).values(row).returning({ id: agents.id })
    return found(agent).id
  })
}

export async function updateTerms(ctx: Ctx, id: number, terms: Terms): Promise<'done' | 'taken'> {
  const { levelId } = await lockAgent(ctx, id)
  if (levelId !== terms.levelId)
    await beginLevel(ctx, { agentId: id, fromLevelId: levelId, levelId: terms.levelId }, null)
  return unlessTaken(async (): Promise<'done'> => {
    await ctx.db
      .update(agents)
      .set({ ...terms })
      .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
    return 'done'
  })
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) === '23505') return 'taken'
    throw error
  }
}

/** Another parent, or none: right under the vendor. */
export async function moveUnder(ctx: Ctx, id: number, parentId: number | null): Promise<void> {
  await ctx.db
    .update(agents)
    .set({ parentId })
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
}

/** Answers whether it was active. */
export async function markSuspended(ctx: Ctx, id: number, reason: string): Promise<boolean> {
  const done = await ctx.db
    .update(agents)
    .set({ status: AGENT_STEPS.suspend.to, suspendedFor: reason, suspendedAt: ctx.now.toISOString() })
    .where(and(eq(agents.id, id), inArray(agents.status, AGENT_STEPS.suspend.from), ownRows(ctx, agents.id)))
    .returning({ id: agents.id })
  return done.length > 0
}

/** Answers whether it was suspended. */
export async function markResumed(ctx: Ctx, id: number): Promise<boolean> {
  const done = await ctx.db
    .update(agents)
    .set({ status: AGENT_STEPS.resume.to, suspendedFor: '', suspendedAt: null })
    .where(and(eq(agents.id, id), inArray(agents.status, AGENT_STEPS.resume.from), ownRows(ctx, agents.id)))
    .returning({ id: agents.id })
  return done.length > 0
}

/** Nobody of it signs in any more; its sessions and keys end with the commit. Answers whether it was not closed yet. */
export async function markClosed(ctx: Ctx, id: number): Promise<boolean> {
  const { from, to } = AGENT_STEPS.close
  const done = await ctx.db
    .update(agents)
    .set({ status: to, suspendedFor: '', suspendedAt: null, payEnabled: false })
    .where(and(eq(agents.id, id), inArray(agents.status, from), ownRows(ctx, agents.id)))
    .returning({ id: agents.id })
  return done.length > 0
}
