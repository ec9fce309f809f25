import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { FieldRefusal, SettlementCategory } from '#kit/ports/onboarding.ts'
import {
  brokenPerson,
  daysLeftOf,
  detailRefusals,
  type Known,
  type KnownPerson,
  lackingOf,
  type OnboardingStep,
  type PersonForm,
  reasonsFrom,
  refuseCompletion,
  refuseMore,
  refuseSubmission,
  secondsToNext,
  withPeople,
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
  people: [],
  ...{ shortName: '老张面馆', servicePhone: '0755-88886666', hasAccountNumber: true, category: FOOD },
  ...{ qualifications: 0, today: '2026-11-29' },
}
const DEPUTY: KnownPerson = {
  ...{ role: 'deputy', name: '李四', idTo: '2030-01-01', isIdLongTerm: false, hasAuthorization: true },
}
const OWNER: KnownPerson = { ...DEPUTY, role: 'owner', name: '王五', hasAuthorization: false }
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
    [{ isOwner: false, people: [DEPUTY] }, ['isOwner']],
    [{ isOwner: false, people: [OWNER] }, []],
    [{ people: [DEPUTY, OWNER, OWNER] }, []],
    [{ people: [{ ...DEPUTY, hasAuthorization: false }] }, ['deputy']],
    [
      { people: [{ ...DEPUTY, idTo: '2026-11-28' }, OWNER, { ...OWNER, idTo: '2026-11-28' }] },
      ['deputy', 'owner'],
    ],
    [{ people: [{ ...OWNER, idTo: '', isIdLongTerm: true }] }, []],
    [{ ...NO_COMPANY, people: [{ ...OWNER, idTo: '2020-01-01' }] }, []],
    [{ creditCode: '12440300455751234X' }, ['creditCode']],
    [{ creditCode: '440301103450123' }, []],
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

test('a deputy signs with a phone of its own, and whoever has no licence is told where to apply', () => {
  const words = (changes: Partial<Known>) => lackingOf({ ...WHOLE, ...changes }).map(one => one.words)
  assert.deepEqual(words({ phone: '', people: [DEPUTY] }), ['支付申请的联系电话须为经办人的手机号，用于签约'])
  assert.match(words({ creditCode: '' })[0] ?? '', /没有营业执照的小微商户，请在支付服务的商户平台自行申请/)
  assert.match(words({ creditCode: '12440300455751234X' })[0] ?? '', /政府机关、事业单位和社会组织/)
})

describe('a person', () => {
  const whole: PersonForm = {
    ...{ role: 'owner', idKind: 'idCard', name: '王五', idNumber: '11010519491231002X' },
    ...{ idFrom: '2020-01-01', idTo: '2040-01-01', isIdLongTerm: false, address: '朝阳路1号' },
    ...{ frontId: 1, backId: 2 },
  }
  const cases: [changes: Partial<PersonForm>, broken: string[]][] = [
    [{}, []],
    [{ idNumber: null }, []],
    [{ idNumber: '' }, ['idNumber PERSON_NUMBER_MISSING']],
    [{ idNumber: '110105194912310021' }, ['idNumber PERSON_NUMBER_WRONG']],
    [{ idNumber: 'H12345678' }, ['idNumber PERSON_NUMBER_WRONG']],
    [{ idKind: 'hongKongPermit', idNumber: 'H12345678' }, []],
    [{ idKind: 'hongKongPermit', idNumber: 'H12345678', backId: null }, ['backId PERSON_BACK_MISSING']],
    [{ idKind: 'overseaPassport', idNumber: 'E12345678', backId: null }, []],
    [{ idKind: 'overseaPassport', idNumber: '护照' }, ['idNumber PERSON_NUMBER_WRONG']],
    [{ frontId: null, backId: null }, ['frontId PERSON_FRONT_MISSING', 'backId PERSON_BACK_MISSING']],
    [{ name: '王' }, ['name PERSON_NAME_WRONG']],
    [{ name: '王5五' }, ['name PERSON_NAME_WRONG']],
    [{ idTo: '' }, ['idTo PERSON_TERM_MISSING']],
    [{ idTo: '', isIdLongTerm: true }, []],
    [{ idTo: '2026-11-28' }, ['idTo PERSON_TERM_PAST']],
    [{ idFrom: '2040-01-01' }, ['idTo DAYS_WRONG']],
    [{ address: '' }, ['address PERSON_ADDRESS_MISSING']],
    [{ address: '', role: 'deputy' }, []],
  ]
  for (const [changes, broken] of cases)
    test(`${JSON.stringify(changes)}: ${broken.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(
        brokenPerson({ ...whole, ...changes }, '2026-11-29').map(({ field, code }) => `${field} ${code}`),
        broken,
      )
    })

  test('one deputy, four owners, and those of companies alone', () => {
    const [deputy, owner] = [{ role: 'deputy' }, { role: 'owner' }] as const
    assert.equal(refuseMore('deputy', 'individual', [owner]), null)
    assert.equal(refuseMore('deputy', 'individual', [deputy]), 'DEPUTY_TWICE')
    assert.equal(refuseMore('owner', 'individual', []), 'OWNERS_OF_COMPANIES')
    assert.equal(refuseMore('owner', 'enterprise', [deputy, owner, owner, owner]), null)
    assert.equal(refuseMore('owner', 'enterprise', [owner, owner, owner, owner]), 'OWNERS_FULL')
  })

  test('a refusal is about whom the service names, the only one there is, or nobody in particular', () => {
    const people = [
      { id: 7, role: 'deputy' },
      { id: 8, role: 'owner' },
      { id: 9, role: 'owner' },
    ] as const
    const refusals: FieldRefusal[] = [
      { field: 'administratorAuthorization', name: '授权函', reason: '看不清' },
      { field: 'ownerIdNumber', place: 1, name: '号码', reason: '有误' },
      { field: 'ownerName', name: '姓名', reason: '有误' },
      { field: 'shortName', name: '简称', reason: '敏感' },
    ]
    const kept = withPeople(refusals, people)
    assert.deepEqual(detailRefusals(kept, people), [
      { field: 'authorizationId', message: '看不清', role: 'deputy', personId: 7 },
      { field: 'idNumber', message: '有误', role: 'owner', personId: 9 },
      { field: 'name', message: '有误', role: 'owner', personId: null },
      { field: 'shortName', message: '敏感', role: null, personId: null },
    ])
    // The one before it is removed: it is still about the same.
    assert.deepEqual(
      detailRefusals(kept, [people[0], people[2]]).map(({ personId }) => personId),
      [7, 9, null, null],
    )
    assert.deepEqual(
      detailRefusals(kept, []).map(({ field }) => field),
      ['shortName'],
    )
    assert.equal(withPeople(refusals, people.slice(0, 2))[2]?.personId, 8)
    assert.match(reasonsFrom(kept, '').other ?? '', /受益人证件号码（第 2 位）：有误/)
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
  assert.deepEqual(detailRefusals(refusals, []), [
    { field: 'shortName', message: '须体现经营内容', role: null, personId: null },
  ])
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
