// Staff try a payment configuration that was handed over: one fen, which goes back at once. Here it is only written down; the loop of
// server-test-rounds.ts calls the acquirer.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { REFUSALS, TEST_OPEN_STATES, TEST_STATES, TESTING } from './rules.ts'
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
