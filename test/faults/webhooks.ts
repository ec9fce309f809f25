// npm run faults -- webhooks: the office is killed again and again while shops change and a receiver, which refuses some messages,
// is told of it. In the end the receiver must have had every change, of each shop in its order, each with a signature that is one.
//   --kills N (20)     --shops N (200)     --refuse N (50)   one of so many messages is refused
//   --forget           loses a delivery by hand: such a run must fail
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { openReceiver } from '../changes/receiver.ts'
import { call, withOwner } from './payments-killed.ts'
import { createOwners, signIn } from './scene.ts'
import { supervise } from './supervisor.ts'

const AGENT = 500
const FIRST_SHOP = 40_000_000
const WRITERS = 8
const BETWEEN_KILLS_MS = 1_500
const DELIVERED_WITHIN_MS = 300_000

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'webhooks'),
  options: {
    kills: { type: 'string', default: '20' },
    shops: { type: 'string', default: '200' },
    refuse: { type: 'string', default: '50' },
    forget: { type: 'boolean', default: false },
  },
})
const [kills, shops, refuse] = [Number(values.kills), Number(values.shops), Number(values.refuse)]
const began = Date.now()
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-webhooks-'))
const receiver = await openReceiver()
const supervisor = await supervise(dataDir, {
  SECRET_KEY: randomBytes(32).toString('hex'),
  WEBHOOKS_TO_LOOPBACK: 'on',
})
const breaches: string[] = []
let figures: Record<string, number> = {}
try {
  await withOwner(dataDir, createScene)
  const cookie = await signIn(supervisor.url, 'listener')
  const topics = ['shop.disabled', 'shop.enabled', 'shop.changed', 'shop.term.changed']
  const made = await call(`${supervisor.url}/api/webhooks`, cookie, { url: receiver.url, topics })
  receiver.secrets.push(((await made.json()) as { secret: string }).secret)
  let answered = 0
  receiver.answer = () => ({ status: ++answered % refuse === 0 ? 503 : 200 })
  let open = true
  let written = 0
  // What is written past the office goes on while it is dead: the database lives.
  const writing = withOwner(dataDir, async client => {
    while (open) {
      const shop = FIRST_SHOP + Math.floor(Math.random() * shops)
      await client.query('update merchants set address = $2 where id = $1', [shop, `${++written}`])
      await pause(5)
    }
  })
  const asking = Array.from({ length: WRITERS }, async (_, nth) => {
    while (open) {
      const id = FIRST_SHOP + ((nth * 7_919 + written) % shops)
      await setStatus(cookie, id, written % 2 === 0 ? 'disable' : 'enable').catch(() => pause(50))
      await pause(10)
    }
  })
  for (let n = 0; n < kills; n++) {
    await pause(BETWEEN_KILLS_MS)
    await supervisor.kill('app')
  }
  open = false
  await Promise.all([writing, ...asking])
  await withOwner(dataDir, untilDelivered)
  if (values.forget) receiver.messages.splice(receiver.messages.length >> 1, 1)
  figures = await withOwner(dataDir, judge)
} finally {
  for (const breach of breaches.slice(0, 10)) process.stdout.write(`breach: ${breach}\n`)
  await supervisor.stop()
  await receiver.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
const line = {
  ...{ kills: supervisor.killsOf.app, falls: supervisor.fallsOf(), ...figures },
  seconds: Math.round((Date.now() - began) / 1_000),
}
const text = Object.entries(line).map(([name, value]) => `${name}=${value}`)
process.stdout.write(`webhooks ${breaches.length > 0 ? 'FAILED' : 'passed'} ${text.join(' ')}\n`)
process.exitCode = breaches.length > 0 ? 1 : 0

async function createScene(client: pg.Client): Promise<void> {
  const { createdAt } = await createOwners(client, { [AGENT]: '听消息的' }, [
    { agentId: AGENT, loginName: 'listener' },
  ])
  const rows = Array.from({ length: shops }, (_, n) =>
    merchantRow({
      id: FIRST_SHOP + n,
      agentId: AGENT,
      account: String(13_600_000_000 + n),
      registeredAt: createdAt,
    }),
  )
  await insertRows(client, merchants, rows)
}

/** It may be dead just now, or refuse what is so already. */
async function setStatus(cookie: string, id: number, step: 'disable' | 'enable'): Promise<void> {
  const answer = await fetch(`${supervisor.url}/api/merchants/${id}/${step}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'x-requested-with': 'partner-office' },
    body: '{}',
    signal: AbortSignal.timeout(5_000),
  })
  await answer.arrayBuffer()
}

async function untilDelivered(client: pg.Client): Promise<void> {
  for (const until = Date.now() + DELIVERED_WITHIN_MS; Date.now() < until; await pause(200)) {
    const { rows } = await client.query<{ left: number }>(
      `select (select count(*) from change_inbox) + (select count(*) from webhook_deliveries where state = 'pending')
         + (select e.last - c.seq from shop_change_ends e, webhook_cursor c) as left`,
    )
    if (Number(rows[0]?.left) === 0) return
  }
  breaches.push('not everything was delivered in time')
}

async function judge(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ seq: string; shop: string }>(
    `select seq, merchant_id as shop from shop_changes
     where seq > (select min(seq) - 1 from webhook_deliveries) and topic <> 'shop.created' and agent_id = $1 order by seq`,
    [AGENT],
  )
  const first = new Map<number, number>()
  for (const [place, { seq }] of receiver.messages.entries())
    if (seq !== null && !first.has(seq)) first.set(seq, place)
  const latest = new Map<string, number>()
  let lost = 0
  let disordered = 0
  for (const { seq, shop } of rows) {
    const place = first.get(Number(seq))
    if (place === undefined) {
      lost++
      breaches.push(`change ${seq} of shop ${shop} never came`)
    } else if (place < (latest.get(shop) ?? -1)) {
      disordered++
      breaches.push(`change ${seq} of shop ${shop} came before an earlier one`)
    } else latest.set(shop, place)
  }
  for (const forged of receiver.forged) breaches.push(`a message was not signed: ${forged}`)
  const { messages } = receiver
  return {
    changes: rows.length,
    messages: messages.length,
    again: messages.length - first.size,
    lost,
    disordered,
  }
}
