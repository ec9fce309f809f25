// The page that a payer opens by its unguessable address: what is to be paid, and the channels' codes, made when wanted.
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { pictureAddress } from '#kit/picture.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { SYSTEM_ACTOR } from '#server/system.ts'
import type { payments as contract } from './contract.ts'
import { CASHIER_REFUSALS, CHANNEL_NAMES, LIMITS, refuseOver } from './rules.ts'
import { type Attempt, channelsOf, connectionToPay, openAttempt } from './server-attempts.ts'
import { remaining } from './server-start.ts'
import { paymentAttempts, paymentIntents } from './tables.ts'

async function findByToken(ctx: Ctx, token: string) {
  const [row] = await ctx.db
    .select({ intent: paymentIntents, remainingSeconds: remaining() })
    .from(paymentIntents)
    .where(eq(paymentIntents.token, token))
  const { intent, remainingSeconds } = found(row)
  return { ...intent, remainingSeconds }
}

export const cashier: Verb<typeof contract.cashier> = async (ctx, input) => {
  const intent = await findByToken(ctx, input.token)
  const payable = refuseOver(intent) === null
  const offered = await channelsOf(ctx, intent)
  const attempts = await ctx.db.select().from(paymentAttempts).where(eq(paymentAttempts.intentId, intent.id))
  const returnUrl = `${ctx.services.baseUrl()}/c/${intent.token}`
  const inAppOf = async (channel: PayChannelName) =>
    payable ? (await connectionToPay(ctx, intent, channel))?.channel.inApp : undefined
  const inApps = new Map(
    await Promise.all(offered.map(async channel => [channel, await inAppOf(channel)] as const)),
  )
  if (payable) ctx.services.wake('payments')
  return {
    subject: intent.subject,
    amountFen: intent.amountFen,
    ...(await payeeOf(ctx, intent.payeeAgentId)),
    status: intent.status,
    remainingSeconds: intent.status === 'waiting' ? intent.remainingSeconds : 0,
    channels: offered.map(channel => {
      const attempt = attempts.find(one => one.channel === channel)
      const inApp = inApps.get(channel)
      const isInAppOpen = attempt === undefined || attempt.way === 'in-app'
      return {
        channel,
        status: attempt?.status ?? null,
        codeUrl: payable && isCodeLive(attempt) ? (attempt?.codeUrl ?? null) : null,
        authorizeUrl: payable && inApp && isInAppOpen ? inApp.authorizeUrl(returnUrl, 'pay') : null,
        parameters: payable ? (attempt?.parameters ?? null) : null,
      }
    }),
    phoneUrl: ctx.services.providers.phoneUrl,
  }
}

function isCodeLive(attempt: Attempt | undefined): boolean {
  return attempt?.status === 'waiting' || attempt?.status === 'unknown'
}

/** The agent whose own account is paid, or else the vendor. */
async function payeeOf(
  ctx: Ctx,
  payeeAgentId: number | null,
): Promise<{ payee: string; payeeLogo: string | null }> {
  const [payee] = await ctx.db
    .select({ name: agents.companyName, logoId: agents.logoId })
    .from(agents)
    .where(payeeAgentId === null ? eq(agents.isOperator, true) : eq(agents.id, payeeAgentId))
    .orderBy(agents.id)
    .limit(1)
  const logoId = payee?.logoId ?? null
  return { payee: payee?.name ?? '', payeeLogo: logoId === null ? null : pictureAddress(logoId) }
}

async function payableBy(ctx: Ctx, token: string, channel: PayChannelName) {
  const intent = await findByToken(ctx, token)
  refuse(refuseOver(intent), CASHIER_REFUSALS)
  const offered = await channelsOf(ctx, intent)
  if (!offered.includes(channel)) refuse('CHANNEL_CLOSED', CASHIER_REFUSALS)
  ctx.note(
    `${intent.subject} (${intent.orderNo})`,
    [{ name: '支付方式', before: null, after: CHANNEL_NAMES[channel] }],
    SYSTEM_ACTOR,
  )
  return intent
}

export const cashierAttempt: Verb<typeof contract.cashierAttempt> = async (ctx, input) => {
  const intent = await payableBy(ctx, input.token, input.channel)
  const { status, isNew } = await openAttempt(ctx, intent, input.channel)
  if (!isNew) ctx.nothingChanged()
  return { status }
}

/** Inside the browser of the channel's own app. A number that was ordered as a code cannot be ordered that way. */
export const cashierInApp: Verb<typeof contract.cashierInApp> = async (ctx, input) => {
  const intent = await payableBy(ctx, input.token, input.channel)
  const refused = new Refusal('CHANNEL_CLOSED', CASHIER_REFUSALS.CHANNEL_CLOSED)
  if (!(await connectionToPay(ctx, intent, input.channel))?.channel.inApp) throw refused
  const attempt = await openAttempt(ctx, intent, input.channel, { payerCode: input.code })
  if (attempt.way !== 'in-app' || !['creating', 'waiting', 'unknown'].includes(attempt.status)) throw refused
  if (!attempt.isNew) {
    if (attempt.payerCode === input.code) ctx.nothingChanged()
    else await payAgain(ctx, attempt, input.code)
  }
  return { status: attempt.status }
}

/**
 * The payer opened the page again: the order is asked for with the new code, at most once in 3 s. What was prepared stays
 * until the new one is there, since a stranger's invented code comes to nothing.
 */
async function payAgain(ctx: Ctx, attempt: Attempt, payerCode: string): Promise<void> {
  const taken = await ctx.db
    .update(paymentAttempts)
    .set({ payerCode, updatedAt: sql`now()`, askAt: sql`now()` })
    .where(
      and(
        eq(paymentAttempts.id, attempt.id),
        sql`${paymentAttempts.updatedAt} <= now() - make_interval(secs => ${LIMITS.queryEveryMs / 1_000})`,
      ),
    )
    .returning({ id: paymentAttempts.id })
  if (taken.length === 0) refuseCommon('THROTTLED')
}
