// Quotes made beforehand: copies of one real quote, each for another account number. Hashing one password for each would
// otherwise be most of the work of a purchase under load.
import type pg from 'pg'
import { newMerchantForm } from '#test/make.ts'
import { call } from './payments-killed.ts'

let copied = 0

/** Copies the quote `count` times for its maker, or for each of `makers` in turn; answers the copies' order numbers. */
export async function copyQuotes(
  owner: pg.Pool | pg.Client,
  orderNo: string,
  count: number,
  makers: readonly number[] | null = null,
): Promise<string[]> {
  const { rows } = await owner.query<{ order_no: string }>(
    `insert into version_orders (order_no, agent_id, sales_type, status, version_id, term, periods, shops, branches, unit,
       unit_cents, original_cents, discount_basis_points, total_cents, content, pay_method, remark, draft, created_by, created_at)
     select next_order_no(), agent_id, sales_type, status, version_id, term, periods, shops, branches, unit,
       unit_cents, original_cents, discount_basis_points, total_cents, content, pay_method, remark,
       jsonb_set(draft, '{row,account}', to_jsonb('16' || lpad((i + $3)::text, 9, '0'))),
       coalesce(($4::bigint[])[1 + (i - 1) % cardinality($4::bigint[])], created_by), now()
     from version_orders, generate_series(1, $2::int) i where order_no = $1
     order by i returning order_no`,
    [orderNo, count, copied, makers],
  )
  copied += count
  return rows.map(row => row.order_no).sort()
}

/** A real quote of a new shop. */
export async function firstQuote(url: string, cookie: string): Promise<string> {
  const answer = await call(`${url}/api/merchants/quotes`, cookie, newMerchantForm())
  return ((await answer.json()) as { orderNo: string }).orderNo
}
