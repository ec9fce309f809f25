// How another feature says what a shop is paid by: the number that its payment service gave it, or what an acquirer agreed with it.
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

/**
 * How a shop is paid from now on, as another feature has agreed it for the shop: `values` over those that it has of the same method, and
 * whose keys are of its fields. Its agent, its page and its point of sale hear of it; where it is paid so already, nobody does.
 */
export async function payBy(
  ctx: Ctx,
  merchantId: number,
  { methodId, values, title }: { methodId: number; values: Readonly<Record<string, string>>; title: string },
): Promise<void> {
  const before = await lockMerchant(ctx, merchantId)
  const standing = before.paymentMethodId === methodId ? readConfig(ctx, before.paymentConfig) : {}
  const isSame = Object.entries(values).every(([key, value]) => standing[key] === value)
  if (before.paymentMethodId === methodId && before.payEnabled && isSame) return
  const paymentConfig = ctx.services.secrets.encrypt(JSON.stringify({ ...standing, ...values }))
  const changed = { paymentMethodId: methodId, paymentConfig, payEnabled: true }
  await updateAndTell(ctx, before, changed, { title, unseen: ['支付参数'] })
}

/** By the number that its payment service gave it. */
export const payByProvider = (
  ctx: Ctx,
  merchantId: number,
  number: string,
  title = '商户收款方式已开通',
): Promise<void> =>
  payBy(ctx, merchantId, { methodId: PROVIDED.methodId, values: { [PROVIDED.key]: number }, title })
