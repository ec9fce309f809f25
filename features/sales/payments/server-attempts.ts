// Attempts of an intent: one per channel, made when it is first wanted, and what its channel is told of it.
import { and, eq, sql } from 'drizzle-orm'
import { ownAccounts, ownConnection } from '#features/money/payment-settings/server-channels.ts'
import { PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import type { PayChannel, PayOrder } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { found, Refusal } from '#server/refuse.ts'
import { readAsSystem } from '#server/system.ts'
import { CASHIER_REFUSALS, outTradeNoOf } from './rules.ts'
import { agentPayChannels, paymentAttempts, type paymentIntents } from './tables.ts'

type Intent = typeof paymentIntents.$inferSelect
export type Attempt = typeof paymentAttempts.$inferSelect

export type Parties = Pick<Intent, 'agentId' | 'payeeAgentId'>

/** The channels by which an intent can be paid: those of the payee's own account, or the vendor's that its agent is offered. */
export async function channelsOf(ctx: Ctx, { agentId, payeeAgentId }: Parties): Promise<PayChannelName[]> {
  if (payeeAgentId === null) return offeredChannels(ctx, agentId)
  return (await ownAccounts(ctx, payeeAgentId)).map(({ channel }) => channel)
}

/** The vendor's channels that are connected and that this agent is offered: by its own choice, or else by everybody's. */
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
  intent: Pick<Intent, 'id' | 'agentId' | 'payeeAgentId' | 'amountFen'>,
  channel: PayChannelName,
  inApp: { payerCode: string } | null = null,
): Promise<Attempt & { isNew: boolean }> {
  const settingsId = await accountOf(ctx, intent, channel)
  const made = await ctx.db
    .insert(paymentAttempts)
    .values({
      intentId: intent.id,
      agentId: intent.agentId,
      channel,
      settingsId,
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

/** The account that this channel pays the intent to: null for the vendor's. */
async function accountOf(
  ctx: Ctx,
  { payeeAgentId }: Pick<Intent, 'payeeAgentId'>,
  channel: PayChannelName,
): Promise<number | null> {
  if (payeeAgentId === null) return null
  const account = (await ownAccounts(ctx, payeeAgentId)).find(own => own.channel === channel)
  if (!account) throw new Refusal('CHANNEL_CLOSED', CASHIER_REFUSALS.CHANNEL_CLOSED)
  return account.settingsId
}

/** The client by which an intent would be paid now. */
export async function connectionToPay(
  ctx: Ctx,
  intent: Pick<Intent, 'payeeAgentId'>,
  channel: PayChannelName,
): Promise<Connection | null> {
  return connectionFor(ctx, { channel, settingsId: await accountOf(ctx, intent, channel) })
}

export type Connection = { channel: PayChannel; notifyUrl: string }

/** The client that an attempt was or is to be ordered with; null where it is connected no more. */
export async function connectionFor(
  ctx: Ctx,
  { channel: name, settingsId }: Pick<Attempt, 'channel' | 'settingsId'>,
): Promise<Connection | null> {
  const address = `${ctx.services.baseUrl()}/callbacks/pay/`
  if (settingsId === null) {
    const channel = ctx.services.providers.pay[name]
    return channel ? { channel, notifyUrl: address + name } : null
  }
  const own = await ownConnection(ctx, settingsId)
  return own && { channel: own.channel, notifyUrl: address + own.callbackPath }
}

export function connectionOf(services: Services, attempt: Attempt): Promise<Connection | null> {
  return readAsSystem(services, ctx => connectionFor(ctx, attempt))
}

/** The same content whenever it is told. */
export function payOrderOf(
  attempt: Pick<Attempt, 'outTradeNo' | 'amountFen'>,
  intent: Pick<Intent, 'subject' | 'expiresAt'>,
  { notifyUrl }: Connection,
): PayOrder {
  return {
    outTradeNo: attempt.outTradeNo,
    amountFen: attempt.amountFen,
    subject: intent.subject,
    expiresAt: intent.expiresAt,
    notifyUrl,
  }
}
