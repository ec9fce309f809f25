// Attempts of an intent: one per channel, made when it is first wanted, and what its channel is told of it.
import { and, eq, sql } from 'drizzle-orm'
import { PAY_CHANNELS, type PayChannelName } from '#kit/channels.ts'
import type { PayOrder } from '#kit/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { outTradeNoOf } from './rules.ts'
import { agentPayChannels, paymentAttempts, type paymentIntents } from './tables.ts'

type Intent = typeof paymentIntents.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

/** Channels that are connected and that this agent is offered: by its own choice, or else by everybody's. */
export async function offeredChannels(ctx: Ctx, agentId: number): Promise<PayChannelName[]> {
  const rows = await ctx.db
    .select()
    .from(agentPayChannels)
    .where(sql`${agentPayChannels.agentId} in (0, ${agentId})`)
  return PAY_CHANNELS.filter(channel => {
    if (!ctx.services.providers.pay[channel]) return false
    const of = (owner: number) => rows.find(row => row.agentId === owner && row.channel === channel)
    return (of(agentId) ?? of(0))?.enabled ?? false
  })
}

/** The intent's attempt of this channel, made where there is none. Its channel is told of it in the background. */
export async function openAttempt(
  ctx: Ctx,
  intent: Pick<Intent, 'id' | 'agentId' | 'amountFen'>,
  channel: PayChannelName,
  inApp: { payerCode: string } | null = null,
): Promise<Attempt & { isNew: boolean }> {
  const made = await ctx.db
    .insert(paymentAttempts)
    .values({
      intentId: intent.id,
      agentId: intent.agentId,
      channel,
      outTradeNo: outTradeNoOf(intent.id, channel),
      amountFen: intent.amountFen,
      status: 'creating',
      way: inApp ? 'in-app' : 'code',
      payerCode: inApp?.payerCode ?? null,
      createdAt: sql`now()`,
      updatedAt: sql`now()`,
      askAt: sql`now()`,
    })
    .onConflictDoNothing({ target: [paymentAttempts.intentId, paymentAttempts.channel] })
    .returning({ id: paymentAttempts.id })
  const [attempt] = await ctx.db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.intentId, intent.id), eq(paymentAttempts.channel, channel)))
  ctx.afterCommit(() => ctx.services.wake('payments'))
  return { ...found(attempt), isNew: made.length > 0 }
}

/** The same content whenever it is told. */
export function payOrderOf(
  services: Services,
  attempt: Pick<Attempt, 'outTradeNo' | 'amountFen' | 'channel'>,
  intent: Pick<Intent, 'subject' | 'expiresAt'>,
): PayOrder {
  return {
    outTradeNo: attempt.outTradeNo,
    amountFen: attempt.amountFen,
    subject: intent.subject,
    expiresAt: intent.expiresAt,
    notifyUrl: notifyUrlOf(services, attempt.channel),
  }
}

export function notifyUrlOf(services: Services, channel: PayChannelName): string {
  return `${services.baseUrl()}/callbacks/pay/${channel}`
}
