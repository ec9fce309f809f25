// Sending and stopping: both only say what is wanted; the loop of server-work.ts writes and takes back messages.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import { countText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { campaigns as contract } from './contract.ts'
import {
  brokenForSending,
  CAMPAIGN_REFUSALS,
  CAMPAIGN_STATUSES,
  CAMPAIGN_STEPS,
  type Credit,
  missingOf,
  type Reach,
  refuseCancelling,
  refuseEditing,
  refuseReach,
} from './rules.ts'
import type { Audience } from './server-audience.ts'
import { type Campaign, databaseNow, lockCampaign, subjectOf } from './server-draft.ts'
import { campaignTemplates, type Message, reachOf } from './server-preview.ts'
import { campaigns } from './tables.ts'

export const send: Verb<typeof contract.send> = async (ctx, input) => {
  const campaign = await lockCampaign(ctx, input.id)
  // Whoever pays is who sends.
  if (campaign.agentId !== ctx.actor.agentId) refuseCommon('NOT_FOUND')
  refuse(refuseEditing(campaign.status), CAMPAIGN_REFUSALS)
  if (campaign.revision !== input.revision) refuseCommon('STALE')
  const template = campaignTemplates(await templatesByKey(ctx)).get(campaign.templateKey)
  const now = await databaseNow(ctx)
  const [broken] = brokenForSending(campaign, template, now)
  refuse(broken?.code ?? null, CAMPAIGN_REFUSALS, { field: broken?.field })
  const message = { template, params: campaign.params } as Message
  await lockAccepting(ctx)
  const reach = await reachOf(ctx, campaign.audience as Audience, message)
  refuseUnconfirmed(reach, input)
  const { scheduledAt } = campaign
  const { from, to: status } = CAMPAIGN_STEPS[scheduledAt === null ? 'begin' : 'schedule']
  await ctx.db
    .update(campaigns)
    .set({
      status,
      expectedShops: reach.shops,
      expectedSegments: reach.segments,
      sentBy: ctx.actor.accountId,
      sentByName: ctx.actor.name,
      startedAt: scheduledAt === null ? now.toISOString() : null,
    })
    .where(and(eq(campaigns.id, campaign.id), inArray(campaigns.status, from)))
  ctx.object('campaign', campaign.id)
  ctx.note(subjectOf(campaign), [
    { name: '状态', before: CAMPAIGN_STATUSES.draft, after: CAMPAIGN_STATUSES[status] },
    { name: '商户', before: null, after: countText(reach.shops, '家') },
    { name: '短信', before: null, after: countText(reach.segments, '条') },
    { name: '计划时间', before: null, after: scheduledAt === null ? '立即' : formatInstant(scheduledAt) },
  ])
  ctx.afterCommit(() => ctx.services.wake('campaigns'))
  return { id: campaign.id, status }
}

const ACCEPT_LOCK = 7_211_012

/** The agent's campaigns are accepted one after the other, so that the same credit is not promised twice. */
export async function lockAccepting(ctx: Ctx): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(${ACCEPT_LOCK}, ${ctx.actor.agentId}::int)`)
}

/** Refuses what is not what was confirmed, or cannot be paid. */
export function refuseUnconfirmed(found: Reach & Credit, confirmed: Reach): void {
  refuse(refuseReach(found, confirmed, found), CAMPAIGN_REFUSALS, {
    asset: 'sms',
    ...found,
    missing: missingOf(found.segments, found),
  })
}

export const cancel: Verb<typeof contract.cancel> = async (ctx, { id }) => {
  const campaign = await lockCampaign(ctx, id)
  refuse(refuseCancelling(campaign.status), CAMPAIGN_REFUSALS)
  await cancelCampaign(ctx, campaign)
  const status = CAMPAIGN_STEPS.cancel.to
  ctx.object('campaign', campaign.id)
  ctx.note(subjectOf(campaign), [
    { name: '状态', before: CAMPAIGN_STATUSES[campaign.status], after: CAMPAIGN_STATUSES[status] },
  ])
  return { id, status }
}

/** Of one that is locked. What already stands in the outbox is taken back by the loop, which then sets the end. */
export async function cancelCampaign(ctx: Ctx, { id, startedAt }: Campaign): Promise<void> {
  const { from, to: status } = CAMPAIGN_STEPS.cancel
  const finishedAt = startedAt === null ? (await databaseNow(ctx)).toISOString() : null
  await ctx.db
    .update(campaigns)
    .set({ status, finishedAt })
    .where(and(eq(campaigns.id, id), inArray(campaigns.status, from)))
  ctx.afterCommit(() => ctx.services.wake('campaigns'))
}
