import { notify } from '#features/notices/server-notify.ts'
import { formatCount } from '#kit/money.ts'
import type { Ctx } from '#server/ctx.ts'
import type { Campaign } from './server-draft.ts'

/** Tells whoever sent it how it ended. */
export async function tellEnd(ctx: Ctx, campaign: Campaign): Promise<void> {
  if (campaign.sentBy === null) return
  const isDone = campaign.status === 'done' && campaign.problem === ''
  const reached = `已向 ${formatCount(campaign.queued)} 家商户发送`
  await notify(ctx, {
    accountIds: [campaign.sentBy],
    topic: 'Campaign_Notify',
    title: isDone ? '群发已完成' : campaign.queued > 0 ? '群发未全部发送' : '群发未发送',
    body: `「${campaign.name}」${[campaign.queued > 0 ? reached : '', campaign.problem].filter(Boolean).join('，')}。`,
    link: `/admin/merchant/messageEditing?campaign=${campaign.id}`,
    args: { campaignId: campaign.id },
  })
}
