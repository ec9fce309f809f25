// npm run faults: 64 buyers on one wallet while the program and its database are killed again and again. Prints one line of
// figures; exits 1 when anything acknowledged is lost, anything happened twice, or the ledger is not sound.
//   --kill app|database|both|all   what is killed (all)       --purchases N   acknowledged at least (5000)
//   --kills N                      of each at least (5)       --seconds N     no new purchase after (240)
//   --without-idempotency          takes the check away: the run must fail
// npm run faults -- payments: payments from outside instead; see payments.ts. -- closing: the end of a partner; see closing.ts.
// npm run faults -- webhooks: what a receiver is told; see webhooks.ts. -- import: a file of shops; see import.ts.
// npm run faults -- acquiring: shops on their way to being paid; see acquiring.ts.
// npm run faults -- trains: one version released to many mini programs; see trains.ts.
// npm run faults -- neighbour: what one agent's work costs another; see neighbour.ts.
// npm run faults -- standstill: the database hangs; see standstill.ts. -- restart: how soon it is ready; see restart.ts.
// npm run faults -- machine: an office installed as operate/README.md says; see machine.ts.
// npm run faults -- backup: an office destroyed, and restored to a moment; see backup.ts.
// npm run faults -- sequences: business and its undos in any order; see sequences.ts.
// npm run faults -- seeded: faults that the tests must find; see ../seeded/run.ts.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { hashPassword } from '#server/secrets.ts'
import { type Market, shop } from './buyers.ts'
import { compare } from './compare.ts'
import { call, withOwner } from './payments-killed.ts'
import { copyQuotes, firstQuote } from './quotes.ts'
import { type Supervisor, supervise, VICTIMS, type Victim } from './supervisor.ts'

const BUYERS = 64
const QUOTES_PER_BUYER = 400
const AGENT = 500
const PASSWORD = 'faults-2026'
const START_CENTS = 100_000_000_000
const BETWEEN_KILLS_MS = 20_000
const SETTLE_MS = 60_000

/** Each runs as it is loaded. */
const SCENES: Readonly<Record<string, () => Promise<unknown>>> = {
  payments: () => import('./payments.ts'),
  closing: () => import('./closing.ts'),
  webhooks: () => import('./webhooks.ts'),
  import: () => import('./import.ts'),
  acquiring: () => import('./acquiring.ts'),
  trains: () => import('./trains.ts'),
  neighbour: () => import('./neighbour.ts'),
  standstill: () => import('./standstill.ts'),
  restart: () => import('./restart.ts'),
  machine: () => import('./machine.ts'),
  backup: () => import('./backup.ts'),
  sequences: () => import('./sequences.ts'),
  seeded: () => import('../seeded/run.ts'),
}
const scene = SCENES[process.argv[2] ?? '']
if (scene) {
  await scene()
  process.exit()
}

const { values } = parseArgs({
  options: {
    kill: { type: 'string', default: 'all' },
    purchases: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '240' },
    'without-idempotency': { type: 'boolean', default: false },
  },
})
const victims = values.kill === 'all' ? VICTIMS : VICTIMS.filter(victim => victim === values.kill)
if (victims.length === 0) throw new Error('--kill is app, database, both or all')
const wanted = {
  purchases: Number(values.purchases),
  kills: Number(values.kills),
  seconds: Number(values.seconds),
}

const began = Date.now()
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-faults-'))
const supervisor = await supervise(dataDir, {
  SECRET_KEY: randomBytes(32).toString('hex'),
  LOGIN_FAILURES_MAX: '1000',
  WITHOUT_IDEMPOTENCY: String(values['without-idempotency']),
})
let failed = true
try {
  const market = await prepare(supervisor.url)
  const readyMs = await disturb(supervisor, market)
  await supervisor.stop()
  const { figures, breaches, ledger } = await withOwner(dataDir, client =>
    compare(client, market, START_CENTS),
  )
  const all = [...market.breaches, ...breaches]
  failed = all.length > 0
  for (const breach of all.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  const line = {
    app_kills: supervisor.killsOf.app,
    database_kills: supervisor.killsOf.database,
    app_falls: supervisor.fallsOf(),
    buyers: BUYERS,
    ...figures,
    unknown: market.intents.reduce((sum, intent) => sum + intent.unknowns, 0),
    replays: market.replays,
    breaches: all.length,
    ready_ms_median: readyMs.toSorted((a, b) => a - b)[Math.floor(readyMs.length / 2)],
    ready_ms_most: Math.max(...readyMs),
    seconds: Math.round((Date.now() - began) / 1_000),
  }
  const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`faults ${failed ? 'FAILED' : 'passed'} ${text.join(' ')} ${ledger}\n`)
} finally {
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = failed ? 1 : 0

/** An operator, an agent with a rich wallet, 64 people who buy from it, and their quotes. */
async function prepare(url: string): Promise<Market> {
  const makers = await withOwner(dataDir, createPeople)
  const operator = await login(url, 'operator')
  const cookies: string[] = []
  for (let i = 0; i < BUYERS; i++) cookies.push(await login(url, `buyer${i}`))
  const first = await firstQuote(url, cookies[0] as string)
  const orders = await withOwner(dataDir, client =>
    copyQuotes(client, first, BUYERS * QUOTES_PER_BUYER, makers),
  )
  const owners = await withOwner(dataDir, async client => {
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
  const giveUpAt = Date.now() + wanted.seconds * 1_000 + SETTLE_MS
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

/** Lets everybody buy while killing, until enough was bought and killed; then until every outcome is known. */
async function disturb(office: Supervisor, market: Market): Promise<number[]> {
  const until = Date.now() + wanted.seconds * 1_000
  const bought = () => market.intents.filter(intent => intent.kind === 'add' && intent.answer !== null).length
  const isEnough = () =>
    bought() >= wanted.purchases &&
    (!victims.some(kills('app')) || office.killsOf.app >= wanted.kills) &&
    (!victims.some(kills('database')) || office.killsOf.database >= wanted.kills)
  let open = true
  market.isOpen = () => open
  const buying = Promise.all(market.buyers.map(buyer => shop(market, buyer)))
  const readyMs: number[] = []
  const share = wanted.purchases / (wanted.kills * victims.length)
  for (let round = 0; !isEnough() && Date.now() < until; round++) {
    // Spread over the purchases, and somewhere within them.
    const next = bought() + share * (0.2 + Math.random())
    const latest = Date.now() + BETWEEN_KILLS_MS
    while (bought() < next && Date.now() < latest) await pause(10)
    readyMs.push(await office.kill(victims[round % victims.length] as Victim))
  }
  open = false
  await buying
  if (!isEnough())
    market.breaches.push(
      `only ${bought()} purchases, ${office.killsOf.app} and ${office.killsOf.database} kills in time`,
    )
  return readyMs
}

function kills(what: 'app' | 'database'): (victim: Victim) => boolean {
  return victim => victim === what || victim === 'both'
}
