// The same refusals of several shops, brought together, and what staff advise (issue: getting a shop paid).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { makeApplication, makePapers, WHOLE } from '#features/acquiring/payment-applications/walk.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
let staff: Client
let agents: { agent: MadeAgent; me: Client; shop: number; id: number }[]
let word: string
let made = 0

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  // Each test has causes of its own.
  word = '甲乙丙丁戊己庚辛'[made++] ?? assert.fail('more words')
  agents = []
  for (const _ of [1, 2]) {
    const agent = await makeAgent(office)
    const shop = await makeMerchant(office, agent.id)
    const papers = await makePapers(office, agent, shop)
    const id = await makeApplication(office, {
      ...{ agentId: agent.id, merchantId: shop, state: 'pending' },
      ...WHOLE,
      ...papers,
    })
    agents.push({ agent, me: office.as(await office.login(agent.loginName)), shop, id })
  }
})

const rejectAll = async (reasonOf: (at: number) => string) => {
  for (const [at, { id }] of agents.entries())
    await staff.paymentApplications.reject({ id, revision: 1, reasons: { email: reasonOf(at) } })
}
const causes = async (more: object = {}) =>
  (await staff.refusals.causes({ search: word, ...more })).rows.map(
    ({ label, refusedBy, waiting, times }) => ({
      ...{ label, refusedBy, waiting, times },
    }),
  )
const idOf = async () => (await staff.refusals.causes({ search: word })).rows[0]?.id ?? assert.fail('none')
const handInAgain = async ({ me, shop }: (typeof agents)[number]) => {
  const { revision, papers } = await me.paymentApplications.ofShop({ merchantId: shop })
  const ids = Object.fromEntries(papers.map(({ name, id }) => [name, id]))
  return me.paymentApplications.submit({ merchantId: shop, revision, ...WHOLE, ...ids })
}

test('what differs by shop alone is one cause, and its shops are told until they have handed in anew', async () => {
  await rejectAll(at => `邮箱“shop${at}@example.com”收不到${word}类邮件`)
  const one = { label: '联系邮箱', refusedBy: 'staff', times: 2 }
  assert.deepEqual(await causes(), [{ ...one, waiting: 2 }])
  const [first, second] = agents
  assert.ok(first && second)
  await handInAgain(first)
  assert.deepEqual(await causes(), [{ ...one, waiting: 1 }])
  const { shops } = await staff.refusals.details({ id: await idOf() })
  assert.deepEqual(
    shops.map(({ merchantId, applicationId }) => ({ merchantId, applicationId })),
    [{ merchantId: second.shop, applicationId: second.id }],
  )
  await handInAgain(second)
  assert.deepEqual(await causes({ waits: true }), [])
  assert.deepEqual(await causes({ waits: false }), [{ ...one, waiting: 0 }])
})

test('a shop that is refused the same again waits once, and is counted each time', async () => {
  await rejectAll(() => `${word}：邮箱有误`)
  const [first] = agents
  assert.ok(first)
  const { revision } = await handInAgain(first)
  await staff.paymentApplications.reject({
    id: first.id,
    revision,
    reasons: { email: `${word}，邮箱有误。` },
  })
  assert.deepEqual(await causes(), [{ label: '联系邮箱', refusedBy: 'staff', waiting: 2, times: 3 }])
})

test('advice stands with the refused field of every shop, as long as it is to be mended', async () => {
  await rejectAll(() => `${word}：邮箱有误`)
  const id = await idOf()
  await staff.refusals.advise({ id, revision: 0, advice: '请填写常用邮箱' })
  assert.equal(await refusalOf(staff.refusals.advise({ id, revision: 0, advice: '旧' })), 'STALE')
  assert.equal(
    await refusalOf(staff.refusals.advise({ id, revision: 1, advice: '长'.repeat(301) })),
    'INPUT_INVALID',
  )
  for (const one of agents) {
    const { advice } = await one.me.paymentApplications.ofShop({ merchantId: one.shop })
    assert.deepEqual(advice, [{ field: 'email', advice: '请填写常用邮箱' }])
    await handInAgain(one)
    assert.deepEqual((await one.me.paymentApplications.details({ id: one.id })).advice, [])
  }
})

test('what the service refused is told apart, and is past once a reviewer lets it go on', async () => {
  const [first] = agents
  assert.ok(first)
  const { id } = first
  let { revision } = await staff.paymentApplications.approve({ id, revision: 1 })
  const note = `${word}：主体信息有误`
  ;({ revision } = await staff.paymentApplications.review({
    ...{ id, revision, reviewState: 'rejected', reviewNote: note },
  }))
  assert.deepEqual(await causes(), [{ label: '其他', refusedBy: 'service', waiting: 1, times: 1 }])
  await staff.paymentApplications.review({ id, revision, reviewState: 'accepting' })
  assert.deepEqual(await causes({ waits: true }), [])
})

test('refusals go along with a shop that moves', async () => {
  await rejectAll(() => `${word}：邮箱有误`)
  const [first, second] = agents
  assert.ok(first && second)
  await office.owner.query('update merchants set agent_id = $1 where id = $2', [second.agent.id, first.shop])
  await staff.refusals.advise({ id: await idOf(), revision: 0, advice: '请核对' })
  const { advice } = await second.me.paymentApplications.ofShop({ merchantId: first.shop })
  assert.deepEqual(advice, [{ field: 'email', advice: '请核对' }])
})
