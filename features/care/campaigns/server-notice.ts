import { notify } from '#features/office/notices/server-notify.ts'
import type { Ctx } from '#server/ctx.ts'
import { endWords } from './rules.ts'
import type { Campaign } from './server-draft.ts'
import { countProgress, NONE } from './server-list.ts'

/** Tells whoever sent it how it ended; where that account is disabled, all of its agent that may see it. */
export async function tellEnd(ctx: Ctx, campaign: Campaign, isSenderGone = false): Promise<void> {
  if (campaign.sentBy === null) return
  const progress = (await countProgress(ctx, [campaign.id])).get(campaign.id) ?? NONE
  await notify(ctx, {
    ...(isSenderGone
      ? { agentId: campaign.agentId, holding: 'campaigns.list' }
      : { accountIds: [campaign.sentBy] }),
    ...endWords(campaign, progress),
    topic: 'Campaign_Notify',
    link: `/admin/merchant/messageEditing?campaign=${campaign.id}`,
    args: { campaignId: campaign.id },
  })
}
