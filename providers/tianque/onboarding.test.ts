// A shop is taken in at TianQue's simulator, which decodes pictures, checks every field and knows an application by its request number.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, describe } from 'node:test'
import sharp from 'sharp'
import type { AcquirerAccountChange, AcquirerApplication } from '#kit/ports/acquirer-onboarding.ts'
import type { AcquirerPaper } from '#kit/ports/acquirers.ts'
import { ProviderRefused, ProviderUnknown, ProviderUnverified } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import type { Effect } from '../simulator.ts'
import { makeTianqueOnboarding } from './onboarding.ts'
import { reasonsOf, troubleOf } from './onboarding-troubles.ts'
import {
  makeTianqueKeys,
  startTianqueSimulator,
  type TianqueSimulator,
  tianqueSettings,
} from './simulator.ts'

const keys = makeTianqueKeys()
let simulator: TianqueSimulator
let picture: Buffer
let made = 0
before(async () => {
  simulator = await startTianqueSimulator(keys, 0, { reviewMs: 60_000 })
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
})
after(() => simulator.stop())
afterEach(() => {
  simulator.control.faults.length = 0
})

const desk = (more: object = {}) =>
  makeTianqueOnboarding(
    { ...tianqueSettings(keys, simulator.url), ...more },
    {
      ...{ fetch, now: () => new Date(), timeoutMs: ANSWERED_WITHIN_MS },
      nonce: () => `n${++made}`.padEnd(32, '0'),
    },
  )
const fault = (match: string, effect: Effect) => simulator.control.faults.push({ match, times: 1, effect })
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it was taken'),
    (error: unknown) => (error instanceof ProviderRefused ? error : assert.fail(String(error))),
  )

const KNOWN: AcquirerApplication['known'] = {
  ...{ company: '老张面馆', creditCode: '92440300MA5EXAMPLE', legalPerson: '张三' },
  ...{ idNumber: '11010519491231002X', shopName: '老张面馆（南山店）', shortName: '老张面馆' },
  ...{ regionName: '广东省深圳市南山区', address: '科技路1号', category: '5812', contactName: '张三' },
  ...{ contactPhone: '13800138000', email: '', payType: 'corporate', accountName: '老张面馆' },
  ...{ accountNumber: '755900000010018', bankRegionName: '广东省深圳市', bankName: '招商银行' },
  ...{ branchName: '招商银行深圳分行', branchNumber: '308584000013', rate: '0.38' },
}
const CORPORATE: readonly AcquirerPaper[] = [
  ...(['businessLicence', 'idCardFront', 'idCardBack', 'accountPermit'] as const),
  ...(['shopFront', 'shopInside'] as const),
]
const uploaded = async (papers = CORPORATE) =>
  Object.fromEntries(
    await Promise.all(papers.map(async paper => [paper, await desk().upload(paper, picture)] as const)),
  )
const application = async (more: Partial<AcquirerApplication> = {}): Promise<AcquirerApplication> => ({
  ...{ requestNo: `R${++made}`, refusedMerchant: null, known: KNOWN, district: '440305' },
  pictures: await uploaded(),
  ...more,
})

describe('an application', () => {
  test('is reviewed and taken on with a number of the merchant, in time', async () => {
    const { applicationId, merchant } = await desk().submit(await application())
    assert.match(merchant, /^\d{15}$/)
    assert.deepEqual(await desk().ask(applicationId), { state: 'reviewing', merchant })
    simulator.control.moveClock(61_000)
    assert.deepEqual(await desk().ask(applicationId), { state: 'opened', merchant })
  })

  test('says what the platform asks in its names, of a company and of a person’s account', async () => {
    const of = (id: string) => simulator.applications().find(one => one.applicationId === id)?.data
    const first = await desk().submit(await application())
    const data = of(first.applicationId) ?? assert.fail()
    assert.deepEqual(
      [data.regProvCd, data.regCityCd, data.regDistCd],
      ['440000000000', '440300000000', '440305000000'],
    )
    assert.deepEqual([data.haveLicenseNo, data.actTyp, data.stmManIdNo], ['02', '00', undefined])
    assert.deepEqual(data.qrcodeList, [
      { rateType: '01', rate: '0.38' },
      { rateType: '02', rate: '0.38' },
      { rateType: '06', rate: '0.38' },
      { rateType: '07', rate: '0.38' },
    ])
    const papers = CORPORATE.map(paper => (paper === 'accountPermit' ? 'bankCard' : paper))
    const known = {
      ...{ ...KNOWN, payType: 'private', accountName: '张三', creditCode: '91440300MA5EXAMPLE' },
      email: 'a@example.com',
    }
    const second = await desk().submit(await application({ known, pictures: await uploaded(papers) }))
    const theirs = of(second.applicationId) ?? assert.fail()
    assert.deepEqual(
      [theirs.haveLicenseNo, theirs.actTyp, theirs.stmManIdNo, theirs.email],
      ['03', '01', '11010519491231002X', 'a@example.com'],
    )
  })

  test('whose answer was lost is the same one under its number', async () => {
    const one = await application()
    const before = simulator.applications().length
    fault('income', { kind: 'reset-after' })
    await assert.rejects(desk().submit(one), ProviderUnknown)
    const first = await desk().submit(one)
    assert.deepEqual(await desk().submit(one), first)
    assert.equal(simulator.applications().length, before + 1)
  })

  test('that was refused says of what, and goes again with its merchant, once', async () => {
    const known = { ...KNOWN, shortName: '老张驳回面馆' }
    const { applicationId, merchant } = await desk().submit(await application({ known }))
    const early = await refusalOf(desk().submit(await application({ refusedMerchant: merchant })))
    assert.match(early.message, /不是入驻驳回/)
    simulator.control.moveClock(61_000)
    assert.deepEqual(await desk().ask(applicationId), {
      ...{ state: 'refused', merchant },
      reasons: { shopFront: '门头照与商户简称不符', businessLicence: '营业执照照片不清晰' },
    })
    const mended = await application({ refusedMerchant: merchant })
    const again = await desk().submit(mended)
    assert.equal(again.merchant, merchant)
    assert.deepEqual(await desk().submit(mended), again)
    assert.equal((await desk().ask(again.applicationId)).state, 'reviewing')
    simulator.decide({ applicationId: again.applicationId, taskStatus: '1' })
    assert.deepEqual(await desk().ask(again.applicationId), { state: 'opened', merchant })
  })
})

describe('what is wrong is said of its field', () => {
  const fieldsOf = async (more: Partial<AcquirerApplication>) => {
    const trouble = desk().troubleOf(await refusalOf(desk().submit(await application(more))))
    assert.equal(trouble.turn, 'data')
    return Object.keys(trouble.reasons)
  }
  const cases: [name: string, known: Partial<AcquirerApplication['known']>, field: string][] = [
    ['a name of digits alone', { shortName: '123' }, 'shortName'],
    ['no address', { address: '' }, 'address'],
    ['a line for a mobile number', { contactPhone: '0755-88886666' }, 'contactPhone'],
    ['a category that is no code', { category: '餐饮' }, 'category'],
    ['a number of no person', { idNumber: '123' }, 'idNumber'],
    ['an account of somebody else', { accountName: '李四' }, 'accountName'],
    ['no branch', { branchNumber: '' }, 'branchNumber'],
    ['a rate that is none', { rate: '38' }, 'rate'],
    ['a code of no subject', { creditCode: '1' }, 'creditCode'],
  ]
  for (const [name, known, field] of cases)
    test(name, async () => assert.deepEqual(await fieldsOf({ known: { ...KNOWN, ...known } }), [field]))

  test('each picture that is wanting, and one of another kind', async () => {
    const pictures = await uploaded()
    for (const paper of CORPORATE) {
      const { [paper]: _, ...rest } = pictures
      assert.deepEqual(await fieldsOf({ pictures: rest }), [paper])
    }
    const turned = { ...pictures, shopFront: pictures.shopInside as string }
    assert.deepEqual(await fieldsOf({ pictures: turned }), ['shopFront'])
  })

  test('a picture that is none', async () => {
    const error = await refusalOf(desk().upload('shopFront', Buffer.from('no picture')))
    assert.match(error.message, /图片无法打开/)
  })
})

test('a sentence is told at what it is about, and one that nobody knows as it is', () => {
  const cases: [text: string, reasons: object][] = [
    ['营业执照照片不清晰', { businessLicence: '营业执照照片不清晰' }],
    [
      '身份证反面模糊；身份证正面照片模糊',
      { idCardBack: '身份证反面模糊', idCardFront: '身份证正面照片模糊' },
    ],
    ['身份证号与姓名不符', { idNumber: '身份证号与姓名不符' }],
    [
      '结算卡号有误。开户支行联行号有误',
      { accountNumber: '结算卡号有误', branchNumber: '开户支行联行号有误' },
    ],
    ['门头照反光\n门头照缺字', { shopFront: '门头照反光；门头照缺字' }],
    ['不符合入网要求', { other: '不符合入网要求' }],
    ['', { other: '渠道驳回，没有说明原因' }],
  ]
  for (const [text, reasons] of cases) assert.deepEqual(reasonsOf(text), reasons, text)
})

test('whose turn it is after a refusal', () => {
  const turn = (message: string) => troubleOf({ code: '0001', message }).turn
  assert.deepEqual(['验签失败', '机构不存在', '系统繁忙，请稍后再试', 'mecDisNm不能为空'].map(turn), [
    'account',
    'account',
    'later',
    'data',
  ])
})

describe('an account', () => {
  const change = async (more: Partial<AcquirerAccountChange> = {}): Promise<AcquirerAccountChange> => {
    const paper = more.kind === 'private' ? 'bankCard' : 'accountPermit'
    return {
      ...{ requestNo: `R${++made}`, merchant: await takenOn(), kind: 'corporate', holder: KNOWN.company },
      ...{ number: '755900000020029', idNumber: '', branchName: '招商银行深圳分行' },
      branchNumber: '308584000013',
      picture: { paper, name: await desk().upload(paper, picture) },
      ...more,
    }
  }
  async function takenOn(): Promise<string> {
    const { applicationId, merchant } = await desk().submit(await application())
    simulator.decide({ applicationId, taskStatus: '1' })
    return merchant
  }
  const sent = () => simulator.changes().at(-1)?.data

  test('is reviewed and holds, in time, or is refused in words', async () => {
    const { changeId } = await desk().changeAccount(await change())
    assert.deepEqual(
      [sent()?.actNo, sent()?.actTyp, sent()?.stmManIdNo],
      ['755900000020029', '00', undefined],
    )
    assert.deepEqual(await desk().askChange(changeId), { state: 'auditing', reason: '' })
    simulator.control.moveClock(61_000)
    assert.deepEqual(await desk().askChange(changeId), { state: 'done', reason: '' })
    const refused = await desk().changeAccount(await change({ branchName: '驳回支行' }))
    simulator.control.moveClock(61_000)
    assert.deepEqual(await desk().askChange(refused.changeId), {
      ...{ state: 'refused', reason: '银行卡照片与卡号不符' },
    })
  })

  test('of the legal person says whose it is', async () => {
    const own = { kind: 'private', holder: '张三', idNumber: KNOWN.idNumber } as const
    await desk().changeAccount(await change(own))
    assert.deepEqual([sent()?.actTyp, sent()?.stmManIdNo, sent()?.actNm], ['01', KNOWN.idNumber, '张三'])
  })

  test('whose answer was lost is the same change under its number, and a second waits for the first', async () => {
    const one = await change()
    const before = simulator.changes().length
    fault('edit-merchant', { kind: 'reset-after' })
    await assert.rejects(desk().changeAccount(one), ProviderUnknown)
    const first = await desk().changeAccount(one)
    assert.deepEqual(await desk().changeAccount(one), first)
    assert.equal(simulator.changes().length, before + 1)
    const second = await refusalOf(desk().changeAccount(await change({ merchant: one.merchant })))
    assert.match(second.message, /审核中/)
  })

  test('of somebody else, without a branch, with a picture of another kind, of no merchant: is refused', async () => {
    const wrong: [Partial<AcquirerAccountChange>, RegExp][] = [
      [{ holder: '李四' }, /actNm/],
      [{ branchNumber: '' }, /lbnkNo/],
      [{ number: '1' }, /actNo/],
      [{ merchant: '1' }, /商户不存在/],
      [
        { picture: { paper: 'accountPermit', name: await desk().upload('bankCard', picture) } },
        /openingAccountLicensePic/,
      ],
    ]
    for (const [more, words] of wrong)
      assert.match((await refusalOf(desk().changeAccount(await change(more)))).message, words)
    assert.match((await refusalOf(desk().askChange('1'))).message, /不存在/)
  })
})

describe('what is not believed', () => {
  test('an answer that the platform’s key did not sign', async () => {
    fault('income', { kind: 'wrong-signature' })
    await assert.rejects(desk().submit(await application()), ProviderUnverified)
  })
  test('half an answer, a server’s error, and none', async () => {
    for (const effect of [{ kind: 'malformed' }, { kind: 'status', status: 502 }] as const)
      for (const name of ['upload', 'query-merchant']) {
        fault(name, effect)
        const asked = name === 'upload' ? desk().upload('shopFront', picture) : desk().ask('1')
        await assert.rejects(asked, ProviderUnknown, `${name} ${effect.kind}`)
      }
  })
  test('a wrong key is our account’s', async () => {
    const other = makeTianqueKeys().orgPrivateKey
    const error = await refusalOf(desk({ privateKey: other }).submit(await application()))
    assert.equal(desk().troubleOf(error).turn, 'account')
  })
  test('an application that it does not know', async () => {
    assert.match((await refusalOf(desk().ask('1'))).message, /不存在/)
  })
})
