// What is typed into the search box of any list of orders, as a condition that indexes answer, and the shop of an order.
// Shared by all such lists.
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { ORDER_NO_LENGTH, SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { merchants, SEARCHED_TEXT } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { type Condition, containing } from '#server/list.ts'
import { refuse } from '#server/refuse.ts'
import { SHOPS_SEARCHED } from './rules.ts'

const ID_DIGITS_MAX = 15

export type ShopsFound = {
  ids: number[]
  /** More shops match than are looked for; their orders are not listed. */
  capped: boolean
}

export type OrderSearch = {
  conditions: Condition[]
  /** As `ShopsFound.capped`. */
  shopsCapped: boolean
}

type Columns = { orderNo: PgColumn; merchantId: PgColumn }

/** The shop of an order, to join it: its name is shown only while it is still the order's agent's. */
export function shopOf(order: { merchantId: PgColumn; agentId: PgColumn }): SQL | undefined {
  return and(eq(merchants.id, order.merchantId), eq(merchants.agentId, order.agentId))
}

/**
 * Shops whose id, names, account or referrer hold the text, at most SHOPS_SEARCHED: the acting agent's, or all for vendor
 * staff, or those of `agentId`. One character over all agents is refused (SEARCH_TOO_SHORT).
 */
export async function merchantIdsMatching(ctx: Ctx, search: string, agentId?: number): Promise<ShopsFound> {
  const isShort = [...search].length < 2
  if (isShort && !isOneAgent(ctx, agentId)) refuse('SEARCH_TOO_SHORT', REFUSALS)
  const rows = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(
      and(
        ownRows(ctx, merchants.agentId),
        agentId === undefined ? undefined : eq(merchants.agentId, agentId),
        containing(SEARCHED_TEXT, search),
      ),
    )
    .limit(SHOPS_SEARCHED + 1)
  return {
    ids: rows.slice(0, SHOPS_SEARCHED).map(({ id }) => id),
    capped: rows.length > SHOPS_SEARCHED,
  }
}

/**
 * The condition of a list of orders for a search by order number (whole or its last 8 characters), shop id, account or
 * name; none without a search. `agentId`: the agent that the list is filtered by, if any.
 */
export async function searchOrders(
  ctx: Ctx,
  search: string | undefined,
  columns: Columns,
  agentId?: number,
): Promise<OrderSearch> {
  if (!search) return { conditions: [], shopsCapped: false }
  const byNumber = /^\d+$/.test(search) ? orderNumbered(search, columns) : undefined
  const shops = await shopsOf(ctx, search, byNumber !== undefined, agentId)
  const byShop =
    shops.ids.length > 0
      ? sql`${columns.merchantId} = any(${sql.placeholder('searchShops')}::bigint[])`
      : undefined
  const condition: Condition = {
    // A number of another length is another statement.
    key: `search ${byNumber ? `number ${search.length}` : ''} ${byShop ? 'shop' : ''}`,
    sql: or(byNumber, byShop) ?? sql`false`,
    values: { searchText: search, ...(byShop ? { searchShops: shops.ids } : {}) },
    hits: true,
  }
  return { conditions: [condition], shopsCapped: shops.capped }
}

/**
 * The condition of a list of what belongs to shops, found by the shop: its number, its account or a part of its names; none without a
 * search. `also`: what of the row itself is the text wholly.
 */
export async function searchShops(
  ctx: Ctx,
  { search, agentId }: { search?: string | undefined; agentId?: number | undefined },
  merchantId: PgColumn,
  also?: PgColumn,
): Promise<OrderSearch> {
  if (!search) return { conditions: [], shopsCapped: false }
  const { ids, capped } = await shopsOf(ctx, search, /^\d+$/.test(search), agentId)
  const condition = or(
    also && eq(also, sql.placeholder('searchText')),
    sql`${merchantId} = any(${sql.placeholder('searchShops')}::bigint[])`,
  )
  const values = { searchShops: ids, ...(also && { searchText: search }) }
  return { conditions: [{ key: 'search', sql: condition, values, hits: true }], shopsCapped: capped }
}

function orderNumbered(search: string, { orderNo }: Columns): SQL | undefined {
  if (search.length === ORDER_NO_LENGTH) return eq(orderNo, sql.placeholder('searchText'))
  if (search.length === SHOWN_ORDER_CHARS)
    return eq(sql`right(${orderNo}, ${sql.raw(String(SHOWN_ORDER_CHARS))})`, sql.placeholder('searchText'))
  return sql`false`
}

/**
 * Digits stand in every shop's id and account, so over all agents they name one shop wholly. A shop's id finds its orders
 * also where it belongs to another agent by now.
 */
async function shopsOf(ctx: Ctx, search: string, isNumber: boolean, agentId?: number): Promise<ShopsFound> {
  if (!isNumber) return merchantIdsMatching(ctx, search, agentId)
  if (search.length === ORDER_NO_LENGTH) return { ids: [], capped: false }
  const named = search.length <= ID_DIGITS_MAX ? [Number(search)] : []
  const found = isOneAgent(ctx, agentId)
    ? await merchantIdsMatching(ctx, search, agentId)
    : { ids: await idsOfAccount(ctx, search), capped: false }
  return { ids: [...new Set([...named, ...found.ids])], capped: found.capped }
}

async function idsOfAccount(ctx: Ctx, account: string): Promise<number[]> {
  const rows = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.account, account), ownRows(ctx, merchants.agentId)))
  return rows.map(({ id }) => id)
}

function isOneAgent(ctx: Ctx, agentId: number | undefined): boolean {
  return agentId !== undefined || !ctx.actor.isVendorStaff
}
