// The end of a partner in the background: each batch of shops is one transaction that a kill undoes wholly, and two instances never
// have the same closing in hand. Where a batch fails its shops go one by one, and what fails alone is written down with its reason.
import { setTimeout as rest } from 'node:timers/promises'
import { and, desc, eq, inArray, ne, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { CAMPAIGN_STATUSES } from '#features/care/campaigns/rules.ts'
import { beingTakenBack, cancelAll } from '#features/care/campaigns/server-end-all.ts'
import { campaigns } from '#features/care/campaigns/tables.ts'
import { accounts } from '#features/office/access/tables.ts'
import { lockAgent } from '#features/office/agents/server-operator.ts'
import { agents } from '#features/office/agents/tables.ts'
import { moveGroups } from '#features/sales/aftersales/server-many.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { isContention, isLinkFailure } from '#server/db.ts'
import { logOperation } from '#server/operation-log.ts'
import { Refusal } from '#server/refuse.ts'
import { actAsSystem, inTheNameOf, SYSTEM_ACTOR } from '#server/system.ts'
import { CAMPAIGNS_END_FOR, SHOPS_AT_ONCE } from './rules.ts'
import { takeStep } from './server.ts'
import { endPartner, type InHand } from './server-end.ts'
import { partnerClosings as closings, partnerClosingFailures as failures } from './tables.ts'

const takers = alias(agents, 'takers')
/** Between two batches, so that others come in. */
const REST_MS = 30
/** How often a shop is asked for that others hold, before that is its reason. */
const TRIES = 4
const BETWEEN_TRIES_MS = 250

type Head = { id: number; registeredAt: string }
type Done = { found: boolean; failed: { closingId: number; heads: Head[]; error: unknown } | null }

/** Does a part of the work and answers whether more waits. */
export async function workOnClosings(services: Services, atOnce = SHOPS_AT_ONCE): Promise<boolean> {
  const { found, failed } = await moveBatch(services, atOnce)
  if (failed) await moveEach(services, failed.closingId, failed.heads)
  if (found) await rest(REST_MS)
  return found
}

async function moveBatch(services: Services, atOnce: number): Promise<Done> {
  const tried: { closingId: number; heads: Head[] } = { closingId: 0, heads: [] }
  try {
    const found = await actAsSystem(services, 'closings batch', async system => {
      const hand = await takeInHand(system)
      if (!hand) return false
      if (await endCampaigns(hand)) return true
      const heads = await nextHeads(hand, atOnce)
      if (heads.length === 0) {
        await lookAgainOrEnd(hand)
        return true
      }
      Object.assign(tried, { closingId: hand.closing.id, heads })
      await moveHeads(hand, heads)
      return true
    })
    return { found, failed: null }
  } catch (error) {
    // Nothing is known of its shops: the next look goes on where the last batch ended.
    if (tried.heads.length === 0 || isLinkFailure(error)) throw error
    return { found: true, failed: { ...tried, error } }
  }
}

/** The oldest closing that no other instance has in hand and whose campaigns have given their credit back, or this one. */
async function takeInHand(system: Ctx, id?: number): Promise<InHand | null> {
  const [found] = await system.db
    .select({
      closing: closings,
      from: { id: agents.id, companyName: agents.companyName },
      to: { id: takers.id, companyName: takers.companyName },
      agentId: accounts.agentId,
    })
    .from(closings)
    .innerJoin(agents, eq(agents.id, closings.agentId))
    .innerJoin(takers, eq(takers.id, closings.takerId))
    .innerJoin(accounts, eq(accounts.id, closings.createdBy))
    .where(
      and(
        eq(closings.state, 'running'),
        id === undefined ? undefined : eq(closings.id, id),
        notExists(
          system.db
            .select({ one: sql`1` })
            .from(campaigns)
            .where(beingTakenBack(sql`${closings.agentId}`)),
        ),
      ),
    )
    .orderBy(closings.id)
    .limit(1)
    .for('update', { of: closings, skipLocked: true })
  if (!found) return null
  const { closing, from, to, agentId } = found
  const actor = { ...SYSTEM_ACTOR, accountId: closing.createdBy, agentId, name: closing.createdByName }
  return { ctx: inTheNameOf(system, actor).ctx, closing, from, to }
}

/** Its campaigns end first, so that their credit is back when its balance is taken. Answers whether there were any. */
async function endCampaigns({ ctx, from }: InHand): Promise<boolean> {
  const ended = await cancelAll(ctx, from.id, CAMPAIGNS_END_FOR)
  if (ended.length === 0) return false
  await logOperation(ctx, {
    operation: '/partner-closings work',
    title: '停止合作：取消短信群发',
    subject: `${from.companyName} (${from.id})`,
    objects: [`agent:${from.id}`, ...ended.map(({ id }) => `campaign:${id}`)],
    changes: ended.map(({ id, name, status }) => ({
      name: `${name} (${id})`,
      before: CAMPAIGN_STATUSES[status],
      after: CAMPAIGN_STATUSES.cancelled,
    })),
    by: ctx.actor,
    aboutAgentId: from.id,
  })
  return true
}

/** Shops of the partner that are not known to fail, themselves or with their head. */
function left({ ctx, closing }: InHand): SQL | undefined {
  const failed = ctx.db
    .select({ one: sql`1` })
    .from(failures)
    .where(
      and(
        eq(failures.closingId, closing.id),
        or(eq(failures.merchantId, merchants.id), eq(failures.merchantId, merchants.headId)),
      ),
    )
  return and(eq(merchants.agentId, closing.agentId), notExists(failed))
}

/**
 * The next heads in the order of the list, from where the last batch ended; once there is none, whatever is left. Branches go with
 * their head.
 */
async function nextHeads(hand: InHand, atOnce: number): Promise<Head[]> {
  const { ctx, closing } = hand
  const after =
    closing.cursorAt === null
      ? undefined
      : sql`(${merchants.registeredAt}, ${merchants.id}) < (${closing.cursorAt}::timestamptz, ${closing.cursorId}::bigint)`
  const pick = (where: SQL | undefined) =>
    ctx.db
      .select({ id: merchants.id, registeredAt: merchants.registeredAt })
      .from(merchants)
      .where(and(left(hand), where))
      .orderBy(desc(merchants.registeredAt), desc(merchants.id))
      .limit(atOnce)
  const heads = await pick(and(ne(merchants.storeKind, 'branch'), after))
  return heads.length > 0 ? heads : pick(undefined)
}

/** Moves heads with their branches, and writes down how far it is, and that it was done, for both agents and every shop. */
async function moveHeads({ ctx, closing, from, to }: InHand, heads: readonly Head[]): Promise<void> {
  const moved = await moveGroups(
    ctx,
    heads.map(({ id }) => id),
    { from, to, reason: closing.reason },
  )
  const last = heads.at(-1)
  await ctx.db
    .update(closings)
    .set({
      moved: sql`${closings.moved} + ${moved.length}`,
      cursorAt: last?.registeredAt ?? null,
      cursorId: last?.id ?? 0,
    })
    .where(eq(closings.id, closing.id))
  if (moved.length > 0) await logBoth({ ctx, closing, from, to }, moved)
}

/** A row for the partner and one for the taker; both stand in the history of every shop. Last before commit. */
async function logBoth({ ctx, from, to }: InHand, shops: readonly number[]): Promise<void> {
  const objects = shops.map(id => `merchant:${id}`)
  for (const about of [from, to])
    await logOperation(ctx, {
      operation: '/partner-closings work',
      title: '停止合作：转移商户',
      subject: `${from.companyName} (${from.id}) → ${to.companyName} (${to.id})`,
      objects: [`agent:${about.id}`, ...objects],
      changes: [{ name: '商户', before: null, after: `${shops.length} 家` }],
      by: ctx.actor,
      aboutAgentId: about.id,
    })
}

/** One by one, each in a transaction of its own: what fails is written down and passed over. */
async function moveEach(services: Services, closingId: number, heads: readonly Head[]): Promise<void> {
  for (const head of heads) {
    try {
      await moveOne(services, closingId, head)
    } catch (error) {
      if (isLinkFailure(error)) throw error
      if (!(error instanceof Refusal)) services.onProblem(error)
      await actAsSystem(services, 'closings failure', async ({ db, now }) => {
        await db
          .insert(failures)
          .values({
            closingId,
            merchantId: head.id,
            reason: error instanceof Refusal ? error.message : '转移时发生错误，请稍后重试',
            createdAt: now.toISOString(),
          })
          .onConflictDoNothing()
        await db
          .update(closings)
          .set({ cursorAt: head.registeredAt, cursorId: head.id })
          .where(and(eq(closings.id, closingId), inArray(closings.state, ['running', 'paused'])))
      })
    }
  }
}

async function moveOne(services: Services, closingId: number, head: Head): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await actAsSystem(services, 'closings shop', async system => {
        const hand = await takeInHand(system, closingId)
        if (hand) await moveHeads(hand, [head])
      })
    } catch (error) {
      if (!isContention(error) || tried === TRIES) throw error
    }
    await rest(BETWEEN_TRIES_MS)
  }
}

/** No shop is left but those that failed: the partner ends, or it is said what is in the way. */
async function lookAgainOrEnd(hand: InHand): Promise<void> {
  const { ctx, closing } = hand
  // Waits for whoever is giving it a shop, and sees that one.
  await lockAgent(ctx, closing.agentId)
  if ((await nextHeads(hand, 1)).length > 0) return
  const failed = await ctx.db.$count(failures, eq(failures.closingId, closing.id))
  if (failed > 0) await takeStep(ctx, closing.id, 'stick')
  else await endPartner(hand)
}
