// npm run faults -- closing: the program, and then its database with it, is killed while the shops of a partner are moved to another,
// while the taker buys and a third agent reads its own list. In the end each shop must be at the taker once, with its account, one row
// on its timeline and one of its account's moves, the partner closed, every purchase booked once and the ledger sound. The figures
// compare the list of the third before and during the move.
//   --shops N (3000)          --others N (20000)   shops of the third
//   --lists-within N          fails where the list takes more than N times as long during the move
//   --half-a-batch            moves shops as a batch cut in two would have: such a run must fail
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type Market, shop } from './buyers.ts'
import { createScene, judgeMoves, PARTNER, START_CENTS, TAKER } from './closing-scene.ts'
import { compare } from './compare.ts'
import { quantilesOf, type Readers, readLists } from './list-readers.ts'
import { call, withOwner } from './payments-killed.ts'
import { copyQuotes, firstQuote } from './quotes.ts'
import { signIn } from './scene.ts'
import { supervise, type Victim } from './supervisor.ts'

const KILLS: readonly Victim[] = ['app', 'both']
const READERS = 4
const BUYERS = 2
const BUYERS_REST_MS = 150
const QUOTES_PER_BUYER = 3_000
const BEFORE_MS = 20_000
/** What a program that has just begun takes to be itself. */
const WARM_MS = 4_000
/** Each shop may take this long, and the whole this at least. */
const [EACH_MS, AT_LEAST_MS] = [20, 180_000]

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'closing'),
  options: {
    shops: { type: 'string', default: '3000' },
    others: { type: 'string', default: '20000' },
    'lists-within': { type: 'string', default: '0' },
    'half-a-batch': { type: 'boolean', default: false },
  },
})
const [shops, others] = [Number(values.shops), Number(values.others)]
const withinMs = Math.max(AT_LEAST_MS, shops * EACH_MS)
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-closing-'))
const supervisor = await supervise(dataDir, { SECRET_KEY: randomBytes(32).toString('hex') })
const breaches: string[] = []
let readers: Readers | null = null
try {
  const buyers = await withOwner(dataDir, client => createScene(client, { shops, others, buyers: BUYERS }))
  const operator = await signIn(supervisor.url, 'operator')
  const lists = ['', '?page=40', '?search=1370', '?sort=expiresAt'].map(
    query => `${supervisor.url}/api/merchants${query}`,
  )
  readers = readLists(lists, await signIn(supervisor.url, 'other'), READERS)
  const market = await openMarket(buyers, operator)
  let open = true
  market.isOpen = () => open
  const buying = Promise.all(market.buyers.map(buyer => shop(market, buyer)))
  await pause(WARM_MS + BEFORE_MS)
  const began = Date.now()
  const closing = { agentId: PARTNER, takerId: TAKER, balances: 'move', reason: '合同到期' }
  await call(`${supervisor.url}/api/partner-closings`, operator, closing)
  const { at, away } = await killOnTheWay()
  if (values['half-a-batch']) await withOwner(dataDir, halfABatch)
  await withOwner(dataDir, untilEnd)
  const ended = Date.now()
  open = false
  await Promise.all([buying, readers.stop()])
  await supervisor.stop()
  if (at.some(moved => moved >= shops)) breaches.push('it was killed too late: the run shows too little')
  breaches.push(...market.breaches, ...(await withOwner(dataDir, client => judgeMoves(client, shops))))
  const { figures, breaches: bought } = await withOwner(dataDir, client =>
    compare(client, market, START_CENTS, shops),
  )
  breaches.push(...bought)
  const read = compareLists(readers, { began, ended, away })
  const line = {
    ...{ shops, killed_at: at.join(','), falls: supervisor.fallsOf() },
    ...{ seconds: Math.round((ended - began) / 1_000), purchases: figures.purchases, lost: figures.lost },
    ...read,
  }
  const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`closing ${breaches.length > 0 ? 'FAILED' : 'passed'} ${text.join(' ')}\n`)
} finally {
  for (const breach of breaches.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  await readers?.stop()
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = breaches.length > 0 ? 1 : 0

/** The taker buys on while shops are on their way to it: both want its counters. */
async function openMarket(makers: readonly number[], operator: string): Promise<Market> {
  const cookies = await Promise.all(makers.map((_, nth) => signIn(supervisor.url, `buyer${nth}`)))
  const first = await firstQuote(supervisor.url, cookies[0] as string)
  const orders = await withOwner(dataDir, client =>
    copyQuotes(client, first, makers.length * QUOTES_PER_BUYER, makers),
  )
  return {
    url: supervisor.url,
    // The copies go to their makers in turn.
    buyers: cookies.map((cookie, nth) => ({
      cookie,
      orders: orders.filter((_, of) => of % makers.length === nth),
    })),
    operator,
    agentId: TAKER,
    breaches: [],
    intents: [],
    replays: 0,
    isOpen: () => false,
    restMs: BUYERS_REST_MS,
    giveUpAt: Date.now() + withinMs * 2,
  }
}

/** Answers how many had gone at each kill, and when nobody could read. */
async function killOnTheWay(): Promise<{ at: number[]; away: [number, number][] }> {
  const at: number[] = []
  const away: [number, number][] = []
  for (const [nth, victim] of KILLS.entries()) {
    at.push(await withOwner(dataDir, client => untilMoved(client, ((nth + 1) * shops) / (KILLS.length + 1))))
    const killed = Date.now()
    await supervisor.kill(victim)
    // What was asked just before went down with it.
    away.push([killed - WARM_MS / 2, Date.now() + WARM_MS])
  }
  return { at, away }
}

function compareLists(
  seen: Readers,
  { began, ended, away }: { began: number; ended: number; away: [number, number][] },
): Record<string, string | number> {
  const before = seen.within(began - BEFORE_MS, began)
  const during = seen.within(began, ended, away)
  for (const { failure } of [...before, ...during])
    if (failure !== null) breaches.push(`a list was not read: ${failure}`)
  const [was, is] = [quantilesOf(before), quantilesOf(during)]
  const [half, most] = [is.half / was.half, is.most / was.most]
  const limit = Number(values['lists-within'])
  if (limit > 0 && !(half <= limit && most <= limit))
    breaches.push(`lists took ${half.toFixed(2)} and ${most.toFixed(2)} times as long`)
  return {
    looks: `${before.length},${during.length}`,
    half_ms: `${was.half.toFixed(0)},${is.half.toFixed(0)}`,
    p95_ms: `${was.most.toFixed(0)},${is.most.toFixed(0)}`,
    ratios: `${half.toFixed(2)},${most.toFixed(2)}`,
  }
}

async function stateOf(client: pg.Client): Promise<{ moved: string; state: string } | undefined> {
  const { rows } = await client.query<{ moved: string; state: string }>(
    'select moved, state from partner_closings',
  )
  return rows[0]
}

/** Answers how many had gone when it was seen. */
async function untilMoved(client: pg.Client, wanted: number): Promise<number> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(20)) {
    const moved = Number((await stateOf(client))?.moved ?? 0)
    if (moved >= wanted) return moved
  }
  throw new Error(`fewer than ${wanted} shops were moved in time`)
}

async function untilEnd(client: pg.Client): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(50))
    if (['done', 'stuck'].includes((await stateOf(client))?.state ?? '')) return
  breaches.push('it did not come to its end')
}

/** As if a batch had written its shops and not what goes with them. */
async function halfABatch(client: pg.Client): Promise<void> {
  await client.query(
    `update merchants set agent_id = $2 where id in
       (select id from merchants where agent_id = $1 and store_kind = 'head' order by registered_at limit 7)`,
    [PARTNER, TAKER],
  )
}
