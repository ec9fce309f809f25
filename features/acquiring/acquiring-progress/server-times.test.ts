// Days from papers to being paid and first tries, through the router: what a period counts, of whom, and what is kept once.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { makeAcquirerOnboarding } from '#features/acquiring/acquirer-onboardings/walk.ts'
import { makeApplication } from '#features/acquiring/payment-applications/walk.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
let staff: Client
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice({ on: '2026-11-18' })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
})

const NOBODYS = { opened: 0, medianDays: null, p90Days: null, paid: 0, paidMedianDays: null }
/** Of November; noon in Shanghai. */
const day = (of: number) => `2026-11-${String(of).padStart(2, '0')}T04:00:00.000Z`
const shopOf = (of = agent, more = {}) => makeMerchant(office, of.id, more)

/** Handed in on a day, and accepted on another. */
async function opened(from: number, to: number, of = agent, merchantId?: number) {
  const at = { savedAt: day(from), submittedAt: day(from), handledAt: day(from), reviewedAt: day(to) }
  return makeApplication(office, {
    ...{ agentId: of.id, merchantId: merchantId ?? (await shopOf(of)), ...at },
    ...{ state: 'approved', reviewState: 'accepted' },
  })
}

/** Brought in on a day, and handed over on another. */
async function handedOver(from: number, to: number) {
  return makeAcquirerOnboarding(office, {
    ...{ agentId: agent.id, merchantId: await shopOf(), channel: 'tianque', createdAt: day(from) },
    ...{ approvalState: 'approved', state: 'opened', submittedAt: day(from), handledAt: day(from) },
    ...{ openedAt: day(to), code: `M${from}${to}${agent.id}`, handedOverCode: `M${from}${to}${agent.id}` },
    handedOverAt: day(to),
  })
}

async function paid(onboardingId: number, on: number) {
  const { rows } = await office.owner.query(
    `insert into acquirer_test_payments (agent_id, merchant_id, onboarding_id, state, code, order_no, started_by_name, created_at, expires_at)
     select agent_id, merchant_id, id, 'waiting', code, $3, '王小明', $2::timestamptz, $2::timestamptz
       from acquirer_onboardings where id = $1 returning id`,
    [onboardingId, day(on), `TEST${onboardingId}-${on}`],
  )
  await office.owner.query(
    `update acquirer_test_payments set state = 'refunded', paid_at = $2 where id = $1`,
    [rows[0].id, day(on)],
  )
}

test('tells median and nine of ten of what was opened in the period, by channel, and counts nothing that is open still', async () => {
  for (const [from, to] of [
    [1, 2],
    [1, 4],
    [1, 6],
  ] as const)
    await opened(from, to)
  const acquirer = await handedOver(2, 12)
  await paid(acquirer, 14)
  await paid(acquirer, 15)
  // Still to be decided, and never handed in.
  await makeApplication(office, {
    ...{ agentId: agent.id, merchantId: await shopOf(), state: 'pending' },
    ...{ savedAt: day(1), submittedAt: day(1) },
  })
  await makeApplication(office, { agentId: agent.id, merchantId: await shopOf() })
  const told = await me.acquiringProgress.times({})
  assert.deepEqual(told.now, { from: '2026-11-01', to: '2026-11-18' })
  assert.deepEqual(told.total, {
    ...{ opened: 4, medianDays: 4, p90Days: 8.5, paid: 1, paidMedianDays: 12 },
    ...{ decided: 4, refused: 0 },
  })
  assert.deepEqual(
    told.rows.map(({ name, opened: count, medianDays, p90Days }) => [name, count, medianDays, p90Days]),
    [
      ['支付服务', 3, 3, 4.6],
      ['随行付天阙', 1, 10, 10],
    ],
  )
  assert.deepEqual([told.causes, told.rowsCapped], [[], false])
})

test('a period holds the days that it names, in Shanghai, and says so when it is empty', async () => {
  const first = new Date('2026-10-31T16:00:00.000Z').toISOString()
  for (const reviewedAt of ['2026-10-31T15:59:59.999Z', first])
    await makeApplication(office, {
      ...{ agentId: agent.id, merchantId: await shopOf(), state: 'approved', reviewState: 'accepted' },
      ...{ savedAt: '2026-10-30T04:00:00.000Z', submittedAt: '2026-10-30T04:00:00.000Z' },
      ...{ handledAt: '2026-10-30T04:00:00.000Z', reviewedAt },
    })
  const count = async (asked: Parameters<Client['acquiringProgress']['times']>[0]) =>
    (await me.acquiringProgress.times(asked)).total.opened
  assert.equal(await count({ month: '2026-11' }), 1)
  assert.equal(await count({ month: '2026-10' }), 1)
  assert.equal(await count({ month: '2026-10', period: 'quarter' }), 2)
  assert.equal(await count({ period: 'year' }), 2)
  const none = await me.acquiringProgress.times({ month: '2026-03' })
  assert.deepEqual([none.total, none.rows], [{ ...NOBODYS, decided: 0, refused: 0 }, []])
})

describe('a first try', () => {
  test('that is refused and then accepted counts as refused once, from its first papers, with why', async () => {
    const id = await makeApplication(office, {
      ...{ agentId: agent.id, merchantId: await shopOf(), state: 'pending' },
      ...{ savedAt: day(2), submittedAt: day(2) },
    })
    await staff.paymentApplications.reject({
      id,
      revision: 1,
      reasons: { licenceId: '“老张面馆”的执照看不清', phone: '打不通' },
    })
    const refused = await me.acquiringProgress.times({})
    assert.deepEqual(refused.total, { ...NOBODYS, decided: 1, refused: 1 })
    // Handed in anew, refused anew with another reason, handed in anew and accepted.
    const resubmit = (revision: number) =>
      office.owner.query(
        `update payment_applications set state = 'pending', revision = $2, submitted_at = $3 where id = $1`,
        [id, revision, day(10)],
      )
    await resubmit(3)
    await staff.paymentApplications.reject({ id, revision: 3, reasons: { email: '不是本人的邮箱' } })
    await resubmit(5)
    await staff.paymentApplications.approve({ id, revision: 5 })
    await staff.paymentApplications.review({ id, revision: 6, reviewState: 'accepted', reviewNote: '' })
    const { total, causes } = await me.acquiringProgress.times({})
    assert.deepEqual([total.opened, total.decided, total.refused], [1, 1, 1])
    const { rows } = await office.owner.query(
      `select extract(epoch from $2::timestamptz - submitted_at) as waited from acquiring_progress where source_id = $1 and kind = 'application'`,
      [id, day(18)],
    )
    assert.equal(Number(rows[0].waited) / 86_400, 16)
    assert.ok((total.medianDays ?? 0) > 14)
    // In the words of other shops to nobody but staff.
    assert.deepEqual(causes, [
      { causeId: null, label: '联系电话', reason: '', times: 1 },
      { causeId: null, label: '营业执照', reason: '', times: 1 },
    ])
    const told = await staff.acquiringProgress.times({})
    assert.ok(
      told.causes.some(({ causeId, reason }) => causeId !== null && reason === '“老张面馆”的执照看不清'),
    )
    assert.ok(!told.causes.some(({ reason }) => reason === '不是本人的邮箱'))
  })

  test('that an acquirer refuses counts as well', async () => {
    const id = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: await shopOf(), channel: 'xl', createdAt: day(1) },
      ...{ approvalState: 'approved', state: 'sent', submittedAt: day(1), handledAt: day(2), sentAt: day(3) },
    })
    await staff.acquirerOnboardings.refuse({ id, revision: 1, reasons: { other: '结算户名不一致' } })
    const { total, rows } = await me.acquiringProgress.times({})
    assert.deepEqual([total.decided, total.refused, rows[0]?.name], [1, 1, 'XL 收单'])
  })
})

describe('nobody is told of others', () => {
  test('an agent of its own shops alone, who manages some of its own of these; staff of all, by agent and reviewer', async () => {
    const stranger = await makeAgent(office)
    const theirs = office.as(await office.login(stranger.loginName))
    const { accountId, loginName } = await makeAccount(office, agent.id, {
      nodeIds: [1060],
      dataScope: 'own',
    })
    const mine = await shopOf(agent, { manager_id: accountId })
    await opened(1, 3, agent, mine)
    await opened(1, 7)
    assert.equal((await me.acquiringProgress.times({})).total.opened, 2)
    assert.deepEqual((await theirs.acquiringProgress.times({})).total, {
      ...{ ...NOBODYS, decided: 0, refused: 0 },
    })
    const ownShops = office.as(await office.login(loginName))
    const own = await ownShops.acquiringProgress.times({ by: 'reviewer' })
    assert.deepEqual([own.total.opened, own.total.medianDays], [1, 2])
    assert.deepEqual(
      own.rows.map(({ key, name }) => [key, name]),
      [['李四', '李四']],
    )
    assert.equal(await refusalOf(me.acquiringProgress.times({ by: 'agent' })), 'INPUT_INVALID')
    const all = await staff.acquiringProgress.times({ by: 'agent' })
    const row = all.rows.find(({ key }) => key === String(agent.id))
    assert.deepEqual([row?.opened, row?.medianDays], [2, 4])
    assert.ok(row?.name)
  })
})
