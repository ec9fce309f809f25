// The one place that calls an acquirer about payments of one fen: it claims what is due, commits, orders or asks or has it refunded, and
// writes what came of it in a transaction of its own. An order whose answer was lost has no code that anybody could pay: it is closed and
// said to have failed. What was paid is asked about and refunded, under one number for each refund, until it is back; staff are told when
// that lasts.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { AcquirerDesk } from '#kit/ports/acquirer-pay.ts'
import { ACQUIRER_NAMES } from '#kit/ports/acquirers.ts'
import { ProviderRefused, ProviderUnknown, ProviderUnverified } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { actAsSystem } from '#server/system.ts'
import { secondsToAsk, TEST_PAYMENT_STEPS, TEST_STATES, TESTING } from './rules.ts'
import { acquirerOnboardings as onboarded, acquirerTestPayments as tests } from './tables.ts'

type Tested = typeof tests.$inferSelect
type Due = { test: Tested; channel: typeof onboarded.$inferSelect.channel }
type Round =
  | { kind: 'show'; codeUrl: string }
  | { kind: 'pay'; paidAt: string | null }
  | { kind: 'refund' }
  | { kind: 'fail'; reason: string }
  /** Nobody has paid yet. */
  | { kind: 'wait' }
  /** `again`: the refund was given up there, and is asked for under another number. */
  | { kind: 'later'; reason: string; again?: boolean }

const CLAIM = `
  update acquirer_test_payments set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (
    select id from acquirer_test_payments where next_at <= now() order by next_at, id limit $3 for update skip locked
  )
  returning id::int`
const SILENT = '渠道没有应答，将再次查询'

/** Does a part and answers whether more waits. */
export async function tryPayments(services: Services): Promise<boolean> {
  const claim = randomUUID()
  const due = await actAsSystem(services, 'acquirer tests claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_acquirer_test_payments',
      text: CLAIM,
      values: [claim, TESTING.claimSeconds, TESTING.atOnce],
    })
    if (rows.length === 0) return []
    return ctx.db
      .select({ test: tests, channel: onboarded.channel })
      .from(tests)
      .innerJoin(onboarded, eq(onboarded.id, tests.onboardingId))
      .where(eq(tests.claim, claim))
  })
  await Promise.all(
    due.map(async one => {
      const round = await askedOf(services, one)
      await actAsSystem(services, 'acquirer tests record', ctx => record(ctx, one, round))
    }),
  )
  return due.length === TESTING.atOnce
}

async function askedOf(services: Services, { test, channel }: Due): Promise<Round> {
  const desk = services.providers.acquirers[channel]
  if (!desk) return { kind: 'later', reason: '渠道接口没有接入，无法查询，请联系管理员' }
  try {
    if (test.state === 'ordering') return await order(desk, test, ACQUIRER_NAMES[channel])
    return test.state === 'waiting'
      ? await ask(desk, test, services.clock.now())
      : await bringBack(desk, test)
  } catch (error) {
    return failed(services, desk, test, error)
  }
}

function failed(services: Services, desk: AcquirerDesk, { state }: Tested, error: unknown): Round {
  const mayFail = state === 'ordering'
  if (error instanceof ProviderRefused) {
    const reason = desk.troubleOf(error)
    return mayFail ? { kind: 'fail', reason } : { kind: 'later', reason }
  }
  if (error instanceof ProviderUnverified) {
    const reason = '渠道应答的签名校验失败，请检查平台公钥'
    return mayFail ? { kind: 'fail', reason } : { kind: 'later', reason }
  }
  if (!(error instanceof ProviderUnknown)) services.onProblem(error)
  // An order that may have been made is closed in the next round.
  return { kind: 'later', reason: SILENT }
}

async function order(desk: AcquirerDesk, test: Tested, acquirer: string): Promise<Round> {
  const { code: merchant, orderNo } = test
  // Another round was lost: nobody was given its code.
  if (test.tries > 1) {
    await desk.close(merchant, orderNo).catch((error: unknown) => {
      if (!(error instanceof ProviderRefused)) throw error
    })
    return { kind: 'fail', reason: '渠道没有应答，没有产生付款码，请稍后重新测试' }
  }
  const { codeUrl } = await desk.create({
    ...{ merchant, orderNo, amountFen: TESTING.amountFen, minutes: TESTING.minutes },
    subject: `${acquirer}测试支付`,
  })
  return { kind: 'show', codeUrl }
}

async function ask(desk: AcquirerDesk, { code, orderNo, expiresAt }: Tested, now: Date): Promise<Round> {
  const { state, paidAt } = await desk.query(code, orderNo)
  if (state === 'paid') return { kind: 'pay', paidAt }
  if (state === 'failed') return { kind: 'fail', reason: '付款失败，没有扣款，请重新测试' }
  if (state === 'closed') return { kind: 'fail', reason: `${TESTING.minutes} 分钟内没有人付款，付款码已失效` }
  // What was paid in this very moment is found by the next question.
  if (Date.parse(expiresAt) <= now.getTime()) await desk.close(code, orderNo)
  return { kind: 'wait' }
}

async function bringBack(desk: AcquirerDesk, test: Tested): Promise<Round> {
  const { code: merchant, orderNo, refundRound } = test
  const refundNo = `${orderNo}R${refundRound}`
  const standing = await desk.queryRefund(merchant, refundNo)
  const state =
    standing === 'none'
      ? await desk.refund({ merchant, orderNo, refundNo, amountFen: TESTING.amountFen })
      : standing
  if (state === 'done') return { kind: 'refund' }
  if (state === 'failed') return { kind: 'later', reason: '渠道退款失败，将再次退款', again: true }
  return { kind: 'later', reason: '渠道正在退款' }
}

/** A round whose claim was lost to another changes nothing. */
async function record(ctx: Ctx, { test, channel }: Due, round: Round): Promise<void> {
  const [row] = await ctx.db
    .select()
    .from(tests)
    .where(and(eq(tests.id, test.id), eq(tests.claim, test.claim)))
    .for('update')
  if (!row) return
  if (round.kind === 'wait' || round.kind === 'later') return stay(ctx, row, round)
  const { from, to } = TEST_PAYMENT_STEPS[round.kind]
  const now = ctx.now.toISOString()
  await ctx.db
    .update(tests)
    .set({
      ...{ state: to, claim: '', tries: 0, reason: '', stuckAt: null },
      // It came to pass by itself: nothing is left for anybody to look at.
      ...{ settleReason: '', settledBy: null, settledByName: '', settledAt: null },
      codeUrl: round.kind === 'show' ? round.codeUrl : '',
      nextAt: to === 'refunded' || to === 'failed' ? null : now,
      ...(round.kind === 'fail' && { reason: round.reason }),
      ...(round.kind === 'pay' && { paidAt: round.paidAt ?? now }),
      ...(round.kind === 'refund' && { refundedAt: now }),
    })
    .where(and(eq(tests.id, row.id), inArray(tests.state, [...from])))
  const { agentId, merchantId } = row
  await logOperation(ctx, {
    operation: '/acquirer-onboardings test payment',
    title: '登记测试支付',
    subject: `商户 ${merchantId} ${ACQUIRER_NAMES[channel]}`,
    objects: [objectKey('acquirerOnboarding', row.onboardingId), objectKey('merchant', merchantId)],
    ...{ by: { ...ctx.actor, agentId }, merchantId, aboutAgentId: agentId },
    changes: [
      { name: '测试支付（0.01 元）', before: TEST_STATES[row.state], after: TEST_STATES[to] },
      ...(round.kind === 'fail' ? [{ name: '原因', before: null, after: round.reason }] : []),
    ],
  })
}

async function stay(ctx: Ctx, row: Tested, round: Extract<Round, { kind: 'wait' | 'later' }>): Promise<void> {
  const tries = round.kind === 'wait' ? 0 : row.tries
  const isPaidLong = row.state === 'paid' && tries >= TESTING.silentRounds
  const isUnknown =
    row.state === 'waiting' && tries >= TESTING.silentRounds && Date.parse(row.expiresAt) < ctx.now.getTime()
  const seconds = secondsToAsk({ state: row.state, tries }) ?? 0
  await ctx.db
    .update(tests)
    .set({
      ...{ claim: '', tries, reason: round.kind === 'later' ? round.reason : '' },
      ...(round.kind === 'later' && round.again && { refundRound: row.refundRound + 1 }),
      stuckAt: isPaidLong || isUnknown ? (row.stuckAt ?? ctx.now.toISOString()) : row.stuckAt,
      nextAt: new Date(ctx.now.getTime() + seconds * 1_000).toISOString(),
    })
    .where(eq(tests.id, row.id))
}
