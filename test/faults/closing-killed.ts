// npm run faults -- closing: the program, and then its database with it, is killed while the shops of a partner are moved to another.
// In the end each shop must be at the taker once, with its account, one row on its timeline and one of its account's moves, the
// partner closed and the ledger sound. --half-a-batch moves shops as a batch cut in two would have: such a run must fail.
//   --shops N (3000)   --half-a-batch
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { accountRow } from '#features/access/rows.ts'
import { accounts } from '#features/access/tables.ts'
import { agentRow, OPERATOR } from '#features/agents/rows.ts'
import { agents } from '#features/agents/tables.ts'
import { verifyLedger } from '#features/ledger/verify.ts'
import { merchantRow } from '#features/merchants/rows.ts'
import { merchants } from '#features/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { hashPassword } from '#server/secrets.ts'
import { call, withOwner } from './payments-killed.ts'
import { supervise, type Victim } from './supervisor.ts'

const [PARTNER, TAKER] = [500, 501]
const PASSWORD = 'faults-2026'
const FIRST_SHOP = 40_000_000
const SMS_EACH = 5
const WITHIN_MS = 180_000
const KILLS: readonly Victim[] = ['app', 'both']

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'closing'),
  options: {
    shops: { type: 'string', default: '3000' },
    'half-a-batch': { type: 'boolean', default: false },
  },
})
const shops = Number(values.shops)
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-closing-'))
const supervisor = await supervise(dataDir, { SECRET_KEY: randomBytes(32).toString('hex') })
let breaches: string[] = ['it did not come to its end']
try {
  await withOwner(dataDir, createPartner)
  const answer = await call(`${supervisor.url}/api/session`, '', {
    loginName: 'operator',
    password: PASSWORD,
  })
  const cookie = (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
  const closing = { agentId: PARTNER, takerId: TAKER, balances: 'move', reason: '合同到期' }
  await call(`${supervisor.url}/api/partner-closings`, cookie, closing)
  const at: number[] = []
  for (const [nth, victim] of KILLS.entries()) {
    at.push(await withOwner(dataDir, client => untilMoved(client, ((nth + 1) * shops) / (KILLS.length + 1))))
    await supervisor.kill(victim)
  }
  if (values['half-a-batch']) await withOwner(dataDir, halfABatch)
  breaches = await withOwner(dataDir, async client => {
    await untilEnd(client)
    return judge(client)
  })
  if (at.some(moved => moved >= shops)) breaches.push('it was killed too late: the run shows too little')
  process.stdout.write(
    `closing ${breaches.length > 0 ? 'FAILED' : 'passed'} shops=${shops} killed_at=${at.join(',')} falls=${supervisor.fallsOf()}\n`,
  )
} finally {
  for (const breach of breaches.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  await supervisor.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = breaches.length > 0 ? 1 : 0

async function createPartner(client: pg.Client): Promise<void> {
  const db = drizzle(client)
  const createdAt = new Date().toISOString()
  await db
    .insert(agents)
    .values([
      agentRow({ id: 1, ...OPERATOR, createdAt }),
      agentRow({ id: PARTNER, companyName: '离开的', createdAt }),
      agentRow({ id: TAKER, companyName: '接收的', createdAt }),
    ])
  const passwordHash = await hashPassword(PASSWORD)
  await db
    .insert(accounts)
    .values(accountRow({ agentId: 1, loginName: 'operator', passwordHash, isOwner: true, createdAt }))
  await insertRows(
    client,
    merchants,
    Array.from({ length: shops }, (_, n) =>
      merchantRow({
        id: FIRST_SHOP + n,
        agentId: PARTNER,
        account: String(13_600_000_000 + n),
        registeredAt: new Date(Date.now() - n * 60_000).toISOString(),
        ...(n % 10 === 9 ? { storeKind: 'branch' as const, headId: FIRST_SHOP + n - 1 } : {}),
      }),
    ),
  )
  const to = (kind: 'agent' | 'merchant', id: number, amount: number) => ({
    ...{ kind: 'credit', asset: 'sms', amount, payMethod: 'gift', agentId: PARTNER, document: 'START' },
    ...{ from: { kind: 'vendor', book: 'sms-supplier' }, to: { kind, id } },
    ...{
      actorId: 1,
      actorName: '测试',
      description: '期初',
      ...(kind === 'merchant' ? { merchantId: id } : {}),
    },
  })
  const credits = [to('agent', PARTNER, 700)]
  for (let n = 0; n < shops; n += 3) credits.push(to('merchant', FIRST_SHOP + n, SMS_EACH))
  for (let from = 0; from < credits.length; from += 200)
    await client.query('select ledger_post($1::jsonb)', [JSON.stringify(credits.slice(from, from + 200))])
}

async function stateOf(client: pg.Client): Promise<{ moved: string; state: string } | undefined> {
  const { rows } = await client.query<{ moved: string; state: string }>(
    'select moved, state from partner_closings',
  )
  return rows[0]
}

/** Answers how many had gone when it was seen. */
async function untilMoved(client: pg.Client, wanted: number): Promise<number> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await pause(10)) {
    const moved = Number((await stateOf(client))?.moved ?? 0)
    if (moved >= wanted) return moved
  }
  throw new Error(`fewer than ${wanted} shops were moved in time`)
}

async function untilEnd(client: pg.Client): Promise<void> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await pause(50))
    if (['done', 'stuck'].includes((await stateOf(client))?.state ?? '')) return
}

/** As if a batch had written its shops and not what goes with them. */
async function halfABatch(client: pg.Client): Promise<void> {
  await client.query(
    `update merchants set agent_id = $2 where id in
       (select id from merchants where agent_id = $1 and store_kind = 'head' order by registered_at limit 7)`,
    [PARTNER, TAKER],
  )
}

async function judge(client: pg.Client): Promise<string[]> {
  const found: string[] = []
  const state = (await stateOf(client))?.state
  if (state !== 'done') found.push(`the closing is ${state}`)
  const { rows } = await client.query<{
    id: string
    agent: string
    told: number
    moves: number
    held: string | null
  }>(
    `select m.id, m.agent_id as agent, (select count(*)::int from tool_actions t where t.merchant_id = m.id) as told,
       (select count(*)::int from ledger_moves v join ledger_accounts a on a.id = v.account_id
         where a.owner_kind = 'merchant' and a.owner_id = m.id) as moves,
       (select agent_id from ledger_accounts a where a.owner_kind = 'merchant' and a.owner_id = m.id) as held
     from merchants m order by m.id`,
  )
  if (rows.length !== shops) found.push(`${rows.length} shops are left of ${shops}`)
  for (const { id, agent, told, moves, held } of rows) {
    const hasAccount = (Number(id) - FIRST_SHOP) % 3 === 0
    if (Number(agent) !== TAKER) found.push(`shop ${id} is at ${agent}`)
    if (told !== 1) found.push(`shop ${id} was moved ${told} times`)
    if (moves !== (hasAccount ? 1 : 0)) found.push(`the account of shop ${id} was moved ${moves} times`)
    if (hasAccount && Number(held) !== TAKER) found.push(`the account of shop ${id} is at ${held}`)
  }
  const { rows: partner } = await client.query<{ status: string; moved: string; sms: string }>(
    `select a.status, c.moved, (select balance from ledger_accounts where owner_kind = 'agent' and owner_id = $2 and asset = 'sms') as sms
     from agents a join partner_closings c on c.agent_id = a.id where a.id = $1`,
    [PARTNER, TAKER],
  )
  const end = partner[0]
  if (end?.status !== 'closed') found.push(`the partner is ${end?.status}`)
  if (Number(end?.moved) !== shops) found.push(`${end?.moved} shops are said to have gone`)
  if (Number(end?.sms) !== 700) found.push(`the taker holds ${end?.sms} pieces`)
  const ledger = await verifyLedger(client)
  if (!ledger.sound) found.push(ledger.line)
  return found
}
