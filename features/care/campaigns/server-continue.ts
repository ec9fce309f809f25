// Going on with a campaign that stopped before it came to all: the shops after the last one that was looked at, and no other.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { campaigns as contract } from './contract.ts'
import {
  CAMPAIGN_REFUSALS,
  CAMPAIGN_STATUSES,
  CAMPAIGN_STEPS,
  type Credit,
  missingOf,
  type Reach,
  refuseContinuing,
} from './rules.ts'
import type { Audience } from './server-audience.ts'
import { type Campaign, lockCampaign, subjectOf } from './server-draft.ts'
import { campaignTemplates, type Message, reachOf } from './server-preview.ts'
import { lockAccepting, refuseUnconfirmed } from './server-send.ts'
import { campaigns } from './tables.ts'

export const remainder: Verb<typeof contract.remainder> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), ownRows(ctx, campaigns.agentId)))
  const left = await leftOf(ctx, found(row))
  return { ...left, missing: missingOf(left.segments, left) }
}

export const continueSending: Verb<typeof contract.continue> = async (ctx, input) => {
  const campaign = await lockCampaign(ctx, input.id)
  await lockAccepting(ctx)
  const left = await leftOf(ctx, campaign)
  refuseUnconfirmed(left, input)
  const { from, to: status } = CAMPAIGN_STEPS.continue
  await ctx.db
    .update(campaigns)
    .set({
      status,
      problem: '',
      progress: null,
      finishedAt: null,
      expectedShops: campaign.queued + left.shops,
      expectedSegments: (await writtenSegments(ctx, campaign.id)) + left.segments,
      sentBy: ctx.actor.accountId,
      sentByName: ctx.actor.name,
    })
    .where(and(eq(campaigns.id, campaign.id), inArray(campaigns.status, from)))
  ctx.object('campaign', campaign.id)
  ctx.note(subjectOf(campaign), [
    { name: '状态', before: CAMPAIGN_STATUSES[campaign.status], after: CAMPAIGN_STATUSES[status] },
    {
      name: '商户',
      before: countText(campaign.queued, '家'),
      after: countText(campaign.queued + left.shops, '家'),
    },
    { name: '短信', before: null, after: countText(left.segments, '条') },
  ])
  ctx.afterCommit(() => ctx.services.wake('campaigns'))
  return { id: campaign.id, status }
}

/** What is left of it, for whoever pays. */
async function leftOf(ctx: Ctx, campaign: Campaign): Promise<Reach & Credit> {
  if (campaign.agentId !== ctx.actor.agentId) refuseCommon('NOT_FOUND')
  refuse(refuseContinuing(campaign), CAMPAIGN_REFUSALS)
  const template = campaignTemplates(await templatesByKey(ctx)).get(campaign.templateKey)
  refuse(template ? null : 'TEMPLATE_UNKNOWN', CAMPAIGN_REFUSALS)
  const message = { template, params: campaign.params } as Message
  return reachOf(ctx, campaign.audience as Audience, message, campaign.cursor)
}

async function writtenSegments(ctx: Ctx, id: number): Promise<number> {
  const [row] = await ctx.db
    .select({ segments: sql<number>`coalesce(sum(${outboxMessages.segments}), 0)`.mapWith(Number) })
    .from(outboxMessages)
    .where(and(eq(outboxMessages.campaignId, id), ownRows(ctx, outboxMessages.agentId)))
  return row?.segments ?? 0
}
