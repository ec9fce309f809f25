// npm run bench -- sending: messages through the outbox to the simulated SMS service, against the same client and calls
// without a database, in one run and twice, so that memory can be seen to stay. `--messages` says how many.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { verifyLedger } from '#features/money/ledger/verify.ts'
import { agentRow } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { SMS_TEMPLATES } from '#features/shops/messages/reference.ts'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { bundle, type Child, startChild } from './child.ts'
import type { SendingOrder, SendingResult } from './sending-program.ts'

const SIGNATURE = '伙伴管家'
const AGENT = 1
/** What the service takes in a call: one text for all, or to each its own. */
const ONE_TEXT_MAX = 1_000
const OWN_TEXTS_MAX = 100
const RECEIPTS_SHARE = 10
const ROUNDS = 2
/** What the live heap may grow by from the first round's end to the last's: less than a byte for each message sent. */
const LIVE_GROWTH_MAX_MIB = 1
const RECEIPTS_WITHIN_MS = 600_000
const ASK_WITHIN_MS = 1_800_000

type Counts = Record<string, number>
type Parts = { owner: pg.Pool; simulator: Child; program: Child & { hello: { port: number } } }
type Shape = { title: string; messages: number; perCall: number; ownTexts: boolean; documentNo: string }

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export async function measureSending(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { messages: { type: 'string', default: '100000' } },
  })
  const messages = Number(values.messages)
  if (!(messages >= 1_000 && messages <= 1_000_000))
    throw new Error('--messages must be a number from 1000 to 1000000.')
  const database = await freshDatabase()
  const owner = new pg.Pool({
    connectionString: database.ownerUrl,
    max: 2,
    options: '-c timezone=UTC -c app.scope=all',
  })
  const children: Child[] = []
  try {
    await bundle(['sending-simulator', 'sending-program'])
    const simulator = await startChild<object>('sending-simulator', { BENCH_SIGNATURE: SIGNATURE })
    children.push(simulator)
    const program = await startChild<{ port: number }>(
      'sending-program',
      {
        DATABASE_URL: database.ownerUrl,
        SECRET_KEY: TEST_SECRET,
        LOG_LEVEL: 'silent',
        BENCH_SIGNATURE: SIGNATURE,
        BENCH_SMS: JSON.stringify(simulator.hello),
      },
      ['--max-semi-space-size=16', '--expose-gc'],
    )
    children.push(program)
    await measureAll({ owner, simulator, program }, messages)
  } finally {
    for (const child of children) await child.stop()
    await owner.end()
    await database.drop()
  }
}

async function measureAll(parts: Parts, messages: number): Promise<void> {
  await makeAgent(parts.owner, messages * (2 * ROUNDS + 1))
  // Whatever is compiled at its first use.
  for (const ownTexts of [false, true])
    await ask(parts.program, { kind: 'bare', messages: 2_000, perCall: 10, ownTexts })
  const figures = []
  for (let round = 1; round <= ROUNDS; round++)
    for (const shape of shapesOf(messages, round)) figures.push(await measureShape(parts, shape))
  figures.push(await measureReceipts(parts, messages / RECEIPTS_SHARE))
  compareLive(figures[1]?.liveMiB as number, figures[2 * ROUNDS - 1]?.liveMiB as number)
  const client = await parts.owner.connect()
  const { line, sound } = await verifyLedger(client)
  client.release()
  say(line)
  if (!sound) process.exitCode = 1
  say(JSON.stringify({ messages, figures }))
}

function shapesOf(messages: number, round: number): Shape[] {
  return [
    {
      title: `one text for all, ${ONE_TEXT_MAX} a call, round ${round}`,
      messages,
      perCall: ONE_TEXT_MAX,
      ownTexts: false,
      documentNo: `BENCH${round}A`,
    },
    {
      title: `a text for each shop, ${OWN_TEXTS_MAX} a call, round ${round}`,
      messages,
      perCall: OWN_TEXTS_MAX,
      ownTexts: true,
      documentNo: `BENCH${round}B`,
    },
  ]
}

/** The first round makes what stays: statements, connections, compiled code. From then on nothing may be kept. */
function compareLive(firstMiB: number, lastMiB: number): void {
  const isFlat = lastMiB - firstMiB <= LIVE_GROWTH_MAX_MIB
  say(
    `live heap ${firstMiB.toFixed(1)} MiB after the first round, ${lastMiB.toFixed(1)} MiB after the last: ${isFlat ? 'flat' : 'NOT FLAT'}`,
  )
  if (!isFlat) process.exitCode = 1
}

/** Half of the bare calls before and half after, so that both meet the same machine. */
async function measureShape(parts: Parts, shape: Shape) {
  const { perCall, ownTexts } = shape
  const half = { kind: 'bare' as const, messages: shape.messages / 2, perCall, ownTexts }
  await queue(parts.owner, shape)
  const before = await ask(parts.program, half)
  const outbox = await ask(parts.program, { kind: 'outbox' })
  const after = await ask(parts.program, half)
  await expectStatus(parts.owner, shape, 'submitted')
  const perSecond = (shape.messages * 1_000) / outbox.ms
  const barePerSecond = (shape.messages * 1_000) / (before.ms + after.ms)
  const memory = memoryOf(outbox)
  say(
    `${shape.title}: ${shape.messages} messages, ${perSecond.toFixed(0)}/s through the outbox, ${barePerSecond.toFixed(0)}/s bare, ` +
      `ratio ${(perSecond / barePerSecond).toFixed(3)}; ${memory.text}`,
  )
  return { ...shape, perSecond, barePerSecond, ratio: perSecond / barePerSecond, ...memory }
}

/** Sent and told as delivered: the receipts come while it sends. */
async function measureReceipts(parts: Parts, messages: number) {
  const shape = {
    title: 'with receipts',
    messages,
    perCall: ONE_TEXT_MAX,
    ownTexts: false,
    documentNo: 'BENCHR',
  }
  const { port } = parts.program.hello
  await parts.simulator.ask<Counts>(
    { receiptsUrl: `http://127.0.0.1:${port}/callbacks/sms/aliyun/bench` },
    10_000,
  )
  await queue(parts.owner, shape)
  const startedMs = performance.now()
  const outbox = await ask(parts.program, { kind: 'outbox' })
  while ((await openOf(parts.owner, shape.documentNo)) > 0) {
    if (performance.now() - startedMs > RECEIPTS_WITHIN_MS) throw new Error('the receipts did not end')
    await pause(100)
  }
  const perSecond = (messages * 1_000) / (performance.now() - startedMs)
  await expectStatus(parts.owner, shape, 'delivered')
  const memory = memoryOf(outbox)
  say(
    `${shape.title}: ${messages} messages, ${perSecond.toFixed(0)}/s until all were delivered; ${memory.text}`,
  )
  return { ...shape, perSecond, ...memory }
}

function ask(program: Child, order: SendingOrder): Promise<SendingResult> {
  return program.ask<SendingResult>(order, ASK_WITHIN_MS)
}

/**
 * Resident: the last quarter of the samples beside the second. The engine takes memory as long as that is cheaper than
 * collecting; what is really held is the live heap.
 */
function memoryOf({ residentMiB: samples, liveBeforeMiB, liveMiB }: SendingResult) {
  const quarter = (n: number) => samples.slice((samples.length * n) / 4, (samples.length * (n + 1)) / 4)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [early, late] =
    samples.length < 8 ? [mean(samples), mean(samples)] : [mean(quarter(1)), mean(quarter(3))]
  const most = Math.max(...samples)
  const text =
    `live heap ${liveBeforeMiB.toFixed(1)} MiB before, ${liveMiB.toFixed(1)} MiB after; ` +
    `resident ${early.toFixed(0)} MiB in the second quarter, ${late.toFixed(0)} MiB in the last, at most ${most.toFixed(0)} MiB`
  return { earlyMiB: early, lateMiB: late, mostMiB: most, liveBeforeMiB, liveMiB, text }
}

async function makeAgent(owner: pg.Pool, pieces: number): Promise<void> {
  const row = agentRow({ id: AGENT, createdAt: new Date().toISOString() })
  await drizzle(owner).insert(agents).values(row).onConflictDoNothing()
  await post(owner, 'credit', pieces, 'BENCH0', [
    { kind: 'vendor', book: 'sms-supplier' },
    { kind: 'agent', id: AGENT },
  ])
}

/** As a campaign leaves them, set-based: charged under one document. */
async function queue(owner: pg.Pool, { messages, ownTexts, documentNo }: Shape): Promise<void> {
  const template = SMS_TEMPLATES.find(({ key }) => key === 'maintenance') as (typeof SMS_TEMPLATES)[number]
  await owner.query(
    `insert into outbox_messages (agent_id, kind, phone, text, status, template, params, segments, payer, payer_id, charged,
       document_no, priority, expires_at, created_by, created_by_name, created_at)
     select $1, 'campaign', (13600000000 + i * 10 + 4)::text, replace(replace($2, '\${shop}', shop), '\${time}', '今晚23点'), 'queued',
       'maintenance', jsonb_build_object('shop', shop, 'time', '今晚23点'), 1, 'agent', $1, 1, $3, 2, now() + interval '1 day', 1, '测试', now()
     from generate_series(1, $4::int) i cross join lateral (select case when $5 then '店' || i else '老张面馆' end as shop) as named`,
    [AGENT, template.text, documentNo, messages, ownTexts],
  )
  await post(owner, 'sms-send', messages, documentNo, [
    { kind: 'agent', id: AGENT },
    { kind: 'vendor', book: 'sms-supplier' },
  ])
  await owner.query('analyze outbox_messages')
}

async function post(
  owner: pg.Pool,
  kind: string,
  amount: number,
  document: string,
  [from, to]: [object, object],
): Promise<void> {
  const movement = { kind, asset: 'sms', amount, from, to, document, payMethod: 'balance', agentId: AGENT }
  const by = { actorId: 1, actorName: '测试', description: '测量' }
  await owner.query('select ledger_post($1::jsonb)', [JSON.stringify([{ ...movement, ...by }])])
}

async function openOf(owner: pg.Pool, documentNo: string): Promise<number> {
  const { rows } = await owner.query<{ open: string }>(
    `select count(*) as open from outbox_messages where document_no = $1 and status <> 'delivered'`,
    [documentNo],
  )
  return Number(rows[0]?.open)
}

async function expectStatus(owner: pg.Pool, { documentNo, messages }: Shape, status: string): Promise<void> {
  const { rows } = await owner.query<{ status: string; count: string }>(
    'select status, count(*) from outbox_messages where document_no = $1 group by 1',
    [documentNo],
  )
  if (rows.length !== 1 || rows[0]?.status !== status || Number(rows[0].count) !== messages)
    throw new Error(`${messages} messages should be ${status}, and are ${JSON.stringify(rows)}`)
}
