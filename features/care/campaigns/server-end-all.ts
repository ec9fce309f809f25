// The campaigns of an agency that ends: none of them goes on, and what has not gone out is taken back by the loop with its credit.
import { and, asc, count, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { CAMPAIGN_STEPS } from './rules.ts'
import type { Campaign } from './server-draft.ts'
import { cancelCampaign } from './server-send.ts'
import { campaigns } from './tables.ts'

const unfinished = (ctx: Ctx, agentId: number): SQL | undefined =>
  and(
    eq(campaigns.agentId, agentId),
    inArray(campaigns.status, [...CAMPAIGN_STEPS.cancel.from]),
    ownRows(ctx, campaigns.agentId),
  )

/** Campaigns that have not come to their end, with the messages that wait in the outbox. */
export function unfinishedCampaigns(ctx: Ctx, agentId: number) {
  const waiting = ctx.db
    .select({ of: outboxMessages.campaignId, messages: count().as('messages') })
    .from(outboxMessages)
    .where(and(eq(outboxMessages.agentId, agentId), eq(outboxMessages.status, 'queued')))
    .groupBy(outboxMessages.campaignId)
    .as('waiting')
  return ctx.db
    .select({
      id: campaigns.id,
      name: campaigns.name,
      status: campaigns.status,
      waiting: sql<number>`coalesce(${waiting.messages}, 0)`.mapWith(Number),
    })
    .from(campaigns)
    .leftJoin(waiting, eq(waiting.of, campaigns.id))
    .where(unfinished(ctx, agentId))
    .orderBy(asc(campaigns.id))
}

/** Cancels them, tells whoever sent them why, and answers them as they were. */
export async function cancelAll(ctx: Ctx, agentId: number, why: string): Promise<Campaign[]> {
  const all = await ctx.db
    .select()
    .from(campaigns)
    .where(unfinished(ctx, agentId))
    .orderBy(asc(campaigns.id))
    .for('update')
  for (const campaign of all) {
    await cancelCampaign(ctx, campaign)
    await notify(ctx, {
      accountIds: campaign.sentBy === null ? [] : [campaign.sentBy],
      topic: 'Campaign_Notify',
      title: '群发已取消',
      body: `「${campaign.name}」${why}，未发送的短信不再发送，退回短信余额。`,
      link: `/admin/merchant/messageEditing?campaign=${campaign.id}`,
      args: { campaignId: campaign.id },
    })
  }
  return all
}

/** Cancelled campaigns of which something may still come back. */
export function beingTakenBack(agentId: SQL | number): SQL | undefined {
  return and(
    sql`${campaigns.agentId} = ${agentId}`,
    eq(campaigns.status, 'cancelled'),
    isNull(campaigns.finishedAt),
  )
}
