// What features give back of what was paid for them: in parts, or whole where it was not wanted; and what is paid out by hand instead.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { REFUND_DAYS, REFUND_STEPS, type RefundReason, refundNoOf } from './rules.ts'
import { type Attempt, connectionFor } from './server-attempts.ts'
import { lockIntent } from './server-settle.ts'
import { paymentAttempts, paymentIntents, paymentRefunds } from './tables.ts'

type Part = { intentId: string; amountFen: number; reason: RefundReason; remark: string }

/** Whether a channel gives back what was paid by this intent: its account is connected, and it was paid not too long ago. */
export async function isRefundable(ctx: Ctx, intentId: string): Promise<boolean> {
  const attempt = await paidAttempt(ctx, intentId)
  if (attempt?.paidAt == null) return false
  const isRecent = ctx.now.getTime() - Date.parse(attempt.paidAt) < REFUND_DAYS * 86_400_000
  return isRecent && (await connectionFor(ctx, attempt)) !== null
}

/**
 * Gives back a part of what was paid, under a number of its own; sent in the background and asked about until its channel
 * has said how it ended. Throws where more would go back than was paid. Answers the refund's id.
 */
export async function refundPart(
  ctx: Ctx,
  { intentId, amountFen, reason, remark }: Part,
): Promise<{ id: number; refundNo: string }> {
  await lockIntent(ctx, intentId)
  const attempt = found(await paidAttempt(ctx, intentId))
  const parts = await ctx.db
    .select({ amountFen: paymentRefunds.amountFen })
    .from(paymentRefunds)
    .where(eq(paymentRefunds.attemptId, attempt.id))
  const gone = parts.reduce((sum, part) => sum + part.amountFen, 0)
  if (gone + amountFen > attempt.amountFen)
    throw new Error(`${amountFen} fen are more than is left of payment ${intentId}`)
  const [made] = await ctx.db
    .insert(paymentRefunds)
    .values({
      attemptId: attempt.id,
      agentId: attempt.agentId,
      refundNo: refundNoOf(attempt.outTradeNo, parts.length + 1),
      amountFen,
      reason,
      remark,
      status: 'wanted',
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: sql`now()`,
      askAt: sql`now()`,
    })
    .returning({ id: paymentRefunds.id, refundNo: paymentRefunds.refundNo })
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return found(made)
}

/** It is paid out by hand: its channel has refused it and is never asked again. False where it has not, or is asked once more. */
export async function replaceRefund(ctx: Ctx, id: number): Promise<boolean> {
  const { from, to } = REFUND_STEPS.replace
  const [replaced] = await ctx.db
    .update(paymentRefunds)
    .set({ status: to, askAt: null })
    .where(
      and(
        eq(paymentRefunds.id, id),
        inArray(paymentRefunds.status, from),
        ownRows(ctx, paymentRefunds.agentId),
      ),
    )
    .returning({ id: paymentRefunds.id })
  return replaced !== undefined
}

/** By which an intent was paid; that of a second channel is not it. */
async function paidAttempt(ctx: Ctx, intentId: string): Promise<Attempt | undefined> {
  const [row] = await ctx.db
    .select({ attempt: paymentAttempts })
    .from(paymentAttempts)
    .innerJoin(paymentIntents, eq(paymentIntents.id, paymentAttempts.intentId))
    .where(
      and(
        eq(paymentIntents.id, intentId),
        eq(paymentAttempts.channel, paymentIntents.paidBy),
        eq(paymentAttempts.status, 'paid'),
        ownRows(ctx, paymentAttempts.agentId),
      ),
    )
  return row?.attempt
}
