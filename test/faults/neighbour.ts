// npm run faults -- neighbour: 200 connections of one agent do its dearest work, one kind after another, while another agent looks at its
// list. One line of each: what half of the looks took before and during it, and how many times longer that is. Fails where one takes
// three times as long or is not answered, and where a refusal does not say when to come again.
//   --connections N (200)     --seconds N (6)     --only a,b   these kinds alone
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { table, workbook } from '#server/sheets/corpus.ts'
import { newMerchantForm } from '#test/make.ts'
import type { Answers, Ask, Orders } from './attacker.ts'
import { quantilesOf, readLists } from './list-readers.ts'
import { withOwner } from './payments-killed.ts'
import { createOwners, PASSWORD, signIn } from './scene.ts'
import { supervise } from './supervisor.ts'

const [LOUD, QUIET] = [500, 600]
const SHOPS = 3_000
const TIMES_MOST = 3
/** Before it counts, all connections are open and whatever waits for them waits. */
const BEGINS_MS = 2_000
const QUIET_MS = 3_000
const SETTLES_MS = 1_500
const ENDED_WITHIN_MS = 90_000
const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url))

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'neighbour'),
  options: {
    connections: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '6' },
    only: { type: 'string' },
  },
})
const [connections, seconds] = [Number(values.connections), Number(values.seconds)]
const firstShopOf = (agentId: number) => agentId * 100_000

const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-neighbour-'))
const supervisor = await supervise(dataDir, {
  SECRET_KEY: randomBytes(32).toString('hex'),
  LOGIN_FAILURES_MAX: '1000',
})
const breaches: string[] = []
try {
  await withOwner(dataDir, createScene)
  const [loud, quiet] = [await signIn(supervisor.url, 'loud'), await signIn(supervisor.url, 'quiet')]
  const list = `${supervisor.url}/api/merchants`
  const readers = readLists([list, `${list}?offset=100`, `${list}?status=normal`], quiet, 1)
  await pause(QUIET_MS)
  for (const [kind, asks] of Object.entries(await kinds())) {
    if (values.only !== undefined && !values.only.split(',').includes(kind)) continue
    await measure(kind, asks, { loud, readers })
  }
  await readers.stop()
} finally {
  for (const breach of breaches.slice(0, 20)) process.stdout.write(`breach: ${breach}\n`)
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.stdout.write(`neighbour ${breaches.length > 0 ? 'FAILED' : 'passed'}\n`)
process.exitCode = breaches.length > 0 ? 1 : 0

type Heard = { loud: string; readers: ReturnType<typeof readLists> }

async function measure(kind: string, asks: readonly Ask[], { loud, readers }: Heard): Promise<void> {
  await pause(SETTLES_MS)
  const restsAt = Date.now()
  await pause(QUIET_MS)
  const beginsAt = Date.now()
  const before = quantilesOf(readers.within(restsAt, beginsAt))
  const attacker = fork(ATTACKER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const forMs = BEGINS_MS + seconds * 1_000
  attacker.send({ url: supervisor.url, cookie: loud, connections, asks, forMs } satisfies Orders)
  const answered = answersOf(attacker)
  await pause(forMs)
  const looks = await readers.during(beginsAt + BEGINS_MS, beginsAt + forMs)
  const during = quantilesOf(looks)
  const { statuses, worstMs, withoutRetryAfter } = await answered
  const times = during.half / before.half
  const failed = looks.filter(({ failure }) => failure !== null)
  const worst = Math.max(0, ...looks.map(({ ms }) => ms))
  if (times >= TIMES_MOST) breaches.push(`${kind}: ${times.toFixed(1)} times as long`)
  for (const { failure } of failed.slice(0, 3)) breaches.push(`${kind}: ${failure}`)
  if (withoutRetryAfter > 0) breaches.push(`${kind}: ${withoutRetryAfter} of 429 without Retry-After`)
  const line = {
    quiet_ms: before.half.toFixed(1),
    attacked_ms: during.half.toFixed(1),
    times: times.toFixed(1),
    most_ms: during.most.toFixed(0),
    worst_ms: worst.toFixed(0),
    looks: looks.length,
    answers: Object.entries(statuses)
      .map(([status, count]) => `${status}:${count}`)
      .join(','),
    attacker_worst_ms: worstMs,
  }
  const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
  process.stdout.write(`${kind.padEnd(8)} ${text.join(' ')}\n`)
}

async function answersOf(attacker: ChildProcess): Promise<Answers> {
  const late = setTimeout(() => attacker.kill('SIGKILL'), ENDED_WITHIN_MS)
  const [answers] = await Promise.race([
    once(attacker, 'message'),
    once(attacker, 'exit').then(() => [{ statuses: {}, worstMs: ENDED_WITHIN_MS, withoutRetryAfter: 0 }]),
  ])
  clearTimeout(late)
  return answers as Answers
}

/** The dearest of what an agent may do. */
async function kinds(): Promise<Record<string, Ask[]>> {
  const many = <T>(made: (nth: number) => T) => Array.from({ length: 1_000 }, (_, nth) => made(nth))
  const shopAt = (nth: number) => firstShopOf(LOUD) + ((nth * 7) % SHOPS)
  const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body: JSON.stringify(body) })
  const get = (path: string): Ask => ({ method: 'GET', path })
  const swollen = await workbook([table(' '.repeat(24 * 1024 * 1024))])
  return {
    lists: [
      get('/api/merchants?search=%E5%BA%97&limit=100'),
      get('/api/merchants?status=normal&limit=100'),
      get('/api/operation-log'),
      get('/api/sms/changes'),
      get('/api/orders'),
      get('/api/dashboard/month'),
    ],
    gifts: many(nth =>
      post(`/api/merchants/${shopAt(nth)}/sms-gifts`, { merchantId: shopAt(nth), pieces: 1 }),
    ),
    quotes: many(nth =>
      post('/api/merchants/quotes', newMerchantForm({ account: `17${String(nth).padStart(9, '0')}` })),
    ),
    signin: [{ ...post('/api/session', { loginName: 'door', password: PASSWORD }), as: 'nobody' }],
    forged: [{ ...get('/api/merchants'), as: 'forged' }],
    refused: [get('/api/merchants/1')],
    sheets: [
      post('/api/shop-imports', {
        ...{
          fileName: '店铺.xlsx',
          bytes: swollen.toString('base64'),
          mode: 'charge',
          agentId: null,
          reason: '',
        },
      }),
    ],
    papers: [get('/api/settlement/statement.pdf?month=2026-11')],
    exports: [get('/api/merchants/export.xlsx')],
  }
}

async function createScene(client: pg.Client): Promise<void> {
  const { createdAt } = await createOwners(client, { [LOUD]: '声音大的', [QUIET]: '安静的' }, [
    { agentId: LOUD, loginName: 'loud' },
    { agentId: LOUD, loginName: 'door' },
    { agentId: QUIET, loginName: 'quiet' },
  ])
  for (const agentId of [LOUD, QUIET])
    await insertRows(
      client,
      merchants,
      Array.from({ length: SHOPS }, (_, nth) =>
        merchantRow({
          ...{ id: firstShopOf(agentId) + nth, agentId, registeredAt: createdAt },
          ...{ account: `${13_000_000_000 + agentId * 100_000 + nth}`, shopName: `店铺${nth}` },
        }),
      ),
    )
  const credit = (asset: 'sms' | 'token', amount: number) => ({
    ...{ kind: 'credit', asset, amount, payMethod: 'gift', document: 'START', agentId: LOUD },
    from: { kind: 'vendor', book: asset === 'sms' ? 'sms-supplier' : 'issued' },
    to: { kind: 'agent', id: LOUD },
    ...{ actorId: 1, actorName: '测试', description: '期初' },
  })
  const credits = [credit('token', 100_000_000_000), credit('sms', 100_000_000)]
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify(credits)])
}
