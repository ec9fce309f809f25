// Asking a channel about one attempt: to make its code, whether it was paid, or to close it. The call lies between two
// transactions; whatever it answers, the second one records.
import { and, eq, inArray, sql } from 'drizzle-orm'
import {
  PayerRefused,
  type PaymentFact,
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
} from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { ATTEMPT_STEPS, LIMITS, OPEN, secondsUntilAsked } from './rules.ts'
import { type Attempt, type Connection, connectionOf, payOrderOf } from './server-attempts.ts'
import { applyPayment, endAttempt, lockIntent } from './server-settle.ts'
import { paymentAttempts, paymentIntents } from './tables.ts'

/** Longer than the calls of one look take together; another instance takes it over afterwards. */
const LEASE = sql`now() + interval '45 seconds'`

type Claimed = {
  attempt: Attempt
  intent: Pick<typeof paymentIntents.$inferSelect, 'subject' | 'expiresAt'>
  /** By the database's clock. */
  isOver: boolean
  isWatched: boolean
  ageSeconds: number
}

/** Takes attempts whose time to be asked has come, each for this instance alone. */
export function claimAttempts(services: Services, most: number): Promise<Claimed[]> {
  return actAsSystem(services, 'payments', async ctx => {
    const due = sql`array(select id from payment_attempts where ask_at <= now() order by ask_at limit ${most} for update skip locked)`
    const taken = await ctx.db
      .update(paymentAttempts)
      .set({ askAt: LEASE, asked: sql`${paymentAttempts.asked} + 1` })
      .where(sql`${paymentAttempts.id} = any(${due})`)
      .returning()
    if (taken.length === 0) return []
    const intents = await ctx.db
      .select({
        id: paymentIntents.id,
        subject: paymentIntents.subject,
        expiresAt: paymentIntents.expiresAt,
        isOver: sql<boolean>`${paymentIntents.status} <> 'waiting' or ${paymentIntents.expiresAt} <= now()`,
        isWatched: sql<boolean>`${paymentIntents.status} = 'waiting' and ${paymentIntents.displayUntil} > now()`,
        ageSeconds: sql<number>`extract(epoch from now() - ${paymentIntents.createdAt})`.mapWith(Number),
      })
      .from(paymentIntents)
      .where(
        inArray(
          paymentIntents.id,
          taken.map(attempt => attempt.intentId),
        ),
      )
    return taken.flatMap(attempt => {
      const intent = intents.find(({ id }) => id === attempt.intentId)
      return intent ? [{ attempt, intent, ...intent }] : []
    })
  })
}

/** Never rejects for what a channel answers or leaves unanswered. */
export async function workOnAttempt(services: Services, claimed: Claimed): Promise<void> {
  const { attempt } = claimed
  const connection = await connectionOf(services, attempt)
  if (!connection) return postpone(services, claimed, '渠道未接入')
  try {
    const wasTried = attempt.asked > 1
    if (isEnded(attempt)) await lookOnceMore(services, claimed, connection)
    else if (claimed.isOver && attempt.status === 'creating' && !wasTried)
      await record(services, attempt, ctx => endAttempt(ctx, attempt, 'close', '未下单'))
    else if (claimed.isOver) await close(services, claimed, connection)
    else if (wantsOrder(attempt) && isCertain(attempt)) await place(services, claimed, connection)
    else await ask(services, claimed, connection)
  } catch (error) {
    if (error instanceof ProviderUnknown) return postpone(services, claimed, error.message, true)
    if (error instanceof ProviderRefused) return postpone(services, claimed, wordsOf(error))
    throw error
  }
}

/** Ended here; its channel may know better. */
function isEnded({ status }: Attempt): boolean {
  return status === 'closed' || status === 'failed' || status === 'paid'
}

function wantsOrder(attempt: Attempt): boolean {
  return attempt.way === 'code' ? attempt.codeUrl === null : attempt.payerCode !== null
}

/** Whether it is known that no order of this attempt is under way: never tried, or its channel said so. */
function isCertain({ status, asked }: Attempt): boolean {
  return status === 'waiting' || (status === 'creating' && asked === 1)
}

async function place(services: Services, claimed: Claimed, connection: Connection): Promise<void> {
  const { attempt, intent } = claimed
  const { channel } = connection
  const order = payOrderOf(attempt, intent, connection)
  try {
    if (attempt.way === 'code') {
      const { codeUrl } = await channel.create(order)
      await answered(services, claimed, { codeUrl })
    } else if (attempt.payerCode !== null && channel.inApp) {
      const parameters = await channel.inApp.pay(order, attempt.payerCode)
      await answered(services, claimed, { parameters, payerCode: null })
    }
  } catch (error) {
    // The order stays wanted, and what was prepared for another code stays payable.
    if (error instanceof PayerRefused)
      return answered(services, claimed, { payerCode: null, providerWords: wordsOf(error) })
    if (!(error instanceof ProviderRefused) || error instanceof ProviderBusy) throw error
    await record(services, attempt, ctx => endAttempt(ctx, attempt, 'fail', wordsOf(error)))
  }
}

async function ask(services: Services, claimed: Claimed, connection: Connection): Promise<void> {
  const { attempt } = claimed
  const fact = await connection.channel.query(attempt.outTradeNo)
  if (fact.state !== 'waiting') return learn(services, claimed, fact)
  // It was not known whether the order exists: now nothing has been paid, and the same order may be sent again.
  if (wantsOrder(attempt)) return place(services, claimed, connection)
  await answered(services, claimed, { providerWords: fact.providerState })
}

async function close(services: Services, claimed: Claimed, { channel }: Connection): Promise<void> {
  const { attempt } = claimed
  if ((await channel.close(attempt.outTradeNo)) === 'closed')
    return record(services, attempt, ctx => endAttempt(ctx, attempt, 'close', ''))
  await learn(services, claimed, await channel.query(attempt.outTradeNo))
}

async function lookOnceMore(services: Services, claimed: Claimed, { channel }: Connection): Promise<void> {
  const fact = await channel.query(claimed.attempt.outTradeNo)
  await learn(services, claimed, fact)
}

/** What a channel told of its own accord is recorded by the same rule as a callback. */
async function learn(services: Services, claimed: Claimed, fact: PaymentFact): Promise<void> {
  const { attempt } = claimed
  await record(services, attempt, async ctx => {
    await applyPayment(ctx, attempt, fact)
    // Only what is still open is asked again; what had ended before was looked at for the last time.
    await ctx.db
      .update(paymentAttempts)
      .set({
        askAt: isEnded(attempt)
          ? sql`case when ${inArray(paymentAttempts.status, OPEN)} then ${nextAsk(claimed)}::timestamptz end`
          : nextAsk(claimed),
      })
      .where(
        and(
          eq(paymentAttempts.id, attempt.id),
          isEnded(attempt) ? undefined : inArray(paymentAttempts.status, OPEN),
        ),
      )
  })
}

type Known = Partial<Pick<Attempt, 'codeUrl' | 'parameters' | 'payerCode' | 'providerWords'>>

/** The channel waits for the payer. What has been paid or closed meanwhile stays so. */
function answered(services: Services, claimed: Claimed, known: Known): Promise<void> {
  const { attempt } = claimed
  return record(services, attempt, async ctx => {
    await ctx.db
      .update(paymentAttempts)
      .set({
        // A payer's code that came while the channel was asked stays wanted.
        ...known,
        ...(known.payerCode === null ? { payerCode: unlessNewer(attempt) } : {}),
        status: ATTEMPT_STEPS.wait.to,
        updatedAt: sql`now()`,
        askAt: nextAsk(claimed),
      })
      .where(
        and(eq(paymentAttempts.id, attempt.id), inArray(paymentAttempts.status, ATTEMPT_STEPS.wait.from)),
      )
  })
}

function unlessNewer(attempt: Attempt) {
  return sql<
    string | null
  >`case when ${paymentAttempts.payerCode} is distinct from ${attempt.payerCode} then ${paymentAttempts.payerCode} end`
}

/** Asked again later; lost where nobody knows what became of the call. */
function postpone(services: Services, claimed: Claimed, words: string, isLost = false): Promise<void> {
  const { attempt } = claimed
  const { from, to } = ATTEMPT_STEPS.lose
  return record(services, attempt, async ctx => {
    // A payer's code works once: after a call of unknown end it needs another.
    const usedUp = isLost && attempt.payerCode !== null && !claimed.isOver
    await ctx.db
      .update(paymentAttempts)
      .set({
        providerWords: words.slice(0, 200),
        updatedAt: sql`now()`,
        askAt: nextAsk(claimed),
        ...(usedUp ? { payerCode: unlessNewer(attempt) } : {}),
        ...(isLost && !isEnded(attempt) ? { status: to } : {}),
      })
      .where(
        and(
          eq(paymentAttempts.id, attempt.id),
          inArray(paymentAttempts.status, isEnded(attempt) ? ATTEMPT_STEPS.pay.from : from),
        ),
      )
  })
}

function nextAsk({ ageSeconds, isWatched, isOver }: Claimed) {
  const seconds = isOver
    ? secondsUntilAsked(Math.max(0, ageSeconds - LIMITS.orderSeconds), false)
    : secondsUntilAsked(ageSeconds, isWatched)
  return seconds === null ? null : sql`(now() + make_interval(secs => ${seconds}))`
}

/** In a transaction that holds the intent, and notes that its channels were asked. */
function record(services: Services, attempt: Attempt, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  return actAsSystem(services, 'payments', async ctx => {
    await lockIntent(ctx, attempt.intentId)
    await work(ctx)
    await ctx.db
      .update(paymentIntents)
      .set({ askedAt: sql`now()` })
      .where(eq(paymentIntents.id, attempt.intentId))
  })
}

function wordsOf(error: ProviderRefused): string {
  const reference = error.reference === '' ? '' : ` [${error.reference}]`
  return `${error.message} (${error.code})${reference}`.slice(0, 200)
}
