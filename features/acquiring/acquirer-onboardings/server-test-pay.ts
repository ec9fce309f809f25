// Staff try a payment configuration that was handed over: one fen, which goes back at once. Here it is only written down; the loop of
// server-test-rounds.ts calls the acquirer. What does not come back is seen to by hand, by two of them.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseBroken } from '#server/refuse.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { SETTLING } from './fields.ts'
import {
  REFUSALS,
  refuseSettling,
  refuseSettlingCheck,
  TEST_OPEN_STATES,
  TEST_PAYMENT_STEPS,
  TEST_STATES,
  TESTING,
} from './rules.ts'
import { findOnboarding } from './server-rows.ts'
import { nameOf, noteOf } from './server-save.ts'
import { testableBy } from './server-testable.ts'
import { acquirerTestPayments as tests } from './tables.ts'

export const testPay: Verb<typeof contract.testPay> = async (ctx, { id }) => {
  const { merchantId } = await findOnboarding(ctx, id)
  const shop = await lockMerchant(ctx, merchantId)
  const row = await findOnboarding(ctx, id)
  ctx.object('acquirerOnboarding', id)
  const [open] = await ctx.db
    .select({ id: tests.id })
    .from(tests)
    .where(
      and(
        eq(tests.onboardingId, id),
        inArray(tests.state, [...TEST_OPEN_STATES]),
        ownRows(ctx, tests.agentId),
      ),
    )
  if (open) {
    ctx.nothingChanged()
    return { id, testPaymentId: open.id }
  }
  const { code, refusal } = await testableBy(ctx, row)
  refuse(refusal, REFUSALS)
  const [made] = await ctx.db
    .insert(tests)
    .values({
      ...{ agentId: shop.agentId, merchantId, onboardingId: id, state: 'ordering', code },
      orderNo: `T${randomUUID().replaceAll('-', '').slice(0, 28)}`,
      startedByName: nameOf(ctx),
      createdAt: ctx.now.toISOString(),
      expiresAt: new Date(ctx.now.getTime() + TESTING.minutes * 60_000).toISOString(),
      nextAt: ctx.now.toISOString(),
    })
    .returning({ id: tests.id })
  noteOf(ctx, shop, row, [
    { name: '测试支付（0.01 元）', before: null, after: TEST_STATES.ordering },
    { name: '商户编号', before: null, after: code },
  ])
  ctx.afterCommit(() => ctx.services.wake('acquirerTests'))
  return { id, testPaymentId: found(made).id }
}

/** The shop first, as whoever tries it does. */
async function lockTest(ctx: Ctx, { id, testPaymentId }: { id: number; testPaymentId: number }) {
  const { merchantId } = await findOnboarding(ctx, id)
  const shop = await lockMerchant(ctx, merchantId)
  const row = await findOnboarding(ctx, id)
  const [test] = await ctx.db
    .select()
    .from(tests)
    .where(and(eq(tests.id, testPaymentId), eq(tests.onboardingId, id), ownRows(ctx, tests.agentId)))
    .for('update')
  ctx.object('acquirerOnboarding', id)
  const { state, stuckAt, claim, settledBy } = found(test)
  return {
    ...{ shop, row, test: found(test) },
    standing: { state, isStuck: stuckAt !== null, isAsked: claim !== '', settledBy },
  }
}

export const settleTest: Verb<typeof contract.settleTest> = async (ctx, { settleReason, ...of }) => {
  const { shop, row, standing } = await lockTest(ctx, of)
  refuse(refuseSettling(standing), REFUSALS)
  refuseBroken(SETTLING, { settleReason })
  await ctx.db
    .update(tests)
    .set({
      ...{ settleReason, settledBy: ctx.actor.accountId, settledByName: nameOf(ctx) },
      settledAt: ctx.now.toISOString(),
    })
    .where(and(eq(tests.id, of.testPaymentId), ownRows(ctx, tests.agentId)))
  noteOf(ctx, shop, row, [{ name: SETTLING.settleReason.label, before: null, after: settleReason }])
  return of
}

export const checkTest: Verb<typeof contract.checkTest> = async (ctx, { isRight, ...of }) => {
  const { shop, row, test, standing } = await lockTest(ctx, of)
  refuse(refuseSettlingCheck(standing, ctx.actor.accountId), REFUSALS)
  const { from, to } = TEST_PAYMENT_STEPS.settle
  const own = and(eq(tests.id, test.id), ownRows(ctx, tests.agentId))
  if (isRight)
    await ctx.db
      .update(tests)
      .set({
        ...{ state: to, stuckAt: null, nextAt: null, codeUrl: '', reason: '' },
        ...{ checkedByName: nameOf(ctx), checkedAt: ctx.now.toISOString() },
      })
      .where(and(own, inArray(tests.state, [...from])))
  else
    await ctx.db
      .update(tests)
      .set({ settleReason: '', settledBy: null, settledByName: '', settledAt: null })
      .where(own)
  noteOf(ctx, shop, row, [
    {
      name: '测试支付（0.01 元）',
      before: TEST_STATES[test.state],
      after: isRight ? TEST_STATES[to] : TEST_STATES[test.state],
    },
    {
      name: SETTLING.settleReason.label,
      before: `${test.settledByName}：${test.settleReason}`,
      after: isRight ? '复核通过' : '复核不通过',
    },
  ])
  return of
}
