// A channel is its record and its room: a third one, which this file alone knows, works from the cashier to the bill.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { PayChannelName, PayChannelRecord } from '#kit/ports/channels.ts'
import type { BillLine, PayChannel, PaymentFact, RefundFact } from '#kit/ports/providers.ts'
import type { SimulatedRoom } from '#providers/simulated-room.ts'
import type { Till } from '#test/make-payments.ts'

const THIRD = 'third' as PayChannelName
const RECORD: PayChannelRecord = { label: '第三支付', suffix: 'T', browser: null }

/** Puts record and room first into their tables, as whoever adds a channel writes them. */
const ADDED = [
  ['/kit/ports/channels.ts', 'CHANNELS = {', JSON.stringify(RECORD)],
  ['/providers/rooms.ts', 'ROOMS = {', 'globalThis.thirdRoom'],
] as const
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const added = ADDED.find(([file]) => url.endsWith(file))
    if (!added) return loaded
    const [, table, line] = added
    return { ...loaded, source: String(loaded.source).replace(table, `$& ${THIRD}: ${line},`) }
  },
})

const orders = new Map<string, PaymentFact>()
const refunds = new Map<string, RefundFact>()
const billed: BillLine[] = []

const channel: PayChannel = {
  name: THIRD,
  async create({ outTradeNo, amountFen }) {
    const fact = { outTradeNo, amountFen, state: 'waiting', currency: 'CNY', providerState: 'NEW' } as const
    orders.set(outTradeNo, { ...fact, transactionId: null, paidAt: null, payer: null })
    return { codeUrl: `third://pay/${outTradeNo}` }
  },
  query: async outTradeNo => orders.get(outTradeNo) ?? assert.fail(`${outTradeNo} was never ordered`),
  close: async () => 'closed',
  async refund({ outTradeNo, refundNo }) {
    const fact = { outTradeNo, refundNo, state: 'done', providerState: 'BACK' } as const
    refunds.set(refundNo, fact)
    return fact
  },
  queryRefund: async (_, refundNo) => refunds.get(refundNo) ?? assert.fail(`${refundNo} is unknown`),
  readCallback: async (_, body) => JSON.parse(String(body)),
  answerCallback: outcome => ({
    status: { kept: 200, failed: 500, rejected: 401 }[outcome],
    type: 'text/plain',
    body: outcome,
  }),
  bill: async () => billed,
  check: async () => ({ result: 'right', words: '' }),
}

const room: SimulatedRoom = {
  prefix: 'THIRD_',
  needs: [],
  read: () => ({}),
  make: () => channel,
  simulated: {
    codes: 'third://',
    makeKeys: () => ({}),
    makeOwnKeys: () => ({}),
    settings: () => ({}),
    environment: () => ({}),
    ownValues: () => ({}),
    async start() {
      const { json, startSimulator } = await import('#providers/simulator.ts')
      const parts = { nameOf: () => null, handle: () => json({}), errorOf: () => json({}, 400) }
      return {
        ...(await startSimulator(parts)),
        payCode: code => void pay(code.slice('third://pay/'.length), new Date().toISOString()),
        keptCallbacks: () => [],
      }
    },
  },
}
Object.assign(globalThis, { thirdRoom: room })

let till: Till
before(async () => {
  const { openTill } = await import('#test/make-payments.ts')
  till = await openTill()
})
after(() => till.stop())

/** Its payer pays at the moment of `at`, and it calls back. */
async function pay(outTradeNo: string, at: string): Promise<void> {
  const waiting = orders.get(outTradeNo) ?? assert.fail('nothing to pay')
  const fact = { ...waiting, state: 'paid' as const, transactionId: '3000', paidAt: at }
  orders.set(outTradeNo, fact)
  const answer = await fetch(`${till.office.url}/callbacks/pay/${THIRD}`, {
    method: 'POST',
    body: JSON.stringify({ eventId: `event of ${outTradeNo}`, occurredAt: at, kind: 'payment', fact }),
  })
  assert.equal(await answer.text(), 'kept')
  await till.work()
}

test('a third channel works from the cashier to the bill', async () => {
  const { settings, setAgentChannels, intents, intent, events, refund } = till.staff.paymentDesk
  assert.ok((await settings()).connected.includes(THIRD))
  const { perChannel } = await import('#kit/ports/channels.ts')
  const choice = perChannel(name => name === THIRD || name === 'alipay')
  assert.deepEqual((await setAgentChannels({ agentId: 0, choice })).choice, choice)
  assert.deepEqual((await till.me.payments.offer()).channels, [THIRD, 'alipay'])

  const { queryId, orderNo } = await till.me.payments.startSms({ pieces: 100 })
  const outTradeNo = `${queryId}T`
  assert.equal(await till.open(queryId, THIRD), `third://pay/${outTradeNo}`)
  await till.open(queryId, 'alipay')
  const { channels } = await till.office.as(null).payments.cashier({ token: await till.token(queryId) })
  assert.deepEqual(
    channels.map(one => [one.channel, one.status, one.codeUrl?.slice(0, 8)]),
    [
      [THIRD, 'waiting', 'third://'],
      ['alipay', 'waiting', 'https://'],
    ],
  )

  await pay(outTradeNo, new Date(Date.now() - 2 * 86_400_000).toISOString())
  const [row] = (await intents({ channel: THIRD })).rows
  assert.deepEqual([row?.id, row?.status, row?.paidBy], [queryId, 'paid', THIRD])
  const [order] = (await till.me.smsDesk.orders({ payMethod: THIRD })).rows
  assert.deepEqual([order?.orderNo, order?.payMethod, order?.status], [orderNo, THIRD, 'paid'])
  assert.deepEqual((await events({ search: `event of ${outTradeNo}` })).rows[0]?.intentId, queryId)
  const { rows: told } = await till.me.notices.list({})
  assert.ok(told.some(({ body }) => body.includes('第三支付支付 5.00 元，已到账')))

  assert.equal((await refund({ id: queryId, reason: '客户要求' })).refundNo, `${outTradeNo}R`)
  await till.refunded()
  assert.equal((await intent({ id: queryId })).intent.refundStatus, 'done')
  await till.office.verifyLedger()
})

test('its bill is compared, and what differs is listed under its name', async () => {
  const { formatDay } = await import('#kit/time.ts')
  const { queryId } = await till.me.payments.startSms({ pieces: 200 })
  await till.open(queryId, THIRD)
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await pay(`${queryId}T`, at)
  const line = { kind: 'payment', transactionId: '3000', refundNo: null, at } as const
  billed.push({ ...line, outTradeNo: `${queryId}T`, amountFen: 1_000 })
  billed.push({ ...line, outTradeNo: 'SOMEBODYELSES', amountFen: 1 })
  await till.staff.paymentDesk.reconcile({ channel: THIRD, day: formatDay(at) })
  await till.work()
  const [row] = (await till.staff.paymentDesk.reconciliations({ channel: THIRD })).rows
  assert.deepEqual([row?.status, row?.billPayments, row?.ourPayments, row?.differences], ['done', 2, 1, 1])
  const { rows } = await till.staff.paymentDesk.differences({ reconciliationId: row?.id })
  assert.deepEqual(
    rows.map(one => [one.channel, one.outTradeNo, one.kind]),
    [[THIRD, 'SOMEBODYELSES', 'missing-here']],
  )
})

test('every list and filter has its name', async () => {
  const { CHANNEL_NAMES, PAY_CHANNELS } = await import('#kit/ports/channels.ts')
  const { PAY_METHODS } = await import('#features/money/ledger/rules.ts')
  assert.equal(CHANNEL_NAMES[THIRD], '第三支付')
  assert.equal(PAY_METHODS[THIRD], '第三支付')
  assert.ok(PAY_CHANNELS.includes(THIRD))
})

test('nothing of the product names a channel but its record, its room, and what joins them', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const named = globSync('{{app,features,kit,scripts,server,web}/**/,providers/}*.{ts,tsx,css}', {
    cwd: root,
  })
    .filter(path => !/(\.test|\/demo|\/sample|\/walk|kit\/ports\/(channels|mini-programs))\.tsx?$/.test(path))
    // A number at WeChat, of a person or of an agency, is no channel, nor are mini programs.
    .filter(
      path =>
        !/^features\/(agencies\/(team|agent-profile)\/|office\/(access\/tables\.ts$|agents\/)|overview\/(agency-exports\/server-column-words|person-erasures\/server-places)\.ts$|programs\/)/.test(
          path,
        ),
    )
    // Nor is the platform of mini programs.
    .filter(path =>
      /(?<!legal_?person_?|programTesters, ')wechat(?![-_]?open)|alipay|weixin|支付宝/i.test(
        readFileSync(`${root}/${path}`, 'utf8'),
      ),
    )
  // What joins the rooms, and how keys are pasted. A news item tells of both, articles of the help centre, a made-up receipt; a code on a label leads to a mall at WeChat.
  const prose = [
    'features/support/help/reference.ts',
    ...['kit/print/label.ts', 'kit/print/receipt-samples.ts', 'providers/pem.ts', 'providers/rooms.ts'],
  ]
  assert.deepEqual(named.sort(), prose, 'read kit/ports/channels.ts instead')
})
