// What verification data may be, which step leads where, and how what was read stands beside what was typed (D1 §5, D2 §5).
import assert from 'node:assert/strict'
import test from 'node:test'
import { VERIFICATION_STATUSES } from '#features/shops/merchants/rules.ts'
import { nextState } from '#kit/declare/machine.ts'
import {
  brokenDraft,
  brokenSubmission,
  comparable,
  originOf,
  originText,
  proposed,
  READ_PROBLEMS,
  refuseAdvice,
  refuseAnswers,
  refuseEdit,
  refuseReason,
  standingState,
  standingTexts,
  unanswered,
  undecidableText,
  VERIFICATION_STEPS,
  type VerificationForm,
  type VerificationStep,
  warningsOf,
} from './rules.ts'

const TODAY = '2026-11-26'
const WHOLE: VerificationForm = {
  company: '深圳市老张餐饮有限公司',
  creditCode: '9144030071526726XG',
  legalPerson: '张三',
  personInCharge: '李四',
  idNumber: '11010519491231002X',
  signature: '老张面馆',
  phone: '13800138000',
  code: '',
  explanations: {},
  ...{ licenceId: 1, idFrontId: 2, idBackId: 3 },
}
const NOTHING: VerificationForm = {
  ...{ company: '', creditCode: '', legalPerson: '', personInCharge: '', idNumber: null, signature: '' },
  ...{ phone: '', code: '', licenceId: null, idFrontId: null, idBackId: null },
  explanations: {},
}
const broken = (changed: Partial<VerificationForm>, keptNumber = false) =>
  brokenSubmission({ ...WHOLE, ...changed }, { keptNumber, today: TODAY }).map(({ field, code }) => [
    field,
    code,
  ])

test('everything but the code is required, one message for a field, in the order of the form', () => {
  assert.deepEqual(broken({}), [])
  assert.deepEqual(
    broken(NOTHING),
    [
      'licenceId',
      'company',
      'creditCode',
      'legalPerson',
      'idFrontId',
      'idBackId',
      'personInCharge',
      'idNumber',
      'signature',
      'phone',
    ].map(field => [field, 'FIELD_REQUIRED']),
  )
})

test('numbers are checked sign by sign, and a phone by its digits', () => {
  const cases: [changed: Partial<VerificationForm>, found: [field: string, code: string][]][] = [
    [{ creditCode: '9144030071526726XA' }, [['creditCode', 'CREDIT_CODE_CHECK']]],
    [{ creditCode: '9144030071526726xg' }, []],
    [{ creditCode: '110108000000016' }, []],
    [{ creditCode: '12345' }, [['creditCode', 'LICENCE_NUMBER_FORMAT']]],
    [{ idNumber: '110105194912310021' }, [['idNumber', 'ID_NUMBER_CHECK']]],
    [{ idNumber: '11010519491231002x' }, []],
    [{ idNumber: '000105194912310021' }, [['idNumber', 'ID_NUMBER_DIVISION']]],
    [{ idNumber: '110105204912310021' }, [['idNumber', 'ID_NUMBER_BIRTH']]],
    [{ idNumber: '123' }, [['idNumber', 'ID_NUMBER_FORMAT']]],
    [{ idNumber: ' ' }, [['idNumber', 'FIELD_REQUIRED']]],
    [{ idNumber: null }, [['idNumber', 'FIELD_REQUIRED']]],
    [{ phone: '1380013800' }, [['phone', 'PHONE_REQUIRED']]],
    [{ phone: '07551234567' }, [['phone', 'PHONE_REQUIRED']]],
    [{ code: '12' }, [['code', 'CODE_WRONG']]],
    [{ code: '123456' }, []],
    [{ signature: '字'.repeat(12) }, []],
    [{ signature: '字'.repeat(13) }, [['signature', 'TEXT_TOO_LONG']]],
    [{ signature: '【老张】' }, [['signature', 'SIGNATURE_SYMBOLS']]],
    [{ signature: '12345' }, [['signature', 'SIGNATURE_DIGITS']]],
    [{ signature: '张' }, [['signature', 'SIGNATURE_TOO_SHORT']]],
    [{ company: '<img src=x onerror=alert(1)>' }, [['company', 'NAME_SYMBOLS']]],
    [{ legalPerson: '张三😀' }, [['legalPerson', 'NAME_SYMBOLS']]],
    [{ personInCharge: '买买提·艾力' }, []],
    [
      { explanations: { 'unproven:phone': '说'.repeat(101) } },
      [['explanations.unproven:phone', 'TEXT_TOO_LONG']],
    ],
    [{ phone: '138001380001' }, [['phone', 'TEXT_TOO_LONG']]],
    [{ company: '字'.repeat(51) }, [['company', 'TEXT_TOO_LONG']]],
  ]
  for (const [changed, found] of cases) assert.deepEqual(broken(changed), found, JSON.stringify(changed))
  assert.deepEqual(broken({ idNumber: null }, true), [])
})

test('what speaks against the data is named: another text than the paper, a paper that has ended, doubts of the reader, an unproven phone', () => {
  const paper = { expiresOn: null, isLongTerm: false, reading: null }
  const fine = { origins: {}, phone: '13800138000', phoneVerifiedAt: '2026-11-01T00:00:00Z', papers: [] }
  const keys = (changed: Partial<Parameters<typeof warningsOf>[0]>) =>
    warningsOf({ ...fine, ...changed }, TODAY).map(({ key }) => key)
  assert.deepEqual(keys({}), [])
  assert.deepEqual(keys({ phoneVerifiedAt: null }), ['unproven:phone'])
  assert.deepEqual(keys({ phone: '', phoneVerifiedAt: null }), [])
  assert.deepEqual(
    keys({
      origins: {
        company: { by: 'corrected', sure: 97 },
        legalPerson: { by: 'read', sure: 60 },
        creditCode: { by: 'read', sure: 97 },
        idNumber: { by: 'typed', sure: null },
      },
    }),
    ['differs:company', 'unsure:legalPerson'],
  )
  const ended = { ...paper, name: 'idBackId' as const, expiresOn: '2020-06-30' }
  assert.deepEqual(warningsOf({ ...fine, papers: [ended] }, TODAY), [
    { key: 'expired:idBackId', text: '身份证国徽面已过有效期（2020-06-30）' },
  ])
  assert.deepEqual(keys({ papers: [{ ...ended, isLongTerm: true }] }), [])
  assert.deepEqual(keys({ papers: [{ ...ended, expiresOn: TODAY }] }), [])
  const read = (problem: 'blurred' | 'arrears' | null, warnings: ('copy' | 'expired')[]) =>
    keys({ papers: [{ ...paper, name: 'licenceId', reading: { problem, warnings } }] })
  assert.deepEqual(read('blurred', []), ['blurred:licenceId'])
  assert.deepEqual(read('arrears', []), [])
  assert.deepEqual(read(null, ['copy', 'expired']), ['expired:licenceId', 'copy:licenceId'])
})

test('each warning is answered, and what was said of one that does not stand is dropped', () => {
  const warnings = [
    { key: 'a', text: '甲' },
    { key: 'b', text: '乙' },
  ]
  assert.deepEqual(unanswered(warnings, { a: ' ', b: '好' }), [warnings[0]])
  assert.deepEqual(standingTexts(warnings, { a: ' 好 ', c: '没有' }), { a: '好' })
  assert.equal(refuseAnswers(warnings, { a: '好' }), 'WARNING_UNANSWERED')
  assert.equal(refuseAnswers(warnings, { a: '好', b: '说'.repeat(101) }), 'ANSWER_TOO_LONG')
  assert.equal(refuseAnswers(warnings, { a: '好', b: '好' }), null)
})

test('a draft may want anything, but fits its place, and a number comes with the picture of its card', () => {
  assert.deepEqual(brokenDraft(NOTHING), [])
  assert.deepEqual(brokenDraft({ ...NOTHING, creditCode: '123', phone: '1' }), [])
  assert.deepEqual(brokenDraft({ ...NOTHING, idNumber: '1' }), [
    { field: 'idNumber', code: 'ID_NUMBER_NEEDS_PAPER' },
  ])
  assert.deepEqual(brokenDraft({ ...NOTHING, idNumber: '1', idFrontId: 4 }), [])
  assert.deepEqual(brokenDraft({ ...NOTHING, idNumber: '1'.repeat(19), idFrontId: 4 }), [
    { field: 'idNumber', code: 'TEXT_TOO_LONG' },
  ])
  assert.deepEqual(brokenDraft({ ...NOTHING, code: '123456' }), [{ field: 'phone', code: 'PHONE_REQUIRED' }])
})

test('each step leads from where it may begin to where it ends, and nowhere else', () => {
  const leads: Record<VerificationStep, Partial<Record<keyof typeof VERIFICATION_STATUSES, string>>> = {
    submit: { unverified: 'reviewing', failed: 'reviewing' },
    withdraw: { reviewing: 'unverified' },
    verify: { reviewing: 'verified' },
    reject: { reviewing: 'failed' },
    revoke: { verified: 'failed' },
  }
  for (const step of Object.keys(VERIFICATION_STEPS) as VerificationStep[])
    for (const state of Object.keys(VERIFICATION_STATUSES) as (keyof typeof VERIFICATION_STATUSES)[])
      assert.equal(
        nextState<keyof typeof VERIFICATION_STATUSES, VerificationStep>(VERIFICATION_STEPS, state, step),
        leads[step][state] ?? null,
        `${step} from ${state}`,
      )
})

test('what is in review or verified is not edited; a status without data here is no hindrance but 已认证', () => {
  assert.deepEqual((['unverified', 'failed', 'reviewing', 'verified'] as const).map(refuseEdit), [
    null,
    null,
    'IN_REVIEW',
    'VERIFIED_ALREADY',
  ])
  assert.deepEqual(
    [
      standingState(null, 'reviewing'),
      standingState(null, 'verified'),
      standingState('reviewing', 'unverified'),
    ],
    ['unverified', 'verified', 'reviewing'],
  )
})

test('who comes second is told who was first', () => {
  const handledByName = '李四'
  const text = (
    state: 'verified' | 'failed' | 'reviewing' | 'unverified',
    step: 'verify' | 'reject' | 'revoke',
  ) => undecidableText({ state, handledByName }, step)
  assert.equal(text('reviewing', 'verify'), null)
  assert.equal(text('verified', 'revoke'), null)
  assert.equal(text('verified', 'reject'), '已由李四处理（已认证）')
  assert.equal(text('failed', 'verify'), '已由李四处理（认证失败）')
  assert.equal(text('unverified', 'verify'), '商户已撤回，等待重新提交')
  assert.equal(undecidableText({ state: 'verified', handledByName: '' }, 'verify'), '已由平台处理（已认证）')
  assert.deepEqual(
    [refuseReason(' '), refuseReason('字'.repeat(51)), refuseReason('不清晰')],
    ['REASON_REQUIRED', 'REASON_TOO_LONG', null],
  )
  assert.deepEqual([refuseAdvice('字'.repeat(101)), refuseAdvice('')], ['ADVICE_TOO_LONG', null])
})

test('what was read fills what is empty, and is offered where it says otherwise', () => {
  assert.deepEqual(
    proposed(
      { company: '老张餐饮（深圳）有限公司', creditCode: '', personInCharge: '李四' },
      { company: '老张餐饮(深圳) 有限公司', creditCode: '9144030071526726XG', personInCharge: '张三' },
    ),
    { filled: { creditCode: '9144030071526726XG' }, offered: ['personInCharge'] },
  )
  assert.equal(comparable(' 老张（深圳） ab'), comparable('老张(深圳)AB'))
})

test('every value says whether it was typed or read, and how sure', () => {
  const cases: [
    value: string,
    read: { confidence: number; isSame: boolean } | undefined,
    text: string | null,
  ][] = [
    ['', { confidence: 1, isSame: false }, null],
    ['张三', undefined, '手工填写'],
    ['张三', { confidence: 0.991, isSame: true }, '识别（把握 99%）'],
    ['张三', { confidence: 0.5, isSame: true }, '识别（把握 50%，请核对）'],
    ['李四', { confidence: 0.9, isSame: false }, '手工填写，与识别不同'],
  ]
  for (const [value, read, text] of cases) {
    const origin = originOf(value, read)
    assert.equal(origin && originText(origin), text)
  }
})

test('each fault of a reader is a sentence of its own that says what to do', () => {
  const texts = Object.values(READ_PROBLEMS)
  assert.equal(new Set(texts).size, texts.length)
  for (const text of texts) assert.match(text, /请|可/)
})
