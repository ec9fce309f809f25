// Whether money comes in: each channel connected, one fen paid and refunded.
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import type { NeededSetting } from '#kit/ports/setup.ts'
import type { Ctx, SetupStep } from '#server/ctx.ts'
import { CHANNEL_NAMES, channelStep, type Tried } from './rules.ts'
import { paymentAttempts as attempts, paymentRefunds as refunds } from './tables.ts'

const PUBLIC_URL: NeededSetting = {
  name: 'PUBLIC_URL',
  meaning: '外网访问地址，支付结果通知到这里',
  example: 'https://partners.example.com',
}

/** What happened at the vendor's own account with a channel. */
async function triedOf(ctx: Ctx, channel: PayChannelName): Promise<Tried> {
  const ofVendor = and(eq(attempts.channel, channel), isNull(attempts.settingsId))
  const [paid] = await ctx.db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(ofVendor, isNotNull(attempts.paidAt)))
    .limit(1)
  const [last] = await ctx.db
    .select({ status: attempts.status, words: attempts.providerWords })
    .from(attempts)
    .where(ofVendor)
    .orderBy(desc(attempts.id))
    .limit(1)
  const ofRefunds = () =>
    ctx.db
      .select({ status: refunds.status, words: refunds.providerWords })
      .from(refunds)
      .innerJoin(attempts, eq(attempts.id, refunds.attemptId))
  const [refunded] = await ofRefunds()
    .where(and(ofVendor, isNotNull(refunds.doneAt)))
    .limit(1)
  const [lastRefund] = await ofRefunds().where(ofVendor).orderBy(desc(refunds.id)).limit(1)
  return { isPaid: paid !== undefined, isRefunded: refunded !== undefined, last, lastRefund }
}

export const setup: readonly SetupStep[] = PAY_CHANNELS.map((channel, at) => ({
  key: `payments.${channel}`,
  label: `${CHANNEL_NAMES[channel]}收款`,
  for: 'operator',
  permission: 'paymentDesk.manage',
  order: 40 + at,
  optional: true,
  path: '/admin/account/msgRecharge',
  async read(ctx) {
    const { connections } = ctx.services.providers
    const { publicUrl } = ctx.services.env
    return channelStep({
      ...connections[channel],
      tried: await triedOf(ctx, channel),
      asked: publicUrl?.startsWith('https:') ? [] : [PUBLIC_URL],
    })
  },
}))
