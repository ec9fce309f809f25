// What becomes of campaigns that were sent: each part is one transaction that a kill undoes wholly, and that takes with
// `skip locked` only what no other instance has in hand.
import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, notExists, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { MessageStatus } from '#features/shops/messages/rules.ts'
import { recordOutcomes } from '#features/shops/messages/server-outcomes.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import {
  CAMPAIGN_LIMITS,
  CAMPAIGN_STEPS,
  OPEN_STATES,
  type Progress,
  senderProblem,
  startProblem,
} from './rules.ts'
import { countProgress, NONE } from './server-list.ts'
import { tellEnd } from './server-notice.ts'
import { queueChunk } from './server-queueing.ts'
import { campaigns } from './tables.ts'

const CANCELLED_AT_ONCE = 2_000
const AT_ONCE = 50
/** Messages of a campaign that ended longer ago are not looked at again: what is open then stays counted as it stands. */
const WATCHED_DAYS = 7

/** Does a part of the work and answers whether more waits. */
export async function workOnCampaigns(services: Services): Promise<boolean> {
  await beginDue(services)
  const queued = await queueOne(services)
  const cancelled = await takeBack(services)
  await finishSent(services)
  await keepFigures(services)
  return queued || cancelled
}

/** A chunk that met a purchase of the same credit is tried again with what is left of it. */
async function queueOne(services: Services): Promise<boolean> {
  try {
    return await queueChunk(services)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'SMS_INSUFFICIENT') return true
    throw error
  }
}

async function beginDue(services: Services): Promise<void> {
  await actAsSystem(services, 'campaigns begin', async ctx => {
    const due = await ctx.db
      .select({
        id: campaigns.id,
        isLate: sql<boolean>`${campaigns.scheduledAt} < now() - make_interval(hours => ${CAMPAIGN_LIMITS.lateHours})`,
        isAgentEnabled: agents.enabled,
        isAccountEnabled: accounts.enabled,
      })
      .from(campaigns)
      .innerJoin(agents, eq(agents.id, campaigns.agentId))
      .innerJoin(accounts, eq(accounts.id, campaigns.sentBy))
      .where(
        and(
          eq(campaigns.status, 'scheduled'),
          lte(campaigns.scheduledAt, sql`now()`),
          // What a suspended agency has planned waits, and is late once it is resumed too late.
          ne(agents.status, 'suspended'),
        ),
      )
      .orderBy(asc(campaigns.scheduledAt))
      .limit(AT_ONCE)
      .for('update', { of: campaigns, skipLocked: true })
    for (const one of due) {
      const problem = startProblem(one)
      const { from, to } = CAMPAIGN_STEPS[problem === null ? 'begin' : 'refuse']
      const [begun] = await ctx.db
        .update(campaigns)
        .set({
          status: to,
          problem: problem ?? '',
          startedAt: sql`now()`,
          finishedAt: problem === null ? null : sql`now()`,
        })
        .where(and(eq(campaigns.id, one.id), inArray(campaigns.status, from)))
        .returning()
      if (begun && problem !== null) await tellEnd(ctx, begun, senderProblem(one) !== null)
    }
  })
}

/** Takes back what a cancelled campaign still has in the outbox; its credit returns with it. */
async function takeBack(services: Services): Promise<boolean> {
  return actAsSystem(services, 'campaigns cancel', async ctx => {
    const [campaign] = await ctx.db
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(and(eq(campaigns.status, 'cancelled'), isNull(campaigns.finishedAt)))
      .orderBy(asc(campaigns.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!campaign) return false
    const waiting = await ctx.db
      .select({ id: outboxMessages.id })
      .from(outboxMessages)
      .where(and(eq(outboxMessages.campaignId, campaign.id), eq(outboxMessages.status, 'queued')))
      .orderBy(asc(outboxMessages.id))
      .limit(CANCELLED_AT_ONCE)
      .for('update', { skipLocked: true })
    // What a sender has in hand may come back to the outbox; until then the end is not reached.
    if (waiting.length === 0 && !(await isInOutbox(ctx, campaign.id)))
      await ctx.db.update(campaigns).set({ finishedAt: sql`now()` }).where(eq(campaigns.id, campaign.id))
    const at = ctx.now.toISOString()
    await recordOutcomes(
      ctx,
      waiting.map(({ id }) => ({ id, status: 'cancelled', at })),
    )
    return waiting.length > 0
  })
}

const IN_OUTBOX: MessageStatus[] = ['queued', 'sending']

function messagesIn(ctx: Ctx, states: readonly MessageStatus[]) {
  return ctx.db
    .select({ one: sql`1` })
    .from(outboxMessages)
    .where(and(eq(outboxMessages.campaignId, campaigns.id), inArray(outboxMessages.status, [...states])))
}

async function isInOutbox(ctx: Ctx, id: number): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: outboxMessages.id })
    .from(outboxMessages)
    .where(and(eq(outboxMessages.campaignId, id), inArray(outboxMessages.status, IN_OUTBOX)))
    .limit(1)
  return rows.length > 0
}

async function finishSent(services: Services): Promise<void> {
  await actAsSystem(services, 'campaigns finish', async ctx => {
    const sent = await ctx.db
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(and(eq(campaigns.status, 'sending'), notExists(messagesIn(ctx, IN_OUTBOX))))
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    if (sent.length === 0) return
    const ids = sent.map(({ id }) => id)
    const done = await ctx.db
      .update(campaigns)
      .set({ status: CAMPAIGN_STEPS.finish.to, finishedAt: sql`now()` })
      .where(and(inArray(campaigns.id, ids), inArray(campaigns.status, CAMPAIGN_STEPS.finish.from)))
      .returning()
    for (const campaign of done) await tellEnd(ctx, campaign)
  })
}

/** Keeps the figures of campaigns of which nothing can change any more. */
async function keepFigures(services: Services): Promise<void> {
  await actAsSystem(services, 'campaigns figures', async ctx => {
    const settled = await ctx.db
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(
        and(
          inArray(campaigns.status, ['done', 'cancelled', 'refused']),
          isNull(campaigns.progress),
          isNotNull(campaigns.startedAt),
          sql`${campaigns.finishedAt} > now() - make_interval(days => ${sql.raw(String(WATCHED_DAYS))})`,
          notExists(messagesIn(ctx, OPEN_STATES)),
        ),
      )
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    const figures = await countProgress(
      ctx,
      settled.map(({ id }) => id),
    )
    for (const { id } of settled) {
      const progress: Progress = figures.get(id) ?? NONE
      await ctx.db.update(campaigns).set({ progress }).where(eq(campaigns.id, id))
    }
  })
}
