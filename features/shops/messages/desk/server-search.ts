// What is typed into the search box of messages: a phone number, a shop's id, or a part of a shop's name.
import { and, eq, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { SHOPS_SEARCHED } from '#features/sales/orders/rules.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { merchants, SEARCHED_TEXT } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { type Condition, containing } from '#server/list.ts'
import { refuse } from '#server/refuse.ts'

const NUMBER = /^\d{1,15}$/

/** The acting agent's shops whose name holds the text, or all agents' for vendor staff; one character over all agents is refused. */
export async function shopsNamed(
  ctx: Ctx,
  text: string,
  agentId?: number,
): Promise<{ ids: number[]; capped: boolean }> {
  const isShort = [...text].length < 2
  if (isShort && ctx.actor.isVendorStaff && agentId === undefined) refuse('SEARCH_TOO_SHORT', REFUSALS)
  const rows = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(
      and(
        ownRows(ctx, merchants.agentId),
        agentId === undefined ? undefined : eq(merchants.agentId, agentId),
        containing(SEARCHED_TEXT, text),
      ),
    )
    .limit(SHOPS_SEARCHED + 1)
  return { ids: rows.slice(0, SHOPS_SEARCHED).map(({ id }) => id), capped: rows.length > SHOPS_SEARCHED }
}

/** The condition of a list of messages; none without a search. Digits are a whole phone number or a shop's id. */
export async function searchMessages(
  ctx: Ctx,
  search: string | undefined,
  columns: { phone: PgColumn; merchantId: PgColumn },
  agentId?: number,
): Promise<{ conditions: Condition[]; shopsCapped: boolean }> {
  if (!search) return { conditions: [], shopsCapped: false }
  if (NUMBER.test(search)) {
    const either = or(
      eq(columns.phone, sql.placeholder('phone')),
      eq(columns.merchantId, sql.placeholder('merchantId')),
    )
    const values = { phone: search, merchantId: Number(search) }
    return { conditions: [{ key: 'number', sql: either, values }], shopsCapped: false }
  }
  const { ids, capped } = await shopsNamed(ctx, search, agentId)
  const condition: Condition =
    ids.length === 0
      ? { key: 'none', sql: sql`false` }
      : {
          key: 'shops',
          sql: sql`${columns.merchantId} = any(${sql.placeholder('searchShops')}::bigint[])`,
          values: { searchShops: ids },
        }
  return { conditions: [condition], shopsCapped: capped }
}
