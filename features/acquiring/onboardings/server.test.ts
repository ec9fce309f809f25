// An application on its way through the payment service, whose simulator decrypts and checks every field (issue: getting a shop paid).
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test, { after, before, beforeEach, describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NO_PROVIDERS } from '#app/providers.ts'
import { WHOLE as APPLICATION, makePapers } from '#features/acquiring/payment-applications/walk.ts'
import { makeDocument } from '#features/care/documents/walk.ts'
import { WHOLE as IDENTITY } from '#features/care/verification/walk.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { refuseIdNumber } from '#kit/words/id-number.ts'
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
let cookie: string
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
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
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

describe('people beside the legal person', () => {
  /** A citizen's number of its own. */
  const idOf = (order: number) => {
    const body = `11010519800101${String(order).padStart(3, '0')}`
    const check = [...'0123456789X'].find(one => refuseIdNumber(body + one, '2026-01-01') === null)
    return body + check
  }
  const paper = (kind: 'personIdFront' | 'personIdBack' | 'authorizationLetter', merchantId = shop) =>
    makeDocument(office, { by: agent, merchantId, kind })
  type Given = Parameters<typeof me.onboardings.savePerson>[0]
  async function person(more: Partial<Given> & Pick<Given, 'role' | 'name'>): Promise<Given> {
    return {
      ...{ id, revision: (await shown()).revision, idKind: 'idCard', idNumber: idOf(1) },
      ...{ idFrom: '2020-01-01', idTo: '2040-01-01', address: '北京市朝阳区1号' },
      ...{ frontId: await paper('personIdFront'), backId: await paper('personIdBack') },
      ...more,
    }
  }
  const save = async (more: Partial<Given> & Pick<Given, 'role' | 'name'>) =>
    (await me.onboardings.savePerson(await person(more))).personId
  const saidThere = () => ofShopThere()[0]?.said ?? assert.fail('nothing is there')

  test('a deputy signs by letter, and those who own the company beside the legal person are told, each in its field', async () => {
    await complete({ isOwner: false })
    assert.deepEqual(
      (await shown()).lacking.map(({ field }) => field),
      ['isOwner'],
    )
    const deputy = await save({ role: 'deputy', name: '李四', idNumber: idOf(1) })
    assert.deepEqual(
      (await shown()).lacking.map(({ field }) => field),
      ['deputy', 'isOwner'],
    )
    await me.onboardings.savePerson({
      ...(await person({ role: 'deputy', name: '李四', personId: deputy, idNumber: null })),
      authorizationId: await paper('authorizationLetter'),
    })
    await save({ role: 'owner', name: '王五', idNumber: idOf(2).toLowerCase(), idTo: '', isIdLongTerm: true })
    const passport = { idKind: 'overseaPassport', idNumber: 'E12345678', backId: null } as const
    await save({ role: 'owner', name: 'JOHN SMITH', ...passport })
    const { lacking, people } = await shown()
    assert.deepEqual(lacking, [])
    assert.deepEqual(
      people.map(({ role, name, idNumberMasked, address }) => [role, name, idNumberMasked, address]),
      [
        ['deputy', '李四', `110105********${idOf(1).slice(-4)}`, ''],
        ['owner', '王五', `110105********${idOf(2).slice(-4)}`, '北京市朝阳区1号'],
        ['owner', 'JOHN SMITH', 'E*******8', '北京市朝阳区1号'],
      ],
    )
    await submit()
    await work()
    const said = saidThere()
    const told = Object.fromEntries(
      Object.entries(said).filter(
        ([path]) => /contact_|ubo_|owner$/.test(path) && !/_copy|_letter/.test(path),
      ),
    )
    const owners = 'subject_info.ubo_info_list'
    assert.deepEqual(told, {
      'contact_info.contact_type': 'SUPER',
      'contact_info.contact_name': '李四',
      'contact_info.contact_id_doc_type': 'IDENTIFICATION_TYPE_IDCARD',
      'contact_info.contact_id_number': idOf(1),
      'contact_info.contact_period_begin': '2020-01-01',
      'contact_info.contact_period_end': '2040-01-01',
      'contact_info.mobile_phone': '13800138000',
      'contact_info.contact_email': 'shop@example.com',
      'subject_info.identity_info.owner': 'false',
      [`${owners}.0.ubo_id_doc_type`]: 'IDENTIFICATION_TYPE_IDCARD',
      [`${owners}.0.ubo_id_doc_name`]: '王五',
      [`${owners}.0.ubo_id_doc_number`]: idOf(2),
      [`${owners}.0.ubo_id_doc_address`]: '北京市朝阳区1号',
      [`${owners}.0.ubo_period_begin`]: '2020-01-01',
      [`${owners}.0.ubo_period_end`]: '长期',
      [`${owners}.1.ubo_id_doc_type`]: 'IDENTIFICATION_TYPE_OVERSEA_PASSPORT',
      [`${owners}.1.ubo_id_doc_name`]: 'JOHN SMITH',
      [`${owners}.1.ubo_id_doc_number`]: 'E12345678',
      [`${owners}.1.ubo_id_doc_address`]: '北京市朝阳区1号',
      [`${owners}.1.ubo_period_begin`]: '2020-01-01',
      [`${owners}.1.ubo_period_end`]: '2040-01-01',
    })
    const pictures = Object.entries(said).filter(([path]) => /_copy|authorization_letter/.test(path))
    assert.equal(new Set(pictures.map(([, media]) => media)).size, pictures.length, 'each its own')
    // Seven of the application, three of the deputy, two and one of the owners.
    assert.equal(calls.filter(call => call === 'upload').length, 13)
    await work()
    assert.equal((await shown()).serviceState, 'toBeConfirmed', 'a deputy has the account verified first')
  })

  test('numbers lie sealed, and are neither in the log nor told again', async () => {
    await complete()
    const number = idOf(7)
    const personId = await save({ role: 'owner', name: '王五', idNumber: number })
    const { rows } = await office.owner.query(
      `select id_number, (to_jsonb(p) - 'id_number')::text as row from onboarding_people p where id = $1`,
      [personId],
    )
    assert.ok(!rows[0].row.includes(number) && !rows[0].id_number.includes(number))
    assert.equal(office.app.services.secrets.decrypt(rows[0].id_number), number)
    const log = await office.owner.query('select * from operation_logs where merchant_id = $1', [shop])
    assert.ok(log.rows.some(row => JSON.stringify(row).includes('受益所有人姓名')))
    assert.ok(!JSON.stringify([log.rows, await shown()]).includes(number))
    // Another paper with the number that is kept: it is judged as such.
    const as = await person({ role: 'owner', name: '王五', personId, idNumber: null })
    await me.onboardings.savePerson({ ...as, name: '王五五' })
    assert.equal((await shown()).people[0]?.name, '王五五')
  })

  /** Names of the files in the archive of the application: each stands before its file and in the list of all. */
  async function archived(): Promise<string[]> {
    const answer = await office.app.http.inject({
      url: `/api/payment-applications/${id}/zip`,
      headers: { cookie },
    })
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'application/zip'])
    const names =
      answer.rawPayload.toString('utf8').match(/\d+_[^_\0]+_(?:[^_\0]+_)?[\d-]+(?:_\d+)?\.jpg/g) ?? []
    assert.equal(names.length, 2 * new Set(names).size)
    return [...new Set(names)]
  }

  test('come with their pictures in the archive of the application, which say whose they are', async () => {
    await makeDocument(office, { by: agent, merchantId: shop, kind: 'other' })
    assert.equal((await archived()).length, 7, 'those of the account alone')
    await complete({ isOwner: false })
    await save({ role: 'deputy', name: '李四', authorizationId: await paper('authorizationLetter') })
    await save({ role: 'owner', name: '王/五', idNumber: idOf(2) })
    const names = await archived()
    assert.equal(names.length, 12)
    const ofThem = names.flatMap(name => name.match(/^\d+_([^_]+_(?:经办人|受益所有人)[^_]+)_/)?.[1] ?? [])
    const expected = [
      ...['其他人员证件正面_经办人李四', '其他人员证件反面_经办人李四', '授权书_经办人李四'],
      ...['其他人员证件正面_受益所有人王五', '其他人员证件反面_受益所有人王五'],
    ]
    assert.deepEqual(ofThem.toSorted(), expected.toSorted())
    const { rows } = await office.owner.query(
      `select objects, changes from operation_logs where title = '打包下载支付申请资料' and merchant_id = $1 order by id desc limit 1`,
      [shop],
    )
    assert.ok(rows[0].objects.includes(`paymentApplication:${id}`))
    assert.deepEqual(rows[0].changes.at(-1), { name: '份数', before: null, after: '12 份' })
    // Of a shop of one person nobody else is told.
    await complete({ subjectKind: 'individual', category: '719 餐饮' })
    assert.equal((await archived()).length, 10)
  })

  test('is refused at its field, and nobody more than the service takes', async () => {
    await complete()
    const at = async (field: string, more: Partial<Given>) =>
      assert.rejects(save({ role: 'owner', name: '王五', ...more }), { data: { field } }, field)
    await at('name', { name: '' })
    await at('name', { name: '王' })
    await at('idNumber', { idNumber: '110105194912310021' })
    await at('idNumber', { idNumber: null })
    await at('frontId', { frontId: null })
    await at('backId', { backId: null })
    await at('idFrom', { idFrom: '' })
    await at('idTo', { idTo: '2020-01-01' })
    await at('address', { address: '' })
    const [front, other] = [await paper('personIdFront'), await makeMerchant(office, agent.id)]
    const refused = async (more: Partial<Given>) => refusalOf(save({ role: 'owner', name: '王五', ...more }))
    assert.equal(await refused({ backId: front }), 'NOT_FOUND', 'a front is no back')
    assert.equal(
      await refused({ frontId: await paper('personIdFront', other) }),
      'NOT_FOUND',
      'of another shop',
    )
    assert.equal(await refused({ revision: 99 }), 'STALE')
    for (const order of [1, 2, 3, 4]) await save({ role: 'owner', name: '王五', idNumber: idOf(order) })
    assert.equal(await refused({ idNumber: idOf(5) }), 'OWNERS_FULL')
    const [first] = (await shown()).people
    const twice = await person({ role: 'owner', name: '王五', personId: first?.id ?? 0, idNumber: idOf(2) })
    await assert.rejects(me.onboardings.savePerson(twice), { data: { field: 'idNumber' } })
    await save({ role: 'deputy', name: '李四' })
    assert.equal(await refusalOf(save({ role: 'deputy', name: '李四' })), 'DEPUTY_TWICE')
    const two = await person({ role: 'deputy', name: '李四', personId: first?.id ?? 0 })
    assert.equal(await refusalOf(me.onboardings.savePerson(two)), 'NOT_FOUND', 'nobody changes roles')
  })

  test('of a shop of one person nobody else owns it: it is neither asked nor told', async () => {
    await complete()
    await save({ role: 'owner', name: '王五' })
    await complete({ subjectKind: 'individual', category: '719 餐饮' })
    assert.equal(
      await refusalOf(save({ role: 'owner', name: '赵六', idNumber: idOf(2) })),
      'OWNERS_OF_COMPANIES',
    )
    const { rows } = await office.owner.query(
      `update verifications set company = '老张面馆' where merchant_id = $1 returning id`,
      [shop],
    )
    assert.equal(rows.length, 1)
    await submit()
    await work()
    assert.deepEqual(
      Object.keys(saidThere()).filter(path => path.includes('ubo_')),
      [],
    )
  })

  test('what the service refuses of a person stands at that person and field, also where another is removed', async () => {
    await complete()
    const authorizationId = await paper('authorizationLetter')
    const deputy = await save({ role: 'deputy', name: '李四', authorizationId })
    const first = await save({ role: 'owner', name: '王五', idNumber: idOf(2) })
    const second = await save({ role: 'owner', name: '赵六', idNumber: idOf(3) })
    await submit()
    await work()
    const blame = (field: string, reject_reason: string) => ({ field, field_name: field, reject_reason })
    await opened.post('applications', {
      businessCode: (await shown()).businessCode,
      refusals: [
        blame('contact_info.business_authorization_letter', '授权函未盖公章'),
        blame('subject_info.ubo_info_list.1.ubo_id_doc_copy_back', '反面不清晰'),
      ],
    })
    assert.equal(await refusalOf(save({ role: 'owner', name: '孙七' })), 'UNDER_WAY')
    await work()
    const there = async () =>
      (await shown()).refusals.map(({ role, personId, field }) => [role, personId, field])
    assert.deepEqual(await there(), [
      ['deputy', deputy, 'authorizationId'],
      ['owner', second, 'backId'],
    ])
    const { reasons } = await me.paymentApplications.details({ id })
    assert.match(
      reasons.other ?? '',
      /业务办理授权函：授权函未盖公章；受益人证件反面照片（第 2 位）：反面不清晰/,
    )
    const { revision } = await shown()
    await me.onboardings.removePerson({ id, revision, personId: first })
    assert.deepEqual((await there())[1], ['owner', second, 'backId'])
    const used = await office.owner.query(
      `select document_id from document_uses where merchant_id = $1 and object_id = $2`,
      [shop, `person ${first}`],
    )
    assert.equal(used.rows.length, 0, 'its papers are let go')
    assert.equal(
      await refusalOf(me.onboardings.removePerson({ id, revision: revision + 1, personId: first })),
      'NOT_FOUND',
    )
  })

  test('the legal person once more as an owner is refused by the service, and said where it is mended', async () => {
    await complete()
    await save({ role: 'owner', name: '张三', idNumber: IDENTITY.idNumber })
    await submit()
    await work()
    assert.deepEqual(
      (await shown()).refusals.map(({ field, role }) => [field, role]),
      [['isOwner', null]],
    )
  })

  test('they go along with a shop that moves to another agent', async () => {
    await complete()
    await save({ role: 'owner', name: '王五' })
    const other = await makeAgent(office)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, other.id])
    const { rows } = await office.owner.query(
      'select agent_id from onboarding_people where merchant_id = $1',
      [shop],
    )
    assert.deepEqual(rows, [{ agent_id: String(other.id) }])
  })
})
