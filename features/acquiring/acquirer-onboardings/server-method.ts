// How a shop is paid, beside the method by which its acquirer pays.
import { and, eq } from 'drizzle-orm'
import { offeredMethods, readConfig } from '#features/shops/merchants/server-payment.ts'
import { merchants, paymentMethods } from '#features/shops/merchants/tables.ts'
import { acquirerOf } from '#kit/ports/acquirers.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { Paid } from './rules.ts'
import type { AcquirerOnboarding } from './server-known.ts'

/** How its shop is paid now, and the method by which its acquirer pays. */
export async function methodFor(ctx: Ctx, row: AcquirerOnboarding) {
  const { methodId, number, secret } = acquirerOf(row.channel).pays
  const [shop] = await ctx.db
    .select({
      agentId: merchants.agentId,
      methodId: merchants.paymentMethodId,
      methodName: paymentMethods.name,
      config: merchants.paymentConfig,
    })
    .from(merchants)
    .leftJoin(paymentMethods, eq(paymentMethods.id, merchants.paymentMethodId))
    .where(and(eq(merchants.id, row.merchantId), ownRows(ctx, merchants.agentId)))
  const { agentId, config, ...held } = found(shop)
  const paid: Paid = {
    ...{ methodId: held.methodId, methodName: held.methodName ?? '' },
    values: readConfig(ctx, config),
  }
  const method = (await offeredMethods(ctx, agentId, held.methodId)).find(({ id }) => id === methodId)
  const fields = method?.fields ?? []
  const fits = [number, ...(secret ? [secret] : [])].every(key => fields.some(field => field.key === key))
  const isHeld = held.methodId === methodId
  return {
    ...{ paid, methodId, fields, fits, number, secret, isOffered: method !== undefined },
    methodName: method?.name ?? '',
    isSecretSet: secret !== null && isHeld && (paid.values[secret] ?? '') !== '',
    secretLabel: fields.find(field => field.key === secret)?.label ?? null,
  }
}
