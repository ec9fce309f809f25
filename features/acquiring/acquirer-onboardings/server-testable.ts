// Payments of one fen as people see them, and why none can be tried.
import { and, desc, eq } from 'drizzle-orm'
import { acquirerOf } from '#kit/ports/acquirers.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { REFUSALS, type Refusal, refuseSettling, refuseSettlingCheck, TESTING } from './rules.ts'
import type { AcquirerOnboarding } from './server-known.ts'
import { methodFor } from './server-method.ts'
import { acquirerTestPayments as tests } from './tables.ts'

/** The number by which the shop is paid now, or why nothing can be tried. */
export async function testableBy(
  ctx: Ctx,
  row: AcquirerOnboarding,
): Promise<{ code: string; refusal: Refusal | null }> {
  if (row.handedOverCode === '') return { code: '', refusal: 'TEST_NOT_HANDED_OVER' }
  const { number } = acquirerOf(row.channel).pays
  const { paid, methodId } = await methodFor(ctx, row)
  const code = paid.values[number] ?? ''
  if (paid.methodId !== methodId || code === '') return { code, refusal: 'TEST_PAID_OTHERWISE' }
  if (!ctx.services.providers.acquirers[row.channel]) return { code, refusal: 'TEST_NOT_CONNECTED' }
  return { code, refusal: null }
}

export async function testsOf(ctx: Ctx, row: AcquirerOnboarding) {
  const { refusal } = await testableBy(ctx, row)
  const rows = await ctx.db
    .select({
      ...{ settleReason: tests.settleReason, settledBy: tests.settledBy, settledByName: tests.settledByName },
      ...{ settledAt: tests.settledAt, checkedByName: tests.checkedByName, checkedAt: tests.checkedAt },
      ...{ stuckAt: tests.stuckAt, claim: tests.claim },
      id: tests.id,
      state: tests.state,
      reason: tests.reason,
      codeUrl: tests.codeUrl,
      startedByName: tests.startedByName,
      createdAt: tests.createdAt,
      paidAt: tests.paidAt,
      refundedAt: tests.refundedAt,
    })
    .from(tests)
    .where(and(eq(tests.onboardingId, row.id), ownRows(ctx, tests.agentId)))
    .orderBy(desc(tests.id))
    .limit(TESTING.shown)
  return {
    testPayments: rows.map(({ stuckAt, claim, settledBy, ...row }) => {
      const standing = { state: row.state, isStuck: stuckAt !== null, isAsked: claim !== '', settledBy }
      const settle = refuseSettling(standing)
      const check = refuseSettlingCheck(standing, ctx.actor.accountId)
      return {
        ...row,
        settleRefusal: settle && REFUSALS[settle],
        // What is asked at the moment is over before anybody has pressed.
        checkRefusal: check === null || check === 'TEST_ASKED_NOW' ? null : REFUSALS[check],
      }
    }),
    testRefusal: refusal && REFUSALS[refusal],
    phoneUrl: ctx.services.providers.phoneUrl,
  }
}
