import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { SmsProviderName } from '#kit/ports/providers.ts'
import type { SignatureStanding } from '#kit/ports/signature-desk.ts'
import {
  adviceOf,
  isHandedIn,
  refuseAgain,
  SIGNATURE_STEPS,
  type SignatureState,
  secondsToNext,
  stepOf,
  type Told,
  verdictOf,
} from './rules.ts'

const NOW = new Date('2026-05-01T08:00:00.000Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000).toISOString()

describe('a signature at a service', () => {
  const CASES: [
    state: SignatureState,
    again: boolean,
    handedIn: string | null,
    standing: SignatureStanding,
    calls: boolean,
    told: Told,
  ][] = [
    ['waiting', true, null, 'none', true, null],
    ['waiting', false, null, 'none', true, null],
    ['stuck', true, null, 'none', true, null],
    ['waiting', true, null, 'refused', true, 'refuse'],
    ['waiting', true, null, 'ended', true, 'refuse'],
    // It was handed in without an answer, and refused before it was asked about.
    ['waiting', false, null, 'refused', false, 'refuse'],
    ['waiting', true, null, 'reviewing', false, 'handIn'],
    ['stuck', true, null, 'reviewing', false, 'handIn'],
    ['waiting', true, null, 'approved', false, 'approve'],
    ['reviewing', false, ago(60), 'none', false, null],
    ['reviewing', false, ago(1_200), 'none', false, 'lose'],
    ['reviewing', false, ago(60), 'reviewing', false, null],
    ['reviewing', false, ago(60), 'refused', false, 'refuse'],
    ['reviewing', false, ago(60), 'ended', false, 'refuse'],
    ['reviewing', false, ago(60), 'approved', false, 'approve'],
    ['approved', false, ago(60), 'approved', false, null],
    ['approved', false, ago(60), 'refused', false, 'takeBack'],
    ['approved', false, ago(60), 'ended', false, 'takeBack'],
    ['approved', false, ago(60), 'reviewing', false, 'takeBack'],
    ['approved', false, ago(60), 'none', false, 'takeBack'],
    ['takenBack', false, ago(60), 'refused', false, null],
    ['takenBack', false, ago(60), 'approved', false, 'approve'],
    ['refused', false, ago(60), 'refused', false, null],
    ['ended', false, ago(60), 'approved', false, null],
  ]
  for (const [state, again, handedInAt, standing, calls, told] of CASES)
    test(`${state}${again ? ' again' : ''}, there ${standing}`, () => {
      const row = { state, again, handedInAt }
      assert.equal(isHandedIn(row, standing), calls)
      assert.equal(stepOf(row, standing, NOW), told)
      if (told) assert.ok((SIGNATURE_STEPS[told].from as readonly string[]).includes(state))
    })

  test('is asked about less and less often', () => {
    const next = (
      state: SignatureState,
      tries: number,
      handedInAt: string | null = null,
      carriersDone = true,
    ) => secondsToNext({ state, tries, handedInAt, carriersDone }, NOW)
    assert.deepEqual([next('waiting', 0), next('waiting', 3), next('waiting', 40)], [5, 40, 600])
    assert.deepEqual([next('stuck', 0), next('stuck', 40)], [60, 3_600])
    assert.deepEqual(
      [next('reviewing', 0, ago(2)), next('reviewing', 9, ago(600)), next('reviewing', 9, ago(9_999_999))],
      [5, 300, 1_800],
    )
    assert.deepEqual([next('approved', 0), next('approved', 0, null, false)], [86_400, 3_600])
    assert.deepEqual([next('refused', 0), next('ended', 0)], [null, null])
  })

  test('is handed in again where it is wanted and nobody decides about it', () => {
    const CASES: [SignatureState, isWanted: boolean, string | null][] = [
      ['refused', true, null],
      ['takenBack', true, null],
      ['stuck', true, null],
      ['ended', true, null],
      ['waiting', true, 'STILL_OPEN'],
      ['reviewing', true, 'STILL_OPEN'],
      ['approved', true, 'STILL_OPEN'],
      ['refused', false, 'REQUEST_OVER'],
    ]
    for (const [state, isWanted, code] of CASES) assert.equal(refuseAgain({ state, isWanted }), code, state)
  })
})

describe('a request', () => {
  const CASES: [
    aliyun: SignatureState,
    tencent: SignatureState,
    sending: SmsProviderName | null,
    verdict: string | null,
  ][] = [
    ['reviewing', 'reviewing', 'aliyun', null],
    ['approved', 'reviewing', 'aliyun', 'accept'],
    ['reviewing', 'approved', 'aliyun', null],
    ['stuck', 'approved', 'aliyun', null],
    ['refused', 'approved', 'aliyun', 'accept'],
    ['refused', 'reviewing', 'aliyun', null],
    ['refused', 'refused', 'aliyun', 'decline by aliyun'],
    ['refused', 'refused', 'tencent', 'decline by tencent'],
    ['refused', 'refused', null, 'decline by aliyun'],
    ['waiting', 'refused', 'tencent', null],
  ]
  for (const [aliyun, tencent, sending, expected] of CASES)
    test(`with ${aliyun} and ${tencent}, sent by ${sending}`, () => {
      const rows = [
        { service: 'aliyun' as const, state: aliyun, code: '', answer: '' },
        { service: 'tencent' as const, state: tencent, code: '', answer: '' },
      ]
      const verdict = verdictOf(rows, sending)
      const told = verdict && (verdict.step === 'decline' ? `decline by ${verdict.by.service}` : verdict.step)
      assert.equal(told, expected)
    })

  test('tells the shop what to do about each refusal that is known, and about any other', () => {
    const CASES: [code: string, answer: string, reason: string][] = [
      ['', '名称含测试字样，不予通过', '签名含测试字样'],
      ['', '签名涉及他人商标或品牌，请提供授权文件', '签名涉及他人商标或品牌'],
      ['', '签名为营销或活动用语，须为企业全称或简称', '签名为营销用语'],
      ['', '签名过于宽泛，无法识别主体', '签名过于宽泛，无法识别商户'],
      ['', '资质信息与签名主体不一致', '签名与资质主体不一致'],
      ['InvalidParameter.DirtyWordFound', 'There is a dirty word.', '签名含敏感词'],
      ['FailedOperation.SignatureAlreadyExists', 'The signature exists already.', '相同的签名已被登记'],
      ['isv.SIGN_NAME_ILLEGAL', '', '签名不符合服务商的命名规范'],
      ['isv.WHATEVER', '其他', '短信服务商审核未通过'],
    ]
    for (const [code, answer, reason] of CASES) {
      const told = adviceOf({ code, answer })
      assert.equal(told.reason, reason)
      assert.ok(told.advice.length > 0 && told.advice.length <= 100 && told.reason.length <= 50)
    }
  })
})
