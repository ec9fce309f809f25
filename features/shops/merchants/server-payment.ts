// Payment methods offered to an agent and the config of one method, kept encrypted (decisions.md, "Ids that are data").
import { and, asc, eq, exists, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { BrokenValue } from '#kit/declare/reference.ts'
import type { Ctx } from '#server/ctx.ts'
import type { RowChange } from '#server/office/reference-tables.ts'
import { Refusal } from '#server/refuse.ts'
import { REFUSALS } from './rules.ts'
import { agentPaymentMethods, type ConfigField, merchants, paymentMethods } from './tables.ts'

export function stillOffered(retiredAt: AnyPgColumn) {
  return sql<boolean>`(${retiredAt} is null or ${retiredAt} > now())`
}

/** Methods offered to all (agent 0) and to this agent, and the one a shop has already, in their order. */
export function offeredMethods(ctx: Ctx, agentId: number, heldId: number | null = null) {
  const offered = and(
    stillOffered(paymentMethods.retiredAt),
    exists(
      ctx.db
        .select()
        .from(agentPaymentMethods)
        .where(
          and(
            eq(agentPaymentMethods.paymentMethodId, paymentMethods.id),
            inArray(agentPaymentMethods.agentId, [0, agentId]),
          ),
        ),
    ),
  )
  return ctx.db
    .select({ id: paymentMethods.id, name: paymentMethods.name, fields: paymentMethods.fields })
    .from(paymentMethods)
    .where(heldId === null ? offered : or(offered, eq(paymentMethods.id, heldId)))
    .orderBy(asc(paymentMethods.position))
}

/** The methods offered to an agent beyond those offered to all, in place of those before. */
export async function saveOfferedMethods(
  ctx: Ctx,
  agentId: number,
  methodIds: readonly number[],
): Promise<void> {
  await ctx.db.delete(agentPaymentMethods).where(eq(agentPaymentMethods.agentId, agentId))
  const rows = methodIds.map(paymentMethodId => ({ agentId, paymentMethodId }))
  if (rows.length > 0) await ctx.db.insert(agentPaymentMethods).values(rows)
}

/**
 * The encrypted config of a method, or null without a method. Only the method's own fields are kept; an empty secret keeps
 * the value it had. Refuses a method that is not offered and a required field that is empty.
 */
export async function configOf(
  ctx: Ctx,
  methodId: number | null,
  given: Record<string, string>,
  kept: Record<string, string>,
  shop: { agentId: number; paymentMethodId: number | null } = {
    agentId: ctx.actor.agentId,
    paymentMethodId: null,
  },
): Promise<Buffer | null> {
  if (methodId === null) return null
  const method = (await offeredMethods(ctx, shop.agentId, shop.paymentMethodId)).find(
    offered => offered.id === methodId,
  )
  if (!method)
    throw new Refusal('PAYMENT_METHOD_UNKNOWN', REFUSALS.PAYMENT_METHOD_UNKNOWN, { field: 'paymentMethodId' })
  const config: Record<string, string> = {}
  for (const field of method.fields) {
    const entered = (given[field.key] ?? '').trim()
    const value = entered === '' && field.secret ? (kept[field.key] ?? '') : entered
    if (field.required && value === '')
      throw new Refusal('PAYMENT_FIELD_REQUIRED', `${field.label}不能为空`, {
        field: `paymentConfig.${field.key}`,
      })
    if (value !== '') config[field.key] = value
  }
  return ctx.services.secrets.encrypt(JSON.stringify(config))
}

export function readConfig(ctx: Ctx, sealed: Buffer | null): Record<string, string> {
  return sealed === null ? {} : (JSON.parse(ctx.services.secrets.decrypt(sealed)) as Record<string, string>)
}

/** The config of a method with these fields as people may see it: secret values are left out and named. */
export function presentConfig(ctx: Ctx, fields: readonly ConfigField[] | null, sealed: Buffer | null) {
  if (!fields) return { paymentConfig: {}, paymentSecretsSet: [] }
  const config = readConfig(ctx, sealed)
  return {
    paymentConfig: Object.fromEntries(
      fields.filter(field => !field.secret).map(field => [field.key, config[field.key] ?? '']),
    ),
    paymentSecretsSet: fields.filter(field => field.secret && config[field.key]).map(field => field.key),
  }
}

const LOOKED_AT = 500

/** A field that holds values of shops neither vanishes nor is shown where it was secret. */
export async function refuseHeldFields(
  ctx: Ctx,
  { id, before, after }: RowChange,
): Promise<BrokenValue | null> {
  const next = after.fields as unknown as readonly ConfigField[]
  const gone = (before.fields as unknown as readonly ConfigField[]).filter(
    ({ key, secret }) => !next.some(field => field.key === key && (field.secret || !secret)),
  )
  for (let last: number | null = gone.length > 0 ? 0 : null; last !== null; ) {
    const shops = await ctx.db
      .select({ id: merchants.id, config: merchants.paymentConfig })
      .from(merchants)
      .where(
        and(
          eq(merchants.paymentMethodId, Number(id)),
          isNotNull(merchants.paymentConfig),
          gt(merchants.id, last),
        ),
      )
      .orderBy(asc(merchants.id))
      .limit(LOOKED_AT)
    for (const { config } of shops) {
      const values = readConfig(ctx, config)
      const held = gone.find(({ key }) => (values[key] ?? '') !== '')
      if (held) {
        const keeps = next.some(({ key }) => key === held.key)
        const message = keeps
          ? `已有商户填写「${held.label}」，不能改为公开`
          : `已有商户填写「${held.label}」，不能删除`
        return { field: 'fields', message }
      }
    }
    last = shops.length < LOOKED_AT ? null : (shops.at(-1)?.id ?? null)
  }
  return null
}
