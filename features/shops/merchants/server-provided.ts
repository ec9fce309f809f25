// A shop that a service provider has brought in at a payment service: the number that it was given there becomes what it is paid by.
import { and, eq } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { lockMerchant, updateAndTell } from './server-edit.ts'
import { readConfig } from './server-payment.ts'
import { merchants, paymentMethods } from './tables.ts'

/** The method by which a service provider takes money for a shop that it has brought in; its one value is the shop's number there. */
export const PROVIDED = { methodId: 2, key: 'mch_id' } as const

/** What a shop is paid by now, for whoever may hand it another number: its method, and that number where it has one. */
export async function paidBy(
  ctx: Ctx,
  merchantId: number,
): Promise<{ methodId: number | null; methodName: string; number: string }> {
  const [row] = await ctx.db
    .select({
      methodId: merchants.paymentMethodId,
      methodName: paymentMethods.name,
      config: merchants.paymentConfig,
    })
    .from(merchants)
    .leftJoin(paymentMethods, eq(paymentMethods.id, merchants.paymentMethodId))
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  const { methodId, methodName, config } = found(row)
  const number = methodId === PROVIDED.methodId ? (readConfig(ctx, config)[PROVIDED.key] ?? '') : ''
  return { methodId, methodName: methodName ?? '', number }
}

/** How a shop is paid from now on, by a number that its payment service gave it. Its agent, its page and its point of sale hear of it. */
export async function payByProvider(
  ctx: Ctx,
  merchantId: number,
  number: string,
  title = '商户收款方式已开通',
): Promise<void> {
  const before = await lockMerchant(ctx, merchantId)
  const standing = before.paymentMethodId === PROVIDED.methodId ? readConfig(ctx, before.paymentConfig) : {}
  if (standing[PROVIDED.key] === number && before.payEnabled) return
  const paymentConfig = ctx.services.secrets.encrypt(JSON.stringify({ ...standing, [PROVIDED.key]: number }))
  const changed = { paymentMethodId: PROVIDED.methodId, paymentConfig, payEnabled: true }
  await updateAndTell(ctx, before, changed, { title, unseen: ['支付参数'] })
}
