// A deposit is asked for by the vendor, paid by the shop, held in the ledger, and given back or kept by two people: once each, however
// often it is pressed, paid or told of, and whatever becomes of the channel's answers.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test, { after, afterEach, before, beforeEach } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { verifyLedger } from '#features/money/ledger/verify.ts'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import { type Client, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openTill, type Till } from '#test/make-payments.ts'
import { call } from '#test/walk.ts'
import { UNKNOWN_CODES } from './rules.ts'

let till: Till
let agent: MadeAgent
let me: Client
let second: Client
let merchantId: number
/** How often the answer to a refund of WeChat is lost from now on. */
let lost = 0
before(async () => {
  till = await openTill({
    around: providers => {
      const { wechat } = providers.pay
      if (!wechat) throw new Error('the simulators have no WeChat')
      const refund: typeof wechat.refund = async order => {
        const fact = await wechat.refund(order)
        if (lost === 0) return fact
        lost--
        throw new ProviderUnknown('the answer is lost')
      }
      return { ...providers, pay: { ...providers.pay, wechat: { ...wechat, refund } } }
    },
  })
  const other = await makeAgent(till.office, { operator: true })
  second = till.office.as(await till.office.login(other.loginName))
})
after(() => till.stop())
beforeEach(async () => {
  agent = await makeAgent(till.office)
  me = till.office.as(await till.office.login(agent.loginName))
  merchantId = await makeMerchant(till.office, agent.id)
})
afterEach(() => till.office.verifyLedger())

const nobody = () => till.office.as(null)
const codeOf = (url: string) => url.split('/').at(-1) ?? ''
const asked = (amountFen = 50_000) =>
  till.staff.deposits.ask({ merchantId, kind: 'device', subject: '扫码机 2 台', amountFen })

/** Begins to pay by the address; answers the intent. */
async function begin(payUrl: string): Promise<string> {
  const cashier = await nobody().deposits.pay({ code: codeOf(payUrl) })
  const { id } = await till.one<{ id: string }>('select id from payment_intents where token = $1', [
    codeOf(cashier.payUrl),
  ])
  return id
}

async function pay(payUrl: string): Promise<string> {
  const intent = await begin(payUrl)
  await till.open(intent, 'wechat')
  await till.pay(intent, 'wechat')
  await till.work()
  return intent
}

async function held(amountFen = 50_000) {
  const { id, orderNo, payUrl } = await asked(amountFen)
  const intent = await pay(payUrl)
  return { id, orderNo, payUrl, intent }
}

const standing = async (id: number) => {
  const { state, heldFen, returnedFen, keptFen, requests } = await till.staff.deposits.details({ id })
  return { state, heldFen, returnedFen, keptFen, requests }
}
const wish = (id: number, part: Partial<Parameters<Client['deposits']['request']>[0]> = {}) => ({
  ...{ id, kind: 'return' as const, amountFen: 50_000, heldFen: 50_000, reason: '设备已退回' },
  ...part,
})
const latest = async (id: number) => (await standing(id)).requests[0]?.id as number
const refundsOf = async (intent: string) =>
  (await till.staff.paymentDesk.intent({ id: intent })).refunds.map(
    ({ refundNo, amountFen, status, reason }) => ({ refundNo, amountFen, status, reason }),
  )
const inLedger = async () =>
  (
    await till.one<{ balance: number }>(
      `select coalesce(sum(balance), 0)::int as balance from ledger_accounts where owner_kind = 'merchant' and owner_id = $1 and asset = 'deposit'`,
      [merchantId],
    )
  ).balance
const titlesOf = async (client: Client) =>
  (await client.notices.list({ size: 50 })).rows.map(({ title }) => title)

test('a deposit is paid by its address, held, given back in a part and kept for the rest', async () => {
  const { id, orderNo, payUrl } = await asked()
  assert.deepEqual(await titlesOf(me), ['有待支付的押金'])
  const page = await nobody().deposits.page({ code: codeOf(payUrl) })
  assert.deepEqual([page.amountFen, page.subject, page.state], [50_000, '扫码机 2 台', 'waiting'])
  const intent = await pay(payUrl)
  assert.deepEqual([(await standing(id)).state, await inLedger()], ['held', 50_000])
  assert.equal((await nobody().deposits.page({ code: codeOf(payUrl) })).state, 'held')
  assert.equal(await refusalOf(nobody().deposits.pay({ code: codeOf(payUrl) })), 'DEPOSIT_PAID')
  assert.equal((await me.deposits.ofShop({ merchantId })).heldFen, 50_000)

  await me.deposits.request(wish(id, { amountFen: 20_000 }))
  assert.equal((await standing(id)).state, 'deciding')
  assert.equal(await inLedger(), 50_000, 'nothing moves before somebody has decided')
  await till.staff.deposits.approve({ id: await latest(id) })
  assert.deepEqual(await inLedger(), 30_000)
  await till.refunded()
  const [first] = (await standing(id)).requests
  assert.deepEqual([first?.state, first?.refundNo], ['done', `${intent}WR`])

  await till.staff.deposits.request(wish(id, { kind: 'keep', amountFen: 10_000, heldFen: 30_000 }))
  await second.deposits.approve({ id: await latest(id) })
  await till.staff.deposits.request(wish(id, { amountFen: 20_000, heldFen: 20_000 }))
  await second.deposits.approve({ id: await latest(id) })
  await till.refunded()
  const { state, heldFen, returnedFen, keptFen } = await standing(id)
  assert.deepEqual([state, heldFen, returnedFen, keptFen], ['settled', 0, 40_000, 10_000])
  assert.deepEqual(await refundsOf(intent), [
    { refundNo: `${intent}WR`, amountFen: 20_000, status: 'done', reason: 'deposit' },
    { refundNo: `${intent}WR2`, amountFen: 20_000, status: 'done', reason: 'deposit' },
  ])
  const { rows } = await till.office.owner.query(
    `select t.kind, t.amount::int as amount, i.book from ledger_transfers t join ledger_accounts i on i.id = t.to_account_id
     where t.document = $1 order by t.id`,
    [orderNo],
  )
  assert.deepEqual(rows, [
    { kind: 'deposit-paid', amount: 50_000, book: '' },
    { kind: 'deposit-returned', amount: 20_000, book: 'payment-clearing' },
    { kind: 'deposit-kept', amount: 10_000, book: 'revenue' },
    { kind: 'deposit-returned', amount: 20_000, book: 'payment-clearing' },
  ])
})

test('nobody decides on what they asked for, not even who may do everything', async () => {
  const { id } = await held()
  await till.staff.deposits.request(wish(id))
  const request = await latest(id)
  assert.equal(await refusalOf(till.staff.deposits.approve({ id: request })), 'OWN_REQUEST')
  assert.equal(await refusalOf(till.staff.deposits.reject({ id: request, reason: '不退' })), 'OWN_REQUEST')
  assert.equal(await refusalOf(me.deposits.approve({ id: request })), 'FORBIDDEN')
  assert.equal(await refusalOf(second.deposits.withdraw({ id: request })), 'NOT_OWN_REQUEST')
  await second.deposits.reject({ id: request, reason: '设备没有收到' })
  const { state, requests } = await standing(id)
  assert.deepEqual([state, requests[0]?.state, requests[0]?.answer], ['held', 'rejected', '设备没有收到'])
  await till.staff.deposits.request(wish(id))
  await till.staff.deposits.withdraw({ id: await latest(id) })
  assert.equal((await standing(id)).state, 'held')
})

test('an agent asks to give back what its own shops paid, and for nothing else', async () => {
  const { id } = await held()
  const stranger = await makeAgent(till.office)
  const them = till.office.as(await till.office.login(stranger.loginName))
  assert.equal(await refusalOf(them.deposits.details({ id })), 'NOT_FOUND')
  assert.equal(await refusalOf(them.deposits.request(wish(id))), 'NOT_FOUND')
  assert.equal(await refusalOf(me.deposits.request(wish(id, { kind: 'keep' }))), 'KEEP_BY_STAFF')
  const ask = { merchantId, kind: 'channel', subject: '保证金', amountFen: 100 } as const
  assert.equal(await refusalOf(me.deposits.ask(ask)), 'FORBIDDEN')
  assert.equal((await them.deposits.list({})).total, 0)
  assert.equal((await me.deposits.list({ state: 'held' })).sumHeldFen, 50_000)
})

test('what is asked for is within what is held, and as it was seen', async () => {
  const { id } = await held()
  const refused = (part: Parameters<typeof wish>[1]) => refusalOf(me.deposits.request(wish(id, part)))
  assert.equal(await refused({ amountFen: 50_001 }), 'MORE_THAN_HELD')
  assert.equal(await refused({ amountFen: 0 }), 'AMOUNT_REQUIRED')
  assert.equal(await refused({ reason: ' ' }), 'REASON_REQUIRED')
  assert.equal(await refused({ heldFen: 60_000 }), 'HELD_CHANGED')
  const { id: unpaid } = await asked()
  assert.equal(await refusalOf(me.deposits.request(wish(unpaid))), 'NOT_HELD')
})

test('two presses ask once, and two who decide at once give back once', async () => {
  const { id, intent } = await held()
  const presses = await Promise.allSettled([
    me.deposits.request(wish(id)),
    till.staff.deposits.request(wish(id)),
  ])
  assert.deepEqual(presses.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const request = await latest(id)
  const third = await makeAgent(till.office, { operator: true })
  const others = [second, till.office.as(await till.office.login(third.loginName))]
  const decided = await Promise.allSettled(others.map(one => one.deposits.approve({ id: request })))
  assert.deepEqual(decided.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await till.refunded()
  assert.deepEqual((await refundsOf(intent)).length, 1)
  assert.equal((await standing(id)).state, 'settled')
})

test('a second press of whoever pays shows the first one’s order', async () => {
  const { payUrl } = await asked()
  const both = await Promise.all([begin(payUrl), begin(payUrl)])
  assert.equal(both[0], both[1])
})

test('a deposit that is paid twice is held once, and the second payment goes back whole', async () => {
  const { id, payUrl } = await asked()
  const early = await begin(payUrl)
  await till.open(early, 'wechat')
  // So little is left of it that another is begun.
  await till.office.owner.query(
    `update payment_intents set expires_at = now() + interval '100 seconds' where id = $1`,
    [early],
  )
  const later = await begin(payUrl)
  assert.notEqual(early, later)
  await till.open(later, 'wechat')
  await till.pay(early, 'wechat')
  await till.pay(later, 'wechat')
  await till.work()
  await till.refunded()
  assert.deepEqual([(await standing(id)).state, await inLedger()], ['held', 50_000])
  const back = [...(await refundsOf(early)), ...(await refundsOf(later))]
  assert.deepEqual(
    back.map(({ amountFen, status, reason }) => [amountFen, status, reason]),
    [[50_000, 'done', 'second']],
  )
})

test('what is paid after a deposit was called off goes back, and nothing is held', async () => {
  const { id, payUrl } = await asked()
  const intent = await begin(payUrl)
  await till.open(intent, 'wechat')
  await till.staff.deposits.cancel({ id, reason: '改用其他渠道' })
  assert.equal(await refusalOf(second.deposits.cancel({ id, reason: '改用其他渠道' })), 'NOT_WAITING')
  await till.pay(intent, 'wechat')
  await till.work()
  await till.refunded()
  assert.deepEqual([(await standing(id)).state, await inLedger()], ['cancelled', 0])
  assert.deepEqual(
    (await refundsOf(intent)).map(({ reason, status }) => [reason, status]),
    [['cancelled', 'done']],
  )
  assert.equal(await refusalOf(nobody().deposits.pay({ code: codeOf(payUrl) })), 'DEPOSIT_CANCELLED')
})

test('a refund whose answer is lost is asked about, not sent as another', async () => {
  const { id, intent } = await held()
  await me.deposits.request(wish(id, { amountFen: 30_000 }))
  lost = 1
  await till.staff.deposits.approve({ id: await latest(id) })
  await till.work()
  assert.equal((await standing(id)).requests[0]?.state, 'paying')
  await till.refunded()
  assert.equal((await standing(id)).requests[0]?.state, 'done')
  assert.equal((await refundsOf(intent)).length, 1)
  await me.deposits.request(wish(id, { amountFen: 20_000, heldFen: 20_000 }))
  await till.staff.deposits.approve({ id: await latest(id) })
  await till.refunded()
  assert.equal(
    (await standing(id)).requests[0]?.state,
    'done',
    'the channel had given back the first part once',
  )
})

test('what a channel refuses to give back is paid out by hand, and is never sent again', async () => {
  const { id, intent } = await held()
  await me.deposits.request(wish(id))
  till.outside.simulators.wechat.control.faults.push({
    match: 'refund',
    times: 1,
    effect: { kind: 'error', code: 'NOT_ENOUGH', message: '余额不足' },
  })
  await till.staff.deposits.approve({ id: await latest(id) })
  await till.work()
  const [failed] = (await standing(id)).requests
  assert.equal(failed?.state, 'owed', failed?.providerWords)
  assert.ok((await titlesOf(second)).includes('押金原路退款失败'))
  const request = await latest(id)
  assert.equal(await refusalOf(second.deposits.payOut({ id: request, receiptNo: ' ' })), 'RECEIPT_REQUIRED')
  await second.deposits.payOut({ id: request, receiptNo: 'HD-20261129-01' })
  assert.equal(await refusalOf(till.staff.deposits.payOut({ id: request, receiptNo: 'X1' })), 'NOT_OWED')
  const [refund] = (await till.staff.paymentDesk.intent({ id: intent })).refunds
  assert.equal(refund?.status, 'replaced')
  assert.equal(
    await refusalOf(till.staff.paymentDesk.retryRefund({ id: refund?.id as number })),
    'REFUND_NOT_FAILED',
  )
  assert.deepEqual((await standing(id)).requests[0]?.receiptNo, 'HD-20261129-01')
})

test('a refund that failed and is sent again ends its request as well', async () => {
  const { id, intent } = await held()
  await me.deposits.request(wish(id))
  till.outside.simulators.wechat.control.faults.push({
    match: 'refund',
    times: 1,
    effect: { kind: 'error', code: 'NOT_ENOUGH', message: '余额不足' },
  })
  await till.staff.deposits.approve({ id: await latest(id) })
  await till.work()
  const [refund] = (await till.staff.paymentDesk.intent({ id: intent })).refunds
  await till.staff.paymentDesk.retryRefund({ id: refund?.id as number })
  assert.equal(
    await refusalOf(second.deposits.payOut({ id: await latest(id), receiptNo: 'HD-1' })),
    'REFUND_UNDER_WAY',
    'while it is under way nobody pays it out as well',
  )
  await till.refunded()
  assert.equal((await standing(id)).requests[0]?.state, 'done')
})

test('what was paid too long ago for its channel is owed by hand from the beginning', async () => {
  const { id, intent } = await held()
  await till.office.owner.query(
    `update payment_attempts set paid_at = paid_at - interval '366 days' where intent_id = $1`,
    [intent],
  )
  await me.deposits.request(wish(id))
  await till.staff.deposits.approve({ id: await latest(id) })
  assert.equal((await standing(id)).requests[0]?.state, 'owed')
  assert.deepEqual(await refundsOf(intent), [])
  assert.equal((await till.staff.deposits.list({ owed: true, agentId: agent.id })).total, 1)
})

test('a network that tries addresses is held back after some, and nobody else', async () => {
  const { payUrl } = await asked()
  const ask = (code: string, method: 'GET' | 'POST' = 'GET') =>
    till.office.app.http.inject({
      ...{ method, url: `/api/deposits/pay/${code}`, remoteAddress: '203.0.113.78' },
      headers: { 'x-requested-with': 'partner-office' },
    })
  for (let at = 0; at < UNKNOWN_CODES.perNetwork; at += 1)
    assert.equal((await ask(String(at).padStart(32, 'x'), at % 2 ? 'POST' : 'GET')).statusCode, 404)
  assert.equal((await ask(codeOf(payUrl))).json().code, 'THROTTLED')
  assert.equal((await ask(codeOf(payUrl), 'POST')).json().code, 'THROTTLED')
  assert.equal((await nobody().deposits.page({ code: codeOf(payUrl) })).state, 'waiting')
})

test('one person cannot refund a deposit at the payments page', async () => {
  const { intent } = await held()
  const { refundRefusal } = await till.staff.paymentDesk.intent({ id: intent })
  assert.equal(refundRefusal?.code, 'DEPOSIT_APART')
  assert.equal(
    await refusalOf(till.staff.paymentDesk.refund({ id: intent, reason: '客户要求' })),
    'DEPOSIT_APART',
  )
})

test('a deposit opens by its number and that of its payment, stands in the statement, and goes along with its shop', async () => {
  const { id, orderNo, intent } = await held()
  const { order_no: paymentNo } = await till.one<{ order_no: string }>(
    'select order_no from payment_intents where id = $1',
    [intent],
  )
  for (const no of [orderNo, paymentNo])
    assert.equal((await me.orderDetails.find({ orderNo: no })).title, '押金：扫码机 2 台')
  const month = formatDay(new Date()).slice(0, 7)
  const sectionOf = async (client: Client) => {
    const { sections } = await client.settlement.statement({ month })
    const deposits = sections.find(({ asset }) => asset === 'deposit')
    return deposits && [deposits.opening, deposits.income, deposits.spent, deposits.closing, deposits.addsUp]
  }
  assert.deepEqual(await sectionOf(me), [0, 50_000, 0, 50_000, true])
  const taker = await makeAgent(till.office)
  const them = till.office.as(await till.office.login(taker.loginName))
  assert.equal(await sectionOf(them), undefined)
  const { revision } = await till.staff.merchants.details({ id: merchantId })
  await till.staff.aftersales.move({ id: merchantId, revision, agentId: taker.id, reason: '更换服务商' })
  assert.equal(await refusalOf(me.deposits.details({ id })), 'NOT_FOUND')
  await them.deposits.request(wish(id))
  await till.staff.deposits.approve({ id: await latest(id) })
  await till.refunded()
  assert.deepEqual(await sectionOf(me), [0, 50_000, 50_000, 0, true])
  assert.deepEqual(await sectionOf(them), [0, 50_000, 50_000, 0, true])
})

test('a deposit that says otherwise than its transfers, requests or refunds is found', async () => {
  const { id, orderNo } = await held()
  await me.deposits.request(wish(id, { amountFen: 20_000 }))
  await till.staff.deposits.approve({ id: await latest(id) })
  await till.refunded()
  const client = await till.office.owner.connect()
  try {
    const found = async (spoil: string, mend: string) => {
      await client.query(spoil)
      const { problems } = await verifyLedger(client)
      await client.query(mend)
      return Object.entries(problems).flatMap(([name, count]) => (count > 0 ? [name] : []))
    }
    const set = (fen: number) =>
      `update deposits set held_fen = ${50_000 - fen}, returned_fen = ${fen} where order_no = '${orderNo}'`
    assert.deepEqual(await found(set(30_000), set(20_000)), [
      'deposits_unlike_transfers',
      'deposits_unlike_requests',
    ])
    const forget = (state: string) =>
      `update deposit_requests set state = '${state}' where deposit_id = ${id}`
    assert.deepEqual(await found(forget('rejected'), forget('done')), ['deposits_unlike_requests'])
    const less = (fen: number) =>
      `update payment_refunds set amount_fen = ${fen} where id = (select refund_id from deposit_requests where deposit_id = ${id})`
    assert.deepEqual(await found(less(19_999), less(20_000)), ['deposit_refunds_unlike_requests'])
  } finally {
    client.release()
  }
})

/** Paid, given back in two parts and kept for the rest; answers the payment's intent. */
async function takenApart(): Promise<string> {
  const { id, intent } = await held()
  const parts = [
    { kind: 'return', amountFen: 20_000, heldFen: 50_000 },
    { kind: 'keep', amountFen: 10_000, heldFen: 30_000 },
    { kind: 'return', amountFen: 20_000, heldFen: 20_000 },
  ] as const
  for (const part of parts) {
    await till.staff.deposits.request(wish(id, part))
    await second.deposits.approve({ id: await latest(id) })
    await till.refunded()
  }
  return intent
}

function hasReader(): boolean {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

test('the files of the statement hold the deposits of the agent as its page does, in yuan', async () => {
  await takenApart()
  const month = formatDay(new Date()).slice(0, 7)
  const section = (await me.settlement.statement({ month })).sections.find(({ asset }) => asset === 'deposit')
  assert.deepEqual(
    section && [section.opening, section.income, section.spent, section.closing, section.addsUp],
    [0, 50_000, 50_000, 0, true],
  )
  const cookie = await till.office.login(agent.loginName)
  const file = (ending: 'xlsx' | 'pdf') =>
    call(till.office.app, cookie, { method: 'GET', path: `/settlement/statement.${ending}` }, { month })
  const [sheet] = (await readXlsx((await file('xlsx')).bytes)) as unknown as { data: unknown[][] }[]
  const [head = [], ...lines] = sheet?.data ?? []
  const deposits = lines
    .filter(line => String(line[3]).startsWith('押金 '))
    .map(line => [line[3], line[4] ?? null, ...line.slice(11, 14).map(cell => cell ?? null)])
  assert.deepEqual(head.slice(11, 14), ['押金收入（元）', '押金支出（元）', '押金余额（元）'])
  assert.deepEqual(deposits, [
    ['押金 期初余额', null, null, null, 0],
    ...(section?.movements ?? []).map(({ name, count, income, spent }) => [
      ...[`押金 ${name}`, count, income / 100, spent / 100, null],
    ]),
    ['押金 合计', 4, 500, 500, null],
    ['押金 期末余额', null, null, null, 0],
  ])
  assert.ok(
    lines
      .filter(line => !String(line[3]).startsWith('押金 '))
      .every(line => line.slice(11, 14).every(cell => cell == null)),
    'no other line has amounts in their columns',
  )
  const { bytes } = await file('pdf')
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  if (!hasReader()) return
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes }).toString()
  for (const wanted of ['商户押金', '收入（元）', '500.00', '400.00', '100.00'])
    assert.ok(text.includes(wanted), `${wanted} in ${text}`)
})

test("the day's bill fits a deposit that went back in parts, part by part", async () => {
  const intent = await takenApart()
  const day = formatDay(new Date())
  const differences = async () => {
    const { id } = await till.one<{ id: string }>(
      `insert into payment_reconciliations (channel, day, status, wanted_at, ask_at) values ('wechat', $1, 'wanted', now(), now())
       on conflict (channel, day) do update set ask_at = now() - make_interval(secs => 1), asked = 0 returning id`,
      [day],
    )
    await till.work()
    const { status } = await till.one<{ status: string }>(
      'select status from payment_reconciliations where id = $1',
      [id],
    )
    assert.equal(status, 'done')
    const { rows } = await till.staff.paymentDesk.differences({ reconciliationId: Number(id), size: 100 })
    return rows.filter(({ outTradeNo }) => outTradeNo.startsWith(intent)).map(({ refundNo }) => refundNo)
  }
  assert.deepEqual(await differences(), [])
  const change = (by: number) =>
    till.office.owner.query('update payment_refunds set amount_fen = amount_fen + $2 where refund_no = $1', [
      ...[`${intent}WR2`, by],
    ])
  await change(1)
  assert.deepEqual(await differences(), [`${intent}WR2`], 'each part is compared on its own')
  await change(-1)
  assert.deepEqual(await differences(), [])
})
