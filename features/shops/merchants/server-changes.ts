// What features after this one change at shops: where they belong (after-sales), and what orders and their undo give them.
import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { TermEnd } from '#features/shops/versions/rules.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import type { STATUS_STEPS } from './rules.ts'
import { merchants } from './tables.ts'

type Merchant = typeof merchants.$inferSelect

/** A shop and its branches, locked in the order of their ids; NOT_FOUND where it is not the acting agent's. */
export async function lockGroup(ctx: Ctx, id: number): Promise<{ head: Merchant; branches: Merchant[] }> {
  const group = and(or(eq(merchants.id, id), eq(merchants.headId, id)), ownRows(ctx, merchants.agentId))
  const locked = await ctx.db.select().from(merchants).where(group).orderBy(asc(merchants.id)).for('update')
  const head = found(locked.find(shop => shop.id === id))
  ctx.about(head.agentId, head.id)
  // A branch that joined before its head was locked is not among them; none can join any more.
  if ((await ctx.db.$count(merchants, group)) !== locked.length) refuseCommon('BUSY')
  return { head, branches: locked.filter(shop => shop.id !== id) }
}

const revision = sql`${merchants.revision} + 1`

/** Gives these shops to another agent, without the manager that they had at the present one. */
export async function moveToAgent(ctx: Ctx, merchantIds: readonly number[], agentId: number): Promise<void> {
  await ctx.db
    .update(merchants)
    .set({ agentId, managerId: null, revision })
    .where(and(inArray(merchants.id, [...merchantIds]), ownRows(ctx, merchants.agentId)))
}

/** Somebody of the shop has signed in at its point of sale. No edit: its revision stays. */
export async function noteSignIn(ctx: Ctx, merchantId: number): Promise<void> {
  await ctx.db
    .update(merchants)
    .set({ lastLoginAt: sql`now()` })
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
}

/** Makes a shop a branch of `headId`, or a head of its own with null. */
export async function setHead(ctx: Ctx, merchantId: number, headId: number | null): Promise<void> {
  await ctx.db
    .update(merchants)
    .set({ headId, storeKind: headId === null ? 'head' : 'branch', revision })
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
}

/**
 * Takes shops that nobody has used out of the table, as if they had never been: their accounts are free, and no list, count or search
 * finds them. Answers what they were, without their secrets, for whoever keeps that. The caller has locked them; programs at the point of
 * sale are told.
 */
export async function removeShops(
  ctx: Ctx,
  merchantIds: readonly number[],
): Promise<Map<number, Record<string, unknown>>> {
  const { rows } = await ctx.db.execute<{ shop: { id: number } & Record<string, unknown> }>(
    sql`with gone as (
        delete from merchants where ${inArray(merchants.id, [...merchantIds])} and ${ownRows(ctx, merchants.agentId) ?? sql`true`}
        returning *),
      told as (select note_shop_removed(id, agent_id, manager_id) from (select id, agent_id, manager_id from gone order by id) as each)
      select to_jsonb(gone) - array['password_hash', 'payment_config', 'search_text'] as shop from gone, (select count(*) from told) as all_told`,
  )
  return new Map(rows.map(({ shop }) => [shop.id, shop]))
}

export type TermsChange = TermEnd & {
  merchantId: number
  versionId: number
  shopsBought: number
  /** Left out: as it is. */
  status?: typeof STATUS_STEPS.disable.to
}

/** Writes the new terms of these shops in one statement. The caller has locked them in the order of their ids. */
export async function applyTerms(ctx: Ctx, changes: readonly TermsChange[]): Promise<void> {
  if (changes.length === 0) return
  const column = (name: keyof TermsChange, type: string): SQL =>
    sql`${sql.param(changes.map(change => change[name] ?? null))}::${sql.raw(type)}[]`
  const wanted = sql`unnest(${column('merchantId', 'bigint')}, ${column('versionId', 'integer')},
    ${column('expiresAt', 'timestamptz')}, ${column('termDay', 'integer')}, ${column('shopsBought', 'integer')}, ${column('status', 'text')})
    as wanted (id, version_id, expires_at, term_day, shops_bought, status)`
  const own = ownRows(ctx, merchants.agentId)
  const done = await ctx.db.execute(sql`update merchants set version_id = wanted.version_id,
      expires_at = wanted.expires_at, term_day = wanted.term_day, shops_bought = wanted.shops_bought,
      status = coalesce(wanted.status, merchants.status), revision = merchants.revision + 1
    from ${wanted} where merchants.id = wanted.id and ${own ?? sql`true`}`)
  if (done.rowCount !== changes.length)
    throw new Error(`terms of ${changes.length} shops were to change, ${done.rowCount} did`)
}

/**
 * Gives the shops that one person of the acting agency looks after to another, or with null to nobody; undefined leaves them.
 * Answers which moved and how many are left.
 */
export async function handOverShops(
  ctx: Ctx,
  { fromId, toId }: { fromId: number; toId: number | null | undefined },
): Promise<{ moved: number[]; left: number }> {
  const theirs = and(eq(merchants.agentId, ctx.actor.agentId), eq(merchants.managerId, fromId))
  if (toId === undefined) return { moved: [], left: await ctx.db.$count(merchants, theirs) }
  const moved = await ctx.db
    .update(merchants)
    .set({ managerId: toId, revision })
    .where(theirs)
    .returning({ id: merchants.id })
  return { moved: moved.map(({ id }) => id), left: 0 }
}
