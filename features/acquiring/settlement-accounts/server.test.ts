// The account that a shop's money is settled to is changed at the payment service, whose simulator decrypts and counts (issue: getting a
// shop paid).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import { makeOnboarding } from '#features/acquiring/onboardings/walk.ts'
import { makeVerification } from '#features/care/verification/walk.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import { ProviderBusy, ProviderUnknown } from '#kit/ports/providers.ts'
import { makeWechatPayKeys } from '#providers/wechat-pay/simulator.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { anIndividual, uploadAll } from '#test/wechat-onboarding.ts'
import { openWechatPay } from '#test/wechat-pay.ts'
import { changeAndAsk } from './server-service.ts'

const opened = await openWechatPay(makeWechatPayKeys(), {
  ...{ reviewMs: 0, signingMs: 0, changeMs: 0, callsASecond: Number.POSITIVE_INFINITY },
})
const real = opened.desk()
let sent = 0
/** What comes of the next change that is handed in, in place of its answer. */
let lose: { when: 'before' | 'after'; end: () => Promise<never> } | null = null
const desk: OnboardingDesk = {
  ...real,
  async changeAccount(...asked) {
    sent++
    const lost = lose
    lose = null
    if (lost?.when === 'before') return lost.end()
    const answer = await real.changeAccount(...asked)
    return lost ? lost.end() : answer
  },
}
const unanswered = () => Promise.reject(new ProviderUnknown('time-out'))

let office: Office
let staff: Client
let agent: MadeAgent
let me: Client
let id: number

before(async () => {
  office = await openOffice({ providers: { ...NO_PROVIDERS, onboarding: desk } })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(async () => {
  await office.stop()
  await opened.simulator.stop()
})
beforeEach(async () => {
  await office.owner.query('update account_changes set next_at = null')
  ;[lose, sent] = [null, 0]
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  id = await openedShop()
})

/** An application whose shop the service has opened. */
async function openedShop(): Promise<number> {
  const merchantId = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  await makeVerification(office, {
    agentId: agent.id,
    merchantId,
    company: '王小明小吃店',
    legalPerson: '王小明',
  })
  const application = anIndividual(await uploadAll(real))
  await real.submit(application)
  await opened.post('applications', { businessCode: application.businessCode, state: 'FINISHED' })
  const fact = await real.ask(application.businessCode)
  const of = { agentId: agent.id, merchantId }
  const made = await makeOnboarding(office, of, 'finished')
  await office.owner.query('update onboardings set sub_merchant_id = $2 where application_id = $1', [
    made,
    fact?.subMerchantId,
  ])
  return made
}

async function bankCode(): Promise<string> {
  const { rows } = await real.directory.banks('corporate', { offset: 0, limit: 20 })
  return rows.find(({ name }) => name === '招商银行')?.code ?? assert.fail('no such bank')
}
const NUMBER = '6214830100000000'
const change = async (more: object = {}) =>
  staff.settlementAccounts.change({
    ...{ id, payType: 'private', bankRegion: '440305', bankName: '招商银行', bankCode: await bankCode() },
    ...{ branchName: '招商银行深圳科技园支行', accountNumber: NUMBER },
    ...more,
  })
const last = async () => (await me.settlementAccounts.ofApplication({ id })).changes[0]
/** What waits for its time is due now, and one round is done. */
async function work(): Promise<void> {
  await office.owner.query(
    `update account_changes set next_at = now() - interval '1 second' where next_at is not null`,
  )
  await changeAndAsk(office.app.services)
}
const accountThere = async () =>
  (await staff.settlementAccounts.standing({ id })).account?.accountNumberMasked
const told = async () =>
  (
    await office.owner.query('select title from notices where account_id = $1 order by id', [agent.accountId])
  ).rows.map(({ title }) => title)

test('a change is handed in, audited and holds; its agent hears of it, and the number is nowhere to be read', async () => {
  assert.notEqual(await accountThere(), '621483******0000')
  await change()
  assert.equal(await refusalOf(change()), 'CHANGE_UNDER_WAY')
  const { rows: lying } = await office.owner.query(
    'select account_number from account_changes where application_id = $1',
    [id],
  )
  assert.ok(!lying[0].account_number.includes(NUMBER))
  await work()
  assert.deepEqual([(await last())?.state, sent], ['auditing', 1])
  await work()
  assert.deepEqual([(await last())?.state, await accountThere()], ['done', '621483******0000'])
  assert.deepEqual(await told(), ['正在变更结算账户', '结算账户已变更'])
  const { rows } = await office.owner.query(
    `select account_number as kept, (select jsonb_agg(to_jsonb(l) - 'hash') from operation_logs l)::text as log from account_changes where application_id = $1`,
    [id],
  )
  assert.equal(rows[0].kept, null, 'once it has ended the number is not kept')
  assert.ok(!rows[0].log.includes(NUMBER))
})

test('what the service refuses is told with its words, and another may be handed in', async () => {
  await opened.post('changes', { next: ['银行卡户名不一致'] })
  await change()
  await work()
  await work()
  assert.deepEqual([(await last())?.state, (await last())?.message], ['refused', '银行卡户名不一致'])
  assert.equal((await told()).at(-1), '结算账户变更未生效')
  await change()
})

test('a lost answer is not handed in again: the account says whether it came about', async () => {
  lose = { when: 'after', end: unanswered }
  await change()
  await work()
  assert.equal((await last())?.state, 'unclear')
  await work()
  assert.deepEqual([(await last())?.state, sent], ['done', 1])
})

test('what never arrived is given up after a day, and not before', async () => {
  lose = { when: 'before', end: unanswered }
  await change()
  await work()
  await work()
  assert.equal((await last())?.state, 'unclear')
  await office.owner.query(`update account_changes set changed_at = changed_at - interval '25 hours'`)
  await work()
  assert.deepEqual([(await last())?.state, sent], ['refused', 1])
})

test('a program that dies while it hands in leaves it to be looked at, and two programs hand in once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  lose = {
    when: 'after',
    end() {
      resolve()
      return Promise.race<never>([])
    },
  }
  await change()
  await Promise.race([work(), promise])
  assert.equal((await last())?.state, 'unclear')
  await Promise.all([work(), changeAndAsk(office.app.services)])
  assert.deepEqual([(await last())?.state, sent], ['done', 1])
})

test('a service that is busy has done nothing: it is handed in again', async () => {
  lose = { when: 'before', end: () => Promise.reject(new ProviderBusy('RATE_LIMITED', '频率超限')) }
  await change()
  await work()
  assert.equal((await last())?.state, 'waiting')
  await work()
  assert.deepEqual([(await last())?.state, sent], ['auditing', 2])
})

test('five a day are taken, and a shop that is not open has none', async () => {
  for (let made = 0; made < 5; made++) {
    await change()
    await work()
    await work()
  }
  assert.equal(await refusalOf(change()), 'TOO_MANY_TODAY')
  await office.owner.query(`update onboardings set state = 'asked' where application_id = $1`, [id])
  assert.equal(await refusalOf(change()), 'NOT_FINISHED')
})

test('is refused at its field', async () => {
  await assert.rejects(change({ accountNumber: '12' }), { data: { field: 'accountNumber' } })
  await assert.rejects(change({ bankCode: '' }), { data: { field: 'bankName' } })
  await assert.rejects(change({ bankRegion: '990000' }), { data: { field: 'bankRegion' } })
  await office.owner.query(`update onboardings set subject_kind = 'enterprise' where application_id = $1`, [
    id,
  ])
  await assert.rejects(change(), { data: { field: 'payType' } })
})

test('who may not say how far an application is changes no account', async () => {
  const asked = me.settlementAccounts.change({
    ...{ id, payType: 'private' as const, bankRegion: '440305', bankName: '招商银行', bankCode: '1001' },
    ...{ branchName: '支行', accountNumber: NUMBER },
  })
  assert.equal(await refusalOf(asked), 'FORBIDDEN')
})
