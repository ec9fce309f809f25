import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { FieldRefusal, SettlementCategory } from '#kit/ports/onboarding.ts'
import {
  daysLeftOf,
  detailRefusals,
  type Known,
  lackingOf,
  type OnboardingStep,
  reasonsFrom,
  refuseCompletion,
  refuseSubmission,
  secondsToNext,
} from './rules.ts'

const FOOD: SettlementCategory = {
  ...{ id: '716', subjects: ['enterprise'], qualificationType: '餐饮', rateBasisPoints: 60 },
  ...{ settledAfterDays: 1, papers: '《食品经营许可证》', arePapersRequired: false },
}
const WHOLE: Known = {
  ...{ payType: 'corporate', phone: '13800138000', bankCode: '1001', company: '老张餐饮有限公司' },
  ...{ creditCode: '9144030071526726XG', legalPerson: '张三', personInCharge: '张三' },
  ...{ hasIdNumber: true, isSameCard: true },
  ...{ districtCode: '440305', address: '科技路1号', subjectKind: 'enterprise' },
  ...{ licenceAddress: '科技路1号', licenceFrom: '2018-05-01', licenceTo: '', isLicenceLongTerm: true },
  ...{ idFrom: '2020-01-01', idTo: '2040-01-01', isIdLongTerm: false, idAddress: '学府路2号', isOwner: true },
  ...{ shortName: '老张面馆', servicePhone: '0755-88886666', hasAccountNumber: true, category: FOOD },
  ...{ qualifications: 0, today: '2026-11-29' },
}
const NO_COMPANY = { company: '老张面馆', subjectKind: 'individual' } as const

describe('what is wanting', () => {
  const cases: [changes: Partial<Known>, fields: string[]][] = [
    [{}, []],
    [{ ...NO_COMPANY, idAddress: '', isOwner: false, payType: 'private' }, []],
    [
      { company: '', creditCode: '', legalPerson: '', personInCharge: '' },
      ['company', 'creditCode', 'legalPerson'],
    ],
    [{ hasIdNumber: false, isSameCard: false }, ['idNumber']],
    [{ isSameCard: false }, ['idFrontId']],
    [{ personInCharge: '李四' }, ['personInCharge']],
    [{ phone: '0755-88886666' }, ['phone']],
    [{ bankCode: '' }, ['bankCode']],
    [{ address: '' }, ['shopAddress']],
    [{ subjectKind: 'individual' }, ['subjectKind']],
    [{ payType: 'private' }, ['payType']],
    [{ licenceAddress: '', licenceFrom: '' }, ['licenceAddress', 'licenceFrom']],
    [{ isLicenceLongTerm: false }, ['licenceTo']],
    [{ isLicenceLongTerm: false, licenceTo: '2026-11-28' }, ['licenceTo']],
    [{ isLicenceLongTerm: false, licenceTo: '2026-11-29' }, []],
    [{ idFrom: '', idTo: '2020-01-01' }, ['idFrom', 'idTo']],
    [{ idAddress: '' }, ['idAddress']],
    [{ isOwner: false }, ['isOwner']],
    [{ shortName: '张', servicePhone: '无' }, ['shortName', 'servicePhone']],
    [{ category: null }, ['category']],
    [{ category: { ...FOOD, arePapersRequired: true } }, ['qualifications']],
    [{ category: { ...FOOD, arePapersRequired: true }, qualifications: 1 }, []],
    [{ hasAccountNumber: false }, ['accountNumber']],
  ]
  for (const [changes, fields] of cases)
    test(`${JSON.stringify(changes)}: ${fields.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(
        lackingOf({ ...WHOLE, ...changes }).map(({ field }) => field),
        fields,
      )
    })
})

test('a refusal stands where it is mended: at the application, over the form, or in words', () => {
  const refusals: FieldRefusal[] = [
    { field: 'licencePicture', name: '营业执照照片', reason: '不清晰' },
    { field: 'shortName', name: '商户简称', reason: '须体现经营内容' },
    { field: null, name: '其他字段', reason: '有误' },
    { field: null, name: '', reason: '请核对' },
  ]
  assert.deepEqual(reasonsFrom(refusals, ''), {
    licenceId: '不清晰',
    other: '商户简称：须体现经营内容；其他字段：有误；请核对',
  })
  assert.deepEqual(detailRefusals(refusals), [{ field: 'shortName', message: '须体现经营内容' }])
  assert.deepEqual(reasonsFrom([], '图片过大'), { other: '图片过大' })
  assert.deepEqual(reasonsFrom([], ''), { other: '支付服务没有说明原因' })
})

describe('the service is asked', () => {
  const now = new Date('2026-11-29T12:00:00Z')
  const cases: [state: OnboardingStep, tries: number, changedAt: string, seconds: number | null][] = [
    ['waiting', 0, '2026-11-29T12:00:00Z', 5],
    ['waiting', 20, '2026-11-29T12:00:00Z', 600],
    ['stuck', 0, '2026-11-29T12:00:00Z', 60],
    ['stuck', 20, '2026-11-29T12:00:00Z', 3_600],
    ['asked', 3, '2026-11-29T11:01:00Z', 300],
    ['asked', 3, '2026-11-29T10:59:00Z', 3_600],
    ['mending', 0, '2026-11-29T12:00:00Z', null],
    ['finished', 0, '2026-11-29T12:00:00Z', null],
    ['ended', 0, '2026-11-29T12:00:00Z', null],
    ['filling', 0, '2026-11-29T12:00:00Z', null],
  ]
  for (const [state, tries, changedAt, seconds] of cases)
    test(`${state} since ${changedAt} after ${tries} tries: in ${seconds} s`, () => {
      assert.equal(secondsToNext({ state, tries, changedAt }, now), seconds)
    })
})

test('days in which the shop must act are counted from when it came to stand so', () => {
  const now = new Date('2026-11-29T12:00:00Z')
  assert.equal(daysLeftOf('toBeSigned', '2026-11-19T11:00:00Z', now), 20)
  assert.equal(daysLeftOf('toBeConfirmed', '2026-11-01T11:00:00Z', now), 0)
  assert.equal(daysLeftOf('auditing', '2026-11-19T11:00:00Z', now), null)
  assert.equal(daysLeftOf(null, '2026-11-19T11:00:00Z', now), null)
})

test('an application is handed in once it is approved and whole, and not twice', () => {
  const whole = {
    state: 'filling',
    application: 'approved',
    review: 'waiting',
    isConnected: true,
    lacking: 0,
  } as const
  assert.equal(refuseSubmission(whole), null)
  assert.equal(refuseSubmission({ ...whole, isConnected: false }), 'NO_SERVICE')
  assert.equal(refuseSubmission({ ...whole, state: 'asked' }), 'ALREADY_UNDER_WAY')
  assert.equal(refuseSubmission({ ...whole, application: 'rejected' }), 'NOT_APPROVED')
  assert.equal(refuseSubmission({ ...whole, lacking: 1 }), 'LACKING')
  assert.equal(refuseSubmission({ ...whole, review: 'accepted' }), 'ACCEPTED')
  assert.equal(refuseSubmission({ ...whole, state: 'ended' }), null)
  assert.equal(refuseCompletion('mending', 'rejected'), null)
  assert.equal(refuseCompletion(null, 'accepted'), 'ACCEPTED')
  assert.equal(refuseCompletion('asked', 'accepting'), 'UNDER_WAY')
})
