// The program is killed again and again while shops pay deposits, and while what was decided of them goes back: each must be held once,
// and each part given back once, with one movement in the ledger and one refund at its channel.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { startDemoSimulators } from '#app/providers.ts'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { outTradeNoOf } from '#features/sales/payments/rules.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { hashPassword } from '#server/secrets.ts'
import { call, channelAt, codesFor, environmentOf, payBy, withOwner } from './payments-killed.ts'
import { judgeLedger } from './sound.ts'
import { supervise } from './supervisor.ts'

const AGENT = 500
const PASSWORD = 'faults-2026'
const PER_KILL = 6
const DYING_AFTER_MS = 600
const DONE_WITHIN_MS = 120_000
const AMOUNT_FEN = 50_000
/** Given back one after the other, so that nothing is left. */
const PARTS = [20_000, 30_000]

type Found = {
  kills: number
  paid: number
  held: number
  returned: number
  falls: number
  ledger: string
  breaches: string[]
}
type Asked = { id: number; payUrl: string }

/** `spoil` takes a guard away before anything is asked for. */
export async function killDuringDeposits(
  kills: number,
  { spoil, parts = PARTS }: { spoil?: (client: pg.Client) => Promise<unknown>; parts?: number[] } = {},
): Promise<Found> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-deposits-'))
  const simulators = await startDemoSimulators(null, '测试签名', { smsLimits: false, callbackScale: 0.005 })
  const settings = { SECRET_KEY: randomBytes(32).toString('hex'), LOGIN_FAILURES_MAX: '1000' }
  const supervisor = await supervise(dataDir, { ...settings, ...environmentOf(simulators) })
  const found: Found = { kills: 0, paid: 0, held: 0, returned: 0, falls: 0, ledger: '', breaches: [] }
  const die = async () => {
    await pause(Math.random() * DYING_AFTER_MS)
    await supervisor.kill('app')
    found.kills++
  }
  try {
    const { url } = supervisor
    const count = kills * PER_KILL
    const shops = await withOwner(dataDir, async client => {
      await spoil?.(client)
      return createOffice(client, count)
    })
    const [asker, decider] = [await login(url, 'asker'), await login(url, 'decider')]
    const all: Asked[] = []
    for (let round = 0; round < kills; round++) {
      const asked: Asked[] = []
      for (const merchantId of shops.slice(round * PER_KILL, (round + 1) * PER_KILL)) {
        const wanted = { merchantId, kind: 'device', subject: '扫码机', amountFen: AMOUNT_FEN }
        asked.push((await (await call(`${url}/api/deposits`, asker, wanted)).json()) as Asked)
      }
      for (const order of await openOrders(url, dataDir, asked)) payBy(simulators, order)
      found.paid += asked.length
      all.push(...asked)
      await die()
    }
    await withOwner(dataDir, client => until(client, `state = 'held'`, all.length))
    let heldFen = AMOUNT_FEN
    for (const amountFen of parts) {
      for (const { id } of all) {
        const wish = { kind: 'return', amountFen, heldFen, reason: '设备已退回' }
        await call(`${url}/api/deposits/${id}/requests`, asker, wish)
        const { requests } = (await (
          await fetch(`${url}/api/deposits/${id}`, { headers: { cookie: decider } })
        ).json()) as { requests: { id: number }[] }
        await call(`${url}/api/deposits/requests/${requests[0]?.id}/approval`, decider, {})
      }
      // While the refunds are sent and told of.
      await die()
      heldFen -= amountFen
    }
    await withOwner(dataDir, client => judge(client, all.length, parts, found))
  } finally {
    found.falls = supervisor.fallsOf()
    await supervisor.stop()
    await simulators.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  return found
}

/** What goes back is sent under two numbers: nothing holds a second refund of the same part back any more. */
export function sendTwice(client: pg.Client): Promise<unknown> {
  return client.query(`create function send_twice() returns trigger language plpgsql as $$
      begin
        insert into payment_refunds (attempt_id, agent_id, refund_no, amount_fen, reason, status, created_by, created_by_name, created_at, ask_at)
          values (new.attempt_id, new.agent_id, new.refund_no || 'X', new.amount_fen, 'operator', 'wanted', 0, '测试', now(), now());
        return null;
      end $$;
    create trigger send_twice after insert on payment_refunds for each row when (new.reason = 'deposit') execute function send_twice()`)
}

/** Two of the vendor's people, and an agent with shops. */
async function createOffice(client: pg.Client, count: number): Promise<number[]> {
  const createdAt = new Date().toISOString()
  const db = drizzle(client)
  await db
    .insert(agents)
    .values([agentRow({ id: 1, createdAt, ...OPERATOR }), agentRow({ id: AGENT, createdAt })])
  const passwordHash = await hashPassword(PASSWORD)
  await db
    .insert(accounts)
    .values(
      ['asker', 'decider'].map(loginName =>
        accountRow({ agentId: 1, loginName, passwordHash, isOwner: true, createdAt }),
      ),
    )
  const ids = Array.from({ length: count }, (_, i) => 20_000_000 + i)
  await insertRows(
    client,
    merchants,
    ids.map(id =>
      merchantRow({ id, agentId: AGENT, account: String(13_600_000_000 + id), registeredAt: createdAt }),
    ),
  )
  return ids
}

async function login(url: string, loginName: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName, password: PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}

/** The code of each, by turns of the channels. */
async function openOrders(url: string, dataDir: string, asked: readonly Asked[]) {
  const opened = []
  for (const [i, deposit] of asked.entries()) {
    const channel = channelAt(i)
    const begun = await call(`${url}/api/deposits/pay/${deposit.payUrl.split('/').at(-1)}`, '', {})
    const { payUrl } = (await begun.json()) as { payUrl: string }
    await call(`${url}/api/cashier/${payUrl.split('/').at(-1)}/attempts`, '', { channel })
    const intentId = await withOwner(dataDir, async client => {
      const { rows } = await client.query<{ id: string }>(
        'select intent_id as id from deposit_payments where deposit_id = $1',
        [deposit.id],
      )
      return rows[0]?.id ?? ''
    })
    opened.push({ channel, outTradeNo: outTradeNoOf(intentId, channel) })
  }
  return codesFor(dataDir, opened)
}

async function until(client: pg.Client, condition: string, wanted: number): Promise<void> {
  const end = Date.now() + DONE_WITHIN_MS
  const count = async () => (await client.query(`select 1 from deposits where ${condition}`)).rows.length
  while ((await count()) < wanted && Date.now() < end) await pause(200)
}

async function judge(client: pg.Client, count: number, parts: number[], found: Found): Promise<void> {
  const settled = parts.reduce((fen, part) => fen + part, 0) === AMOUNT_FEN ? 'settled' : 'held'
  const end = Date.now() + DONE_WITHIN_MS
  const done = async () =>
    (await client.query(`select 1 from deposit_requests where state = 'done'`)).rows.length
  while ((await done()) < count * parts.length && Date.now() < end) await pause(200)
  const { rows } = await client.query<{
    id: string
    state: string
    paid: number
    moved: number
    sent: number
  }>(
    `select d.id, d.state,
       (select count(*)::int from ledger_transfers t where t.document = d.order_no and t.kind = 'deposit-paid') as paid,
       (select count(*)::int from ledger_transfers t where t.document = d.order_no and t.kind = 'deposit-returned') as moved,
       (select count(*)::int from payment_refunds f join payment_attempts a on a.id = f.attempt_id
         where a.intent_id = d.intent_id and f.status = 'done') as sent
     from deposits d`,
  )
  if (rows.length !== count) found.breaches.push(`there are ${rows.length} deposits of ${count}`)
  for (const { id, state, paid, moved, sent } of rows) {
    found.held += paid
    found.returned += sent
    if (state !== settled || paid !== 1 || moved !== parts.length || sent !== parts.length)
      found.breaches.push(
        `deposit ${id} is ${state}, paid ${paid} times, with ${moved} movements and ${sent} refunds`,
      )
  }
  const ledger = await judgeLedger(client)
  found.ledger = ledger.breaches.length === 0 ? 'sound' : ledger.line
  found.breaches.push(...ledger.breaches)
}
