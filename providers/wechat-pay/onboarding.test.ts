import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  ACCOUNT_CHANGES_A_DAY,
  ACCOUNT_KINDS_OF,
  type AccountKind,
  ONBOARDING_OPEN_STATES,
  ONBOARDING_STATE_DAYS,
  ONBOARDING_STATES,
  type OnboardingApplication,
  type OnboardingDesk,
  type OnboardingField,
  type OnboardingState,
  placeNamed,
} from '#kit/ports/onboarding.ts'
import { ProviderBusy, ProviderRefused } from '#kit/ports/providers.ts'
import { pictureOf } from '#providers/simulated-ocr.ts'
import type { Effect } from '#providers/simulator.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import {
  anEnterprise,
  anIndividual,
  aPaper,
  ID_NUMBERS,
  type Uploaded,
  uploadAll,
} from '#test/wechat-onboarding.ts'
import { openWechatPay, refused, unknown } from '#test/wechat-pay.ts'
import { makeOnboarding } from './onboarding.ts'
import { makeWechatPayKeys, settingsFor } from './simulator.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const keys = makeWechatPayKeys()
const REVIEW_MS = 60_000
const SIGNING_MS = 30 * 60_000
const opened = await openWechatPay(keys, {
  reviewMs: REVIEW_MS,
  signingMs: SIGNING_MS,
  changeMs: REVIEW_MS,
  callsASecond: Number.POSITIVE_INFINITY,
})
const { simulator, fault, post } = opened
const { control } = simulator
after(() => simulator.stop())

let desk: OnboardingDesk
let media: Uploaded
before(async () => {
  desk = opened.desk()
  media = await uploadAll(desk)
})

const stateOf = async (code: string) => (await desk.ask(code))?.state
/** Of the next day in Shanghai, so that no day ends while its changes are counted. */
const toNoon = () => {
  const sinceMidnight = (control.now().getTime() + 8 * HOUR_MS) % DAY_MS
  control.moveClock(DAY_MS - sinceMidnight + 12 * HOUR_MS)
}
const reviewed = () => control.moveClock(REVIEW_MS)
const scan = (url: string, action: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' })
const submitted = async (application: OnboardingApplication) => {
  await desk.submit(application)
  return application.businessCode
}
async function signUrlOf(code: string): Promise<string> {
  return (await desk.ask(code))?.signUrl ?? assert.fail('there is no address to sign at')
}
/** Until payments can be made; answers the merchant's number. */
async function finished(application: OnboardingApplication): Promise<string> {
  const code = await submitted(application)
  reviewed()
  assert.equal(await stateOf(code), 'toBeSigned')
  await scan(await signUrlOf(code), 'sign')
  control.moveClock(SIGNING_MS)
  const fact = await desk.ask(code)
  assert.equal(fact?.state, 'finished')
  return fact?.subMerchantId ?? assert.fail('a finished application has a merchant')
}

describe('an application', () => {
  test('of a shop of one person is reviewed, signed on the phone, carried out and takes payments', async () => {
    const application = anIndividual(media)
    const { serviceId } = await desk.submit(application)
    const fact = await desk.ask(application.businessCode)
    assert.deepEqual([fact?.state, fact?.serviceId, fact?.subMerchantId], ['auditing', serviceId, null])
    reviewed()
    const signing = await desk.ask(application.businessCode)
    assert.equal(signing?.state, 'toBeSigned')
    assert.equal(signing?.message, '待签约')
    assert.match(signing?.subMerchantId ?? '', /^16\d{8}$/)
    const page = await (await fetch(await signUrlOf(application.businessCode))).text()
    assert.match(page, /确认签约/)
    assert.match(page, /小明小吃/)
    await scan(await signUrlOf(application.businessCode), 'sign')
    assert.equal(await stateOf(application.businessCode), 'signing')
    control.moveClock(SIGNING_MS)
    const done = await desk.ask(application.businessCode)
    assert.equal(done?.state, 'finished')
    const subMchid = done?.subMerchantId ?? ''
    const { merchant } = settingsFor(keys, simulator.url, { merchant: 'partner' })
    assert.ok(merchant.kind === 'partner')
    const channel = opened.channel({ merchant: 'partner' }, { merchant: { ...merchant, subMchid } })
    assert.match((await channel.create(opened.anOrder())).codeUrl, /^weixin:/)
  })

  test('with a deputy has its account verified before it is signed', async () => {
    const { name, phone, email } = { name: '李小红', phone: '13900000002', email: 'li@example.com' }
    const { front, back } = { front: media.other, back: media.indoor }
    const paper = {
      kind: 'idCard',
      front,
      back,
      number: ID_NUMBERS[1] ?? '',
      validFrom: '2019-01-01',
      validTo: '2039-01-01',
    } as const
    const code = await submitted(
      anEnterprise(media, {
        administrator: { kind: 'deputy', name, phone, email, paper, authorization: media.other },
      }),
    )
    reviewed()
    assert.equal(await stateOf(code), 'toBeConfirmed')
    await scan(await signUrlOf(code), 'sign')
    assert.equal(await stateOf(code), 'toBeConfirmed', 'signing comes after it')
    await scan(await signUrlOf(code), 'confirm')
    assert.equal(await stateOf(code), 'toBeSigned')
  })

  test('is called off where nobody verifies the account in ten days or signs in thirty', async () => {
    const waiting = await submitted(anIndividual(media))
    reviewed()
    assert.equal(await stateOf(waiting), 'toBeSigned')
    control.moveClock((ONBOARDING_STATE_DAYS.toBeSigned ?? 0) * DAY_MS - REVIEW_MS)
    assert.equal(await stateOf(waiting), 'toBeSigned')
    control.moveClock(REVIEW_MS)
    assert.equal(await stateOf(waiting), 'canceled')
    const unverified = await submitted(anIndividual(media))
    await post('applications', { businessCode: unverified, state: 'TO_BE_CONFIRMED' })
    control.moveClock((ONBOARDING_STATE_DAYS.toBeConfirmed ?? 0) * DAY_MS + 1)
    assert.equal(await stateOf(unverified), 'canceled')
  })

  test('has each state that the service has', async () => {
    const code = await submitted(anIndividual(media))
    const names: Record<OnboardingState, string> = {
      editing: 'EDITTING',
      auditing: 'AUDITING',
      rejected: 'REJECTED',
      toBeConfirmed: 'TO_BE_CONFIRMED',
      toBeSigned: 'TO_BE_SIGNED',
      signing: 'SIGNING',
      finished: 'FINISHED',
      canceled: 'CANCELED',
    }
    assert.deepEqual(Object.keys(names), Object.keys(ONBOARDING_STATES))
    for (const [state, name] of Object.entries(names) as [OnboardingState, string][]) {
      await post('applications', { businessCode: code, state: name })
      assert.equal(await stateOf(code), state)
      const again = desk.submit(anIndividual(media, { businessCode: code }))
      if (ONBOARDING_OPEN_STATES.includes(state)) await again
      else await assert.rejects(again, (error: ProviderRefused) => desk.troubleOf(error).turn === 'state')
    }
    await post('applications', { businessCode: code, state: 'LOST' })
    await assert.rejects(desk.ask(code), unknown)
  })

  test('that the service does not know is nothing, however it says so', async () => {
    assert.equal(await desk.ask('Tnobody'), null)
    fault('application', { kind: 'error', code: 'RESOURCE_NOT_EXISTS', message: '记录不存在' })
    assert.equal(await desk.ask('Tnobody'), null)
    fault('application', { kind: 'error', code: 'PARAM_ERROR', message: '未能找到申请单' })
    assert.equal(await desk.ask('Tnobody'), null)
    fault('application', { kind: 'error', code: 'PARAM_ERROR', message: '业务申请编号格式有误' })
    await assert.rejects(desk.ask('Tnobody'), refused('PARAM_ERROR'))
  })

  test('is there once although its answer was lost, and is found by its code', async () => {
    for (const effect of [{ kind: 'reset-after' }, { kind: 'malformed' }] as Effect[]) {
      const application = anIndividual(media)
      fault('submit', effect)
      await assert.rejects(desk.submit(application), unknown)
      const isThere = effect.kind === 'reset-after'
      assert.equal((await desk.ask(application.businessCode)) !== null, isThere)
      if (isThere) await assert.rejects(desk.submit(application), refused('PROCESSING'))
    }
    const application = anIndividual(media)
    fault('submit', { kind: 'reset-before' })
    await assert.rejects(desk.submit(application), unknown)
    assert.equal(await desk.ask(application.businessCode), null)
    await desk.submit(application)
    const count = simulator.applications().filter(one => one.businessCode === application.businessCode).length
    assert.equal(count, 1)
  })

  test('that was refused is mended under the same code, and one that has ended wants another', async () => {
    const wrong = anIndividual(media, { business: { ...anIndividual(media).business, shortName: '请驳回' } })
    const { serviceId } = await desk.submit(wrong)
    reviewed()
    const fact = await desk.ask(wrong.businessCode)
    assert.equal(fact?.state, 'rejected')
    assert.deepEqual(fact?.refusals, [
      { field: 'shortName', name: '商户简称', reason: '商户简称须体现实际经营内容，请修改' },
    ])
    const mended = anIndividual(media, { businessCode: wrong.businessCode })
    assert.deepEqual(await desk.submit(mended), { serviceId })
    assert.deepEqual((await desk.ask(wrong.businessCode))?.refusals, [])
    await finished(anIndividual(media, { businessCode: `${wrong.businessCode}_2` }))
    const again = anIndividual(media, { businessCode: `${wrong.businessCode}_2` })
    await assert.rejects(desk.submit(again), (error: ProviderRefused) => {
      assert.equal(error.code, 'INVALID_REQUEST')
      return desk.troubleOf(error).turn === 'state'
    })
  })

  test('of one subject can be made five times', async () => {
    const { subject } = anEnterprise(media)
    const same = () =>
      anEnterprise(media, { subject: { ...subject, number: '9144030071526726XG' } as typeof subject })
    const codes: string[] = []
    for (let made = 0; made < 5; made++) codes.push(await submitted(same()))
    await assert.rejects(desk.submit(same()), (error: ProviderRefused) => {
      assert.deepEqual(desk.troubleOf(error), {
        turn: 'data',
        field: 'licenceNumber',
        words: '该主体的微信支付商户号数量已达上限，请先注销不再使用的商户号',
      })
      return true
    })
  })

  test('and its merchant are kept by a simulator that is started again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'onboarding-'))
    const options = { reviewMs: 0, signingMs: 0, onboardingFile: join(folder, 'kept.json') }
    const first = await openWechatPay(keys, options)
    const at = first.desk()
    const application = anIndividual(await uploadAll(at))
    await at.submit(application)
    await scan((await at.ask(application.businessCode))?.signUrl ?? '', 'sign')
    const finished = await at.ask(application.businessCode)
    await first.simulator.stop()
    const second = await openWechatPay(structuredClone(keys), options)
    const later = await second.desk().ask(application.businessCode)
    assert.equal(later?.state, 'finished')
    assert.equal(later?.subMerchantId, finished?.subMerchantId)
    assert.equal((await second.desk().accountOf(later?.subMerchantId ?? '')).bank, '工商银行')
    await second.simulator.stop()
    rmSync(folder, { recursive: true })
  })
})

describe('a review', () => {
  const blurred = () => desk.upload(pictureOf({ kind: 'licence', problem: 'blurred' }))
  const changes: [string, OnboardingField, () => Promise<OnboardingApplication> | OnboardingApplication][] = [
    [
      'another name on the ID card',
      'idName',
      () =>
        anIndividual(media, {
          identity: aPaper(media, { name: '赵小刚' }),
          administrator: {
            kind: 'legalPerson',
            name: '赵小刚',
            phone: '13800000001',
            email: 'a@example.com',
          },
          account: { ...anIndividual(media).account, holder: '赵小刚' },
        }),
    ],
    [
      'another name of the administrator',
      'administratorName',
      () =>
        anIndividual(media, {
          administrator: {
            kind: 'legalPerson',
            name: '赵小刚',
            phone: '13800000001',
            email: 'a@example.com',
          },
        }),
    ],
    [
      'another holder of the account',
      'accountHolder',
      () => anEnterprise(media, { account: { ...anEnterprise(media).account, holder: '别的公司' } }),
    ],
    [
      'an ID card whose term is over',
      'idTerm',
      () =>
        anIndividual(media, { identity: aPaper(media, { validFrom: '2000-01-01', validTo: '2020-01-01' }) }),
    ],
    [
      'a licence whose term is over',
      'licenceTerm',
      () => {
        const one = anIndividual(media)
        return { ...one, subject: { ...one.subject, validFrom: '2000-01-01', validTo: '2020-01-01' } }
      },
    ],
    [
      'one picture for both sides',
      'idBack',
      () => anIndividual(media, { identity: aPaper(media, { back: media.front }) }),
    ],
    [
      'a picture that is not sharp',
      'licencePicture',
      async () => {
        const one = anIndividual(media)
        return { ...one, subject: { ...one.subject, picture: await blurred() } }
      },
    ],
  ]
  for (const [what, field, make] of changes)
    test(`refuses at its field: ${what}`, async () => {
      const code = await submitted(await make())
      reviewed()
      const fact = await desk.ask(code)
      assert.equal(fact?.state, 'rejected')
      assert.deepEqual(
        fact?.refusals.map(one => one.field),
        [field],
      )
    })

  test('may refuse a field that is not ours, which is then named in words', async () => {
    const code = await submitted(anIndividual(media))
    const refusals = [{ field: 'activities_id', field_name: '优惠费率活动', reject_reason: '不适用' }]
    await post('applications', { businessCode: code, refusals })
    assert.deepEqual((await desk.ask(code))?.refusals, [
      { field: null, name: '优惠费率活动', reason: '不适用' },
    ])
  })
})

describe('at the door', () => {
  type Change = (one: OnboardingApplication) => OnboardingApplication
  const store = (one: OnboardingApplication, changes: object) => ({
    ...one,
    business: {
      ...one.business,
      scenes: [{ ...one.business.scenes[0], ...changes } as (typeof one.business.scenes)[0] & object],
    },
  })
  const enterprise: Change = one => ({ ...anEnterprise(media), businessCode: one.businessCode })
  const changes: [string, OnboardingField | null, Change][] = [
    [
      'a wrong licence number',
      'licenceNumber',
      one => ({ ...one, subject: { ...one.subject, number: '91330100799655058A' } }),
    ],
    [
      'a licence number that is no number',
      'licenceNumber',
      one => ({ ...one, subject: { ...one.subject, number: '123' } }),
    ],
    [
      'a shop of one person that is called a company',
      'subjectName',
      one => ({ ...one, subject: { ...one.subject, name: '小明公司' } }),
    ],
    [
      'a wrong ID number',
      'idNumber',
      one => ({ ...one, identity: { ...one.identity, number: '110105194912310021' } }),
    ],
    [
      'a term that ends before it begins',
      'idTerm',
      one => ({ ...one, identity: { ...one.identity, validTo: '2015-01-01' } }),
    ],
    [
      'an enterprise without the address of its legal person',
      'idAddress',
      one => ({ ...enterprise(one), identity: aPaper(media) }),
    ],
    [
      'an enterprise that does not say who owns it',
      'isOwner',
      one => ({ ...enterprise(one), isOwner: undefined }),
    ],
    [
      'an enterprise whose owner is somebody else and nobody',
      'owners',
      one => ({ ...enterprise(one), isOwner: false }),
    ],
    [
      'one owner twice',
      'owners',
      one => ({ ...enterprise(one), owners: [aPaper(media, { address: '杭州' })] }),
    ],
    [
      'a wrong ID number of an owner',
      'ownerIdNumber',
      one => ({
        ...enterprise(one),
        isOwner: false,
        owners: [aPaper(media, { address: '杭州', number: '110105194912310021' })],
      }),
    ],
    [
      'an owner of a shop of one person',
      'owners',
      one => ({ ...one, owners: [aPaper(media, { address: '杭州' })] }),
    ],
    [
      'a picture that nobody uploaded',
      'idFront',
      one => ({ ...one, identity: { ...one.identity, front: 'nobody' } }),
    ],
    ['no picture of the inside', 'indoorPictures', one => store(one, { indoor: [] })],
    ['a division that is a province', 'storeCity', one => store(one, { division: '330000' })],
    ['no scene at all', 'scenes', one => ({ ...one, business: { ...one.business, scenes: [] } })],
    [
      'a sensitive word',
      'shortName',
      one => ({ ...one, business: { ...one.business, shortName: '微信小店' } }),
    ],
    [
      'a service phone in words',
      'servicePhone',
      one => ({ ...one, business: { ...one.business, servicePhone: '没有' } }),
    ],
    [
      'a wrong phone',
      'administratorPhone',
      one => ({ ...one, administrator: { ...one.administrator, phone: '12800000001' } }),
    ],
    [
      'a wrong email',
      'administratorEmail',
      one => ({ ...one, administrator: { ...one.administrator, email: 'shop' } }),
    ],
    [
      'an empty name, which is left out',
      'administratorName',
      one => ({ ...one, administrator: { ...one.administrator, name: '' } }),
    ],
    [
      'a rule of settlement of enterprises',
      'settlementId',
      one => ({ ...one, settlement: { ...one.settlement, id: '716' } }),
    ],
    [
      'a line of business of another rule',
      'qualificationType',
      one => ({ ...one, settlement: { ...one.settlement, qualificationType: '游戏' } }),
    ],
    [
      'a line of business without its papers',
      'qualifications',
      one => ({ ...one, settlement: { ...one.settlement, qualificationType: '宠物医院' } }),
    ],
    [
      'a bank that is not in the directory',
      'accountBank',
      one => ({ ...one, account: { ...one.account, bank: '中国工商银行' } }),
    ],
    [
      'another bank without its branch',
      'accountBranch',
      one => ({ ...one, account: { ...one.account, bank: '其他银行' } }),
    ],
    [
      'an account number in words',
      'accountNumber',
      one => ({ ...one, account: { ...one.account, number: '六二二二' } }),
    ],
    [
      'a private account of an enterprise',
      'accountKind',
      one => ({ ...enterprise(one), account: { ...one.account, kind: 'private' } }),
    ],
    [
      'an address that is too long to encrypt',
      'idAddress',
      one => ({ ...enterprise(one), identity: aPaper(media, { address: '路'.repeat(80) }) }),
    ],
  ]
  for (const [what, field, change] of changes)
    test(`is refused, and leads to its field: ${what}`, async () => {
      const application = change(anIndividual(media))
      await assert.rejects(desk.submit(application), (error: ProviderRefused) => {
        assert.equal(error.code, 'PARAM_ERROR', error.message)
        const trouble = desk.troubleOf(error)
        assert.equal(trouble.field, field, error.message)
        assert.ok(['data', 'pictures'].includes(trouble.turn), error.message)
        return true
      })
      assert.equal(await desk.ask(application.businessCode), null)
    })

  const accepted: [string, Change][] = [
    [
      'a shop with a company account',
      one => ({ ...one, account: { ...one.account, kind: 'corporate', holder: one.subject.name } }),
    ],
    [
      'papers that a line of business demands',
      one => ({
        ...one,
        settlement: { id: '719', qualificationType: '宠物医院', qualifications: [media.other] },
      }),
    ],
    [
      'an enterprise with another owner',
      one => ({
        ...enterprise(one),
        isOwner: false,
        owners: [aPaper(media, { name: '赵小刚', number: ID_NUMBERS[1] ?? '', address: '杭州' })],
      }),
    ],
    [
      'a legal person with a passport, which has one side',
      one => ({
        ...one,
        identity: { ...one.identity, kind: 'overseaPassport', number: 'E12345678', back: undefined },
      }),
    ],
    [
      'a public institution',
      one => ({
        ...one,
        subject: {
          ...one.subject,
          kind: 'institution',
          certificate: 'institutionLegalPerson',
          name: '小明少年宫',
        },
        settlement: { id: '725', qualificationType: '停车缴费', qualifications: [] },
        account: { ...one.account, kind: 'corporate', holder: '小明少年宫' },
      }),
    ],
    [
      'every scene at once, and additions',
      one => ({
        ...one,
        business: {
          ...one.business,
          scenes: [
            ...one.business.scenes,
            { kind: 'miniProgram', appid: 'wx1234567890123456', pictures: [media.other] },
            { kind: 'officialAccount', appid: 'wx1234567890123457', pictures: [media.other] },
            { kind: 'app', appid: 'wx1234567890123458', pictures: [media.other] },
            { kind: 'website', domain: 'https://shop.example.com', authorization: media.other },
          ],
        },
        additions: { pictures: [media.other], message: '新店开业' },
      }),
    ],
  ]
  for (const [what, change] of accepted)
    test(`is taken: ${what}`, async () => {
      const code = await submitted(change(anIndividual(media)))
      reviewed()
      assert.equal(await stateOf(code), 'toBeSigned')
    })

  test('which kinds of account a subject may have is what the service takes', async () => {
    const makers = { individual: anIndividual, enterprise: anEnterprise }
    for (const [kind, make] of Object.entries(makers) as ['individual' | 'enterprise', typeof anIndividual][])
      for (const account of ['corporate', 'private'] as AccountKind[]) {
        const handed = desk.submit(make(media, { account: { ...make(media).account, kind: account } }))
        if (ACCOUNT_KINDS_OF[kind].includes(account)) await handed
        else await assert.rejects(handed, refused('PARAM_ERROR'))
      }
  })

  test('every field arrives as it was written', async () => {
    const application = anEnterprise(media)
    await desk.submit(application)
    const { said } =
      simulator.applications().find(one => one.businessCode === application.businessCode) ?? assert.fail()
    assert.equal(said['contact_info.mobile_phone'], application.administrator.phone)
    assert.equal(said['contact_info.contact_email'], application.administrator.email)
    assert.equal(said['subject_info.identity_info.id_card_info.id_card_number'], application.identity.number)
    assert.equal(
      said['subject_info.identity_info.id_card_info.id_card_address'],
      application.identity.address,
    )
    assert.equal(said['subject_info.business_license_info.license_address'], application.subject.address)
    assert.equal(said['bank_account_info.account_number'], application.account.number)
    assert.deepEqual(said['business_info.sales_info.biz_store_info.indoor_pic'], [media.indoor])
  })
})

describe('a picture', () => {
  test('is refused here where it is none or too large, and there where its name or hash is another', async () => {
    await assert.rejects(desk.upload(Buffer.from('GIF89a')), refused('PARAM_ERROR'))
    const large = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(2 * 1024 * 1024)])
    await assert.rejects(
      desk.upload(large),
      (error: ProviderRefused) => desk.troubleOf(error).turn === 'pictures',
    )
  })

  test('is uploaded as JPEG and BMP too, and its lost answer does no harm', async () => {
    await desk.upload(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]))
    await desk.upload(Buffer.from([0x42, 0x4d, 1, 2]))
    fault('upload', { kind: 'reset-after' })
    await assert.rejects(desk.upload(pictureOf({})), unknown)
    await desk.upload(pictureOf({}))
  })

  test('that the service has forgotten is to be uploaded again', async () => {
    const fresh = await uploadAll(desk)
    const application = anIndividual(fresh)
    await post('media', { forget: true })
    await assert.rejects(desk.submit(application), (error: ProviderRefused) => {
      assert.deepEqual(desk.troubleOf(error), {
        turn: 'pictures',
        field: 'licencePicture',
        words: '照片在微信支付已失效，需重新上传后再提交',
      })
      return true
    })
    media = await uploadAll(desk)
  })
})

describe('the settlement account', () => {
  const another = {
    kind: 'private',
    holder: '王小明',
    number: '6214860000001234',
    bank: '招商银行',
    division: '330100',
  } as const

  test('is told masked, and changes after a review', async () => {
    const merchant = await finished(anIndividual(media))
    assert.deepEqual(await desk.accountOf(merchant), {
      kind: 'private',
      bank: '工商银行',
      branchName: null,
      branchNumber: null,
      numberMasked: '622202*********5702',
      verification: 'verified',
      reason: '',
    })
    const { changeId } = await desk.changeAccount(merchant, another)
    const change = await desk.askChange(merchant, changeId)
    assert.deepEqual([change.state, change.finishedAt], ['auditing', null])
    assert.equal((await desk.accountOf(merchant)).bank, '工商银行')
    await assert.rejects(
      desk.changeAccount(merchant, another),
      (error: ProviderRefused) => desk.troubleOf(error).turn === 'state',
    )
    reviewed()
    const done = await desk.askChange(merchant, changeId)
    assert.equal(done.state, 'done')
    assert.equal(done.numberMasked, '621486******1234')
    assert.ok(done.finishedAt)
    assert.equal((await desk.accountOf(merchant)).bank, '招商银行')
  })

  test('stays where the change is refused, and takes five changes a day', async () => {
    const merchant = await finished(anIndividual(media))
    toNoon()
    await post('changes', { next: ['银行账户户名有误'] })
    for (let made = 0; made < ACCOUNT_CHANGES_A_DAY; made++) {
      const { changeId } = await desk.changeAccount(merchant, another)
      reviewed()
      const { state, reason } = await desk.askChange(merchant, changeId)
      assert.deepEqual([state, reason], made === 0 ? ['refused', '银行账户户名有误'] : ['done', ''])
      assert.equal((await desk.accountOf(merchant)).bank, made === 0 ? '工商银行' : '招商银行')
    }
    await assert.rejects(desk.changeAccount(merchant, another), (error: ProviderRefused) => {
      assert.equal(desk.troubleOf(error).turn, 'later')
      return true
    })
    control.moveClock(DAY_MS)
    await desk.changeAccount(merchant, another)
  })

  test('of an enterprise is never a private one, and of others’ merchants nothing is told', async () => {
    const merchant = await finished(anEnterprise(media))
    await assert.rejects(
      desk.changeAccount(merchant, another),
      (error: ProviderRefused) => desk.troubleOf(error).field === 'accountKind',
    )
    await assert.rejects(desk.accountOf('1600000000'), refused('NO_AUTH'))
  })
})

describe('the bank directory', () => {
  test('has banks for both kinds of account, page by page', async () => {
    const all = await desk.directory.banks('corporate', { offset: 0, limit: 1000 })
    assert.equal(all.rows.length, all.total)
    const page = await desk.directory.banks('corporate', { offset: 2, limit: 3 })
    assert.deepEqual(page, { rows: all.rows.slice(2, 5), total: all.total })
    const names = (await desk.directory.banks('private', { offset: 0, limit: 200 })).rows.map(
      ({ name }) => name,
    )
    assert.ok(names.includes('浙江网商银行') && !names.includes('国家开发银行'))
    assert.ok(all.rows.every(({ needsBranch, accountBank }) => needsBranch === (accountBank === '其他银行')))
  })

  test('leads from a province over its city to branches, whose number an application takes', async () => {
    const { directory } = desk
    const province = placeNamed(await directory.provinces(), '浙江') ?? assert.fail()
    const city = placeNamed(await directory.cities(province.code), '杭州市') ?? assert.fail()
    const { rows } = await directory.banks('corporate', { offset: 0, limit: 200 })
    const bank = rows.find(({ name }) => name === '杭州银行') ?? assert.fail()
    const branches = await directory.branches(bank.code, city.code, { offset: 0, limit: 200 })
    assert.equal(branches.total, branches.rows.length)
    const branch = branches.rows[0] ?? assert.fail()
    assert.match(branch.number, /^\d{12}$/)
    const { account } = anEnterprise(media)
    const away = { ...account, bank: bank.accountBank, branch }
    await desk.submit(anEnterprise(media, { account: away }))
    const wrong = { ...away, branch: { ...branch, name: '别的支行' } }
    await assert.rejects(
      desk.submit(anEnterprise(media, { account: wrong })),
      (error: ProviderRefused) => desk.troubleOf(error).field === 'accountBranch',
    )
  })

  test('tells the bank of a card by its number, which travels encrypted', async () => {
    const found = await desk.directory.banksOfNumber('6222021001116245702')
    assert.deepEqual(
      found.map(({ name }) => name),
      ['工商银行'],
    )
    assert.deepEqual(await desk.directory.banksOfNumber('9999999999999999'), [])
  })

  test('has branches of banks that want one, and of no others', async () => {
    const { rows } = await desk.directory.banks('corporate', { offset: 0, limit: 200 })
    const large = rows.find(({ needsBranch }) => !needsBranch) ?? assert.fail()
    await assert.rejects(
      desk.directory.branches(large.code, '571', { offset: 0, limit: 10 }),
      refused('PARAM_ERROR'),
    )
  })
})

describe('what cannot be believed or is too much', () => {
  const effects: Effect[] = [
    { kind: 'reset-before' },
    { kind: 'reset-after' },
    { kind: 'status', status: 502, body: 'bad gateway' },
    { kind: 'malformed' },
    { kind: 'wrong-signature' },
    { kind: 'stale-timestamp' },
    { kind: 'error', code: 'SYSTEM_ERROR' },
  ]
  for (const effect of effects)
    test(`is unknown, and the same can be asked again: ${effect.kind}`, async () => {
      const code = await submitted(anIndividual(media))
      fault('application', effect)
      await assert.rejects(desk.ask(code), unknown)
      assert.equal(await stateOf(code), 'auditing')
    })

  test('is refused for now where there are too many calls, for which each call waits its turn', async () => {
    fault('application', { kind: 'error', code: 'RATE_LIMITED', message: '频率限制，请降低调用频率' })
    await assert.rejects(
      desk.ask('Tnobody'),
      (error: unknown) => error instanceof ProviderBusy && desk.troubleOf(error).turn === 'later',
    )
    let turns = 0
    const settings = settingsFor(keys, simulator.url, { merchant: 'partner', mode: 'public-key' })
    const around = { fetch, now: () => control.now(), nonce: randomUUID, timeoutMs: ANSWERED_WITHIN_MS }
    const counted = makeOnboarding(settings, around, async () => {
      turns++
    })
    await counted?.upload(pictureOf({}))
    await counted?.ask('Tnobody')
    await counted?.directory.provinces()
    assert.equal(turns, 3)
  })

  test('is no matter of the shop where the vendor’s account may not', async () => {
    fault('submit', { kind: 'token-revoked' })
    await assert.rejects(
      desk.submit(anIndividual(media)),
      (error: ProviderRefused) => desk.troubleOf(error).turn === 'account',
    )
    const direct = settingsFor(keys, simulator.url)
    assert.equal(
      makeOnboarding(direct, { fetch, now: () => control.now(), nonce: () => 'n', timeoutMs: 1 }),
      null,
    )
  })

  test('a certificate encrypts where there is no public key, the newest of them', async () => {
    const byCertificate = opened.desk('certificate')
    await byCertificate.submit(anIndividual(media))
    await post('keys', { rotate: true })
    const later = opened.desk('certificate')
    await later.submit(anIndividual(media))
    await byCertificate.submit(anIndividual(media))
    const foreign = opened.desk('public-key', {
      publicKey: { id: keys.publicKey.id, pem: keys.direct.publicKeyPem },
      acceptCertificates: true,
    })
    await assert.rejects(
      foreign.submit(anIndividual(media)),
      (error: unknown) =>
        unknown(error) || (error instanceof ProviderRefused && foreign.troubleOf(error).turn === 'account'),
    )
  })
})
