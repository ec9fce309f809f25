// Callbacks of the channels: verified, kept once per event, answered; what they say is recorded afterwards.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { ownConnectionByKey } from '#features/money/payment-settings/server-channels.ts'
import { PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import { CallbackRejected, type PayCallback, type PayChannel, ProviderUnknown } from '#kit/ports/providers.ts'
import type { CallbackCall, CallbackHandler } from '#server/callbacks.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { EVENT_STEPS, OPEN } from './rules.ts'
import { type CallbackOutcome, PAY_CALLBACKS } from './server-figures.ts'
import { tellEvent } from './server-notices.ts'
import { type Account, applyPayment, applyRefund, type Outcome, onAccount } from './server-settle.ts'
import { paymentAttempts, providerEvents } from './tables.ts'

const NOT_FOUND = { status: 404, type: 'text/plain', body: '' }

export const payCallback: CallbackHandler = {
  path: '/pay/:channel',
  async handle(services, { params, headers, body }) {
    const name = PAY_CHANNELS.find(known => known === params.channel)
    const channel = name && services.providers.pay[name]
    return channel ? take(services, channel, null, { headers, body }) : NOT_FOUND
  },
}

/** Of an agent's own account: whoever knows the address still has to sign with that account's keys. */
export const ownPayCallback: CallbackHandler = {
  path: '/pay/:channel/:key',
  async handle(services, { params, headers, body }) {
    const name = PAY_CHANNELS.find(known => known === params.channel)
    const { key = '' } = params
    const own = name && (await readAsSystem(services, ctx => ownConnectionByKey(ctx, name, key)))
    return own ? take(services, own.channel, own.settingsId, { headers, body }) : NOT_FOUND
  },
}

async function take(
  services: Services,
  channel: PayChannel,
  settingsId: number | null,
  { headers, body }: Pick<CallbackCall, 'headers' | 'body'>,
) {
  try {
    const callback = await channel.readCallback(headers, body)
    await keep(services, { channel: channel.name, settingsId }, callback, body)
    return channel.answerCallback('kept')
  } catch (error) {
    const isRejected = error instanceof CallbackRejected
    count(services, channel.name, isRejected ? `rejected_${error.reason}` : 'failed')
    if (!isRejected && !(error instanceof ProviderUnknown)) throw error
    services.onProblem(error)
    return channel.answerCallback(isRejected ? 'rejected' : 'failed')
  }
}

function count(services: Services, provider: PayChannelName, outcome: CallbackOutcome): void {
  services.count(PAY_CALLBACKS, { provider, outcome })
}

function keep(services: Services, { channel, settingsId }: Account, callback: PayCallback, body: Buffer) {
  return actAsSystem(services, 'payment callback', async ctx => {
    const [event] = await ctx.db
      .insert(providerEvents)
      .values({
        channel,
        settingsId,
        eventId: callback.eventId,
        content: callback,
        body,
        outTradeNo: callback.fact.outTradeNo,
        status: 'kept',
        receivedAt: sql`now()`,
      })
      .onConflictDoUpdate({
        target: [providerEvents.channel, providerEvents.settingsId, providerEvents.eventId],
        set: { times: sql`${providerEvents.times} + 1` },
      })
      .returning({ times: providerEvents.times })
    ctx.afterCommit(() => {
      if (event && event.times > 1) count(services, channel, 'duplicate')
      services.wake('callbacks')
    })
  })
}

/** Of one that has been recorded: what is refused is another amount or currency than was asked for. */
const OUTCOMES: Record<Outcome['kind'], CallbackOutcome> = {
  done: 'accepted',
  unmatched: 'rejected_order',
  refused: 'rejected_amount',
}

const AT_ONCE = 4

/** What fails again and again is staff's to look at. */
const FAILURES_MAX = 5
const failures = new WeakMap<Services, Map<number, number>>()

/** Records what the kept callbacks say, oldest first. One that fails stays kept and holds up no other. */
export async function workOnCallbacks(services: Services): Promise<boolean> {
  const taken = new Set<number>()
  const workThrough = async () => {
    while (await workOnOne(services, taken));
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workThrough))
  return false
}

/** `taken`: what is in hand or has failed in this round, so that none fails twice in one. Answers whether there may be more. */
async function workOnOne(services: Services, taken: Set<number>): Promise<boolean> {
  let mine = null as Pick<typeof providerEvents.$inferSelect, 'id' | 'channel'> | null
  try {
    const isMore = await actAsSystem(services, 'payment callback', async ctx => {
      const [event] = await ctx.db
        .select()
        .from(providerEvents)
        .where(
          and(
            eq(providerEvents.status, 'kept'),
            sql`${providerEvents.id} <> all(${sql.param([...taken])}::bigint[])`,
          ),
        )
        .orderBy(providerEvents.id)
        .limit(1)
        .for('update', { skipLocked: true })
      if (!event) return false
      // Failed elsewhere after the statement had been sent.
      if (taken.has(event.id)) return true
      taken.add(event.id)
      mine = event
      const callback = event.content as PayCallback
      const outcome: Outcome =
        callback.kind === 'payment'
          ? await applyPayment(ctx, event, callback.fact)
          : await applyRefund(ctx, event, callback.fact)
      const problem = outcome.kind === 'refused' ? outcome.problem : ''
      const { from, to } = EVENT_STEPS[outcome.kind]
      await ctx.db
        .update(providerEvents)
        .set({ status: to, problem, processedAt: sql`now()` })
        .where(and(eq(providerEvents.id, event.id), inArray(providerEvents.status, from)))
      if (outcome.kind !== 'done') await tellEvent(ctx, { ...event, problem })
      ctx.afterCommit(() => count(services, event.channel, OUTCOMES[outcome.kind]))
      // What cannot be believed is asked for.
      if (outcome.kind === 'refused')
        await ctx.db
          .update(paymentAttempts)
          .set({ askAt: sql`now()` })
          .where(
            and(
              eq(paymentAttempts.outTradeNo, event.outTradeNo),
              onAccount(event),
              inArray(paymentAttempts.status, OPEN),
            ),
          )
      return true
    })
    if (mine) taken.delete(mine.id)
    return isMore
  } catch (error) {
    if (mine === null) throw error
    services.onProblem(error)
    count(services, mine.channel, 'failed')
    await countFailure(services, mine.id)
    return true
  }
}

async function countFailure(services: Services, id: number): Promise<void> {
  const counted = failures.get(services) ?? new Map<number, number>()
  failures.set(services, counted)
  const times = (counted.get(id) ?? 0) + 1
  counted.set(id, times)
  if (times < FAILURES_MAX) return
  counted.delete(id)
  await actAsSystem(services, 'payment callback', async ctx => {
    const [refused] = await ctx.db
      .update(providerEvents)
      .set({
        status: EVENT_STEPS.refused.to,
        problem: '多次处理失败，请查看服务器日志，处理后重试',
        processedAt: sql`now()`,
      })
      .where(and(eq(providerEvents.id, id), inArray(providerEvents.status, EVENT_STEPS.refused.from)))
      .returning()
    if (refused) await tellEvent(ctx, refused)
  })
}
