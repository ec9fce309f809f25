// How a signature at a service changes by what the service told, with whoever hears of it.
import { and, eq, inArray } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { noteShopChange } from '#features/shops/pos-changes/server.ts'
import { formatDay } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { SIGNATURE_STEPS, SMS_SERVICES } from './rules.ts'
import { shopSignatures } from './tables.ts'

export type AtService = typeof shopSignatures.$inferSelect
type Step = keyof typeof SIGNATURE_STEPS
type Changed = Partial<Omit<typeof shopSignatures.$inferInsert, 'state'>>

/** Answers the row as it is now; null where it has gone on meanwhile. */
export async function stepTo(
  ctx: Ctx,
  row: AtService,
  step: Step,
  changed: Changed,
): Promise<AtService | null> {
  const { from, to } = SIGNATURE_STEPS[step]
  const changedAt = row.state === to ? row.changedAt : ctx.now.toISOString()
  const [now] = await ctx.db
    .update(shopSignatures)
    .set({ ...changed, changedAt, state: to })
    .where(and(eq(shopSignatures.id, row.id), inArray(shopSignatures.state, [...from])))
    .returning()
  return now ?? null
}

/** What is approved no more: messages carry the vendor's signature from now on, and staff and the shop's agent hear of it. */
export async function takeBack(
  ctx: Ctx,
  row: AtService,
  { code, answer }: { code: string; answer: string },
): Promise<AtService | null> {
  const now = await stepTo(ctx, row, 'takeBack', {
    ...{ code, answer, tries: 0, claim: '' },
    nextAt: ctx.now.toISOString(),
  })
  if (!now) return null
  await tellUse(ctx, row)
  const { agentId, merchantId, signature, service } = row
  const about = {
    topic: 'Refresh_Signature_Notify' as const,
    merchantId,
    title: `短信签名被${SMS_SERVICES[service]}收回`,
    args: { merchantId, state: now.state },
  }
  const body = `商户 ${merchantId} 的签名「${signature}」已停用，短信改用平台签名发送`
  await notify(ctx, {
    ...about,
    agentId,
    holding: 'merchants.list',
    body: `${body}。如需继续使用，请联系厂商或提交新的签名申请。`,
    link: `/admin/merchant/merchantDetails?user_id=${merchantId}`,
  })
  await notify(ctx, {
    ...about,
    vendor: 'staff',
    holding: 'approvals.signatures',
    body: answer ? `${body}。服务商说明：${answer}` : body,
    link: `/admin/merchant/smsManage?search=${merchantId}`,
  })
  return now
}

/** Programs at the point of sale read anew whether the signature may be used. */
export function tellUse(ctx: Ctx, { merchantId, agentId }: AtService): Promise<void> {
  const data = { fields: ['signature'] }
  return noteShopChange(ctx, { shopId: merchantId, agentId, topic: 'shop.changed', data })
}

/** Once a day for each service and code: nothing can be handed in until somebody has mended it. */
export async function tellStuck(ctx: Ctx, { service, code, answer }: AtService): Promise<void> {
  await notify(ctx, {
    vendor: 'staff',
    holding: 'approvals.signatures',
    topic: 'Approval_Notify',
    title: `签名无法提交${SMS_SERVICES[service]}`,
    body: `${answer || code}（${code}）。处理后会自动重新提交，也可以在申请详情中立即重试。`,
    link: '/admin/merchant/smsManage?state=reviewing',
    onceKey: `signature-stuck ${service} ${code} ${formatDay(ctx.now)}`,
  })
}
