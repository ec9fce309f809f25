// The program is killed again and again while shops that renew online pay, and between their payment and their renewal: each must be
// renewed once, with one order and one movement of tokens, also those for which the tokens come later.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { startDemoSimulators } from '#app/providers.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { outTradeNoOf } from '#features/sales/payments/rules.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { OWN_SETTINGS, type PayChannelName } from '#kit/ports/channels.ts'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { insertRows } from '#server/insert-rows.ts'
import { makeSecrets } from '#server/secrets.ts'
import {
  call,
  channelAt,
  codesFor,
  environmentOf,
  payBy,
  type Simulators,
  withOwner,
} from './payments-killed.ts'
import { judgeLedger } from './sound.ts'
import { supervise } from './supervisor.ts'

const AGENT = 500
const PER_KILL = 8
const DYING_AFTER_MS = 900
const DONE_WITHIN_MS = 120_000
const PRICE_FEN = 39_900
/** More than all of them take. */
const PLENTY_CENTS = 100_000_000
/** Enough for some of them: the others wait. */
const LITTLE_CENTS = 200_000

type Shop = { id: number; code: string; expiresAt: string }
type Found = {
  kills: number
  paid: number
  renewed: number
  waited: number
  falls: number
  ledger: string
  breaches: string[]
}

/** `spoil` takes a guard away before anything is ordered. */
export async function killDuringRenewals(
  kills: number,
  { spoil }: { spoil?: (client: pg.Client) => Promise<unknown> } = {},
): Promise<Found> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-renewals-'))
  const secretKey = randomBytes(32).toString('hex')
  const simulators = await startDemoSimulators(null, '测试签名', { smsLimits: false, callbackScale: 0.005 })
  const supervisor = await supervise(dataDir, { SECRET_KEY: secretKey, ...environmentOf(simulators) })
  const found: Found = { kills: 0, paid: 0, renewed: 0, waited: 0, falls: 0, ledger: '', breaches: [] }
  try {
    const shops = await withOwner(dataDir, async client => {
      await spoil?.(client)
      return createShops(client, simulators, secretKey, kills * PER_KILL)
    })
    for (let round = 0; round < kills; round++) {
      const due = shops.slice(round * PER_KILL, (round + 1) * PER_KILL)
      const orders = await openOrders(supervisor.url, dataDir, due)
      for (const order of orders) payBy(simulators, order)
      found.paid += orders.length
      await pause(Math.random() * DYING_AFTER_MS)
      await supervisor.kill('app')
      found.kills++
    }
    await withOwner(dataDir, client => judge(client, shops, found))
  } finally {
    found.falls = supervisor.fallsOf()
    await supervisor.stop()
    await simulators.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  return found
}

/** The database forgets once of each that it was renewed: what its purchase is committed with holds nothing back any more. */
export function forgetRenewals(client: pg.Client): Promise<unknown> {
  return client.query(`create function forget_renewal() returns trigger language plpgsql as $$
      begin new.state := old.state; new.try_at := now(); new.problem := 'forgotten'; return new; end $$;
    create trigger forget_renewal before update of state on online_renewals for each row
      when (new.state = 'renewed' and old.problem <> 'forgotten') execute function forget_renewal()`)
}

/** An agent with its own account at the channels, what it sells, and shops with their addresses. */
async function createShops(
  client: pg.Client,
  simulators: Simulators,
  secretKey: string,
  count: number,
): Promise<Shop[]> {
  const now = new Date().toISOString()
  await drizzle(client)
    .insert(agents)
    .values(agentRow({ id: AGENT, payEnabled: true, createdAt: now }))
  await credit(client, LITTLE_CENTS)
  const { encrypt } = makeSecrets(secretKey)
  for (const channel of SIMULATED_CHANNELS) {
    const { rows } = await client.query<{ id: string }>(
      `insert into payment_settings (agent_id, channel, callback_key, enabled, checked_version, checked_at, check_result, created_at, updated_at)
       values ($1, $2, $3, true, 1, now(), 'right', now(), now()) returning id`,
      [AGENT, channel, randomBytes(24).toString('hex')],
    )
    for (const [name, value] of Object.entries(simulators.own[channel] ?? {})) {
      const isSecret = OWN_SETTINGS[channel]?.[name]?.kind === 'secret'
      await client.query(
        `insert into payment_setting_values (settings_id, agent_id, name, open, sealed, set_at, set_by_name) values ($1, $2, $3, $4, $5, now(), '测试')`,
        [rows[0]?.id, AGENT, name, isSecret ? null : value, isSecret ? encrypt(value) : null],
      )
    }
  }
  await client.query(
    `insert into renewal_offers (agent_id, enabled, revision, saved_by_name, saved_at) values ($1, true, 1, '测试', now())`,
    [AGENT],
  )
  await client.query(
    `insert into renewal_prices (agent_id, version_id, years, price_fen) values ($1, 12, 1, $2)`,
    [AGENT, PRICE_FEN],
  )
  const expiresAt = new Date(Date.now() + 9 * 86_400_000).toISOString()
  const shops = Array.from({ length: count }, (_, i) => ({
    id: 20_000_000 + i,
    code: randomBytes(24).toString('base64url'),
    expiresAt,
  }))
  await insertRows(
    client,
    merchants,
    shops.map(({ id }) =>
      merchantRow({ id, agentId: AGENT, account: String(13_600_000_000 + id), registeredAt: now, expiresAt }),
    ),
  )
  for (const { id, code } of shops)
    await client.query(
      `insert into shop_codes (agent_id, merchant_id, code, created_by, created_by_name, created_at) values ($1, $2, $3, 0, '测试', now())`,
      [AGENT, id, code],
    )
  return shops
}

async function credit(client: pg.Client, amount: number): Promise<void> {
  const movement = {
    ...{ kind: 'credit', asset: 'token', amount, payMethod: 'gift', agentId: AGENT },
    ...{ from: { kind: 'vendor', book: 'issued' }, to: { kind: 'agent', id: AGENT } },
    ...{ document: `CREDIT${amount}`, actorId: 1, actorName: '测试', description: '充值' },
  }
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

/** Renewals with a code each, by turns of the channels. */
async function openOrders(url: string, dataDir: string, shops: readonly Shop[]) {
  const opened: { channel: PayChannelName; intentId: string }[] = []
  for (const [i, { code }] of shops.entries()) {
    const channel = channelAt(i)
    const asked = { versionId: 12, years: 1, amountFen: PRICE_FEN }
    const answer = await call(`${url}/api/shop-pages/${code}/renewals`, '', asked)
    const { orderNo, payUrl } = (await answer.json()) as { orderNo: string; payUrl: string }
    await call(`${url}/api/cashier/${payUrl.split('/').at(-1)}/attempts`, '', { channel })
    const intentId = await withOwner(dataDir, async client => {
      const { rows } = await client.query<{ id: string }>(
        'select intent_id as id from online_renewals where order_no = $1',
        [orderNo],
      )
      return rows[0]?.id ?? ''
    })
    opened.push({ channel, intentId })
  }
  return codesFor(
    dataDir,
    opened.map(({ channel, intentId }) => ({
      channel,
      outTradeNo: outTradeNoOf(intentId, channel),
    })),
  )
}

async function judge(client: pg.Client, shops: readonly Shop[], found: Found): Promise<void> {
  const until = Date.now() + DONE_WITHIN_MS
  const count = async (states: readonly string[]) =>
    (await client.query('select 1 from online_renewals where state = any($1)', [states])).rows.length
  while ((await count(['renewed', 'short'])) < shops.length && Date.now() < until) await pause(200)
  found.waited = await count(['short'])
  if (found.waited === 0) found.breaches.push('none had to wait for tokens: the run shows too little')
  await credit(client, PLENTY_CENTS)
  while ((await count(['renewed'])) < shops.length && Date.now() < until) await pause(200)
  const { rows } = await client.query<{
    id: string
    state: string
    orders: number
    moved: number
    years: number
  }>(
    `select m.id, r.state, (select count(*)::int from version_orders o where o.merchant_id = m.id and o.status = 'paid') as orders,
       (select count(*)::int from ledger_transfers t where t.merchant_id = m.id and t.kind = 'version-renew') as moved,
       (extract(year from m.expires_at) - extract(year from $1::timestamptz))::int as years
     from merchants m left join online_renewals r on r.merchant_id = m.id and r.paid_at is not null where m.agent_id = $2`,
    [shops[0]?.expiresAt, AGENT],
  )
  for (const { id, state, orders, moved, years } of rows) {
    if (state === 'renewed' && orders === 1 && moved === 1 && years === 1) found.renewed++
    else
      found.breaches.push(
        `shop ${id} is ${state} with ${orders} orders, ${moved} movements and ${years} years more`,
      )
  }
  const ledger = await judgeLedger(client)
  found.ledger = ledger.breaches.length === 0 ? 'sound' : ledger.line
  found.breaches.push(...ledger.breaches)
}
