// npm run faults -- upgrade: a release is brought to the next while people go on: the next one migrates the database of the one before, both
// answer side by side, the older is stopped, and the older is gone back to on the newer schema. Fails where a call is answered with an error, or a
// change is lost. The next release is this one with a migration of each way to write one (next-release.ts).
//   --shops N (5000, at most 1,000,000)     --callers N (8)     --seconds N of each part (5)
//   --from REVISION: the older is what that revision was, built here, and this one is the next; to go back, it must know how (0088).
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { buildServerIfNeeded } from '#scripts/build-server.ts'
import { ROOT } from '#scripts/checks.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { freePort } from '#test/free-port.ts'
import { type Running, startProgram } from '../../bench/built.ts'
import { sent } from './callers.ts'
import { withClient } from './database-client.ts'
import { makeNextRelease } from './next-release.ts'
import { call } from './payments-killed.ts'

const LARGEST = '30001'
const REST_MS = 30
const MARK = { state: 'contacted', nextOn: null }
const SHOPS_MOST = 1_000_000
/** Since then a program can be gone back to. */
const KNOWS_HOW = 'scripts/migration-rules.ts'

/** Both parts, as the scripts of that revision do it. */
const BUILD = `
  const { buildPageIfNeeded } = await import('#scripts/build-page.ts')
  const { buildServerIfNeeded } = await import('#scripts/build-server.ts')
  for (const build of [buildPageIfNeeded, buildServerIfNeeded]) await build(process.cwd(), () => undefined)`

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'upgrade'),
  options: {
    shops: { type: 'string', default: '5000' },
    callers: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    from: { type: 'string' },
  },
})
const shops = Number(values.shops)
if (!(shops >= 1 && shops <= SHOPS_MOST)) throw new Error(`--shops is a number up to ${SHOPS_MOST}`)
const rest = () => pause(Number(values.seconds) * 1_000)
const say = (line: string) => void process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'partner-office-upgrade-'))
const dataDir = join(folder, 'data')
mkdirSync(dataDir)

type Call = { at: number; ms: number; failure: string | null }
const calls: Call[] = []
let changes = 0
const breaches: string[] = []

await buildPageIfNeeded(ROOT, say)
await buildServerIfNeeded(ROOT, say)
const before = values.from ? join(folder, 'before') : ROOT
const after = values.from ? ROOT : join(folder, 'next')
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: () => undefined })
const settings = {
  ...{ DATABASE_URL: database.ownerUrl, SECRET_KEY: randomBytes(32).toString('hex'), DATA_DIR: dataDir },
  ...{ SIMULATORS: 'off', LOG_LEVEL: 'silent' },
}
const running: Running[] = []
const withOwner = <T>(work: (client: pg.Client) => Promise<T>) => withClient(database.ownerUrl, work)
try {
  if (values.from) checkOut(values.from)
  else makeNextRelease(ROOT, after)
  await seed(before)
  const older = await start(before)
  let addresses = [older.url]
  let open = true
  const cookie = await signIn(older.url)
  const shopIds = await withOwner(async client => {
    const { rows } = await client.query<{ id: string }>(
      'select m.id from merchants m join accounts a on a.agent_id = m.agent_id where a.login_name = $1 order by m.id limit 50',
      [LARGEST],
    )
    return rows.map(({ id }) => id)
  })
  const calling = Promise.all(
    Array.from({ length: Number(values.callers) }, (_, nth) =>
      callOn(nth, { cookie, shopIds, addresses: () => addresses, isOpen: () => open }),
    ),
  )
  await part('before', () => rest())
  let newer: Running | null = null
  const migratedMs = await part('migrated under load', async () => {
    newer = await start(after)
  })
  const next = newer as Running | null
  if (!next) throw new Error('the next release did not start')
  addresses = [older.url, next.url]
  await part('side by side', () => rest())
  addresses = [next.url]
  await part('the older stopped', async () => {
    await pause(1_000)
    await older.stop()
    await rest()
  })
  const isGoneBack = await part('gone back to the older', async () => {
    const back = await goBack()
    if (!back) return false
    addresses = [back.url]
    await pause(1_000)
    await next.stop()
    await rest()
    return true
  })
  open = false
  await calling
  const found = await withOwner(lookAfterwards)
  if (found.marks !== changes) breaches.push(`${changes} changes were acknowledged, ${found.marks} happened`)
  if (found.empty > 0) breaches.push(`${found.empty} shops were left out of the backfill`)
  const failures = calls.flatMap(({ failure }) => failure ?? [])
  for (const failure of new Set(failures)) breaches.push(failure)
  for (const breach of breaches.slice(0, 10)) say(`breach: ${breach}`)
  const most = Math.round(Math.max(...calls.map(({ ms }) => ms)))
  say(
    `upgrade ${breaches.length > 0 ? 'FAILED' : 'passed'} from=${values.from ?? 'this'} shops=${shops} calls=${calls.length} changes=${changes} errors=${failures.length} longest_ms=${most} migrated_s=${(migratedMs.ms / 1_000).toFixed(1)} gone_back=${isGoneBack.value ? 'yes' : 'no'}`,
  )
} finally {
  for (const one of running) await one.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = breaches.length > 0 ? 1 : 0

/** What the calls of one part came to. */
async function part<T>(name: string, work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const from = performance.now()
  const value = await work()
  const ms = performance.now() - from
  const those = calls.filter(({ at }) => at >= from)
  const sorted = those.map(one => one.ms).sort((a, b) => a - b)
  const failed = those.filter(({ failure }) => failure !== null).length
  say(
    `${name.padEnd(22)} ${(ms / 1_000).toFixed(1).padStart(6)} s ${String(those.length).padStart(6)} calls, half within ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, all within ${Math.round(sorted.at(-1) ?? 0)} ms, ${failed} errors`,
  )
  return { value, ms }
}

/** A revision as it was, built with the packages of this one. */
function checkOut(revision: string): void {
  mkdirSync(before)
  const run = (program: string, args: string[], cwd: string) => {
    const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${revision}: ${stderr.slice(-1_000)}`)
  }
  run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', revision, before], ROOT)
  symlinkSync(join(ROOT, 'node_modules'), join(before, 'node_modules'))
  run(process.execPath, ['--input-type=module', '-e', BUILD], before)
}

async function seed(root: string): Promise<void> {
  const args = [join(root, 'scripts/bootstrap.mjs'), 'seed', '--merchants', String(shops), '--agents', '30']
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`the seed ended with ${status}`)
}

async function start(root: string): Promise<Running> {
  const env = { ...settings, PORT: String(await freePort()) }
  const program = await startProgram(process.execPath, [join(root, 'dist/server/server.js')], env)
  running.push(program)
  return program
}

/** The older on the newer schema; null where it is older than the way back. */
async function goBack(): Promise<Running | null> {
  try {
    return await start(before)
  } catch (error) {
    if (existsSync(join(before, KNOWS_HOW))) throw error
    return null
  }
}

async function signIn(url: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName: LARGEST, password: DEMO_PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}

type Calling = {
  cookie: string
  shopIds: readonly string[]
  addresses: () => readonly string[]
  isOpen: () => boolean
}

async function callOn(nth: number, { cookie, shopIds, addresses, isOpen }: Calling): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  for (let turn = nth; isOpen(); turn++) {
    const among = addresses()
    const url = among[turn % among.length] as string
    const shop = shopIds[turn % shopIds.length]
    const [method, path, body] = [
      ['GET', '/api/merchants?page=1&size=10', undefined],
      ['GET', '/api/orders?page=1&size=10', undefined],
      ['PATCH', `/api/merchants/${shop}/remark`, { remark: `${nth}-${turn}` }],
      ['POST', `/api/merchants/${shop}/renewal-marks`, { ...MARK, note: `${nth}-${turn}` }],
    ][turn % 4] as [string, string, object | undefined]
    const headers = { cookie, 'x-requested-with': 'partner-office', 'idempotency-key': randomUUID() }
    const at = performance.now()
    const asked = { agent, headers, method, body: body && JSON.stringify(body) }
    const failure = await sent(new URL(path, url), asked)
    calls.push({ at, ms: performance.now() - at, failure: failure && `${method} ${path}: ${failure}` })
    if (method === 'POST' && failure === null) changes++
    await pause(REST_MS)
  }
  agent.destroy()
}

async function lookAfterwards(client: pg.Client): Promise<{ marks: number; empty: number }> {
  const { rows: marks } = await client.query<{ count: number }>(
    `select count(*)::int as count from renewal_marks where note ~ '^\\d+-\\d+$'`,
  )
  if (values.from) return { marks: marks[0]?.count ?? 0, empty: 0 }
  const { rows: empty } = await client.query<{ count: number }>(
    'select count(*)::int as count from merchants where brief_name is distinct from left(short_name, 10)',
  )
  return { marks: marks[0]?.count ?? 0, empty: empty[0]?.count ?? 0 }
}
