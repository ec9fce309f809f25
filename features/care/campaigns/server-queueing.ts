// Writes the messages of one campaign into the outbox, some shops at a time: cursor, messages and their credit together.
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { balancesOf } from '#features/money/ledger/server.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { queueMessages } from '#features/shops/messages/server.ts'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import { formatCount } from '#kit/money.ts'
import { segmentsOf } from '#kit/words/segments.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { CAMPAIGN_REFUSALS, CAMPAIGN_STEPS, isReached, paramsFor, senderProblem, textFor } from './rules.ts'
import { type Audience, asSender, countShops, nextShops, type ReachedShop } from './server-audience.ts'
import type { Campaign } from './server-draft.ts'
import { tellEnd } from './server-notice.ts'
import { campaignTemplates, type Message } from './server-preview.ts'
import { campaigns } from './tables.ts'

/** Shops of one transaction: what a kill may undo, and how long others may wait for the agent's credit. */
const SHOPS_AT_ONCE = 1_000

/** Answers whether a campaign was there to be written; of two instances the second takes another one. */
export function queueChunk(services: Services): Promise<boolean> {
  return actAsSystem(services, 'campaigns queue', async system => {
    const [found] = await system.db
      .select({
        campaign: campaigns,
        isVendorStaff: agents.isVendorStaff,
        isAgentEnabled: agents.enabled,
        isAccountEnabled: accounts.enabled,
      })
      .from(campaigns)
      .innerJoin(agents, eq(agents.id, campaigns.agentId))
      .innerJoin(accounts, eq(accounts.id, campaigns.sentBy))
      .where(and(eq(campaigns.status, 'queueing'), ne(agents.status, 'suspended')))
      .orderBy(asc(campaigns.startedAt), asc(campaigns.id))
      .limit(1)
      .for('update', { of: campaigns, skipLocked: true })
    if (!found) return false
    const { campaign } = found
    const sender = {
      agentId: campaign.agentId,
      isVendorStaff: found.isVendorStaff,
      accountId: campaign.sentBy ?? campaign.createdBy,
      name: campaign.sentByName ?? campaign.createdByName,
    }
    const ctx = asSender(system, sender)
    const problem = senderProblem(found)
    if (problem === null) await writeChunk(ctx, campaign)
    else await endQueueing(ctx, campaign, await restUnsent(ctx, campaign, problem), true)
    return true
  })
}

async function writeChunk(ctx: Ctx, campaign: Campaign): Promise<void> {
  const audience = campaign.audience as Audience
  const template = campaignTemplates(await templatesByKey(ctx)).get(campaign.templateKey)
  if (!template) return endQueueing(ctx, campaign, CAMPAIGN_REFUSALS.TEMPLATE_UNKNOWN)
  const message: Message = { template, params: campaign.params }
  const shops = await nextShops(ctx, audience, { afterId: campaign.cursor, limit: SHOPS_AT_ONCE })
  const reached = shops.filter(isReached)
  const { sms } = await balancesOf(ctx, campaign.agentId)
  const paid = withinCredit(ctx, message, reached, sms)
  const isShort = paid.length < reached.length
  // Where the credit ends, so does what was looked at.
  const cursor = isShort ? (paid.at(-1)?.id ?? campaign.cursor) : (shops.at(-1)?.id ?? campaign.cursor)
  const after: Campaign = {
    ...campaign,
    cursor,
    queued: campaign.queued + paid.length,
    skipped: campaign.skipped + shops.filter(shop => shop.id <= cursor && !isReached(shop)).length,
  }
  await ctx.db
    .update(campaigns)
    .set({ cursor: after.cursor, queued: after.queued, skipped: after.skipped })
    .where(eq(campaigns.id, campaign.id))
  if (isShort) {
    await endQueueing(ctx, after, await restUnsent(ctx, after, '短信余额不足'))
  } else if (shops.length < SHOPS_AT_ONCE)
    await endQueueing(ctx, after, after.queued === 0 ? '没有可发送的商户' : '')
  await queueMessages(
    ctx,
    paid.map(shop => ({
      agentId: campaign.agentId,
      merchantId: shop.id,
      kind: 'campaign',
      phone: shop.account,
      template: template.key,
      params: paramsFor(template, campaign.params, shop.shopName),
      payer: 'agent',
      payerId: campaign.agentId,
      documentNo: campaign.documentNo,
      campaignId: campaign.id,
    })),
  )
}

/** As many of the first shops as the credit pays for. */
function withinCredit(
  ctx: Ctx,
  message: Message,
  shops: readonly ReachedShop[],
  credit: number,
): ReachedShop[] {
  let left = credit
  const first = shops.findIndex(({ shopName }) => {
    left -= segmentsOf(
      ctx.services.providers.smsSignature,
      textFor(message.template, message.params, shopName),
    )
    return left < 0
  })
  return shops.slice(0, first === -1 ? shops.length : first)
}

/** Why it ends before it came to all, and to how many it did not come. */
async function restUnsent(ctx: Ctx, { audience, cursor }: Campaign, problem: string): Promise<string> {
  const left = await countShops(ctx, audience as Audience, cursor)
  return `${problem}，其余 ${formatCount(left.shops)} 家商户未发送`
}

/** All that will be written is written; refused where that is nothing. */
async function endQueueing(
  ctx: Ctx,
  campaign: Campaign,
  problem: string,
  isSenderGone = false,
): Promise<void> {
  const isRefused = campaign.queued === 0
  const { from, to: status } = CAMPAIGN_STEPS[isRefused ? 'refuse' : 'handOver']
  await ctx.db
    .update(campaigns)
    .set({
      status,
      problem,
      ...(isRefused ? { finishedAt: sql`now()` } : {}),
    })
    .where(and(eq(campaigns.id, campaign.id), inArray(campaigns.status, from)))
  if (isRefused) await tellEnd(ctx, { ...campaign, status, problem }, isSenderGone)
}
