// The vendor's products: what is on sale, and how staff keep it (stock apart, since orders change it meanwhile).

import { and, asc, count, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import { ASKED_REFUSALS, type PriceRisk, refuseUnasked, savedRisks } from '#features/office/prices/rules.ts'
import { type BuyerTerms, beginPrice, buyerTerms, priceAt } from '#features/office/prices/server.ts'
import type { Field } from '#kit/declare/fields.ts'
import { fieldsIn } from '#kit/declare/form.ts'
import { amountText, countText } from '#kit/money.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { found, Refusal, refuse, refuseBroken, refuseCommon, staffAlone } from '#server/refuse.ts'
import type { hardware as contract } from './contract.ts'
import { PRODUCT as EDITED, NEW_PRODUCT, PRODUCT_FIELDS, STOCK_TAKING } from './fields.ts'
import {
  type HardwareRefusal,
  ORDER_REFUSALS,
  PRODUCT_REFUSALS,
  REFUSALS,
  refuseStockChange,
} from './rules.ts'
import { hardwareProducts as products } from './tables.ts'

/** The purpose under which app/ lets pictures of products be uploaded. */
const PICTURE_PURPOSE = 'product'

type ProductRow = typeof products.$inferSelect & { unitCents: number }

/** A product has had a price since it was added. */
export const PRODUCT = {
  ...getTableColumns(products),
  unitCents: sql<number>`${priceAt('hardware', products.id, 'unit')}`.mapWith(Number),
}
/** What beside its list price decides a product's price for the buyer. */
export const offeredOf = (terms: BuyerTerms, item: number) => ({
  discountBasisPoints: terms.discountBasisPoints,
  conditions: terms.conditionsOf(item),
})

const unitPrice = (item: number, cents: number) => ({ book: 'hardware', item, part: 'unit', cents }) as const

const LOGGED = {
  ...fieldsIn(PRODUCT_FIELDS, 'log'),
  enabled: { kind: 'flag', label: '上架' },
} as const satisfies Partial<Record<keyof ProductRow, Field>>

const PICTURE_CHANGED = { name: '图片', before: null, after: '已修改' }

export const listProducts: Verb<typeof contract.products> = (ctx, input) => {
  return pageOfProducts(ctx, input, eq(products.enabled, true))
}

export const listCatalogue: Verb<typeof contract.catalogue> = (ctx, input) => {
  return pageOfProducts(ctx, input, undefined)
}

/** The catalogue is the vendor's own short list: tens of rows, read as they are. */
async function pageOfProducts(
  ctx: Ctx,
  { search, page, size }: { search?: string | undefined; page: number; size: number },
  condition: SQL | undefined,
) {
  const where = and(condition, search ? matches(search) : undefined)
  const rows = await ctx.db
    .select(PRODUCT)
    .from(products)
    .where(where)
    .orderBy(asc(products.position), asc(products.id))
    .limit(size)
    .offset((page - 1) * size)
  const [counted] = await ctx.db.select({ total: count() }).from(products).where(where)
  const terms = await buyerTerms(ctx, 'hardware', 'no shop')
  return {
    rows: rows.map(row => ({ ...row, ...offeredOf(terms, row.id) })),
    total: counted?.total ?? 0,
    totalCapped: false,
  }
}

function matches(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(ilike(products.name, pattern), ilike(products.model, pattern))
}

export const addProduct: Verb<typeof contract.addProduct> = async (ctx, input) => {
  staffAlone(ctx)
  refuseBroken(NEW_PRODUCT, input)
  await refuseUnknownPicture(ctx, input.pictureId, null)
  const { unitCents, answered, ...columns } = input
  refuseUnaskedPrice(null, unitCents, answered)
  const [added] = await ctx.db
    .insert(products)
    .values({ ...columns, createdAt: ctx.now.toISOString() })
    .returning()
  const product = found(added)
  await beginPrice(ctx, unitPrice(product.id, unitCents))
  ctx.object('product', product.id)
  ctx.note(`${product.name} (${product.id})`, [
    { name: '价格', before: null, after: amountText(unitCents, '代币') },
    { name: '库存', before: null, after: countText(product.stock, '件') },
  ])
  return { id: product.id }
}

export const editProduct: Verb<typeof contract.editProduct> = async (ctx, input) => {
  staffAlone(ctx)
  const { id, revision, answered, ...changed } = input
  refuseBroken(EDITED, changed)
  const before = await lockProduct(ctx, id)
  if (before.revision !== revision) refuseCommon('STALE')
  await refuseUnknownPicture(ctx, changed.pictureId, before.pictureId)
  const { unitCents, ...columns } = changed
  refuseUnaskedPrice(before.unitCents, unitCents, answered)
  if (unitCents !== before.unitCents) await beginPrice(ctx, unitPrice(id, unitCents))
  await ctx.db
    .update(products)
    .set({ ...columns, revision: revision + 1 })
    .where(eq(products.id, id))
  ctx.object('product', id)
  ctx.note(`${before.name} (${id})`, [
    ...changesOf(before, changed, LOGGED),
    ...(before.pictureId === changed.pictureId ? [] : [PICTURE_CHANGED]),
  ])
  return { id, revision: revision + 1 }
}

function refuseUnaskedPrice(before: number | null, after: number, answered: readonly PriceRisk[]): void {
  const risks = savedRisks([{ beforeCents: before, afterCents: after }])
  refuse(refuseUnasked(risks, answered), ASKED_REFUSALS, { field: 'unitCents' })
}

export const adjustStock: Verb<typeof contract.adjustStock> = async (ctx, input) => {
  staffAlone(ctx)
  refuseBroken(STOCK_TAKING, input)
  refuse(refuseStockChange(input.stockBefore, input.change), REFUSALS, { field: 'change' })
  const product = await lockProduct(ctx, input.id)
  if (product.stock !== input.stockBefore)
    throw new Refusal('STOCK_MOVED', PRODUCT_REFUSALS.STOCK_MOVED, { stock: product.stock })
  const stock = product.stock + input.change
  await ctx.db.update(products).set({ stock }).where(eq(products.id, product.id))
  ctx.object('product', product.id)
  ctx.note(`${product.name} (${product.id})`, [
    ...changesOf(product, { stock }, LOGGED),
    { name: '原因', before: null, after: input.reason },
  ])
  return { id: product.id, stock }
}

async function lockProduct(ctx: Ctx, id: number): Promise<ProductRow> {
  const [product] = await ctx.db
    .select(PRODUCT)
    .from(products)
    .where(eq(products.id, id))
    .for('no key update')
  return found(product)
}

async function refuseUnknownPicture(ctx: Ctx, id: string | null, current: string | null): Promise<void> {
  if (id === null || id === current || (await isUploaded(ctx, id, PICTURE_PURPOSE))) return
  refuse('PICTURE_UNKNOWN', PRODUCT_REFUSALS, { field: 'pictureId' })
}

/** These products, locked in the order of their ids, so that orders of the same goods never wait for each other in a ring. */
export async function lockProducts(ctx: Ctx, ids: readonly number[]): Promise<Map<number, ProductRow>> {
  const rows = await ctx.db
    .select(PRODUCT)
    .from(products)
    .where(sql`${products.id} = any(${sql.param(ids)}::bigint[])`)
    .orderBy(asc(products.id))
    .for('no key update')
  return new Map(rows.map(row => [row.id, row]))
}

/** Adds these pieces to the stock, or takes them where they are negative; refuses what would fall below zero. */
export async function moveStock(
  ctx: Ctx,
  moves: readonly { productId: number; by: number }[],
): Promise<void> {
  const { rowCount } = await ctx.client.query(
    `update hardware_products p set stock = p.stock + m.by
     from unnest($1::bigint[], $2::int[]) as m (product_id, by)
     where p.id = m.product_id and p.stock + m.by >= 0`,
    [moves.map(move => move.productId), moves.map(move => move.by)],
  )
  if (rowCount !== moves.length) refuse('OUT_OF_STOCK' satisfies HardwareRefusal, ORDER_REFUSALS)
}
