// npm run faults -- standby: an office on three nodes of PostgreSQL as operate/standby puts them up. While 64 people buy, the primary is
// killed again and again with all that its machine runs, and comes back as a standby. A line of figures; exits 1 when anything acknowledged
// is lost or happened twice, the ledger is not sound, or a standby took longer than half a minute; 2 where a program is missing.
//   --kills N   (10)     --etcd beside   an etcd falls with its node (apart: each has a machine of its own)
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { buildServerIfNeeded } from '#scripts/build-server.ts'
import { ROOT } from '#scripts/checks.ts'
import { startOffice } from './backup-scene.ts'
import { type Market, shop } from './buyers.ts'
import { startCluster } from './cluster.ts'
import { compare } from './compare.ts'
import { withClient } from './database-client.ts'
import { BUYERS, openMarket, START_CENTS } from './market.ts'
import { postgresPrograms } from './postgres-packages.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { kills: { type: 'string', default: '10' }, etcd: { type: 'string', default: 'apart' } },
})
const kills = Number(values.kills)

const TAKEN_OVER_WITHIN_MS = 30_000
const SETTLE_MS = 120_000
/** A minute and a half for each: taken over, the old one back, everything followed again. */
const ROUND_MS = 90_000
const REST_MS = 150
const BEFORE_KILL_MS = 3_000

const binaries = postgresPrograms()
const missing = ['patroni', 'etcd', 'haproxy'].filter(program => spawnSync('which', [program]).status !== 0)
if (!binaries || missing.length > 0) {
  process.stderr.write(
    `Missing: ${[...missing, ...(binaries ? [] : ['PostgreSQL'])].join(', ')}. Install postgresql, patroni, python3-etcd, etcd-server and haproxy.\n`,
  )
  process.exit(2)
}

const began = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'partner-office-standby-'))
const ends: (() => Promise<unknown> | unknown)[] = [
  () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
]
const say = (line: string) => void process.stderr.write(`${line}\n`)
let failed = true
try {
  await buildServerIfNeeded(ROOT, say)
  const cluster = await startCluster(folder, binaries, values.etcd === 'beside')
  ends.push(() => cluster.stop())
  await cluster.settled(2)
  say(`three nodes stand after ${Math.round((Date.now() - began) / 1_000)} s`)
  const password = randomBytes(12).toString('hex')
  const databaseUrl = await makeDatabase(cluster.primaryUrl, password)
  const readUrl = databaseUrl.replace(new URL(databaseUrl).port, new URL(cluster.readingUrl).port)
  const { url } = await startOffice(
    { ends },
    {
      ...{ DATABASE_URL: databaseUrl, DATABASE_READ_URL: readUrl, DATA_DIR: join(folder, 'data') },
      ...{ SECRET_KEY: randomBytes(32).toString('hex'), LOGIN_FAILURES_MAX: '1000', LOG_LEVEL: 'silent' },
    },
  )
  const withOwner = <T>(work: (client: pg.Client) => Promise<T>) => withClient(databaseUrl, work)
  const giveUpAt = Date.now() + kills * ROUND_MS + SETTLE_MS
  const market = await openMarket({ url, withOwner, giveUpAt })
  market.restMs = REST_MS
  let isOpen = true
  market.isOpen = () => isOpen
  const buying = Promise.all(market.buyers.map(buyer => shop(market, buyer)))
  const lists = readLists(market, () => isOpen)
  const tookMs: number[] = []
  for (let round = 0; round < kills; round++) {
    const leader = await cluster.settled(2)
    await pause(BEFORE_KILL_MS)
    const atMs = Date.now()
    const known = acknowledged(market)
    await cluster.kill(leader)
    // Whatever was sent before is answered or lost; what comes a moment later is the next primary's.
    await pause(500)
    const before = Math.max(known, acknowledged(market))
    while (acknowledged(market) <= before && Date.now() - atMs < ROUND_MS) await pause(50)
    tookMs.push(Date.now() - atMs)
    say(`${leader.name} was killed; bought again after ${Date.now() - atMs} ms`)
    cluster.start(leader)
  }
  await cluster.settled(2)
  const atStandby = await countReaders(cluster.readingUrl)
  isOpen = false
  await buying
  const read = await lists
  const { figures, breaches, ledger } = await withOwner(client => compare(client, market, START_CENTS))
  const late = tookMs.filter(ms => ms > TAKEN_OVER_WITHIN_MS)
  const all = [
    ...market.breaches,
    ...breaches,
    ...late.map(ms => `a standby took over after ${ms} ms`),
    ...(atStandby === 0 ? ['no list was read at a standby'] : []),
    ...read.refused,
  ]
  failed = all.length > 0
  for (const breach of all.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  const line = {
    kills: tookMs.length,
    buyers: BUYERS,
    ...figures,
    unknown: market.intents.reduce((sum, intent) => sum + intent.unknowns, 0),
    replays: market.replays,
    lists: read.answered,
    lists_again: read.again,
    breaches: all.length,
    taken_over_ms_median: tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)],
    taken_over_ms_most: Math.max(...tookMs),
    seconds: Math.round((Date.now() - began) / 1_000),
  }
  const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`standby ${failed ? 'FAILED' : 'passed'} ${text.join(' ')} ${ledger}\n`)
} finally {
  for (const end of ends.toReversed()) await end()
}
process.exitCode = failed ? 1 : 0

function acknowledged({ intents }: Market): number {
  return intents.filter(({ answer }) => answer !== null).length
}

/** What docs/OPERATING.md asks for: an owner that may make roles, and its database. */
async function makeDatabase(superuserUrl: string, password: string): Promise<string> {
  await withClient(superuserUrl, async client => {
    await client.query(`create role office login createrole password '${password}'`)
    await client.query('create database office owner office')
  })
  const made = new URL(superuserUrl)
  made.username = 'office'
  made.password = password
  made.pathname = '/office'
  return made.toString()
}

/** Somebody who buys nothing and looks at lists, as most do: whatever is killed, a page has its answer, if at a second try. */
async function readLists(market: Market, isOpen: () => boolean) {
  const read = { answered: 0, again: 0, refused: [] as string[] }
  const cookie = market.buyers[0]?.cookie ?? ''
  while (isOpen()) {
    const answer = await fetch(`${market.url}/api/orders`, { headers: { cookie } }).catch(() => null)
    const status = answer?.status ?? 0
    await answer?.arrayBuffer()
    if (status === 200) read.answered++
    else if (status === 503 || status === 429) read.again++
    else read.refused.push(`a list was answered ${status}`)
    await pause(REST_MS)
  }
  return read
}

/** The office's connections at a standby. */
async function countReaders(readingUrl: string): Promise<number> {
  const { rows } = await withClient(readingUrl, client =>
    client.query<{ count: string }>(
      `select count(*) from pg_stat_activity where application_name = 'partner-office' and pg_is_in_recovery()`,
    ),
  )
  return Number(rows[0]?.count ?? 0)
}
