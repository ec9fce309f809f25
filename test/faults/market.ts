// Where buyers buy: a fresh office's people, one rich wallet, and a quote for each purchase.
import type pg from 'pg'
import type { Market } from './buyers.ts'
import { type Dealer, preparePlace, pricesAt } from './deals.ts'
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
  /** Whether they make deals of every other kind, too. */
  deals?: boolean
}

/** An operator, an agent with a rich wallet, 64 people who buy from it, and their quotes. */
export async function openMarket({ url, withOwner, giveUpAt, deals = false }: Place): Promise<Market> {
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
  const market: Market = {
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
  if (deals) await prepareDeals(market, withOwner)
  return market
}

async function prepareDeals(market: Market, withOwner: Place['withOwner']): Promise<void> {
  const { url, buyers, agentId } = market
  const { shopIds, ...place } = await withOwner(client => preparePlace(client, agentId, buyers.length))
  const dealers = buyers.map(
    ({ cookie }, at): Dealer => ({ cookie, shopId: shopIds[at] as number, bought: null }),
  )
  market.buyers = buyers.map((buyer, at) => ({ ...buyer, dealer: dealers[at] as Dealer }))
  market.dealing = {
    ...place,
    url,
    agentId,
    shopIds,
    prices: await pricesAt(url, dealers[0] as Dealer),
  }
}

async function createPeople(client: pg.Client): Promise<number[]> {
  const buyers = Array.from({ length: BUYERS }, (_, i) => ({ agentId: AGENT, loginName: `buyer${i}` }))
  const { ids } = await createOwners(client, { [AGENT]: '一家代理商', [AGENT + 1]: '它的下级' }, [
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
