// The payment configuration is handed over: what the point of sale would get, and that it gets it (DPayConfig_TianQue, DPayConfig_XL,
// Lianfutech). The shop's own verb writes it, and tells its agent and its point of sale.
import { and, eq } from 'drizzle-orm'
import { payBy } from '#features/shops/merchants/server-provided.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import { changesOf, isPaidOtherwise, REFUSALS, refuseHandOver } from './rules.ts'
import { methodFor } from './server-method.ts'
import { findOnboarding } from './server-rows.ts'
import { lockOnboarding, nameOf, noteOf } from './server-save.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

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
