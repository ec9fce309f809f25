// Quotes to confirm: one real quote per seller, and copies of it, so that preparing them is no part of the measurement.
import type pg from 'pg'
import type { App } from '#app/server.ts'
import { newMerchantForm } from '#test/make.ts'

const PER_SELLER = 400
/** Numbers of copies begin with this, where real ones begin with the year. */
const PREFIX = '99'

type Quote = { orderNo: string; account: string }
export type SellerQuotes = { login: string; first: Quote; program: Quote[]; floor: Quote[] }

export async function makeQuotes(
  setup: { owner: pg.Pool; app: App; cookies: ReadonlyMap<string, string> },
  logins: readonly string[],
): Promise<SellerQuotes[]> {
  const moment = String(Math.floor(Date.now() / 1000) % 100_000_000).padStart(8, '0')
  const run = PREFIX + moment
  const made: SellerQuotes[] = []
  for (const [seller, login] of logins.entries()) {
    const first = await quoteOnce(setup, login, `0${moment}${String(seller).padStart(2, '0')}`)
    const copies = Array.from({ length: 2 * PER_SELLER }, (_, i): Quote => {
      const number = `${run}${String(seller * 100_000 + i).padStart(12, '0')}`
      return { orderNo: number, account: `bench${number}` }
    })
    await copyQuote(setup.owner, first.orderNo, copies)
    made.push({ login, first, program: copies.slice(0, PER_SELLER), floor: copies.slice(PER_SELLER) })
  }
  return made
}

/** Takes back the copies that were not confirmed. */
export async function removeQuotes(owner: pg.Pool): Promise<void> {
  await owner.query(`delete from version_orders where status = 'quoted' and order_no like $1`, [`${PREFIX}%`])
}

async function quoteOnce(
  { app, cookies }: { app: App; cookies: ReadonlyMap<string, string> },
  login: string,
  account: string,
): Promise<Quote> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/merchants/quotes',
    headers: { cookie: cookies.get(login) as string, 'x-requested-with': 'partner-office' },
    payload: newMerchantForm({ account }),
  })
  if (answer.statusCode !== 200) throw new Error(`a quote answered ${answer.statusCode} ${answer.body}`)
  return { orderNo: answer.json<{ orderNo: string }>().orderNo, account }
}

async function copyQuote(owner: pg.Pool, orderNo: string, copies: readonly Quote[]): Promise<void> {
  const { rows } = await owner.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'version_orders'
       and column_name not in ('id', 'order_no', 'draft') order by ordinal_position`,
  )
  const same = rows.map(row => row.column_name).join(', ')
  await owner.query(
    `insert into version_orders (order_no, draft, ${same})
       select copy.no, jsonb_set(draft, '{row,account}', to_jsonb(copy.account)), ${same}
       from version_orders, unnest($2::text[], $3::text[]) as copy (no, account) where order_no = $1`,
    [orderNo, copies.map(copy => copy.orderNo), copies.map(copy => copy.account)],
  )
}
