// A shop is handed in to TianQue's simulator by its protocol: each state and refusal, a lost answer, two who press, and what people may do
// by hand when nothing comes of it.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS, SURROUNDINGS } from '#app/providers.ts'
import type { AcquirerOnboardingDesk } from '#kit/ports/acquirer-onboarding.ts'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import { makeTianqueOnboarding } from '#providers/tianque/onboarding.ts'
import {
  makeTianqueKeys,
  startTianqueSimulator,
  type TianqueSimulator,
  tianqueSettings,
} from '#providers/tianque/simulator.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { HANDING_IN } from './rules.ts'
import { handInAndAsk } from './server-hand-in-rounds.ts'
import { makeAcquirerOnboarding, makeKnown, offerMethod } from './walk.ts'

const keys = makeTianqueKeys()
const surroundings = { ...SURROUNDINGS, timeoutMs: ANSWERED_WITHIN_MS }
let simulator: TianqueSimulator
let right: AcquirerOnboardingDesk
let wrong: AcquirerOnboardingDesk
/** Which the product speaks through at the moment. */
let through: AcquirerOnboardingDesk
let office: Office
let staff: Client
let agent: MadeAgent
let me: Client
let shop: number
let id: number

before(async () => {
  simulator = await startTianqueSimulator(keys, 0, { reviewMs: null })
  const settings = tianqueSettings(keys, simulator.url)
  right = makeTianqueOnboarding(settings, surroundings)
  wrong = makeTianqueOnboarding({ ...settings, privateKey: makeTianqueKeys().orgPrivateKey }, surroundings)
  const tianque: AcquirerOnboardingDesk = {
    pictureBytesMax: right.pictureBytesMax,
    upload: (...of) => through.upload(...of),
    submit: of => through.submit(of),
    ask: of => through.ask(of),
    changeAccount: of => through.changeAccount(of),
    askChange: of => through.askChange(of),
    troubleOf: error => through.troubleOf(error),
  }
  office = await openOffice({ providers: { ...NO_PROVIDERS, acquirerOnboarding: { tianque } } })
  const vendor = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(vendor.loginName))
  await makeAccount(office, vendor.id, { isOwner: true })
})
after(async () => {
  await office.stop()
  await simulator.stop()
})
beforeEach(async () => {
  await office.owner.query('update acquirer_onboardings set next_at = null')
  simulator.control.faults.length = 0
  through = right
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  await makeKnown(office, agent, shop)
  const { rows } = await office.owner.query('select account from merchants where id = $1', [shop])
  id = (await me.acquirerOnboardings.begin({ account: rows[0].account, channel: 'tianque' })).id
  await filled()
})

const at = () => staff.acquirerOnboardings.details({ id })
const revised = async () => ({ id, revision: (await at()).revision })
async function filled(more: { shortName?: string; category?: string } = {}): Promise<void> {
  const { shortName, contactName, accountName } = await at()
  await me.acquirerOnboardings.complete({
    ...{ ...(await revised()), shortName, contactName, accountName, rate: '0.38' },
    ...{ contactPhone: '13800138000', category: '餐馆', ...more },
  })
}
async function approve(): Promise<void> {
  await me.acquirerOnboardings.submit(await revised())
  await staff.acquirerOnboardings.approve(await revised())
}
const handIn = async () => staff.acquirerOnboardings.handIn(await revised())
const round = async () => {
  // A column of milliseconds may round up what is now.
  await office.owner.query(
    `update acquirer_onboardings set next_at = now() - interval '1 second' where next_at is not null`,
  )
  await handInAndAsk(office.app.services)
}
/** Approved, and handed in. */
async function handedIn() {
  await approve()
  await handIn()
  await round()
}
const applications = () => simulator.applications().filter(one => one.data.mecDisNm === `老张${shop}`)
const application = () => applications()[0] ?? assert.fail('there is none')
const waiting = async (source: string) =>
  (await staff.inbox.list({ size: 100 })).rows.some(
    one => one.source === `acquirer-onboardings.${source}` && one.id === id,
  )
const titles = async () =>
  (
    await office.owner.query('select title from notices where account_id = $1 order by id', [agent.accountId])
  ).rows.map(({ title }) => title)

describe('an application', () => {
  beforeEach(() => filled({ shortName: `老张${shop}` }))

  test('is handed in, reviewed and taken on: its number is there, agent and inbox are told, and it is handed over', async () => {
    await handedIn()
    const sent = await at()
    assert.deepEqual(
      [sent.state, sent.handingIn, sent.applicationId, sent.serviceMessage],
      ['sent', 'asked', application().applicationId, ''],
    )
    assert.ok(sent.sentAt && sent.sentByName !== '')
    const { data } = application()
    assert.deepEqual(
      [data.identityNo, data.actNo, data.mccCd, data.regDistCd, data.actTyp, data.registCode],
      ['11010519491231002X', '755900000010018', '5812', '440305000000', '00', '92440300MA5EXAMPLE'],
    )
    assert.equal(await waiting('code'), false)
    await round()
    const reviewed = await at()
    assert.deepEqual([reviewed.state, reviewed.askedAt !== null], ['sent', true])
    simulator.decide({ applicationId: application().applicationId, taskStatus: '1' })
    await round()
    const opened = await at()
    assert.deepEqual(
      [opened.state, opened.code, opened.merchantStatus, opened.handingIn],
      ['opened', application().mno, 'normal', 'none'],
    )
    assert.ok((await titles()).includes('收单渠道已开通'))
    assert.equal(await waiting('handOver'), true)
    await offerMethod(office, agent.id, 'tianque')
    await staff.acquirerOnboardings.handOver(await revised())
    const { rows } = await office.owner.query(
      `select data from change_inbox where merchant_id = $1 and topic = 'shop.payment.changed'`,
      [shop],
    )
    assert.deepEqual(rows.at(-1)?.data, { methodId: 13, enabled: true })
    const logged = await office.owner.query(
      `select count(*)::int as n from operation_logs where merchant_id = $1 and title = '提交收单渠道'`,
      [shop],
    )
    assert.equal(logged.rows[0].n, 3)
  })

  test('that it refuses is mended by the agent and goes again as the same merchant', async () => {
    await handedIn()
    const first = application().applicationId
    simulator.decide({ applicationId: first, taskStatus: '2', suggestion: '门头照反光；不符合入网要求' })
    await round()
    const refused = await at()
    assert.deepEqual(
      [refused.state, refused.approvalState, refused.reasons, refused.handingIn],
      ['refused', 'rejected', { shopFront: '门头照反光', other: '不符合入网要求' }, 'none'],
    )
    assert.ok((await titles()).includes('收单进件被渠道驳回'))
    assert.equal(await refusalOf(handIn()), 'NOT_APPROVED')
    await handedIn()
    assert.equal(applications().length, 1)
    const again = await at()
    assert.deepEqual([again.state, again.applicationId === first, again.reasons], ['sent', false, {}])
    simulator.decide({ applicationId: application().applicationId, taskStatus: '1' })
    await round()
    assert.equal((await at()).code, application().mno)
  })

  test('whose answer was lost is one application there', async () => {
    await approve()
    await handIn()
    simulator.control.faults.push({ match: 'income', times: 1, effect: { kind: 'reset-after' } })
    await round()
    const lost = await at()
    assert.deepEqual(
      [lost.state, lost.handingIn, lost.serviceMessage],
      ['waiting', 'running', '渠道没有应答，将再次尝试'],
    )
    await round()
    assert.deepEqual([(await at()).state, applications().length], ['sent', 1])
  })

  test('that two press for, or whose loop runs twice, is one', async () => {
    await approve()
    const asked = await revised()
    const both = await Promise.allSettled([
      staff.acquirerOnboardings.handIn(asked),
      staff.acquirerOnboardings.handIn(asked),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(await refusalOf(handIn()), 'HANDING_IN')
    assert.equal(await refusalOf(staff.acquirerOnboardings.send(await revised())), 'HANDING_IN')
    await Promise.all([handInAndAsk(office.app.services), handInAndAsk(office.app.services)])
    assert.deepEqual([(await at()).state, applications().length], ['sent', 1])
    assert.equal(await refusalOf(handIn()), 'SENT_ALREADY')
  })

  test('that is put aside is neither handed in nor asked about until it is taken up again', async () => {
    await approve()
    await handIn()
    await staff.acquirerOnboardings.setActive({ ...(await revised()), isActive: false })
    await round()
    assert.deepEqual([(await at()).state, applications().length], ['waiting', 0])
    await staff.acquirerOnboardings.setActive({ ...(await revised()), isActive: true })
    await round()
    assert.equal((await at()).state, 'sent')
  })

  test('whose number somebody has typed meanwhile is not asked about any more', async () => {
    await handedIn()
    const code = `399${String(shop).padStart(12, '0')}`
    await staff.acquirerOnboardings.setCode({ ...(await revised()), code })
    simulator.decide({
      applicationId: application().applicationId,
      taskStatus: '2',
      suggestion: '门头照反光',
    })
    await round()
    const { state, code: said } = await at()
    assert.deepEqual([state, said], ['opened', code])
  })

  test('that was given another shop’s number is not opened by it, and staff are told', async () => {
    await handedIn()
    const other = await makeMerchant(office, agent.id)
    await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: other, channel: 'tianque', approvalState: 'approved' },
      ...{ state: 'opened', code: application().mno },
    })
    simulator.decide({ applicationId: application().applicationId, taskStatus: '1' })
    await round()
    const { state, serviceMessage } = await at()
    assert.equal(state, 'sent')
    assert.match(serviceMessage, /已属于另一家店铺/)
    await office.owner.query(`update acquirer_onboardings set code = '' where merchant_id = $1`, [other])
    await round()
    assert.equal((await at()).state, 'opened')
  })
})

describe('that staff want to know about at once', () => {
  const due = async () =>
    (await office.owner.query('select next_at <= now() as due from acquirer_onboardings where id = $1', [id]))
      .rows[0].due
  const longAgo = () =>
    office.owner.query(
      `update acquirer_onboardings set asked_at = now() - interval '31 seconds' where id = $1`,
      [id],
    )
  const answers = async () => {
    const { rows } = await office.owner.query(
      `select change ->> 'after' as answer from operation_logs, jsonb_array_elements(changes) change
       where merchant_id = $1 and change ->> 'name' = '查询结果' order by id`,
      [shop],
    )
    return rows.map(({ answer }) => answer)
  }

  test('is asked about once, whoever presses, and every answer is kept', async () => {
    await filled({ shortName: `老张${shop}` })
    await handedIn()
    assert.equal(await due(), false)
    const both = await Promise.allSettled([
      staff.acquirerOnboardings.ask({ id }),
      staff.acquirerOnboardings.ask({ id }),
    ])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    assert.equal(await refusalOf(staff.acquirerOnboardings.ask({ id })), 'ASKING_ALREADY')
    assert.equal((await at()).isBeingAsked, true)
    await round()
    const reviewed = await at()
    assert.deepEqual([reviewed.isBeingAsked, reviewed.state], [false, 'sent'])
    assert.deepEqual(await answers(), ['渠道仍在审核'])
    assert.equal(await refusalOf(staff.acquirerOnboardings.ask({ id })), 'ASKED_JUST_NOW')
    await longAgo()
    through = {
      ...right,
      ask: () => Promise.reject(new ProviderUnknown('no answer')),
    }
    await staff.acquirerOnboardings.ask({ id })
    await round()
    const silent = await at()
    assert.deepEqual([silent.isBeingAsked, silent.serviceMessage], [false, '渠道没有应答，将再次尝试'])
    through = right
    simulator.decide({ applicationId: application().applicationId, taskStatus: '1' })
    await staff.acquirerOnboardings.ask({ id })
    await round()
    const opened = await at()
    assert.deepEqual([opened.state, opened.isBeingAsked], ['opened', false])
    assert.deepEqual(await answers(), [
      '渠道仍在审核',
      '渠道没有应答，将再次尝试',
      `已开通，商户编号 ${opened.code}`,
    ])
  })

  test('while a round has it, or it is not with the acquirer by its protocol, is refused; an agent may not', async () => {
    assert.equal(await refusalOf(staff.acquirerOnboardings.ask({ id })), 'NOT_HANDED_IN')
    await handedIn()
    assert.equal(await refusalOf(me.acquirerOnboardings.ask({ id })), 'FORBIDDEN')
    await office.owner.query(`update acquirer_onboardings set claim = 'a round' where id = $1`, [id])
    assert.equal(await refusalOf(staff.acquirerOnboardings.ask({ id })), 'ASKING_ALREADY')
    await office.owner.query(`update acquirer_onboardings set claim = '' where id = $1`, [id])
    await staff.acquirerOnboardings.setActive({ ...(await revised()), isActive: false })
    assert.equal(await refusalOf(staff.acquirerOnboardings.ask({ id })), 'INACTIVE')
  })
})

describe('before anything is sent', () => {
  test('what the protocol does not take is asked in words', async () => {
    await filled({ category: '好吃的', shortName: '88' })
    const { lacking } = await at()
    assert.deepEqual(
      lacking.map(({ words }) => words),
      ['商户简称不能全是数字（在进件资料中修改）', '经营类目须从渠道的类目中选择（在进件资料中修改）'],
    )
    assert.equal(await refusalOf(me.acquirerOnboardings.submit(await revised())), 'LACKING')
  })

  test('what has changed since it was approved is not sent', async () => {
    await approve()
    await office.owner.query(`update verifications set company = '别家面馆' where merchant_id = $1`, [shop])
    assert.equal(await refusalOf(handIn()), 'LACKING')
    await office.owner.query(`update verifications set company = '老张面馆' where merchant_id = $1`, [shop])
    await handIn()
    await office.owner.query(`update verifications set company = '别家面馆' where merchant_id = $1`, [shop])
    const before = simulator.applications().length
    await round()
    const { state, handingIn, serviceMessage } = await at()
    assert.deepEqual([state, handingIn], ['waiting', 'none'])
    assert.match(serviceMessage, /资料在审核后有变动/)
    assert.equal(simulator.applications().length, before)
  })

  test('an agent does not hand in, nor anybody what has no protocol', async () => {
    await approve()
    assert.equal(await refusalOf(me.acquirerOnboardings.handIn(await revised())), 'FORBIDDEN')
    const { services } = office.app
    const { providers } = services
    services.providers = { ...providers, acquirerOnboarding: {} }
    try {
      assert.equal((await at()).isConnected, false)
      assert.equal(await refusalOf(handIn()), 'NOT_CONNECTED')
      await staff.acquirerOnboardings.send(await revised())
      assert.equal((await at()).handingIn, 'none')
    } finally {
      services.providers = providers
    }
  })
})

describe('where it is not taken', () => {
  test('a field that it does not like sends the whole back at once, with the reason at its field', async () => {
    await approve()
    await handIn()
    through = {
      ...right,
      submit: application =>
        right.submit({ ...application, known: { ...application.known, branchNumber: '1' } }),
    }
    await round()
    const { state, approvalState, reasons, handingIn } = await at()
    assert.deepEqual([state, approvalState, handingIn], ['refused', 'rejected', 'none'])
    assert.deepEqual(reasons, { branchNumber: '开户支行联行号不正确（lbnkNo）' })
    through = right
    await handedIn()
    assert.equal((await at()).state, 'sent')
  })

  test('a wrong key stops it, staff are told and may try again or bring it there by hand', async () => {
    await approve()
    await handIn()
    through = wrong
    await round()
    const stuck = await at()
    assert.deepEqual([stuck.state, stuck.handingIn], ['waiting', 'stuck'])
    assert.match(stuck.serviceMessage, /^接口账号或密钥不正确/)
    assert.equal(await waiting('code'), true)
    const { rows } = await office.owner.query(
      `select count(*)::int as n from notices where title = '收单进件停在渠道接口' and link like '%id=' || $1`,
      [id],
    )
    assert.ok(rows[0].n > 0)
    through = right
    await handIn()
    assert.equal((await at()).handingIn, 'running')
    through = wrong
    await round()
    await staff.acquirerOnboardings.send(await revised())
    const byHand = await at()
    assert.deepEqual(
      [byHand.state, byHand.handingIn, byHand.serviceMessage, byHand.applicationId],
      ['sent', 'none', '', ''],
    )
  })

  test('silence lasts so many rounds before people may take it there', async () => {
    await approve()
    await handIn()
    const silent = async () => {
      throw new ProviderUnknown('no answer')
    }
    through = { ...right, upload: silent }
    for (let tries = 1; tries < HANDING_IN.silentRounds; tries++) await round()
    assert.equal((await at()).handingIn, 'running')
    await round()
    assert.equal((await at()).handingIn, 'stuck')
    through = right
    await round()
    assert.equal((await at()).state, 'sent')
  })
})
