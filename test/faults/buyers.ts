// Buyers who ask until they know: each intent keeps its key, and an unknown outcome is asked again with the same key.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Deal, type Dealer, nextDeal, type Place } from './deals.ts'

export type Intent = {
  kind: 'add' | 'credit' | Deal['kind']
  /** What is neither a new shop nor a credit of tokens. */
  deal?: Deal
  key: string
  path: string
  body: Record<string, unknown>
  cookie: string
  /** Sends without an answer, or with one that leaves the outcome open. */
  unknowns: number
  /** The acknowledged answer, byte for byte. */
  answer: string | null
}

export type Market = {
  url: string
  /** One session per buyer, and the orders that it may confirm. */
  buyers: { cookie: string; orders: string[]; dealer?: Dealer }[]
  /** The operator's session, and the agent whose wallet all of them use. */
  operator: string
  agentId: number
  /** Where deals of every other kind are made, too. */
  dealing?: Omit<Place, 'giveUpAt'>
  /** Answers that must not come: refusals, and replays that differ. */
  breaches: string[]
  intents: Intent[]
  replays: number
  isOpen: () => boolean
  /** What each buyer rests between two; none at all where it is left out. */
  restMs?: number
  /** After this moment an intent without an answer is given up. */
  giveUpAt: number
}

const CREDIT_SHARE = 0.2
const DEAL_SHARE = 0.5
const REPLAY_SHARE = 0.1
const TWIN_SHARE = 0.05
const ANSWER_MS = 15_000
export const CREDIT_CENTS = 100

/** One buyer, until the market closes or its orders are used up. */
export async function shop(market: Market, buyer: Market['buyers'][number]): Promise<void> {
  while (market.isOpen() && Date.now() < market.giveUpAt) {
    const intent = (await dealOf(market, buyer)) ?? nextIntent(market, buyer)
    market.intents.push(intent)
    const twins =
      Math.random() < TWIN_SHARE ? [settle(market, intent), settle(market, intent)] : [settle(market, intent)]
    const answers = await Promise.all(twins)
    if (intent.answer !== null && Math.random() < REPLAY_SHARE) answers.push(await settle(market, intent))
    market.replays += answers.length - 1
    if (buyer.dealer && intent.deal && intent.answer !== null)
      noteBought(buyer.dealer, intent.deal, intent.answer)
    if (new Set(answers).size > 1) market.breaches.push(`replay differs: ${answers.join(' | ')}`)
    if (market.restMs) await pause(market.restMs)
  }
}

/** What it can take back later. */
function noteBought(dealer: Dealer, { kind, documentIn }: Deal, answer: string): void {
  if (kind === 'service') dealer.bought = documentIn(JSON.parse(answer))
  if (kind === 'undo') dealer.bought = null
}

async function dealOf(market: Market, { dealer }: Market['buyers'][number]): Promise<Intent | null> {
  if (!market.dealing || !dealer || Math.random() >= DEAL_SHARE) return null
  const deal = await nextDeal({ ...market.dealing, giveUpAt: market.giveUpAt }, dealer)
  if (!deal) return null
  const { kind, path, body, byOperator } = deal
  const cookie = byOperator ? market.operator : dealer.cookie
  return { kind, deal, key: randomUUID(), path, body, cookie, unknowns: 0, answer: null }
}

function nextIntent(market: Market, buyer: Market['buyers'][number]): Intent {
  const key = randomUUID()
  const orderNo = Math.random() < CREDIT_SHARE ? undefined : buyer.orders.pop()
  const fresh = { key, unknowns: 0, answer: null }
  if (orderNo !== undefined)
    return { ...fresh, kind: 'add', path: '/api/merchants', body: { orderNo }, cookie: buyer.cookie }
  const body = { asset: 'token', amount: CREDIT_CENTS, reason: key }
  return {
    ...fresh,
    kind: 'credit',
    path: `/api/agents/${market.agentId}/credits`,
    body,
    cookie: market.operator,
  }
}

/** Sends until the outcome is known; answers what was told, or null when it was refused or given up. */
async function settle(market: Market, intent: Intent): Promise<string | null> {
  while (Date.now() < market.giveUpAt) {
    const told = await send(market.url, intent)
    if (told && told.status < 300) {
      intent.answer ??= told.text
      return told.text
    }
    // A full line says when to ask again: nothing was done.
    if (told && told.status < 500 && told.status !== 429) {
      market.breaches.push(
        `${intent.kind} refused after ${intent.unknowns} unknown: ${told.status} ${told.text}`,
      )
      return null
    }
    intent.unknowns++
    await pause(100 + Math.random() * 300)
  }
  return null
}

/** The answer, or null when none came. */
async function send(url: string, intent: Intent): Promise<{ status: number; text: string } | null> {
  try {
    const answer = await fetch(url + intent.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'partner-office',
        'idempotency-key': intent.key,
        cookie: intent.cookie,
      },
      body: JSON.stringify(intent.body),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}
