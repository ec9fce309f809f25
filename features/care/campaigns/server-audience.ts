// Whom a campaign reaches: the shops that its filters find, of its own agent, or of all where its agent is the vendor's.
import { and, asc, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { filterConditions, inRegion } from '#features/shops/merchants/server-list.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Actor, Ctx } from '#server/ctx.ts'
import { type Condition, conditionOf, equal, literal, ownCondition, valuesOf } from '#server/list.ts'
import type { Audience as AudienceSchema } from './contract.ts'
import { CAMPAIGN_LIMITS } from './rules.ts'

export type Audience = z.infer<typeof AudienceSchema>

/** Who pays, and whose shops may be reached: its own, or everybody's where it is the vendor's. */
export type Sender = Pick<Actor, 'accountId' | 'name' | 'agentId' | 'isVendorStaff'>

/** Shops that fit, from after `afterId` in the order of their ids. */
function conditionsOf(ctx: Ctx, audience: Audience, afterId = 0): Condition[] {
  const { regionCode, managerId, verificationStatus, ...filters } = audience
  return [
    ...ownCondition(ctx, merchants.agentId),
    ...filterConditions(ctx, filters),
    ...equal('managerId', merchants.managerId, managerId),
    ...equal('verificationStatus', merchants.verificationStatus, verificationStatus),
    ...(regionCode === undefined ? [] : [inRegion(regionCode)]),
    { key: 'after', sql: gt(merchants.id, sql.placeholder('afterId')), values: { afterId } },
  ]
}

/** The program looks and writes as who sent it, and reaches no other shops. */
export function asSender(ctx: Ctx, sender: Sender): Ctx {
  return { ...ctx, actor: { ...ctx.actor, ...sender } }
}

export type ReachedShop = { id: number; shopName: string; account: string; status: 'normal' | 'disabled' }

const SHOP = {
  id: merchants.id,
  shopName: merchants.shopName,
  account: merchants.account,
  status: merchants.status,
}

/** Written like `isMainlandMobile`. */
const IS_MOBILE = sql<boolean>`${merchants.account} ~ '^1[3-9][0-9]{9}$'`
/** UTF-16 units, as segments count them: a character beyond the first plane is two. */
const NAME_LENGTH = sql<number>`char_length(${merchants.shopName})
  + regexp_count(${merchants.shopName}, ${sql.raw(`'[\\U00010000-\\U0010ffff]'`)})`

/** The next shops that fit, in the order of their ids. */
export function nextShops(
  ctx: Ctx,
  audience: Audience,
  { afterId, limit, reachedOnly = false }: { afterId: number; limit: number; reachedOnly?: boolean },
): Promise<ReachedShop[]> {
  const conditions = conditionsOf(ctx, audience, afterId)
  return ctx.db
    .select(SHOP)
    .from(merchants)
    .where(
      and(
        conditionOf({ conditions }),
        reachedOnly ? sql`${merchants.status} = 'normal' and ${IS_MOBILE}` : undefined,
      ),
    )
    .orderBy(asc(merchants.id))
    .limit(literal(limit))
    .prepare('')
    .execute(valuesOf(conditions))
}

export type Counted = {
  shops: number
  disabled: number
  notMobile: number
  /** Shops that get a message, by the length of their name. */
  lengths: { length: number; shops: number }[]
}

/** Counts the shops that fit, from after `afterId`. */
export async function countShops(ctx: Ctx, audience: Audience, afterId = 0): Promise<Counted> {
  const conditions = conditionsOf(ctx, audience, afterId)
  const rows = await ctx.db
    .select({
      status: merchants.status,
      isMobile: IS_MOBILE.as('is_mobile'),
      length: NAME_LENGTH.mapWith(Number).as('name_length'),
      shops: sql<number>`count(*)`.mapWith(Number),
    })
    .from(merchants)
    .where(conditionOf({ conditions }))
    .groupBy(merchants.status, sql`is_mobile`, sql`name_length`)
    .prepare('')
    .execute(valuesOf(conditions))
  const sum = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(fits).reduce((shops, row) => shops + row.shops, 0)
  const reached = rows.filter(({ status, isMobile }) => status === 'normal' && isMobile)
  return {
    shops: sum(row => reached.includes(row)),
    disabled: sum(({ status }) => status === 'disabled'),
    notMobile: sum(({ status, isMobile }) => status === 'normal' && !isMobile),
    lengths: reached.map(({ length, shops }) => ({ length, shops })),
  }
}

/** Shops that are shown what they would read. */
export function sampleShops(ctx: Ctx, audience: Audience): Promise<ReachedShop[]> {
  return nextShops(ctx, audience, { afterId: 0, limit: CAMPAIGN_LIMITS.samples, reachedOnly: true })
}
