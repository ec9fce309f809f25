// The payment configuration is handed over: what the point of sale would get, and that it gets it (DPayConfig_TianQue, DPayConfig_XL,
// Lianfutech). The shop's own verb writes it, and tells its agent and its point of sale.
import { and, eq } from 'drizzle-orm'
import { offeredMethods, readConfig } from '#features/shops/merchants/server-payment.ts'
import { payBy } from '#features/shops/merchants/server-provided.ts'
import { merchants, paymentMethods } from '#features/shops/merchants/tables.ts'
import { acquirerOf } from '#kit/ports/acquirers.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import { changesOf, isPaidOtherwise, type Paid, REFUSALS, refuseHandOver } from './rules.ts'
import type { AcquirerOnboarding } from './server-known.ts'
import { findOnboarding } from './server-rows.ts'
import { lockOnboarding, nameOf, noteOf } from './server-save.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

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

export const preview: Verb<typeof contract.preview> = async (ctx, { id }) => {
  const row = await findOnboarding(ctx, id)
  const method = await methodFor(ctx, row)
  const { paid, methodId, methodName, fields, number } = method
  const code = refuseHandOver(row, { ...method, insteadOf: paid.methodId })
  return {
    methodName,
    changes: changesOf(paid, { methodName, fields, given: { [number]: row.code } }),
    replaces: isPaidOtherwise(paid, methodId)
      ? { methodId: paid.methodId ?? 0, name: paid.methodName }
      : null,
    ...{ secretLabel: method.secretLabel, isSecretSet: method.isSecretSet },
    refusal: code && REFUSALS[code],
  }
}

export const handOver: Verb<typeof contract.handOver> = async (ctx, { id, revision, secret, insteadOf }) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  const method = await methodFor(ctx, row)
  const code = refuseHandOver(row, { ...method, insteadOf })
  if (code === 'PAID_OTHERWISE')
    throw new Refusal(code, `店铺正在使用「${method.paid.methodName}」收款，请确认替换后再交接`)
  refuse(code, REFUSALS)
  if (method.secret !== null && secret === '' && !method.isSecretSet)
    throw new Refusal('SECRET_REQUIRED', `请输入${method.secretLabel}`, { field: 'secret' })
  const values = {
    [method.number]: row.code,
    ...(method.secret !== null && secret !== '' ? { [method.secret]: secret } : {}),
  }
  await payBy(ctx, shop.id, { methodId: method.methodId, values, title: '商户收款方式已变更' })
  await ctx.db
    .update(onboarded)
    .set({
      ...{ handedOverCode: row.code, revision: revision + 1 },
      ...{ handedOverByName: nameOf(ctx), handedOverAt: ctx.now.toISOString() },
    })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  noteOf(ctx, shop, row, [
    { name: '支付方式', before: method.paid.methodName || null, after: method.methodName },
    { name: FIELDS.code.label, before: row.handedOverCode || null, after: row.code },
    ...(secret === '' ? [] : [{ name: method.secretLabel ?? '', before: null, after: '已更换' }]),
  ])
  return { id, revision: revision + 1 }
}
