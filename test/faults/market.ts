// Where buyers buy: a fresh office's people, one rich wallet, and a quote for each purchase.
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { hashPassword } from '#server/secrets.ts'
import type { Market } from './buyers.ts'
import { call } from './payments-killed.ts'
import { copyQuotes, firstQuote } from './quotes.ts'

export const BUYERS = 64
export const START_CENTS = 100_000_000_000
const QUOTES_PER_BUYER = 400
const AGENT = 500
const PASSWORD = 'faults-2026'

type Place = {
  url: string
  /** Work on a connection of the database's owner. */
  withOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  giveUpAt: number
}

/** An operator, an agent with a rich wallet, 64 people who buy from it, and their quotes. */
export async function openMarket({ url, withOwner, giveUpAt }: Place): Promise<Market> {
  const makers = await withOwner(createPeople)
  const operator = await login(url, 'operator')
  const cookies: string[] = []
  for (let i = 0; i < BUYERS; i++) cookies.push(await login(url, `buyer${i}`))
  const first = await firstQuote(url, cookies[0] as string)
  const orders = await withOwner(client => copyQuotes(client, first, BUYERS * QUOTES_PER_BUYER, makers))
  const owners = await withOwner(async client => {
    const { rows } = await client.query<{ order_no: string; created_by: string }>(
      'select order_no, created_by from version_orders where order_no = any ($1)',
      [orders],
    )
    return rows
  })
  const buyers = cookies.map((cookie, i) => ({
    cookie,
    orders: owners.filter(row => Number(row.created_by) === makers[i]).map(row => row.order_no),
  }))
  return {
    url,
    buyers,
    operator,
    agentId: AGENT,
    breaches: [],
    intents: [],
    replays: 0,
    isOpen: () => false,
    giveUpAt,
  }
}

async function createPeople(client: pg.Client): Promise<number[]> {
  const db = drizzle(client)
  const createdAt = new Date().toISOString()
  const operator = agentRow({ id: 1, isOperator: true, isVendorStaff: true, createdAt })
  await db.insert(agents).values([operator, agentRow({ id: AGENT, createdAt })])
  const passwordHash = await hashPassword(PASSWORD)
  const account = (agentId: number, loginName: string) =>
    accountRow({ agentId, loginName, passwordHash, isOwner: true, createdAt })
  const buyers = Array.from({ length: BUYERS }, (_, i) => account(AGENT, `buyer${i}`))
  const rows = await db
    .insert(accounts)
    .values([account(1, 'operator'), ...buyers])
    .returning({ id: accounts.id })
  const start = {
    kind: 'credit',
    asset: 'token',
    amount: START_CENTS,
    from: { kind: 'vendor', book: 'issued' },
    to: { kind: 'agent', id: AGENT },
    document: 'START',
    payMethod: 'gift',
    agentId: AGENT,
    actorId: 1,
    actorName: '甲',
    description: '期初',
  }
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify([start])])
  return rows.slice(1).map(({ id }) => id)
}

async function login(url: string, loginName: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName, password: PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}
