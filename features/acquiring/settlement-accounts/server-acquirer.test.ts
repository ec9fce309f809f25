// The account that an acquirer settles to is changed at TianQue's simulator, which knows a change by its number and reviews it (issue: getting
// a shop paid).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS, SURROUNDINGS } from '#app/providers.ts'
import { makeAcquirerOnboarding, makeKnown } from '#features/acquiring/acquirer-onboardings/walk.ts'
import { makeDocument } from '#features/care/documents/walk.ts'
import { makeTianqueOnboarding } from '#providers/tianque/onboarding.ts'
import {
  makeTianqueKeys,
  startTianqueSimulator,
  type TianqueSimulator,
  tianqueSettings,
} from '#providers/tianque/simulator.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { changeAndAsk } from './server-service.ts'

const keys = makeTianqueKeys()
let simulator: TianqueSimulator
let office: Office
let staff: Client
let colleague: Client
let agent: MadeAgent
let me: Client
let shop: number
let code: string
let id: number
/** Of an account of the subject, and of its legal person. */
let permitId: number
let cardId: number
let made = 0

before(async () => {
  simulator = await startTianqueSimulator(keys, 0, { reviewMs: null })
  const tianque = makeTianqueOnboarding(tianqueSettings(keys, simulator.url), {
    ...SURROUNDINGS,
    timeoutMs: ANSWERED_WITHIN_MS,
  })
  office = await openOffice({ providers: { ...NO_PROVIDERS, acquirerOnboarding: { tianque } } })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  colleague = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(async () => {
  await office.stop()
  await simulator.stop()
})
beforeEach(async () => {
  await office.owner.query('update account_changes set next_at = null')
  simulator.control.faults.length = 0
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  permitId = (await makeKnown(office, agent, shop)).papers.permitId as number
  cardId = await makeDocument(office, { by: agent, merchantId: shop, kind: 'bankCard' })
  code = `39920000000${String(++made).padStart(4, '0')}`
  id = await makeAcquirerOnboarding(office, {
    ...{ agentId: agent.id, merchantId: shop, channel: 'tianque', code, category: '餐馆' },
    ...{ approvalState: 'approved', state: 'opened' },
  })
})

const NUMBER = '755900000020029'
const change = (more: object = {}, by = staff) =>
  by.settlementAccounts.changeAtAcquirer({
    ...{ id, payType: 'corporate', bankRegion: '440305', bankName: '招商银行', bankCode: '' },
    ...{ branchName: '科技园支行', branchNumber: '308584000013', accountNumber: NUMBER },
    documentId: permitId,
    ...more,
  })
const shown = () => me.settlementAccounts.ofAcquirer({ id })
const last = async () => (await shown()).changes[0] ?? assert.fail('there is none')
const there = () => simulator.changes().filter(one => one.mno === code)
const decide = (taskStatus: '5' | '6', suggestion = '') =>
  simulator.decideChange({ applicationId: there().at(-1)?.applicationId ?? '', taskStatus, suggestion })
/** What waits for its time is due now, and one round is done. */
async function work(): Promise<void> {
  await office.owner.query(
    `update account_changes set next_at = now() - interval '1 second' where next_at is not null`,
  )
  await changeAndAsk(office.app.services)
}
const titles = async (accountId = agent.accountId) =>
  (
    await office.owner.query('select title from notices where account_id = $1 order by id', [accountId])
  ).rows.map(({ title }) => title)

test('a change is handed in with its paper, reviewed and holds; its agent hears, and the number is nowhere to be read', async () => {
  await change()
  assert.equal(await refusalOf(change({}, colleague)), 'CHANGE_UNDER_WAY')
  await work()
  assert.equal((await last()).state, 'auditing')
  const { data } = there()[0] ?? assert.fail('none was handed in')
  assert.deepEqual(
    [data.actNo, data.actNm, data.actTyp, data.lbnkNo, typeof data.openingAccountLicensePic],
    [NUMBER, '老张面馆', '00', '308584000013', 'string'],
  )
  await work()
  assert.equal((await last()).state, 'auditing')
  decide('5')
  await work()
  const held = await last()
  assert.deepEqual([held.state, held.accountNumberMasked], ['done', '***********0029'])
  assert.deepEqual(await titles(), ['正在变更结算账户', '结算账户已变更'])
  const { rows } = await office.owner.query(
    `select account_number as kept, (select jsonb_agg(to_jsonb(l) - 'hash') from operation_logs l)::text as log
       from account_changes where acquirer_onboarding_id = $1`,
    [id],
  )
  assert.equal(rows[0].kept, null, 'once it has ended the number is not kept')
  assert.ok(!rows[0].log.includes(NUMBER))
  const history = await office.owner.query(
    `select 1 from operation_logs where title = '变更结算账户' and $1 = any (objects)`,
    [`acquirerOnboarding:${id}`],
  )
  assert.equal(history.rows.length, 2, 'who asked, and what came of it')
  assert.equal(
    (await shown()).papers.corporate.documentId,
    null,
    'its paper is the account before from now on',
  )
})

test('an account of the legal person goes with the ID card’s number and the bank card', async () => {
  await change({ payType: 'private', documentId: cardId })
  await work()
  const { data } = there()[0] ?? assert.fail('none was handed in')
  assert.deepEqual(
    [data.actTyp, data.actNm, data.stmManIdNo, typeof data.bankCardPositivePic],
    ['01', '张三', '11010519491231002X', 'string'],
  )
})

test('what the acquirer refuses is told in its words, to the agent and to staff, and another may be handed in', async () => {
  await change()
  await work()
  decide('6', '开户许可证与卡号不符')
  await work()
  assert.deepEqual([(await last()).state, (await last()).message], ['refused', '开户许可证与卡号不符'])
  assert.equal((await titles()).at(-1), '结算账户变更未生效')
  await change()
})

test('one that is refused at once is told, too: the acquirer has another under review', async () => {
  await change()
  await work()
  await office.owner.query(`update account_changes set state = 'refused', next_at = null`)
  await change()
  await work()
  assert.equal((await last()).state, 'refused')
  assert.match((await last()).message, /审核中，请勿重复提交/)
})

describe('a lost answer', () => {
  test('is asked again under the same number: one change', async () => {
    simulator.control.faults.push({ match: 'edit-merchant', times: 1, effect: { kind: 'reset-after' } })
    await change()
    await work()
    assert.equal((await last()).state, 'unclear')
    await work()
    assert.deepEqual([(await last()).state, there().length], ['auditing', 1])
  })

  test('of one that never comes is given up after a day, and not before', async () => {
    simulator.control.faults.push({ match: 'edit-merchant', times: 9, effect: { kind: 'reset-before' } })
    await change()
    await work()
    await work()
    assert.equal((await last()).state, 'unclear')
    await office.owner.query(`update account_changes set changed_at = changed_at - interval '25 hours'`)
    await work()
    assert.deepEqual([(await last()).state, there().length], ['refused', 0])
    assert.match((await last()).message, /请先到渠道后台核对/)
  })

  test('of a question leaves it as it stands', async () => {
    await change()
    await work()
    simulator.control.faults.push({
      match: 'query-modify',
      times: 1,
      effect: { kind: 'status', status: 502 },
    })
    await work()
    assert.equal((await last()).state, 'auditing')
    decide('5')
    await work()
    assert.equal((await last()).state, 'done')
  })
})

test('two of staff who press at once, and two programs: one change', async () => {
  const answers = await Promise.allSettled([change(), change({}, colleague)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await Promise.all([work(), changeAndAsk(office.app.services)])
  await work()
  assert.equal(there().length, 1)
})

test('is refused at its field', async () => {
  const cases: [more: object, field: string][] = [
    [{ accountNumber: '12' }, 'accountNumber'],
    [{ branchNumber: '1' }, 'branchNumber'],
    [{ bankRegion: '990000' }, 'bankRegion'],
    [{ documentId: null }, 'documentId'],
    [{ documentId: cardId }, 'documentId'],
    [{ payType: 'private', documentId: permitId }, 'documentId'],
  ]
  for (const [more, field] of cases) await assert.rejects(change(more), { data: { field } }, field)
  await office.owner.query(
    `update acquirer_onboardings set papers = jsonb_build_object('accountPermit', $2::bigint) where id = $1`,
    [id, permitId],
  )
  assert.equal(await refusalOf(change()), 'PAPER_OLD')
  assert.equal((await shown()).papers.corporate.documentId, null)
  await office.owner.query(`update verifications set company = '' where merchant_id = $1`, [shop])
  await assert.rejects(change(), { code: 'HOLDER_UNKNOWN', data: { field: 'payType' } })
})

test('nothing is changed of a shop that is not open there, that is put aside, or whose acquirer is not spoken to', async () => {
  for (const [set, refused] of [
    [`state = 'sent'`, 'NOT_OPENED'],
    [`state = 'opened', is_active = false`, 'NOT_OPENED'],
    [`is_active = true, channel = 'xl'`, 'NOT_CONNECTED'],
  ] as const) {
    await office.owner.query(`update acquirer_onboardings set ${set} where id = $1`, [id])
    assert.equal(await refusalOf(change()), refused)
  }
})

test('who may not decide changes no account', async () => {
  assert.equal(await refusalOf(change({}, me)), 'FORBIDDEN')
})

test('a change at the payment service and one at an acquirer do not wait for each other', async () => {
  await office.owner.query(
    `insert into account_changes (agent_id, merchant_id, application_id, channel, merchant_code, pay_type, holder, bank_region, bank_name, bank_code,
       branch_name, branch_number, account_number_masked, state, requested_by_name, requested_at, changed_at)
     select agent_id, merchant_id, id, 'wechat', '1', 'corporate', '', '', '', '', '', '', '', 'auditing', '', now(), now()
       from payment_applications where merchant_id = $1`,
    [shop],
  )
  await change()
})
