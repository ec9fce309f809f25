import { and, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { beingTakenBack } from '#features/care/campaigns/server-end-all.ts'
import { campaigns } from '#features/care/campaigns/tables.ts'
import { lockAgent, lockTree, markSuspended } from '#features/office/agents/server-operator.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { merchantCounts, merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { partnerClosing as contract } from './contract.ts'
import {
  BALANCE_CHOICES,
  CLOSING_REFUSALS,
  CLOSING_STATES,
  CLOSING_STEPS,
  type ClosingStep,
  LIMITS,
  refusePartner,
  refuseReason,
  refuseStep,
  refuseTaker,
  SUSPENDED_FOR,
} from './rules.ts'
import { hindrancesOf, partyOf, rehearse } from './server-rehearsal.ts'
import { partnerClosings as closings, partnerClosingFailures as failures } from './tables.ts'

const takers = alias(agents, 'takers')
export const WORK = 'closings'

/** From here on the partner's people see and change nothing; its shops go in the background. */
export const start: Verb<typeof contract.start> = async (ctx, input) => {
  const { agentId, takerId, balances } = input
  await lockTree(ctx)
  await lockAgent(ctx, agentId)
  const partner = found(await partyOf(ctx, agentId))
  refuse(refusePartner(partner), CLOSING_REFUSALS, { field: 'agentId' })
  const taker = takerId === null ? null : await partyOf(ctx, takerId)
  refuse(refuseTaker(agentId, taker), CLOSING_REFUSALS, { field: 'takerId' })
  if (balances === null) refuse('BALANCES_REQUIRED', CLOSING_REFUSALS, { field: 'balances' })
  refuse(refuseReason(input.reason), CLOSING_REFUSALS, { field: 'reason' })
  const blocks = await hindrancesOf(ctx, agentId)
  refuse(blocks.length > 0 ? 'BLOCKED' : null, CLOSING_REFUSALS)
  const { id: takenBy, companyName: takerName } = found(taker)
  const reason = input.reason.trim()
  const shops = await shopsOf(ctx, agentId)
  const [begun] = await ctx.db
    .insert(closings)
    .values({
      agentId,
      takerId: takenBy,
      balances: balances ?? 'refund',
      reason,
      state: 'running',
      shops,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: closings.id })
  await markSuspended(ctx, agentId, SUSPENDED_FOR)
  await notify(ctx, {
    agentId: takenBy,
    holding: 'merchants.list',
    exceptActor: true,
    topic: 'ShopMoved_Notify',
    title: '将有商户转入',
    body: `${partner.companyName} 停止合作，其 ${countText(shops, '家')}商户将陆续转给您`,
    link: '/admin/merchant/myMerchant',
    args: { from: agentId, to: takenBy },
  })
  ctx.services.wake(WORK)
  ctx.about(agentId)
  ctx.object('agent', agentId, takenBy)
  ctx.note(`${partner.companyName} (${agentId})`, [
    { name: '接收方', before: null, after: `${takerName} (${takenBy})` },
    { name: '商户', before: null, after: countText(shops, '家') },
    { name: '余额处理', before: null, after: BALANCE_CHOICES[balances ?? 'refund'] },
    { name: '原因', before: null, after: reason },
  ])
  return { id: found(begun).id }
}

async function shopsOf(ctx: Ctx, agentId: number): Promise<number> {
  const [counted] = await ctx.db
    .select({ total: merchantCounts.total })
    .from(merchantCounts)
    .where(eq(merchantCounts.agentId, agentId))
  return counted?.total ?? 0
}

const ROW = {
  id: closings.id,
  companyName: agents.companyName,
  agentId: closings.agentId,
  takerName: takers.companyName,
  takerId: closings.takerId,
  state: closings.state,
  shops: closings.shops,
  moved: closings.moved,
  balances: closings.balances,
  reason: closings.reason,
  createdByName: closings.createdByName,
  createdAt: closings.createdAt,
  finishedAt: closings.finishedAt,
}

function selectClosings<T extends Record<string, unknown>>(ctx: Ctx, more: T) {
  return ctx.db
    .select({ ...ROW, ...(more as Record<never, never>) })
    .from(closings)
    .innerJoin(agents, eq(agents.id, closings.agentId))
    .innerJoin(takers, eq(takers.id, closings.takerId))
}

export const listClosings: Verb<typeof contract.list> = async (ctx, input) => {
  const where = and(
    ownRows(ctx, closings.agentId),
    input.state === undefined ? undefined : eq(closings.state, input.state),
    matches(input.search),
  )
  const rows = await selectClosings(ctx, {})
    .where(where)
    .orderBy(desc(closings.createdAt), desc(closings.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const [counted] = await ctx.db
    .select({ total: sql<number>`count(*)`.mapWith(Number) })
    .from(closings)
    .innerJoin(agents, eq(agents.id, closings.agentId))
    .innerJoin(takers, eq(takers.id, closings.takerId))
    .where(where)
  return { rows, total: counted?.total ?? 0, totalCapped: false }
}

function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const byName = or(ilike(agents.companyName, pattern), ilike(takers.companyName, pattern))
  if (!/^\d{1,15}$/.test(search)) return byName
  return or(eq(closings.agentId, Number(search)), eq(closings.takerId, Number(search)), byName)
}

export const findClosing: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      ...ROW,
      problem: closings.problem,
      tokenCents: closings.tokenCents,
      sms: closings.sms,
      documentNo: closings.documentNo,
    })
    .from(closings)
    .innerJoin(agents, eq(agents.id, closings.agentId))
    .innerJoin(takers, eq(takers.id, closings.takerId))
    .where(and(eq(closings.id, id), ownRows(ctx, closings.agentId)))
  const closing = found(row)
  const failed = await ctx.db
    .select({
      merchantId: failures.merchantId,
      shopName: merchants.shopName,
      reason: failures.reason,
      createdAt: failures.createdAt,
    })
    .from(failures)
    .innerJoin(merchants, eq(merchants.id, failures.merchantId))
    .where(eq(failures.closingId, id))
    .orderBy(failures.merchantId)
    .limit(LIMITS.failuresShown)
  return {
    ...closing,
    failed: await ctx.db.$count(failures, eq(failures.closingId, id)),
    failures: failed,
    campaigns: await ctx.db.$count(campaigns, beingTakenBack(closing.agentId)),
  }
}

/** Takes a step of a closing that somebody asked for. */
function stepVerb(step: 'pause' | 'resume' | 'retry'): Verb<typeof contract.pause> {
  return async (ctx, { id }: In<typeof contract.pause>) => {
    const [locked] = await ctx.db
      .select()
      .from(closings)
      .where(and(eq(closings.id, id), ownRows(ctx, closings.agentId)))
      .for('update')
    const closing = found(locked)
    refuse(refuseStep(closing.state, step), CLOSING_REFUSALS)
    if (step === 'retry') await ctx.db.delete(failures).where(eq(failures.closingId, id))
    await takeStep(ctx, id, step, step === 'retry' ? { cursorAt: null, cursorId: 0, problem: '' } : {})
    const partner = found(await partyOf(ctx, closing.agentId))
    ctx.services.wake(WORK)
    ctx.about(closing.agentId)
    ctx.note(`${partner.companyName} (${closing.agentId})`, [
      {
        name: '状态',
        before: CLOSING_STATES[closing.state],
        after: CLOSING_STATES[CLOSING_STEPS[step].to],
      },
    ])
    return { id }
  }
}

export async function takeStep(
  ctx: Ctx,
  id: number,
  step: ClosingStep,
  more: Partial<typeof closings.$inferInsert> = {},
): Promise<void> {
  const { from, to } = CLOSING_STEPS[step]
  await ctx.db
    .update(closings)
    .set({ ...more, state: to })
    .where(and(eq(closings.id, id), inArray(closings.state, [...from])))
}

export const partnerClosingRouter = serve(contract, {
  rehearse,
  start,
  list: listClosings,
  details: findClosing,
  pause: stepVerb('pause'),
  resume: stepVerb('resume'),
  retry: stepVerb('retry'),
})
