// One fen through a configuration that was handed over, with TianQue's simulator: green with a right key, the reason with a wrong one, and
// nothing paid that does not come back.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS, SURROUNDINGS } from '#app/providers.ts'
import type { AcquirerDesk } from '#kit/ports/acquirer-pay.ts'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import { makeTianque } from '#providers/tianque/client.ts'
import {
  makeTianqueKeys,
  startTianqueSimulator,
  type TianqueSimulator,
  tianqueSettings,
} from '#providers/tianque/simulator.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { TESTING } from './rules.ts'
import { tryPayments } from './server-test-rounds.ts'
import { makeAcquirerOnboarding, offerMethod } from './walk.ts'

const keys = makeTianqueKeys()
const surroundings = { ...SURROUNDINGS, timeoutMs: ANSWERED_WITHIN_MS }
let simulator: TianqueSimulator
let right: AcquirerDesk
let wrong: AcquirerDesk
/** Which the product speaks through at the moment. */
let through: AcquirerDesk
let office: Office
let staff: Client
let agent: MadeAgent
let id: number
let mno: string

before(async () => {
  simulator = await startTianqueSimulator(keys)
  const settings = tianqueSettings(keys, simulator.url)
  right = makeTianque(settings, surroundings)
  wrong = makeTianque({ ...settings, privateKey: makeTianqueKeys().orgPrivateKey }, surroundings)
  const tianque: AcquirerDesk = {
    create: order => through.create(order),
    query: (...of) => through.query(...of),
    close: (...of) => through.close(...of),
    refund: of => through.refund(of),
    queryRefund: (...of) => through.queryRefund(...of),
    troubleOf: error => through.troubleOf(error),
  }
  office = await openOffice({ providers: { ...NO_PROVIDERS, acquirers: { tianque } } })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(async () => {
  await office.stop()
  await simulator.stop()
})
beforeEach(async () => {
  await office.owner.query('update acquirer_test_payments set next_at = null')
  through = right
  agent = await makeAgent(office)
  const merchantId = await makeMerchant(office, agent.id)
  mno = `399${String(merchantId).padStart(12, '0')}`
  id = await makeAcquirerOnboarding(office, {
    ...{ agentId: agent.id, merchantId, channel: 'tianque', approvalState: 'approved' },
    ...{ state: 'opened', code: mno },
  })
  await offerMethod(office, agent.id, 'tianque')
  await staff.acquirerOnboardings.handOver({ id, revision: 1 })
})

const latest = async () => {
  const { testPayments } = await staff.acquirerOnboardings.details({ id })
  return testPayments[0] ?? assert.fail('there is none')
}
const round = async () => {
  // A column of milliseconds may round up what is now.
  await office.owner.query(
    `update acquirer_test_payments set next_at = now() - interval '1 second' where next_at is not null`,
  )
  await tryPayments(office.app.services)
}
const orders = () => simulator.orders().filter(one => one.mno === mno)
const waiting = async () =>
  (await staff.inbox.list({ size: 100 })).rows.filter(
    ({ source }) => source === 'acquirer-onboardings.testPayment',
  )

async function paid(): Promise<void> {
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  simulator.payCode((await latest()).codeUrl)
  await round()
}

test('with a right key it is paid, goes back at once and is green, once however often it is pressed', async () => {
  const both = await Promise.all([
    staff.acquirerOnboardings.testPay({ id }),
    staff.acquirerOnboardings.testPay({ id }),
  ])
  assert.equal(both[0].testPaymentId, both[1].testPaymentId)
  await round()
  const shown = await latest()
  assert.deepEqual([shown.state, orders().length, orders()[0]?.amt], ['waiting', 1, '0.01'])
  simulator.payCode(shown.codeUrl)
  await round()
  await round()
  const { state, reason, paidAt, refundedAt, codeUrl } = await latest()
  assert.deepEqual([state, reason, codeUrl], ['refunded', '', ''])
  assert.ok(paidAt && refundedAt)
  assert.deepEqual(
    orders()[0]?.refunds.map(one => [one.amt, one.state]),
    [['0.01', 'REFUNDSUC']],
  )
  const { rows } = await office.owner.query(
    `select count(*)::int as n from operation_logs where title = '登记测试支付' and subject like '%' || $1 || '%'`,
    [(await staff.acquirerOnboardings.details({ id })).merchantId],
  )
  assert.ok(rows[0].n >= 3)
  assert.deepEqual(await waiting(), [])
})

test('with a wrong key it fails and says so, and may be tried again', async () => {
  through = wrong
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  const { state, reason, codeUrl } = await latest()
  assert.deepEqual([state, codeUrl], ['failed', ''])
  assert.match(reason, /^签名校验失败，请检查密钥/)
  assert.deepEqual(orders(), [])
  through = right
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  assert.equal((await latest()).state, 'waiting')
})

test('a number that the acquirer does not know is told', async () => {
  simulator.setMerchant(mno, 'unknown')
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  assert.match((await latest()).reason, /请核对商户编号/)
})

test('an order whose answer was lost is ended, since nobody has its code', async () => {
  const lost = () => Promise.reject(new ProviderUnknown('time-out'))
  through = {
    ...right,
    create: async order => {
      await right.create(order)
      return lost()
    },
  }
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  await round()
  assert.match((await latest()).reason, /没有应答/)
  assert.deepEqual(
    orders().map(({ state }) => state),
    ['CLOSED'],
  )
})

test('a refund whose answer was lost is one refund', async () => {
  await paid()
  through = {
    ...right,
    refund: async of => {
      await right.refund(of)
      throw new ProviderUnknown('time-out')
    },
  }
  await round()
  assert.equal((await latest()).state, 'paid')
  through = right
  await round()
  assert.deepEqual([(await latest()).state, orders()[0]?.refunds.length], ['refunded', 1])
})

test('what is paid and does not come back is asked for until it does, and staff are told meanwhile', async () => {
  await paid()
  through = { ...right, queryRefund: () => Promise.reject(new ProviderUnknown('time-out')) }
  for (let tried = 0; tried < TESTING.silentRounds; tried++) await round()
  assert.equal((await latest()).state, 'paid')
  assert.equal((await waiting()).length, 1)
  through = right
  simulator.setNextRefund('failed')
  await round()
  assert.match((await latest()).reason, /退款失败/)
  await round()
  assert.equal((await latest()).state, 'refunded')
  assert.deepEqual(await waiting(), [])
})

test('what nobody pays in time ends, and so does what failed on the phone', async () => {
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  await office.owner.query(`update acquirer_test_payments set expires_at = now() - interval '1 minute'`)
  await round()
  await round()
  assert.match((await latest()).reason, /没有人付款/)
  await staff.acquirerOnboardings.testPay({ id })
  await round()
  simulator.payCode((await latest()).codeUrl, 'failed')
  await round()
  assert.match((await latest()).reason, /付款失败/)
})

test('is refused in words before the hand-over, while the shop is paid otherwise, and where no interface is', async () => {
  const merchantId = await makeMerchant(office, agent.id)
  const of = { agentId: agent.id, merchantId, approvalState: 'approved', state: 'opened' } as const
  const bare = await makeAcquirerOnboarding(office, {
    ...of,
    channel: 'tianque',
    code: `${mno.slice(0, -1)}x`,
  })
  assert.equal(await refusalOf(staff.acquirerOnboardings.testPay({ id: bare })), 'TEST_NOT_HANDED_OVER')
  const code = `XL${String(merchantId).padStart(10, '0')}`
  const xl = await makeAcquirerOnboarding(office, { ...of, channel: 'xl', code })
  await offerMethod(office, agent.id, 'xl')
  await staff.acquirerOnboardings.handOver({ id: xl, revision: 1, secret: 'k'.repeat(32) })
  assert.equal(await refusalOf(staff.acquirerOnboardings.testPay({ id: xl })), 'TEST_NOT_CONNECTED')
  await office.owner.query('update merchants set payment_method_id = 2 where id = $1', [merchantId])
  assert.equal(await refusalOf(staff.acquirerOnboardings.testPay({ id: xl })), 'TEST_PAID_OTHERWISE')
  const me = office.as(await office.login(agent.loginName))
  assert.equal(await refusalOf(me.acquirerOnboardings.testPay({ id })), 'FORBIDDEN')
})

describe('what the acquirer never brings back', () => {
  let other: Client
  let testPaymentId: number
  before(async () => {
    other = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  })
  const silent = () => Promise.reject(new ProviderUnknown('time-out'))
  const settleReason = '渠道后台显示已原路退回'
  beforeEach(async () => {
    await paid()
    testPaymentId = (await latest()).id
  })
  async function stick(): Promise<void> {
    through = { ...right, queryRefund: silent }
    for (let tried = 0; tried < TESTING.silentRounds; tried++) await round()
  }

  test('is seen to by hand by one, looked at by another, and then waits for nobody', async () => {
    const of = { id, testPaymentId }
    assert.equal(
      await refusalOf(staff.acquirerOnboardings.settleTest({ ...of, settleReason })),
      'TEST_NOT_STUCK',
    )
    await stick()
    await assert.rejects(staff.acquirerOnboardings.settleTest({ ...of, settleReason: ' ' }), {
      data: { field: 'settleReason' },
    })
    await staff.acquirerOnboardings.settleTest({ ...of, settleReason })
    assert.equal(
      await refusalOf(other.acquirerOnboardings.settleTest({ ...of, settleReason })),
      'TEST_SETTLING',
    )
    const check = (who: Client, isRight = true) => who.acquirerOnboardings.checkTest({ ...of, isRight })
    assert.equal(await refusalOf(check(staff)), 'TEST_SETTLED_BY_YOU')
    assert.match((await waiting())[0]?.detail ?? '', /登记人工处理，待复核/)
    // Not right: it is open again, also for whoever looked.
    await check(other, false)
    assert.deepEqual([(await latest()).state, (await latest()).settledByName], ['paid', ''])
    assert.equal(await refusalOf(check(other)), 'TEST_NOT_SETTLING')
    await staff.acquirerOnboardings.settleTest({ ...of, settleReason })
    await office.owner.query(`update acquirer_test_payments set claim = 'another' where id = $1`, [
      testPaymentId,
    ])
    assert.equal(await refusalOf(check(other)), 'TEST_ASKED_NOW')
    await office.owner.query(`update acquirer_test_payments set claim = '' where id = $1`, [testPaymentId])
    await check(other)
    const done = await latest()
    assert.deepEqual([done.state, done.settleReason], ['settled', settleReason])
    assert.ok(done.settledByName && done.settledAt && done.checkedByName && done.checkedAt)
    assert.deepEqual(await waiting(), [])
    through = right
    await round()
    assert.equal(orders()[0]?.refunds.length, 0, 'nothing is asked for any more')
    await staff.acquirerOnboardings.testPay({ id })
    const { rows } = await office.owner.query(
      `select changes::text from operation_logs where title = '复核测试支付人工处理' and changes::text like '%复核通过%'`,
    )
    assert.equal(rows.length, 1)
    const me = office.as(await office.login(agent.loginName))
    assert.equal(await refusalOf(me.acquirerOnboardings.checkTest({ ...of, isRight: true })), 'FORBIDDEN')
  })

  test('and comes back after all before another has looked: that is what it is then', async () => {
    await stick()
    await staff.acquirerOnboardings.settleTest({ id, testPaymentId, settleReason })
    through = right
    await round()
    const { state, settleReason: left } = await latest()
    assert.deepEqual([state, left, await waiting()], ['refunded', '', []])
    const late = other.acquirerOnboardings.checkTest({ id, testPaymentId, isRight: true })
    assert.equal(await refusalOf(late), 'TEST_NOT_SETTLING')
  })
})

describe('a program that dies at a call', () => {
  /** Nothing of what it asked is ever written; its claim ends by itself. */
  async function dieAt(call: 'create' | 'query' | 'queryRefund' | 'refund', when: 'before' | 'after') {
    const { promise, resolve } = Promise.withResolvers<void>()
    const dying = async (...of: never[]) => {
      if (when === 'after') await (right[call] as (...of: never[]) => Promise<unknown>)(...of)
      resolve()
      return Promise.race<never>([])
    }
    through = { ...right, [call]: dying }
    void round()
    await promise
    through = right
  }
  const refunds = () => orders().flatMap(one => one.refunds)

  test('between the order and its answer leaves one order, which is closed, and the next is another', async () => {
    await staff.acquirerOnboardings.testPay({ id })
    await dieAt('create', 'after')
    await round()
    assert.deepEqual([(await latest()).state, orders().map(({ state }) => state)], ['failed', ['CLOSED']])
    await staff.acquirerOnboardings.testPay({ id })
    await dieAt('create', 'before')
    await round()
    assert.deepEqual([(await latest()).state, orders().length], ['failed', 1])
  })

  test('anywhere between being paid and the answer to the refund leaves one refund', async () => {
    await staff.acquirerOnboardings.testPay({ id })
    await round()
    simulator.payCode((await latest()).codeUrl)
    for (const call of ['query', 'queryRefund', 'refund'] as const)
      for (const when of ['before', 'after'] as const) {
        await dieAt(call, when)
        if (call === 'query' && when === 'after') await round()
      }
    await round()
    assert.deepEqual([(await latest()).state, orders().length, refunds().length], ['refunded', 1, 1])
  })
})
