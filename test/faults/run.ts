// npm run faults: 64 buyers on one wallet, who make deals of every kind (deals.ts), while the program and its database are killed again
// and again. Prints one line of figures; exits 1 when anything acknowledged is lost, anything happened twice, or the ledger is not sound.
//   --kill app|database|both|all   what is killed (all)       --purchases N   acknowledged at least (5000)
//   --kills N                      of each at least (5)       --seconds N     no new purchase after (240)
//   --without-idempotency          takes the check away: the run must fail
// npm run faults -- payments: payments from outside instead; see payments.ts. -- closing: the end of a partner; see closing.ts.
// npm run faults -- webhooks: what a receiver is told; see webhooks.ts. -- import: a file of shops; see import.ts.
// npm run faults -- acquiring: shops on their way to being paid; see acquiring.ts.
// npm run faults -- trains: one version released to many mini programs; see trains.ts.
// npm run faults -- neighbour: what one agent's work costs another; see neighbour.ts.
// npm run faults -- standstill: the database hangs; see standstill.ts. -- restart: how soon it is ready; see restart.ts.
// npm run faults -- machine: an office installed as docs/OPERATING.md says; see machine.ts.
// npm run faults -- standby: a primary that dies again and again; see standby.ts.
// npm run faults -- upgrade: a release is brought to the next under load, and gone back from; see upgrade.ts.
// npm run faults -- processes: one of several processes is killed again and again; see processes.ts.
// npm run faults -- instances: one of two instances behind a proxy is killed again and again; see instances.ts.
// npm run faults -- backup: an office destroyed, and restored to a moment; see backup.ts.
// npm run faults -- sequences: business and its undos in any order; see sequences.ts.
// npm run faults -- movements: movements of every kind and their undos in any order; see movements.ts.
// npm run faults -- seeded: faults that the tests must find; see ../seeded/run.ts.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Market, shop } from './buyers.ts'
import { compare } from './compare.ts'
import { BUYERS, openMarket, START_CENTS } from './market.ts'
import { withOwner } from './payments-killed.ts'
import { type Supervisor, supervise, VICTIMS, type Victim } from './supervisor.ts'

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
  standby: () => import('./standby.ts'),
  processes: () => import('./processes.ts'),
  instances: () => import('./instances.ts'),
  upgrade: () => import('./upgrade.ts'),
  backup: () => import('./backup.ts'),
  sequences: () => import('./sequences.ts'),
  movements: () => import('./movements.ts'),
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
  const market = await openMarket({
    url: supervisor.url,
    withOwner: work => withOwner(dataDir, work),
    giveUpAt: Date.now() + wanted.seconds * 1_000 + SETTLE_MS,
    deals: true,
  })
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

/** Lets everybody buy while killing, until enough was bought and killed; then until every outcome is known. */
async function disturb(office: Supervisor, market: Market): Promise<number[]> {
  const until = Date.now() + wanted.seconds * 1_000
  // However long it took to open.
  market.giveUpAt = until + SETTLE_MS
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
