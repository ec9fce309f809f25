// Where buyers buy: a fresh office's people, one rich wallet, and a quote for each purchase.
import type pg from 'pg'
import type { Market } from './buyers.ts'
import { copyQuotes, firstQuote } from './quotes.ts'
import { createOwners, signIn } from './scene.ts'

export const BUYERS = 64
export const START_CENTS = 100_000_000_000
const QUOTES_PER_BUYER = 400
const AGENT = 500

type Place = {
  url: string
  /** Work on a connection of the database's owner. */
  withOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  giveUpAt: number
}

/** An operator, an agent with a rich wallet, 64 people who buy from it, and their quotes. */
export async function openMarket({ url, withOwner, giveUpAt }: Place): Promise<Market> {
  const makers = await withOwner(createPeople)
  const operator = await signIn(url, 'operator')
  const cookies: string[] = []
  for (let i = 0; i < BUYERS; i++) cookies.push(await signIn(url, `buyer${i}`))
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
  const buyers = Array.from({ length: BUYERS }, (_, i) => ({ agentId: AGENT, loginName: `buyer${i}` }))
  const { ids } = await createOwners(client, { [AGENT]: '一家代理商' }, [
    { agentId: 1, loginName: 'operator' },
    ...buyers,
  ])
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
  return ids.slice(1)
}
