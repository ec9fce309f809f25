// npm run faults -- import: the program, and then its database with it, is killed while a file of shops is imported, and once more of
// each while the import is taken back, which staff have approved. In between each line must be one shop with one order that was paid
// once, in the end nothing may be left of it: the balances and counts are what they were, no shop and no order is there, what they were
// stands with the lines, programs were told of each once, and the ledger is sound.
//   --shops N (3000)
//   --twice     sells to one shop twice by hand: such a run must fail
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { sampleCells, sampleCsv } from '#features/care/shop-import/sample.ts'
import { UNDO_COUNT } from '#features/sales/settlement/rules.ts'
import { call, withOwner } from './payments-killed.ts'
import { createOwners, signIn } from './scene.ts'
import { judgeLedger } from './sound.ts'
import { supervise, type Victim } from './supervisor.ts'

const AGENT = 500
const [TOKENS, SMS] = [100_000_000_000, 1_000_000]
const KILLS: readonly Victim[] = ['app', 'both']
const WITHIN_MS = 600_000

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'import'),
  options: { shops: { type: 'string', default: '3000' }, twice: { type: 'boolean', default: false } },
})
const shops = Number(values.shops)
const began = Date.now()
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-import-'))
const supervisor = await supervise(dataDir, { SECRET_KEY: randomBytes(32).toString('hex') })
const breaches: string[] = []
let line: Record<string, string | number> = {}
try {
  await withOwner(dataDir, createScene)
  const cookie = await signIn(supervisor.url, 'partner')
  const id = await bring(cookie)
  const { token, totalCents } = await rehearse(id, cookie)
  await call(`${supervisor.url}/api/shop-imports/${id}/start`, cookie, { id, token })
  const created = await killOnTheWay('created')
  await withOwner(dataDir, client => until(client, 'done'))
  if (values.twice) await withOwner(dataDir, sellTwice)
  await withOwner(dataDir, client => judgeImported(client, totalCents))
  await call(`${supervisor.url}/api/shop-imports/${id}/roll-back`, cookie, { id, reason: '供应商变更' })
  if (shops > UNDO_COUNT.initial)
    await call(
      `${supervisor.url}/api/shop-imports/${id}/roll-back-decision`,
      await signIn(supervisor.url, 'operator'),
      {
        ...{ id, approves: true, decision: '' },
      },
    )
  const takenBack = await killOnTheWay('taken_back')
  await withOwner(dataDir, client => until(client, 'rolledBack'))
  await supervisor.stop()
  await withOwner(dataDir, judgeTakenBack)
  line = {
    ...{ shops, created_at_kills: created.join(','), taken_back_at_kills: takenBack.join(',') },
    ...{ falls: supervisor.fallsOf(), seconds: Math.round((Date.now() - began) / 1_000) },
  }
} finally {
  for (const breach of breaches.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
process.stdout.write(`import ${breaches.length > 0 ? 'FAILED' : 'passed'} ${text.join(' ')}\n`)
process.exitCode = breaches.length > 0 ? 1 : 0

async function createScene(client: pg.Client): Promise<void> {
  await createOwners(client, { [AGENT]: '带店铺来的' }, [
    { agentId: AGENT, loginName: 'partner' },
    { agentId: 1, loginName: 'operator' },
  ])
  const credit = (asset: 'sms' | 'token', amount: number) => ({
    ...{ kind: 'credit', asset, amount, payMethod: 'gift', document: 'START', agentId: AGENT },
    from: { kind: 'vendor', book: asset === 'sms' ? 'sms-supplier' : 'issued' },
    to: { kind: 'agent', id: AGENT },
    ...{ actorId: 1, actorName: '测试', description: '期初' },
  })
  const credits = [credit('token', TOKENS), credit('sms', SMS)]
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify(credits)])
}

/** Answers the import's number. Each line buys one to three years and three pieces of SMS credit. */
async function bring(cookie: string): Promise<number> {
  const cells = Array.from({ length: shops }, (_, n) =>
    sampleCells(`16${String(n).padStart(9, '0')}`, { sms: '3', term: `${1 + (n % 3)}年` }),
  )
  const bytes = Buffer.from(sampleCsv(cells)).toString('base64')
  const file = { fileName: '店铺.csv', bytes, mode: 'charge', agentId: null, reason: '' }
  const answer = await call(`${supervisor.url}/api/shop-imports`, cookie, file)
  return ((await answer.json()) as { id: number }).id
}

async function rehearse(id: number, cookie: string): Promise<{ token: string; totalCents: number }> {
  const answer = await fetch(`${supervisor.url}/api/shop-imports/${id}/rehearsal`, { headers: { cookie } })
  const shown = (await answer.json()) as {
    token: string
    totalCents: number
    shops: number
    refusal: string | null
  }
  if (shown.refusal !== null || shown.shops !== shops) throw new Error(JSON.stringify(shown))
  return shown
}

/** Answers how far it was at each kill. */
async function killOnTheWay(column: 'created' | 'taken_back'): Promise<number[]> {
  const at: number[] = []
  for (const [nth, victim] of KILLS.entries()) {
    at.push(
      await withOwner(dataDir, client => untilDone(client, column, ((nth + 1) * shops) / (KILLS.length + 1))),
    )
    await supervisor.kill(victim)
  }
  if (at.some(done => done >= shops)) breaches.push('it was killed too late: the run shows too little')
  return at
}

async function untilDone(client: pg.Client, column: string, least: number): Promise<number> {
  const giveUpAt = Date.now() + WITHIN_MS
  for (;;) {
    const { rows } = await client.query<{ done: number }>(`select ${column} as done from shop_imports`)
    const done = Number(rows[0]?.done)
    if (done >= least) return done
    if (Date.now() > giveUpAt) throw new Error(`${column} is ${done} of ${shops}`)
    await pause(20)
  }
}

async function until(client: pg.Client, state: string): Promise<void> {
  const giveUpAt = Date.now() + WITHIN_MS
  for (;;) {
    const { rows } = await client.query<{ state: string; problem: string }>(
      'select state, problem from shop_imports',
    )
    if (rows[0]?.state === state) return
    if (rows[0]?.state === 'stopped' || Date.now() > giveUpAt) throw new Error(JSON.stringify(rows))
    await pause(50)
  }
}

/** As if a line had become a shop of another line once more. */
async function sellTwice(client: pg.Client): Promise<void> {
  await client.query(
    `update version_orders set merchant_id = (select min(merchant_id) from version_orders)
     where order_no = (select max(order_no) from version_orders)`,
  )
}

type Sums = { tokens: string; sms: string; of_shops: string }

async function sumsOf(client: pg.Client): Promise<Sums> {
  const { rows } = await client.query<Sums>(
    `select sum(balance) filter (where owner_kind = 'agent' and asset = 'token') as tokens,
       sum(balance) filter (where owner_kind = 'agent' and asset = 'sms') as sms,
       coalesce(sum(balance) filter (where owner_kind = 'merchant' and asset = 'sms'), 0) as of_shops
     from ledger_accounts where agent_id = $1`,
    [AGENT],
  )
  return rows[0] as Sums
}

function same(what: string, found: unknown, wanted: unknown): void {
  if (Number(found) !== Number(wanted)) breaches.push(`${what}: ${found} instead of ${wanted}`)
}

async function judgeImported(client: pg.Client, totalCents: number): Promise<void> {
  const { rows } = await client.query(
    `select (select count(*) from merchants) as shops, (select count(distinct account) from merchants) as accounts,
       (select count(*) from version_orders) as orders, (select count(distinct merchant_id) from version_orders) as sold,
       (select count(*) from shop_import_rows where state = 'created') as lines`,
  )
  for (const [what, found] of Object.entries(rows[0] as object)) same(what, found, shops)
  const sums = await sumsOf(client)
  same('tokens', sums.tokens, TOKENS - totalCents)
  same('SMS of the shops', sums.of_shops, 3 * shops)
}

async function judgeTakenBack(client: pg.Client): Promise<void> {
  const { rows } = await client.query<
    Record<'back' | 'told' | 'shops' | 'orders' | 'counted' | 'days', string>
  >(
    `select (select count(*) from shop_import_rows where state = 'rolledBack' and remains->'order'->>'status' = 'recycled') as back,
       (select count(distinct merchant_id) from (select merchant_id from shop_changes where topic = 'shop.removed'
         union all select merchant_id from change_inbox where topic = 'shop.removed') as told) as told,
       (select count(*) from merchants) as shops, (select count(*) from version_orders) as orders,
       (select coalesce(sum(total), 0) from merchant_counts) as counted,
       (select coalesce(sum(registered + expiring), 0) from merchant_days) as days`,
  )
  same('lines taken back', rows[0]?.back, shops)
  same('shops that programs were told of', rows[0]?.told, shops)
  for (const left of ['shops', 'orders', 'counted', 'days'] as const)
    same(`${left} that are left`, rows[0]?.[left], 0)
  const sums = await sumsOf(client)
  same('tokens in the end', sums.tokens, TOKENS)
  same('SMS in the end', sums.sms, SMS)
  same('SMS of the shops in the end', sums.of_shops, 0)
  breaches.push(...(await judgeLedger(client)).breaches)
}
