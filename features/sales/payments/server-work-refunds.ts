// Sending refunds: each under its fixed number, and again only after its channel was asked whether it has it.
import { and, eq, notInArray, sql } from 'drizzle-orm'
import { ProviderBusy, ProviderRefused, ProviderUnknown, type RefundFact } from '#kit/ports/providers.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { REFUND_REASONS, type RefundStatus } from './rules.ts'
import { type Attempt, connectionOf } from './server-attempts.ts'
import { applyRefund } from './server-settle.ts'
import { paymentAttempts, paymentRefunds } from './tables.ts'

type Claimed = { refund: typeof paymentRefunds.$inferSelect; attempt: Attempt }

/** Told how they ended, or paid out by hand: they are asked about no more. */
const ENDED: RefundStatus[] = ['done', 'failed', 'replaced']

const LEASE = sql`now() + interval '45 seconds'`

export function claimRefunds(services: Services, most: number): Promise<Claimed[]> {
  return actAsSystem(services, 'payments', async ctx => {
    const due = sql`array(select id from payment_refunds where ask_at <= now() order by ask_at limit ${most} for update skip locked)`
    const taken = await ctx.db
      .update(paymentRefunds)
      .set({ askAt: LEASE, asked: sql`${paymentRefunds.asked} + 1` })
      .where(sql`${paymentRefunds.id} = any(${due})`)
      .returning()
    return Promise.all(
      taken.map(async refund => {
        const [attempt] = await ctx.db
          .select()
          .from(paymentAttempts)
          .where(eq(paymentAttempts.id, refund.attemptId))
        return { refund, attempt: attempt as Attempt }
      }),
    )
  })
}

export async function workOnRefund(services: Services, { refund, attempt }: Claimed): Promise<void> {
  const connection = await connectionOf(services, attempt)
  if (!connection) return postpone(services, refund, '渠道未接入')
  const { channel, notifyUrl } = connection
  const order = {
    outTradeNo: attempt.outTradeNo,
    refundNo: refund.refundNo,
    refundFen: refund.amountFen,
    totalFen: attempt.amountFen,
    reason: refund.remark || REFUND_REASONS[refund.reason],
    notifyUrl,
  }
  try {
    const known: RefundFact | null =
      refund.asked > 1 ? await channel.queryRefund(order.outTradeNo, order.refundNo) : null
    const isSent = known !== null && known.state !== 'none'
    await learn(services, attempt, refund, isSent ? known : await channel.refund(order))
  } catch (error) {
    if (error instanceof ProviderUnknown || error instanceof ProviderBusy)
      return postpone(services, refund, error.message)
    if (!(error instanceof ProviderRefused)) throw error
    const words = `${error.message} (${error.code})`.slice(0, 200)
    await learn(services, attempt, refund, {
      outTradeNo: order.outTradeNo,
      refundNo: order.refundNo,
      state: 'failed',
      providerState: words,
    })
  }
}

function learn(
  services: Services,
  attempt: Attempt,
  refund: Claimed['refund'],
  fact: RefundFact,
): Promise<void> {
  return actAsSystem(services, 'payments', async ctx => {
    await applyRefund(ctx, attempt, fact)
    if (fact.state === 'processing' || fact.state === 'none')
      await ctx.db
        .update(paymentRefunds)
        .set({ askAt: nextAsk(refund) })
        .where(and(eq(paymentRefunds.id, refund.id), notInArray(paymentRefunds.status, ENDED)))
  })
}

function postpone(services: Services, refund: Claimed['refund'], words: string): Promise<void> {
  return actAsSystem(services, 'payments', async ctx => {
    await ctx.db
      .update(paymentRefunds)
      .set({ providerWords: words.slice(0, 200), askAt: nextAsk(refund) })
      .where(and(eq(paymentRefunds.id, refund.id), notInArray(paymentRefunds.status, ENDED)))
  })
}

/** 5 s, 10 s, … up to an hour: a refund is asked about until its channel has said how it ended. */
function nextAsk({ asked }: Claimed['refund']) {
  const seconds = Math.min(3_600, 5 * 2 ** Math.min(asked - 1, 10))
  return sql`now() + make_interval(secs => ${seconds})`
}
