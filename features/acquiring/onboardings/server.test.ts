// An application on its way through the payment service, whose simulator decrypts and checks every field (issue: getting a shop paid).
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test, { after, before, beforeEach, describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NO_PROVIDERS } from '#app/providers.ts'
import { WHOLE as APPLICATION, makePapers } from '#features/acquiring/payment-applications/walk.ts'
import { WHOLE as IDENTITY } from '#features/care/verification/walk.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { makeWechatPayKeys, settingsFor, WECHAT_PAY_SIMULATION } from '#providers/wechat-pay/simulator.ts'
import type { SimState } from '#providers/wechat-pay/simulator-onboarding-book.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { times } from '#test/lane.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { aLicenceNumber } from '#test/wechat-onboarding.ts'
import { openWechatPay } from '#test/wechat-pay.ts'
import { handInAndAsk } from './server-service.ts'

const LICENCE_NUMBER = 'subject_info.business_license_info.license_number'

const keys = makeWechatPayKeys()
const opened = await openWechatPay(keys, {
  ...{ reviewMs: 0, signingMs: 0, callsASecond: Number.POSITIVE_INFINITY },
})
/** What the service is asked goes through here, and may be lost on its way. */
type Call = 'submit' | 'ask' | 'upload'
type When = 'before' | 'after'
let lose: { call: Call; when: When; end: () => Promise<never> } | null = null
const unanswered = () => Promise.reject(new ProviderUnknown('time-out'))
let calls: string[] = []
const real = opened.desk()
async function through<T>(call: Call, make: () => Promise<T>): Promise<T> {
  calls.push(call)
  const lost = lose?.call === call ? lose : null
  if (lost) lose = null
  if (lost?.when === 'before') return lost.end()
  const answer = await make()
  return lost ? lost.end() : answer
}
const desk: OnboardingDesk = {
  ...real,
  submit: application => through('submit', () => real.submit(application)),
  ask: code => through('ask', () => real.ask(code)),
  upload: picture => through('upload', () => real.upload(picture)),
}

let office: Office
let staff: Client
let agent: MadeAgent
let me: Client
let shop: number
let id: number
let creditCode: string
let papers: Awaited<ReturnType<typeof makePapers>>

before(async () => {
  office = await openOffice({ providers: { ...NO_PROVIDERS, onboarding: desk } })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(async () => {
  await office.stop()
  await opened.simulator.stop()
})
beforeEach(async () => {
  await office.owner.query('update onboardings set next_at = null')
  ;[lose, calls] = [null, []]
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, {
    ...{ shop_name: '老张面馆', short_name: '老张面馆', address: '科技路1号', district_code: '440305' },
  })
  papers = await makePapers(office, agent, shop)
  const { idFrontId = null, idBackId = null, licenceId = null } = papers
  creditCode = aLicenceNumber()
  await me.verification.save({
    ...{ merchantId: shop, revision: 0, ...IDENTITY, creditCode },
    ...{ idFrontId, idBackId, licenceId },
  })
  id = await apply(0)
})

/** The application is handed in and approved. */
async function apply(revision: number): Promise<number> {
  const sent = { merchantId: shop, revision, ...APPLICATION, bankCode: await bankCode(), ...papers }
  id = (await me.paymentApplications.submit(sent)).id
  await approve()
  return id
}

async function bankCode(): Promise<string> {
  const { rows } = await real.directory.banks('corporate', { offset: 0, limit: 20 })
  return rows.find(({ name }) => name === '招商银行')?.code ?? assert.fail('no such bank')
}
async function approve(): Promise<void> {
  const { revision } = await me.paymentApplications.details({ id })
  await staff.paymentApplications.approve({ id, revision })
}
const shown = () => me.onboardings.ofApplication({ id })
const DETAILS = {
  subjectKind: 'enterprise',
  ...{ licenceAddress: '深圳市南山区科技路1号', licenceFrom: '2018-05-01' },
  ...{
    isLicenceLongTerm: true,
    idFrom: '2020-01-01',
    idTo: '2040-01-01',
    idAddress: '深圳市南山区学府路2号',
  },
  ...{ shortName: '老张面馆', servicePhone: '0755-88886666', category: '716 餐饮' },
  accountNumber: '755912345678901',
} as const
async function complete(more: object = {}): Promise<void> {
  const { revision } = await shown()
  await me.onboardings.complete({ id, revision, ...DETAILS, ...more })
}
async function submit(): Promise<void> {
  await staff.onboardings.submit({ id, revision: (await shown()).revision })
}
/** What waits for its time is due now, and one round is done. */
async function work(): Promise<void> {
  await office.owner.query(
    `update onboardings set next_at = now() - interval '1 second' where next_at is not null`,
  )
  await handInAndAsk(office.app.services)
}
const paidBy = async () => {
  const { rows } = await office.owner.query(
    'select payment_method_id, payment_config, pay_enabled from merchants where id = $1',
    [shop],
  )
  const [{ payment_method_id: method, payment_config: config, pay_enabled: isEnabled }] = rows
  return { method, isEnabled, config: config && office.app.services.secrets.decrypt(config) }
}
const scan = async (action: string) =>
  fetch((await shown()).signUrl, {
    method: 'POST',
    body: new URLSearchParams({ action }),
    redirect: 'manual',
  })
const titles = async () =>
  (
    await office.owner.query('select title from notices where account_id = $1 order by id', [agent.accountId])
  ).rows.map(({ title }) => title)
const applicationsThere = async () => {
  const { businessCode } = await shown()
  return (await real.ask(businessCode))?.serviceId
}
/** All of this shop's at the service, whatever their codes. */
const ofShopThere = () =>
  opened.simulator.applications().filter(({ said }) => said[LICENCE_NUMBER] === creditCode)
/** What its staff do. */
const decide = async (state: SimState) =>
  opened.post('applications', { businessCode: (await shown()).businessCode, state })
async function handIn(): Promise<void> {
  await complete()
  await submit()
  await work()
}
/** The program is gone at this call: nothing of what it asked is ever written. */
async function dieAt(call: Call, when: When): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  lose = {
    ...{ call, when },
    end() {
      resolve()
      return Promise.race<never>([])
    },
  }
  await Promise.race([work(), promise])
  assert.equal(lose, null, `${call} was not reached`)
}

const QUICK = `--import=${new URL('../../../scripts/quick-loading.ts', import.meta.url)}`
const PROGRAM = fileURLToPath(new URL('../../../test/faults/beside.ts', import.meta.url))
const SIMULATED = WECHAT_PAY_SIMULATION.environment(
  settingsFor(keys, opened.simulator.url, { merchant: 'partner' }),
)

/** A program of its own is killed while the service keeps it waiting for an answer; what it asked has been done. */
async function killAt(endpoint: string): Promise<void> {
  await office.owner.query(
    `update onboardings set next_at = now() - interval '1 second' where next_at is not null`,
  )
  opened.fault(endpoint, { kind: 'silence' })
  const rule = opened.simulator.control.faults.at(-1) ?? assert.fail('no rule')
  const { env } = office.app.services
  const program = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', QUICK, PROGRAM], {
    env: {
      ...process.env,
      ...SIMULATED,
      ...{ DATABASE_URL: office.ownerUrl, SECRET_KEY: env.secretKey, DATA_DIR: env.dataDir },
      ...{ LOG_LEVEL: 'silent', PORT: '0' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(program, 'exit')
  const isDone = () => rule.times === 0 && (endpoint !== 'submit' || ofShopThere().length > 0)
  while (!isDone() && program.exitCode === null) await setTimeout(20)
  program.kill('SIGKILL')
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL', 'the program ended by itself')
}

describe('what is completed', () => {
  test('begins with what is known, keeps what is half done, and never shows the account again', async () => {
    const begun = await shown()
    assert.deepEqual([begun.revision, begun.subjectKind, begun.shortName], [0, 'enterprise', '老张面馆'])
    assert.ok(begun.categories.some(({ key }) => key === '716 餐饮'))
    await me.onboardings.complete({
      id,
      revision: 0,
      subjectKind: 'enterprise',
      accountNumber: '755912345678901',
    })
    const kept = await shown()
    assert.equal(kept.accountNumberMasked, '***********8901')
    await me.onboardings.complete({ id, revision: 1, subjectKind: 'individual' })
    assert.equal((await shown()).accountNumberMasked, '***********8901', 'null is as it is kept')
    const { rows } = await office.owner.query(
      'select account_number, to_jsonb(o) - $2 as row from onboardings o where application_id = $1',
      [id, 'account_number'],
    )
    assert.ok(!JSON.stringify(rows[0].row).includes('755912345678901'))
    assert.ok(!rows[0].account_number.includes('755912345678901'))
    const log = await office.owner.query('select changes from operation_logs where merchant_id = $1', [shop])
    assert.ok(!JSON.stringify(log.rows).includes('755912345678901'))
  })

  test('is refused at its field, and nobody saves over what changed meanwhile', async () => {
    const send = (more: object) => me.onboardings.complete({ id, revision: 0, ...DETAILS, ...more })
    await assert.rejects(send({ accountNumber: '12' }), { data: { field: 'accountNumber' } })
    await assert.rejects(send({ idTo: '2019-01-01' }), { data: { field: 'idTo' } })
    await assert.rejects(send({ shortName: '名'.repeat(65) }), { data: { field: 'shortName' } })
    await complete()
    assert.equal(await refusalOf(send({})), 'STALE')
  })

  test('what is wanting is told, and keeps it from being handed in', async () => {
    await complete({ category: '', idAddress: '' })
    assert.deepEqual(
      (await shown()).lacking.map(({ field }) => field),
      ['idAddress', 'category'],
    )
    assert.equal(await refusalOf(submit()), 'LACKING')
  })
})

describe('handed in', () => {
  test('it is signed by the shop, and its number becomes what the shop is paid by', async () => {
    await complete()
    await submit()
    assert.equal(await refusalOf(submit()), 'ALREADY_UNDER_WAY')
    assert.equal(await refusalOf(complete()), 'UNDER_WAY')
    await work()
    assert.deepEqual([(await shown()).step, (await shown()).message], ['asked', ''])
    await work()
    const signing = await shown()
    assert.deepEqual([signing.serviceState, signing.daysLeft], ['toBeSigned', 30])
    assert.match(signing.signUrl, /^http/)
    await scan('sign')
    await work()
    const done = await shown()
    assert.deepEqual([done.step, done.serviceState, done.paidOtherwise], ['finished', 'finished', null])
    assert.deepEqual(await paidBy(), {
      ...{ method: 2, isEnabled: true, config: JSON.stringify({ mch_id: done.subMerchantId }) },
    })
    const { reviewState } = await me.paymentApplications.details({ id })
    assert.equal(reviewState, 'accepted')
    assert.deepEqual((await titles()).slice(-3), [
      '支付申请已提交支付服务',
      '支付申请待签约，请店主扫码',
      '商户收款方式已开通',
    ])
    const { rows } = await office.owner.query(
      `select data from change_inbox where merchant_id = $1 and topic = 'shop.payment.changed'`,
      [shop],
    )
    assert.deepEqual(rows[0]?.data, { methodId: 2, enabled: true })
    const [row] = (await staff.paymentApplications.reviews({ search: String(shop) })).rows
    assert.equal(row?.serviceState, 'finished')
  })

  test('refused fields open where they are mended, and it goes again under the same code', async () => {
    await complete({ shortName: '驳回小吃' })
    await submit()
    await work()
    await work()
    const refused = await shown()
    assert.equal(refused.step, 'mending')
    assert.deepEqual(
      refused.refusals.map(({ field }) => field),
      ['shortName'],
    )
    const code = refused.businessCode
    const { state, reasons } = await me.paymentApplications.details({ id })
    assert.equal(state, 'rejected')
    assert.match(reasons.other ?? '', /^商户简称：/)
    await complete()
    assert.equal(await refusalOf(submit()), 'NOT_APPROVED')
    await apply((await me.paymentApplications.details({ id })).revision)
    calls = []
    await submit()
    await work()
    assert.deepEqual(calls, ['ask', 'submit'], 'pictures that it has are not uploaded again')
    await work()
    assert.deepEqual([(await shown()).serviceState, (await shown()).businessCode], ['toBeSigned', code])
  })

  test('a lost answer is asked about: there is one application', async () => {
    await complete()
    await submit()
    lose = { call: 'submit', when: 'after', end: unanswered }
    await work()
    assert.deepEqual(
      [(await shown()).step, (await shown()).message],
      ['waiting', '支付服务未应答，将再次查询'],
    )
    const there = await applicationsThere()
    calls = []
    await work()
    assert.deepEqual(calls, ['ask'])
    assert.deepEqual([(await shown()).step, await applicationsThere()], ['asked', there])
  })

  test('a call that never arrived is made again', async () => {
    await complete()
    await submit()
    for (const call of ['ask', 'upload', 'submit'] as const) {
      lose = { call, when: 'before', end: unanswered }
      await work()
      assert.equal((await shown()).step, 'waiting')
    }
    await work()
    assert.equal((await shown()).step, 'asked')
  })

  test('a program that dies before it has written the answer leaves it to the next, and two at once hand in once', async () => {
    await complete()
    await submit()
    const [one, other] = await Promise.all([
      handInAndAsk(office.app.services),
      handInAndAsk(office.app.services),
    ])
    assert.deepEqual([one, other], [false, false])
    assert.equal(calls.filter(call => call === 'submit').length, 1)
    // The claim of a program that is gone.
    await office.owner.query(`update onboardings set state = 'waiting', claim = 'gone', service_id = ''`)
    calls = []
    await work()
    assert.deepEqual([calls, (await shown()).step], [['ask'], 'asked'])
  })

  test('what is wrong with our own account is told to staff once, and it goes on when that is mended', async () => {
    await complete()
    await submit()
    for (const _ of [1, 2]) {
      lose = {
        call: 'submit',
        when: 'before',
        end: () => Promise.reject(new ProviderRefused('NO_AUTH', '商户号没有该接口权限')),
      }
      await work()
      assert.equal((await shown()).step, 'stuck')
    }
    const { rows } = await office.owner.query(
      `select distinct title from notices where title = '支付申请无法提交支付服务'`,
    )
    assert.equal(rows.length, 1)
    await work()
    assert.equal((await shown()).step, 'asked')
  })

  test('a shop that is paid by something else is not changed until somebody says so', async () => {
    await office.owner.query('update merchants set payment_method_id = 1 where id = $1', [shop])
    await complete()
    await submit()
    await work()
    await work()
    await scan('sign')
    await work()
    assert.equal((await paidBy()).method, 1)
    assert.equal((await shown()).paidOtherwise, '官方直连')
    await staff.onboardings.handOver({ id })
    assert.deepEqual([(await paidBy()).method, (await shown()).paidOtherwise], [2, null])
  })

  test('a paper that is no picture goes back to whoever uploads another', async () => {
    await complete()
    await submit()
    await office.owner.query(
      `update files set mime = 'application/pdf' where id in
         (select file_id from documents where merchant_id = $1 and kind = 'businessLicence')`,
      [shop],
    )
    await work()
    const { state, reasons } = await me.paymentApplications.details({ id })
    assert.deepEqual([state, reasons], ['rejected', { other: '营业执照：支付服务不收 PDF，请改为上传图片' }])
  })

  test('what was sent back by hand before it was handed in is not handed in', async () => {
    await complete()
    await submit()
    const { revision } = await me.paymentApplications.details({ id })
    await staff.paymentApplications.review({ id, revision, reviewState: 'rejected', reviewNote: '先等等' })
    await work()
    assert.deepEqual([calls, (await shown()).step], [['ask'], 'filling'])
  })

  test('what the service has is not rejected by hand, and what it lost is handed in again', async () => {
    await complete()
    await submit()
    await work()
    const { revision } = await me.paymentApplications.details({ id })
    const rejected = { id, revision, reviewState: 'rejected' as const, reviewNote: '不要了' }
    assert.equal(await refusalOf(staff.paymentApplications.review(rejected)), 'AT_SERVICE')
    await office.owner.query(`update onboardings set business_code = 'unknown_' || id, tries = 0`)
    for (const _ of [1, 2, 3]) await work()
    assert.equal((await shown()).step, 'waiting')
    await work()
    assert.equal((await shown()).step, 'asked')
  })

  test('two who press at once hand it in once', async () => {
    await complete()
    const { revision } = await shown()
    const answers = await Promise.all([1, 2].map(() => refusalOf(staff.onboardings.submit({ id, revision }))))
    assert.deepEqual(answers.toSorted(), ['ALREADY_UNDER_WAY', 'accepted'])
    await work()
    assert.equal(ofShopThere().length, 1)
  })

  test('what broke at the service while it was handed in is handed in again under the same code', async () => {
    await handIn()
    const { businessCode } = await shown()
    await decide('EDITTING')
    calls = []
    await work()
    assert.deepEqual(calls, ['ask', 'submit'])
    await work()
    assert.deepEqual(
      [(await shown()).serviceState, (await shown()).businessCode, ofShopThere().length],
      ['toBeSigned', businessCode, 1],
    )
  })

  test('what the shop is to do is told with the days that are left, and what is being carried out asks nobody', async () => {
    await handIn()
    await decide('TO_BE_CONFIRMED')
    await work()
    const confirming = await shown()
    assert.deepEqual(
      [confirming.step, confirming.serviceState, confirming.daysLeft],
      ['asked', 'toBeConfirmed', 10],
    )
    const waiting = async () =>
      (await me.inbox.list({})).rows.filter(({ source }) => source === 'onboardings.sign').length
    assert.equal(await waiting(), 1)
    await scan('confirm')
    await work()
    assert.deepEqual([(await shown()).serviceState, (await shown()).daysLeft], ['toBeSigned', 30])
    await decide('SIGNING')
    const before = await titles()
    await work()
    assert.deepEqual([(await shown()).serviceState, (await shown()).daysLeft], ['finished', null])
    assert.deepEqual(before.slice(-2), ['支付申请待账户验证，请店主扫码', '支付申请待签约，请店主扫码'])
    assert.equal(await waiting(), 0)
  })

  test('what the service called off is said, and begins anew under another code', async () => {
    await handIn()
    const { businessCode } = await shown()
    await decide('CANCELED')
    await work()
    assert.equal((await shown()).step, 'ended')
    const { state, reasons, revision } = await me.paymentApplications.details({ id })
    assert.deepEqual([state, reasons], ['rejected', { other: '已作废' }])
    assert.equal((await titles()).at(-1), '支付申请已被支付服务作废')
    await apply(revision)
    await submit()
    await work()
    const anew = await shown()
    assert.notEqual(anew.businessCode, businessCode)
    assert.deepEqual(
      [
        anew.step,
        ofShopThere()
          .map(one => one.state)
          .toSorted(),
      ],
      ['asked', ['CANCELED', 'TO_BE_SIGNED']],
    )
  })

  test('data that change once it is finished are another application under a code of its own, whose number staff hand over', async () => {
    await handIn()
    await work()
    await scan('sign')
    await work()
    const first = await shown()
    const firstId = id
    await apply(0)
    assert.notEqual(id, firstId)
    await handIn()
    await work()
    await scan('sign')
    await work()
    const second = await shown()
    assert.notEqual(second.businessCode, first.businessCode)
    assert.equal(second.paidOtherwise, `服务商支付 ${first.subMerchantId}`)
    await staff.onboardings.handOver({ id })
    assert.equal((await paidBy()).config, JSON.stringify({ mch_id: second.subMerchantId }))
  })

  test('pictures that the service knows no more are uploaded again', async () => {
    await complete({ shortName: '驳回小吃' })
    await submit()
    await work()
    await work()
    await complete()
    await apply((await me.paymentApplications.details({ id })).revision)
    await submit()
    await opened.post('media', { forget: true })
    calls = []
    await work()
    assert.deepEqual(calls, ['ask', 'submit'])
    await work()
    assert.deepEqual([calls.filter(call => call === 'upload').length, (await shown()).step], [7, 'asked'])
  })

  test('dying anywhere on the way loses nothing and doubles nothing', async () => {
    await complete()
    await submit()
    for (const call of ['ask', 'upload', 'submit'] as const)
      for (const when of ['before', 'after'] as const) await dieAt(call, when)
    await work()
    for (const when of ['before', 'after'] as const) await dieAt('ask', when)
    await work()
    assert.equal((await shown()).serviceState, 'toBeSigned')
    await scan('sign')
    for (const when of ['before', 'after'] as const) await dieAt('ask', when)
    await work()
    const { step, subMerchantId } = await shown()
    assert.deepEqual([step, ofShopThere().map(one => one.subMchid)], ['finished', [subMerchantId]])
    assert.equal((await paidBy()).config, JSON.stringify({ mch_id: subMerchantId }))
    for (const title of ['支付申请待签约，请店主扫码', '商户收款方式已开通'])
      assert.equal((await titles()).filter(one => one === title).length, 1, title)
  })

  test('a program that is killed between handing in and the answer leaves one application, and kills on the way none more', async () => {
    await complete()
    await submit()
    const before = ['application', 'upload', 'upload', 'application', 'upload']
    const after = ['application', 'application', 'application', 'application']
    const kills = times(1, 10) === 1 ? [[], []] : [before, after]
    for (const endpoint of [...(kills[0] ?? []), 'submit', ...(kills[1] ?? [])]) await killAt(endpoint)
    const [there] = ofShopThere()
    calls = []
    await work()
    assert.deepEqual([calls, (await shown()).step], [['ask'], 'asked'])
    assert.deepEqual(
      ofShopThere().map(({ businessCode }) => businessCode),
      [there?.businessCode],
    )
    await work()
    await scan('sign')
    await work()
    assert.deepEqual(await paidBy(), {
      ...{ method: 2, isEnabled: true, config: JSON.stringify({ mch_id: (await shown()).subMerchantId }) },
    })
  })

  test('asking by hand is not made more often than every half minute', async () => {
    assert.equal(await refusalOf(me.onboardings.ask({ id })), 'NOT_HANDED_IN')
    await complete()
    await submit()
    await work()
    assert.equal(await refusalOf(me.onboardings.ask({ id })), 'ASKED_JUST_NOW')
    await office.owner.query(`update onboardings set asked_at = now() - interval '31 seconds'`)
    await me.onboardings.ask({ id })
  })
})
