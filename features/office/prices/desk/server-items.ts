// What has a price, under the names that people know, and all that was written down about it.
import { asc, isNotNull } from 'drizzle-orm'
import { type Book, type DatedPrice, PACK, PARTS, RECHARGE_ITEM } from '#features/office/prices/rules.ts'
import { priceAt } from '#features/office/prices/server.ts'
import { prices } from '#features/office/prices/tables.ts'
import { hardwareProducts } from '#features/sales/hardware/tables.ts'
import { SERVICE_UNITS } from '#features/sales/services/rules.ts'
import { services } from '#features/sales/services/tables.ts'
import { smsPackages, smsRechargePackages } from '#features/sales/sms/tables.ts'
import { pricedTerms } from '#features/shops/versions/rules.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Ctx } from '#server/ctx.ts'

export type Item = {
  book: Book
  item: number
  name: string
  parts: string[]
  /** What one of it is, where its part does not say it. */
  counted?: string
  /** Of a package that is paid from outside and has a price now: what it brings and costs. */
  pack?: { pieces: number; priceFen: number }
}

/** Every item of every book, in the order of their catalogues. */
export async function itemsOf(ctx: Ctx): Promise<Item[]> {
  const { db } = ctx
  const [software, added, packs, goods, recharges] = [
    await db
      .select({
        ...{ item: versions.id, name: versions.name },
        ...{ pricingRule: versions.pricingRule, isPack: versions.isPack },
      })
      .from(versions)
      .orderBy(asc(versions.position)),
    await db
      .select({ item: services.id, name: services.name, unit: services.unit })
      .from(services)
      .where(isNotNull(services.parentId))
      .orderBy(asc(services.position), asc(services.id)),
    await db
      .select({ item: smsPackages.id, name: smsPackages.name })
      .from(smsPackages)
      .orderBy(asc(smsPackages.position)),
    await db
      .select({ item: hardwareProducts.id, name: hardwareProducts.name })
      .from(hardwareProducts)
      .orderBy(asc(hardwareProducts.position), asc(hardwareProducts.id)),
    await db
      .select({
        ...{ item: smsRechargePackages.id, name: smsRechargePackages.name },
        pieces: smsRechargePackages.pieces,
        priceFen: priceAt('recharge', smsRechargePackages.id, PACK),
      })
      .from(smsRechargePackages)
      .orderBy(asc(smsRechargePackages.position)),
  ]
  const of = (book: Book, parts: string[]) => (row: { item: number; name: string }) => ({
    book,
    parts,
    ...row,
  })
  return [
    ...software.map(({ pricingRule, isPack, ...row }) =>
      of('version', pricedTerms({ pricingRule, isPack }))(row),
    ),
    ...added.map(({ unit, ...row }) => ({
      ...of('service', Object.keys(PARTS.service))(row),
      counted: SERVICE_UNITS[unit],
    })),
    ...packs.map(of('sms', Object.keys(PARTS.sms))),
    ...goods.map(of('hardware', Object.keys(PARTS.hardware))),
    { book: 'recharge', item: RECHARGE_ITEM, name: '自定义充值', parts: ['token', 'smsHundred'] },
    ...recharges.map(({ item, name, pieces, priceFen }) => ({
      ...of('recharge', [PACK])({ item, name: `充值短信 ${name}` }),
      ...(priceFen === null ? {} : { pack: { pieces, priceFen } }),
    })),
  ]
}

export type Written = DatedPrice & typeof prices.$inferSelect

/** All prices that were ever written down: some for each item. */
export function writtenPrices(ctx: Ctx): Promise<Written[]> {
  return ctx.db.select().from(prices).orderBy(asc(prices.startsAt), asc(prices.id))
}

export const sameLine =
  (of: { book: Book; item: number; part: string; kind: string }) =>
  (row: Written): boolean =>
    row.book === of.book && row.item === of.item && row.part === of.part && row.kind === of.kind
