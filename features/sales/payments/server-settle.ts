// Whoever first learns what became of a payment records it here, in one transaction: callback, poll, closing, reconciliation.

import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { amountText, formatCents } from '#kit/money.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import type { PaymentFact, RefundFact } from '#kit/ports/providers.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { SYSTEM_ACTOR } from '#server/system.ts'
import {
  ATTEMPT_STATUSES,
  ATTEMPT_STEPS,
  type AttemptStatus,
  CHANNEL_NAMES,
  flawOf,
  INTENT_STEPS,
  OPEN,
  REFUND_STEPS,
  refundNoOf,
} from './rules.ts'
import { type Attempt, channelsOf } from './server-attempts.ts'
import { tellFailedRefund, tellSecondPayment } from './server-notices.ts'
import { creditOrder } from './server-orders.ts'
import { paymentAttempts, paymentIntents, paymentRefunds } from './tables.ts'

/** unmatched: no attempt of ours. refused: it is about one, and cannot be believed. */
export type Outcome = { kind: 'done' } | { kind: 'unmatched' } | { kind: 'refused'; problem: string }
const DONE: Outcome = { kind: 'done' }

type Intent = typeof paymentIntents.$inferSelect

/** Who says something: a channel, of the vendor's account (null) or of an agent's own. Of another's orders it is not believed. */
export type Account = Pick<Attempt, 'channel' | 'settingsId'>

export function onAccount({ channel, settingsId }: Account) {
  return and(
    eq(paymentAttempts.channel, channel),
    settingsId === null ? isNull(paymentAttempts.settingsId) : eq(paymentAttempts.settingsId, settingsId),
  )
}

/** Records what a channel says of a payment. May be told the same again and again, in any order. */
export async function applyPayment(ctx: Ctx, account: Account, fact: PaymentFact): Promise<Outcome> {
  const attempt = await lockAttempt(ctx, account, fact.outTradeNo)
  if (!attempt) return { kind: 'unmatched' }
  if (fact.state === 'paid') return settle(ctx, attempt, fact)
  if (fact.state === 'waiting' || attempt.status === 'paid') return DONE
  if (fact.state === 'closed') await endAttempt(ctx, attempt, 'close', fact.providerState)
  else {
    const words = fact.state === 'refunded' ? `渠道显示已退款：${fact.providerState}` : fact.providerState
    await endAttempt(ctx, attempt, 'fail', words)
  }
  return DONE
}

/** The intent is locked first, always: what happens to its attempts happens one after the other. */
async function lockAttempt(ctx: Ctx, account: Account, outTradeNo: string): Promise<Attempt | null> {
  const one = and(eq(paymentAttempts.outTradeNo, outTradeNo), onAccount(account))
  const [known] = await ctx.db.select({ intentId: paymentAttempts.intentId }).from(paymentAttempts).where(one)
  if (!known) return null
  await lockIntent(ctx, known.intentId)
  const [attempt] = await ctx.db.select().from(paymentAttempts).where(one)
  return attempt ?? null
}

export async function lockIntent(ctx: Ctx, intentId: string): Promise<Intent | null> {
  const [intent] = await ctx.db
    .select()
    .from(paymentIntents)
    .where(and(eq(paymentIntents.id, intentId), ownRows(ctx, paymentIntents.agentId)))
    .for('no key update')
  return intent ?? null
}

async function settle(ctx: Ctx, attempt: Attempt, fact: PaymentFact): Promise<Outcome> {
  const problem = flawOf(fact, attempt)
  if (problem !== null) {
    await ctx.db
      .update(paymentAttempts)
      .set({ providerWords: problem, updatedAt: sql`now()` })
      .where(and(eq(paymentAttempts.id, attempt.id), ne(paymentAttempts.status, 'paid')))
    return { kind: 'refused', problem }
  }
  const [first] = await ctx.db
    .update(paymentAttempts)
    .set({
      status: ATTEMPT_STEPS.pay.to,
      transactionId: fact.transactionId,
      payer: fact.payer,
      paidAt: fact.paidAt ?? sql`now()`,
      providerWords: fact.providerState,
      updatedAt: sql`now()`,
      askAt: null,
    })
    .where(and(eq(paymentAttempts.id, attempt.id), inArray(paymentAttempts.status, ATTEMPT_STEPS.pay.from)))
    .returning({ id: paymentAttempts.id })
  if (!first) return DONE
  const [intent] = await ctx.db
    .update(paymentIntents)
    .set({ status: INTENT_STEPS.pay.to, paidBy: attempt.channel, paidAt: sql`now()`, askedAt: sql`now()` })
    .where(
      and(eq(paymentIntents.id, attempt.intentId), inArray(paymentIntents.status, INTENT_STEPS.pay.from)),
    )
    .returning()
  if (intent) await credit(ctx, intent, attempt)
  else await returnSecond(ctx, attempt)
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return DONE
}

async function credit(ctx: Ctx, intent: Intent, attempt: Attempt): Promise<void> {
  await creditOrder(ctx, intent, attempt.channel)
  // Its other channel must not be paid any more.
  await ctx.db
    .update(paymentAttempts)
    .set({ askAt: sql`now()` })
    .where(and(eq(paymentAttempts.intentId, intent.id), inArray(paymentAttempts.status, OPEN)))
  await logOperation(ctx, {
    operation: '/payments settle',
    title: '支付到账',
    subject: `${intent.subject} (${intent.orderNo})`,
    objects: [objectKey('order', intent.orderNo)],
    changes: [
      { name: '支付方式', before: null, after: CHANNEL_NAMES[attempt.channel] },
      { name: '金额', before: null, after: amountText(intent.amountFen, '元') },
    ],
    by: { ...SYSTEM_ACTOR, agentId: intent.agentId },
  })
  // Whoever paid without an account is told by the page it is paid on; the asset's feature tells the agent.
  if (intent.accountId === 0) return
  await notify(ctx, {
    accountIds: [intent.accountId],
    topic: 'PaymentStatus_Notify',
    title: '支付成功',
    body: `${intent.subject}，${CHANNEL_NAMES[attempt.channel]}支付 ${formatCents(intent.amountFen)} 元，已到账`,
    link: `/admin/order/${intent.orderNo}`,
    args: { queryId: intent.id, orderNo: intent.orderNo, asset: intent.asset, status: 'paid' },
  })
}

/** A second payment of the same goes back, under a number that is always the same. */
async function returnSecond(ctx: Ctx, attempt: Attempt): Promise<void> {
  const [made] = await ctx.db
    .insert(paymentRefunds)
    .values({
      attemptId: attempt.id,
      agentId: attempt.agentId,
      refundNo: refundNoOf(attempt.outTradeNo),
      amountFen: attempt.amountFen,
      reason: 'second',
      status: 'wanted',
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: sql`now()`,
      askAt: sql`now()`,
    })
    .onConflictDoNothing({ target: paymentRefunds.refundNo })
    .returning({ id: paymentRefunds.id })
  if (made) await tellSecondPayment(ctx, attempt)
}

const LAST_LOOK = sql`now() + interval '60 seconds'`

/**
 * Ends an attempt that nobody has paid. Its channel is asked once more, since a code that nobody had
 * scanned may be paid until its own end, and a payment that failed be tried again.
 */
export async function endAttempt(
  ctx: Ctx,
  attempt: Pick<Attempt, 'id' | 'intentId'>,
  action: 'close' | 'fail',
  providerWords: string,
): Promise<void> {
  const { from, to } = ATTEMPT_STEPS[action]
  const [ended] = await ctx.db
    .update(paymentAttempts)
    .set({
      status: to,
      providerWords: providerWords || ATTEMPT_STATUSES[to],
      payerCode: null,
      updatedAt: sql`now()`,
      askAt: LAST_LOOK,
    })
    .where(and(eq(paymentAttempts.id, attempt.id), inArray(paymentAttempts.status, from)))
    .returning({ id: paymentAttempts.id })
  if (ended) await failWithoutWay(ctx, attempt.intentId)
}

/** An intent fails before its time once every channel by which it can be paid has failed or closed it. */
async function failWithoutWay(ctx: Ctx, intentId: string) {
  const [intent] = await ctx.db.select().from(paymentIntents).where(eq(paymentIntents.id, intentId))
  if (!intent) return
  const offered = await channelsOf(ctx, intent)
  const attempts = await ctx.db
    .select({ channel: paymentAttempts.channel, status: paymentAttempts.status })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.intentId, intentId))
  const over: AttemptStatus[] = ['closed', 'failed']
  const isOver = (channel: PayChannelName) =>
    attempts.some(attempt => attempt.channel === channel && over.includes(attempt.status))
  if (attempts.some(attempt => !over.includes(attempt.status)) || !offered.every(isOver)) return
  await ctx.db
    .update(paymentIntents)
    .set({ status: INTENT_STEPS.fail.to })
    .where(
      and(
        eq(paymentIntents.id, intentId),
        inArray(paymentIntents.status, INTENT_STEPS.fail.from),
        sql`${paymentIntents.expiresAt} > now()`,
      ),
    )
}

/** Records what a channel says of a refund. `none` is left to whoever asked. */
export async function applyRefund(ctx: Ctx, account: Account, fact: RefundFact): Promise<Outcome> {
  const [refund] = await ctx.db
    .select({ id: paymentRefunds.id, asset: paymentIntents.asset })
    .from(paymentRefunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, paymentRefunds.attemptId))
    .innerJoin(paymentIntents, eq(paymentIntents.id, paymentAttempts.intentId))
    .where(and(eq(paymentRefunds.refundNo, fact.refundNo), onAccount(account)))
  if (!refund) return { kind: 'unmatched' }
  if (fact.state === 'none') return DONE
  const settled = fact.state === 'done' || fact.state === 'failed'
  const { from, to } = REFUND_STEPS[fact.state]
  const [changed] = await ctx.db
    .update(paymentRefunds)
    .set({
      status: to,
      providerWords: fact.providerState,
      // By the provider's time, as its bill has it.
      ...(fact.state === 'done' ? { doneAt: fact.doneAt ?? sql`now()` } : {}),
      ...(settled ? { askAt: null } : {}),
    })
    .where(and(eq(paymentRefunds.id, refund.id), inArray(paymentRefunds.status, from)))
    .returning({ amountFen: paymentRefunds.amountFen })
  if (changed && (fact.state === 'done' || fact.state === 'failed'))
    await ctx.services.paid[refund.asset]?.refunded?.(ctx, { id: refund.id, state: fact.state })
  if (changed && fact.state === 'failed')
    await tellFailedRefund(ctx, {
      ...changed,
      ...account,
      refundNo: fact.refundNo,
      words: fact.providerState,
    })
  return DONE
}
