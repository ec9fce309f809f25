// Callbacks of the channels: verified, kept once per event, answered; what they say is recorded afterwards.
import { and, eq, sql } from 'drizzle-orm'
import { PAY_CHANNELS } from '#kit/channels.ts'
import { CallbackRejected, type PayCallback, ProviderUnknown } from '#kit/providers.ts'
import type { CallbackHandler } from '#server/callbacks.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { applyPayment, applyRefund, type Outcome } from './server-settle.ts'
import { paymentAttempts, providerEvents } from './tables.ts'

const NOT_FOUND = { status: 404, type: 'text/plain', body: '' }

export const payCallback: CallbackHandler = {
  path: '/pay/:channel',
  async handle(services, { params, headers, body }) {
    const name = PAY_CHANNELS.find(known => known === params.channel)
    const channel = name && services.providers.pay[name]
    if (!channel) return NOT_FOUND
    let callback: PayCallback
    try {
      callback = await channel.readCallback(headers, body)
    } catch (error) {
      if (!(error instanceof CallbackRejected) && !(error instanceof ProviderUnknown)) throw error
      services.onProblem(error)
      return channel.answerCallback(false)
    }
    await actAsSystem(services, 'payment callback', async ctx => {
      await ctx.db
        .insert(providerEvents)
        .values({
          channel: channel.name,
          eventId: callback.eventId,
          content: callback,
          body,
          outTradeNo: callback.fact.outTradeNo,
          status: 'kept',
          receivedAt: sql`now()`,
        })
        .onConflictDoUpdate({
          target: [providerEvents.channel, providerEvents.eventId],
          set: { times: sql`${providerEvents.times} + 1` },
        })
      ctx.afterCommit(() => services.wake('callbacks'))
    })
    return channel.answerCallback(true)
  },
}

const AT_ONCE = 4

/** What fails again and again is staff's to look at. */
const FAILURES_MAX = 5
const failures = new WeakMap<Services, Map<number, number>>()

/** Records what the kept callbacks say, oldest first. One that fails stays kept and holds up no other. */
export async function workOnCallbacks(services: Services): Promise<boolean> {
  const failed: number[] = []
  const workThrough = async () => {
    while (await workOnOne(services, failed));
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workThrough))
  return false
}

async function workOnOne(services: Services, failed: number[]): Promise<boolean> {
  let taken: number | null = null
  try {
    return await actAsSystem(services, 'payment callback', async ctx => {
      const [event] = await ctx.db
        .select()
        .from(providerEvents)
        .where(
          and(
            eq(providerEvents.status, 'kept'),
            sql`${providerEvents.id} <> all(${sql.param(failed)}::bigint[])`,
          ),
        )
        .orderBy(providerEvents.id)
        .limit(1)
        .for('update', { skipLocked: true })
      if (!event) return false
      taken = event.id
      const callback = event.content as PayCallback
      const outcome: Outcome =
        callback.kind === 'payment'
          ? await applyPayment(ctx, event.channel, callback.fact)
          : await applyRefund(ctx, event.channel, callback.fact)
      const problem = outcome.kind === 'refused' ? outcome.problem : ''
      await ctx.db
        .update(providerEvents)
        .set({ status: outcome.kind, problem, processedAt: sql`now()` })
        .where(eq(providerEvents.id, event.id))
      // What cannot be believed is asked for.
      if (outcome.kind === 'refused')
        await ctx.db
          .update(paymentAttempts)
          .set({ askAt: sql`now()` })
          .where(
            and(
              eq(paymentAttempts.outTradeNo, event.outTradeNo),
              sql`${paymentAttempts.status} in ('creating', 'waiting', 'unknown')`,
            ),
          )
      return true
    })
  } catch (error) {
    if (taken === null) throw error
    failed.push(taken)
    services.onProblem(error)
    await countFailure(services, taken)
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
  await actAsSystem(services, 'payment callback', ctx =>
    ctx.db
      .update(providerEvents)
      .set({
        status: 'refused',
        problem: '多次处理失败，请联系管理员查看日志后重新处理',
        processedAt: sql`now()`,
      })
      .where(and(eq(providerEvents.id, id), eq(providerEvents.status, 'kept'))),
  )
}
