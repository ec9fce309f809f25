// Recharges that nobody paid: the list says that they have ended, and a late payment still completes them.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import readXlsx from 'read-excel-file/node'
import type { SmsOrderStatus } from '#features/sales/sms/rules.ts'
import type { Client } from '#test/app.ts'
import { openTill, type Till } from '#test/make-payments.ts'

let till: Till

before(async () => {
  till = await openTill()
})
after(() => till.stop())

const rowOf = async (orderNo: string, client: Client = till.me) =>
  (await client.smsDesk.orders({ search: orderNo })).rows[0]
const listed = async (status: SmsOrderStatus, client: Client = till.me) => {
  const answer = await client.smsDesk.orders({ status, agentId: till.agent.id })
  assert.equal(answer.total, answer.rows.length)
  return answer.rows.map(row => row.orderNo)
}

test('an abandoned recharge is shown as ended, in the filter, the totals and the file; the open one waits', async () => {
  const left = await till.me.payments.startSms({ pieces: 100 })
  const open = await till.me.payments.startSms({ pieces: 200 })
  assert.equal((await rowOf(left.orderNo))?.status, 'quoted')
  await till.end(left.queryId)
  for (const step of ['its time is over', 'it was closed']) {
    if (step === 'it was closed') await till.work()
    for (const client of [till.me, till.staff]) {
      assert.equal((await rowOf(left.orderNo, client))?.status, 'ended', step)
      assert.deepEqual(await listed('ended', client), [left.orderNo], step)
      assert.deepEqual(await listed('quoted', client), [open.orderNo], step)
      assert.deepEqual(await listed('paid', client), [], step)
    }
  }
  const { total, paidFen, totalPieces } = await till.me.smsDesk.orders({ unpaid: true })
  assert.deepEqual([total, paidFen, totalPieces], [2, 0, 0])
  assert.deepEqual(await file('status=ended'), [
    ['订单号', '状态'],
    [left.orderNo, '已失效'],
  ])
  assert.deepEqual(await file('status=quoted'), [
    ['订单号', '状态'],
    [open.orderNo, '待支付'],
  ])
})

test('what was opened and left is folded away from rows, totals and file, unless it is asked for', async () => {
  const left = await till.me.payments.startSms({ pieces: 70 })
  const open = await till.me.payments.startSms({ pieces: 80 })
  const numbers = async (filters: Parameters<Client['smsDesk']['orders']>[0]) => {
    const { rows, total } = await till.me.smsDesk.orders(filters)
    assert.equal(total, rows.length)
    return rows.map(row => row.orderNo)
  }
  assert.ok((await numbers({})).includes(left.orderNo), 'it may still be paid')
  await till.end(left.queryId)
  const shown = await numbers({})
  assert.ok(shown.includes(open.orderNo) && !shown.includes(left.orderNo))
  for (const filters of [{ unpaid: true }, { status: 'ended' }, { search: left.orderNo }] as const)
    assert.ok((await numbers(filters)).includes(left.orderNo), JSON.stringify(filters))
  const inFile = async (query: string) => (await file(query)).flat()
  assert.ok(!(await inFile('')).includes(left.orderNo))
  assert.ok((await inFile('unpaid=true')).includes(left.orderNo))
})

test('a payment that failed on every channel has ended before its time', async () => {
  const { orderNo, queryId } = await till.me.payments.startSms({ pieces: 10 })
  await till.office.owner.query(`update payment_intents set status = 'failed' where id = $1`, [queryId])
  assert.equal((await rowOf(orderNo))?.status, 'ended')
})

test('a payment after the end still completes the order', async () => {
  const before = await till.me.ledger.wallet()
  const { orderNo, queryId } = await till.me.payments.startSms({ pieces: 300 })
  await till.open(queryId, 'wechat')
  await till.end(queryId)
  assert.equal((await rowOf(orderNo))?.status, 'ended')
  await till.pay(queryId, 'wechat', { late: true })
  await till.work()
  const row = await rowOf(orderNo)
  assert.deepEqual([row?.status, row?.payMethod, row?.smsAfter], ['paid', 'wechat', before.sms + 300])
  assert.equal((await till.me.ledger.wallet()).sms, before.sms + 300)
  assert.ok((await listed('paid')).includes(orderNo))
  assert.ok(!(await listed('ended')).includes(orderNo))
  await till.office.verifyLedger()
})

async function file(query: string): Promise<unknown[][]> {
  const answer = await till.office.app.http.inject({
    url: `/api/sms/orders.xlsx?${query}&columns=orderNo,status`,
    headers: { cookie: await till.office.login(till.agent.loginName) },
  })
  assert.equal(answer.statusCode, 200)
  const sheets = (await readXlsx(answer.rawPayload)) as unknown as { data?: unknown[][] }[]
  return sheets[0]?.data ?? (sheets as unknown as unknown[][])
}

test('a refunded recharge is yuan in the sums, and among the changes with who refunded it and why', async () => {
  const { queryId, orderNo } = await till.me.payments.startSms({ packageId: 1 })
  await till.open(queryId, 'alipay')
  await till.pay(queryId, 'alipay')
  await till.work()
  await till.staff.paymentDesk.refund({ id: queryId, reason: '客户要求退款' })
  await till.refunded()
  const { totalCents, recycledCents, paidFen, refundedFen, recycledPieces } = await till.me.smsDesk.orders({
    search: orderNo,
  })
  assert.deepEqual(
    [totalCents, recycledCents, paidFen, refundedFen, recycledPieces],
    [0, 0, 20_000, 20_000, 4_000],
  )
  const [change] = (await till.me.smsDesk.changes({ kind: 'refunded' })).rows
  const operator = await till.one('select name from accounts where id = $1', [till.operator.accountId])
  assert.deepEqual(
    [
      change?.orderNo,
      change?.kind,
      change?.totalCents,
      change?.refundFen,
      change?.createdByName,
      change?.remark,
    ],
    [orderNo, 'refunded', null, 20_000, operator.name, '客户要求退款'],
  )
  assert.deepEqual((await till.me.smsDesk.changes({ kind: 'withdrawn' })).rows, [])
})
