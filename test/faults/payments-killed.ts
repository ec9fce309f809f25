// The program is killed again and again while its channels tell it of payments: what it said to have kept must be there, and
// every payment must have been credited once. The channels live here, and go on.
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
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { outTradeNoOf } from '#features/sales/payments/rules.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { roomOf } from '#providers/rooms.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { hashPassword } from '#server/secrets.ts'
import { withClient } from './database-client.ts'
import { supervise } from './supervisor.ts'

const PASSWORD = 'faults-2026'
const PER_KILL = 12
const DYING_AFTER_MS = 300
const SETTLED_WITHIN_MS = 120_000

type Found = {
  kills: number
  orders: number
  paid: number
  credited: number
  callbacks_kept: number
  falls: number
  breaches: string[]
}
export type Simulators = Awaited<ReturnType<typeof startDemoSimulators>>

export async function killDuringCallbacks(kills: number): Promise<Found> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-payments-'))
  const simulators = await startDemoSimulators(null, '测试签名', { smsLimits: false, callbackScale: 0.005 })
  const supervisor = await supervise(dataDir, {
    SECRET_KEY: randomBytes(32).toString('hex'),
    LOGIN_FAILURES_MAX: '1000',
    ...environmentOf(simulators),
  })
  const found: Found = {
    kills: 0,
    orders: 0,
    paid: 0,
    credited: 0,
    callbacks_kept: 0,
    falls: 0,
    breaches: [],
  }
  try {
    await withOwner(dataDir, createAgent)
    const cookie = await login(supervisor.url)
    const paidNos: string[] = []
    for (let round = 0; round < kills; round++) {
      const orders = await openOrders(supervisor.url, cookie, dataDir, PER_KILL)
      found.orders += orders.length
      // Callbacks come while it dies, and while it is dead.
      for (const order of orders) paidNos.push(payBy(simulators, order))
      await pause(Math.random() * DYING_AFTER_MS)
      await supervisor.kill('app')
      found.kills++
    }
    found.paid = paidNos.length
    await judge(simulators, dataDir, paidNos, found)
  } finally {
    found.falls = supervisor.fallsOf()
    await supervisor.stop()
    await simulators.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  return found
}

/** The channels as the environment of the program names them. */
export function environmentOf({ settings }: Simulators): Record<string, string> {
  return Object.assign(
    {},
    ...SIMULATED_CHANNELS.map(name => roomOf(name).simulated?.environment(settings[name])),
  )
}

export async function withOwner<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  try {
    return await withClient(embedded.ownerUrl, work)
  } finally {
    await embedded.stop()
  }
}

async function createAgent(client: pg.Client): Promise<void> {
  const db = drizzle(client)
  const createdAt = new Date().toISOString()
  await db.insert(agents).values(agentRow({ id: 500, createdAt }))
  const passwordHash = await hashPassword(PASSWORD)
  const row = accountRow({ agentId: 500, loginName: 'buyer', passwordHash, isOwner: true, createdAt })
  await db.insert(accounts).values(row)
}

export async function call(url: string, cookie: string, body: unknown): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'partner-office',
      'idempotency-key': randomBytes(16).toString('hex'),
      cookie,
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status} ${await answer.text()}`)
  return answer
}

async function login(url: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName: 'buyer', password: PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}

type Order = { outTradeNo: string; channel: PayChannelName; code: string }

/** By turns. */
export const channelAt = (i: number) => SIMULATED_CHANNELS[i % SIMULATED_CHANNELS.length] as PayChannelName

/** Orders with a code each, by turns of the channels. */
async function openOrders(url: string, cookie: string, dataDir: string, count: number): Promise<Order[]> {
  const opened: Omit<Order, 'code'>[] = []
  for (let i = 0; i < count; i++) {
    const channel = channelAt(i)
    const started = await call(`${url}/api/payments/sms`, cookie, { pieces: 100 })
    const { queryId, payUrl } = (await started.json()) as { queryId: string; payUrl: string }
    const token = payUrl.split('/').at(-1)
    await call(`${url}/api/cashier/${token}/attempts`, '', { channel })
    opened.push({ outTradeNo: outTradeNoOf(queryId, channel), channel })
  }
  return codesFor(dataDir, opened)
}

/** The codes of these, once their channels have given them. */
export async function codesFor<O extends { outTradeNo: string }>(
  dataDir: string,
  opened: readonly O[],
): Promise<(O & { code: string })[]> {
  const numbers = opened.map(order => order.outTradeNo)
  return withOwner(dataDir, async client => {
    for (let waited = 0; waited < 30_000; waited += 50) {
      const { rows } = await client.query<{ no: string; code: string }>(
        'select out_trade_no as no, code_url as code from payment_attempts where out_trade_no = any($1) and code_url is not null',
        [numbers],
      )
      if (rows.length === opened.length)
        return opened.map(order => ({
          ...order,
          code: rows.find(row => row.no === order.outTradeNo)?.code ?? '',
        }))
      await pause(50)
    }
    throw new Error('the codes do not come')
  })
}

export function payBy(simulators: Simulators, { channel, code, outTradeNo }: Order): string {
  simulators.paying(channel).payCode(code)
  return outTradeNo
}

/** Ids of the callbacks that the program said to have kept. */
function keptIds(simulators: Simulators): string[] {
  return SIMULATED_CHANNELS.flatMap(name => simulators.paying(name).keptCallbacks())
}

async function judge(
  simulators: Simulators,
  dataDir: string,
  paidNos: string[],
  found: Found,
): Promise<void> {
  await withOwner(dataDir, async client => {
    const until = Date.now() + SETTLED_WITHIN_MS
    const credited = async () =>
      (
        await client.query<{ no: string; credits: number }>(
          `select a.out_trade_no as no, count(t.id)::int as credits from payment_attempts a join payment_intents i on i.id = a.intent_id
           left join ledger_transfers t on t.document = i.order_no where a.out_trade_no = any($1) group by 1`,
          [paidNos],
        )
      ).rows
    while ((await credited()).some(({ credits }) => credits === 0) && Date.now() < until) await pause(200)
    for (const { no, credits } of await credited()) {
      found.credited += credits
      if (credits !== 1) found.breaches.push(`${no} was paid and credited ${credits} times`)
    }
    // Those that came while it was dead come again.
    while (keptIds(simulators).length < paidNos.length && Date.now() < until) await pause(200)
    const kept = keptIds(simulators)
    if (kept.length < paidNos.length) found.breaches.push(`only ${kept.length} callbacks were kept`)
    const waiting = async () =>
      (await client.query(`select 1 from provider_events where status = 'kept'`)).rows.length > 0
    while ((await waiting()) && Date.now() < until) await pause(100)
    found.callbacks_kept = kept.length
    const { rows } = await client.query<{ id: string; status: string }>(
      'select event_id as id, status from provider_events',
    )
    for (const id of kept)
      if (!rows.some(row => row.id === id))
        found.breaches.push(`callback ${id} was said to be kept and is not there`)
    for (const row of rows)
      if (row.status !== 'done') found.breaches.push(`callback ${row.id} is ${row.status}`)
  })
}
