import assert from 'node:assert/strict'
import test from 'node:test'
import type { AccountFormat } from '#features/office/agents/rules.ts'
import {
  type EditedMerchant,
  type Editor,
  type LockedField,
  lockOf,
  MERCHANT_STATUSES,
  type MerchantRefusal,
  mapOf,
  type NewMerchant,
  REFUSALS,
  refuseAccount,
  refuseDisabled,
  refuseEditedMerchant,
  refuseNewMerchant,
  refuseNewPhone,
  refusePassword,
  refuseRemark,
  refuseSignature,
  refuseStatusStep,
  STATUS_CODES,
  STATUS_STEPS,
  termLeft,
} from './rules.ts'

const sound = {
  shortName: '老张面馆',
  shopName: '深圳老张面馆',
  personName: '张三',
  industryId: 2,
  account: '18800000001',
  districtCode: '440305',
  address: '科技园1号',
  referrer: '',
  remark: '',
}
const newShop: NewMerchant = { ...sound, password: 'abc123', smsCount: 0 }
const edited: EditedMerchant = {
  ...sound,
  password: '',
  shopPhone: '',
  verificationStatus: 'unverified',
  verificationRefusal: '',
}

type Case = [
  name: string,
  changes: Partial<NewMerchant & EditedMerchant>,
  field: string,
  code: MerchantRefusal,
]

/** What both forms refuse alike. */
const SHARED: Case[] = [
  ['short name of 9', { shortName: '一二三四五六七八九' }, 'shortName', 'SHORT_NAME_TOO_LONG'],
  ['short name with a symbol', { shortName: '老张<面' }, 'shortName', 'SHORT_NAME_SYMBOLS'],
  ['short name of blanks', { shortName: '  ' }, 'shortName', 'SHORT_NAME_REQUIRED'],
  ['no short name', { shortName: '' }, 'shortName', 'SHORT_NAME_REQUIRED'],
  ['shop name of 31', { shopName: '店'.repeat(31) }, 'shopName', 'SHOP_NAME_TOO_LONG'],
  ['shop name with a symbol', { shopName: '老张@面馆' }, 'shopName', 'SHOP_NAME_SYMBOLS'],
  ['no shop name', { shopName: '' }, 'shopName', 'SHOP_NAME_REQUIRED'],
  ['merchant name of 21', { personName: '张'.repeat(21) }, 'personName', 'PERSON_NAME_TOO_LONG'],
  ['no merchant name', { personName: '' }, 'personName', 'PERSON_NAME_REQUIRED'],
  ['password of 5', { password: 'abc12' }, 'password', 'PASSWORD_FORMAT'],
  ['no industry', { industryId: null }, 'industryId', 'INDUSTRY_REQUIRED'],
  ['no district', { districtCode: '' }, 'districtCode', 'DIVISION_REQUIRED'],
  ['address of 101', { address: '号'.repeat(101) }, 'address', 'ADDRESS_TOO_LONG'],
  ['referrer of 21', { referrer: '王'.repeat(21) }, 'referrer', 'REFERRER_TOO_LONG'],
  ['remark of 51', { remark: '注'.repeat(51) }, 'remark', 'REMARK_TOO_LONG'],
]

/** In the order in which D1 §5 and D2 §5 name them: each case alone, and then before all cases that follow it. */
const NEW: Case[] = [
  ['no industry', { industryId: null }, 'industryId', 'INDUSTRY_REQUIRED'],
  ['no short name', { shortName: '' }, 'shortName', 'SHORT_NAME_REQUIRED'],
  ['shop name of 31', { shopName: '店'.repeat(31) }, 'shopName', 'SHOP_NAME_TOO_LONG'],
  ['merchant name of 21', { personName: '张'.repeat(21) }, 'personName', 'PERSON_NAME_TOO_LONG'],
  ['account of letters', { account: 'abc' }, 'account', 'ACCOUNT_FORMAT'],
  ['SMS count of 1.5', { smsCount: 1.5 }, 'smsCount', 'SMS_COUNT_FORMAT'],
  ['no district', { districtCode: '' }, 'districtCode', 'DIVISION_REQUIRED'],
  ['address of 101', { address: '号'.repeat(101) }, 'address', 'ADDRESS_TOO_LONG'],
  ['referrer of 21', { referrer: '王'.repeat(21) }, 'referrer', 'REFERRER_TOO_LONG'],
  ['remark of 51', { remark: '注'.repeat(51) }, 'remark', 'REMARK_TOO_LONG'],
]
const EDITED: Case[] = [
  ['short name of 9', { shortName: '一二三四五六七八九' }, 'shortName', 'SHORT_NAME_TOO_LONG'],
  ['shop name with a symbol', { shopName: '老张#面馆' }, 'shopName', 'SHOP_NAME_SYMBOLS'],
  ['merchant name of 21', { personName: '张'.repeat(21) }, 'personName', 'PERSON_NAME_TOO_LONG'],
  ['account of ten digits', { account: '1380000567' }, 'account', 'ACCOUNT_MOBILE'],
  ['password of 5', { password: 'abc12' }, 'password', 'PASSWORD_FORMAT'],
  ['shop phone of 5', { shopPhone: '12345' }, 'shopPhone', 'SHOP_PHONE_FORMAT'],
  ['no industry', { industryId: null }, 'industryId', 'INDUSTRY_REQUIRED'],
  ['no district', { districtCode: '' }, 'districtCode', 'DIVISION_REQUIRED'],
]

const judgeNew = (changes: object) => refuseNewMerchant({ ...newShop, ...changes }, 'standard')
const judgeEdited = (changes: object) => refuseEditedMerchant({ ...edited, ...changes }, sound.account)

test('a sound form is accepted, new and edited', () => {
  assert.equal(judgeNew({}), null)
  assert.equal(judgeEdited({}), null)
})

for (const [name, changes, field, code] of SHARED)
  test(`${name} is refused: ${REFUSALS[code]}`, () => {
    assert.deepEqual(judgeNew(changes), { field, code })
    assert.deepEqual(judgeEdited(changes), { field, code })
  })

for (const [form, cases, judge] of [
  ['new', NEW, judgeNew],
  ['edited', EDITED, judgeEdited],
] as const)
  test(`the first broken rule of the ${form} form is told, in the documents’ order`, () => {
    cases.forEach(([name, changes, field, code], at) => {
      assert.deepEqual(judge(changes), { field, code }, name)
      const andAllThatFollow = Object.assign({}, ...cases.slice(at).map(([, broken]) => broken))
      assert.deepEqual(judge(andAllThatFollow), { field, code }, `${name} before what follows`)
    })
  })

test('an edited form tells lengths and symbols of all names before one that is missing (D2 §5), a new one field by field', () => {
  const changes = { shortName: '', shopName: '店'.repeat(31) }
  assert.equal(judgeEdited(changes)?.code, 'SHOP_NAME_TOO_LONG')
  assert.equal(judgeNew(changes)?.code, 'SHORT_NAME_REQUIRED')
})

test('the longest allowed texts pass, counted in characters', () => {
  for (const changes of [
    { shortName: '一二三四五六七八' },
    { shortName: '𠮷'.repeat(8) },
    { shopName: '店'.repeat(30) },
    { personName: '张'.repeat(20) },
    { personName: '𫍯'.repeat(20) },
    { address: '号'.repeat(100) },
    { referrer: '王'.repeat(20) },
    { remark: '注'.repeat(50) },
    { remark: '😀'.repeat(50) },
  ]) {
    assert.equal(judgeNew(changes), null, JSON.stringify(changes))
    assert.equal(judgeEdited(changes), null, JSON.stringify(changes))
  }
})

test('names take letters, digits and the marks that names have, and no special symbols', () => {
  for (const name of [
    'A1店',
    '老张（总店）',
    '王·记',
    'Tom’s',
    'a-b_c',
    'A & B',
    '3.5折',
    '茶•饮',
    '甲、乙',
    '南/北',
    '《粤》',
    'A+',
    '【老张】',
  ])
    assert.equal(judgeNew({ shortName: name }), null, name)
  for (const symbol of [...`<>@#$%^*=|\\?!"\`~;:,，。！？；：“”{}\n\t\u0000😀￥`]) {
    assert.equal(judgeNew({ shortName: `店${symbol}` })?.code, 'SHORT_NAME_SYMBOLS', JSON.stringify(symbol))
    assert.equal(judgeEdited({ shopName: `店${symbol}` })?.code, 'SHOP_NAME_SYMBOLS', JSON.stringify(symbol))
  }
})

const ACCOUNTS: [AccountFormat, string, boolean][] = [
  ['standard', '123456789', false],
  ['standard', '1234567890', true],
  ['standard', '12345678901', true],
  ['standard', '123456789012', false],
  ...['0', '1', '6', '8'].map((first): [AccountFormat, string, boolean] => [
    'standard',
    `${first}234567890`,
    true,
  ]),
  ...['2', '3', '4', '5', '7', '9'].map((first): [AccountFormat, string, boolean] => [
    'standard',
    `${first}234567890`,
    false,
  ]),
  ['standard', '1234567 90', false],
  ['standard', '１２３４５６７８９０', true],
  ['standard', '1234567890\n', true],
  ['standard', '', false],
  ['long', '1234567', false],
  ['long', '12345678', true],
  ['long', '12345678901', true],
  ['long', '123456789012', false],
  ['long', '92345678', false],
  ['any', '123', false],
  ['any', '1234', true],
  ['any', '92345678901', true],
  ['any', '123456789012', false],
  ['any', 'a234', false],
]

for (const [format, account, accepted] of ACCOUNTS)
  test(`account ${JSON.stringify(account)} is ${accepted ? 'right' : 'wrong'} as ${format}`, () => {
    const refusal = account === '' ? 'ACCOUNT_REQUIRED' : 'ACCOUNT_FORMAT'
    assert.equal(refuseAccount(account, format), accepted ? null : refusal)
  })

test('where nothing is typed it is asked for', () => {
  assert.equal(judgeNew({ account: '' })?.code, 'ACCOUNT_REQUIRED')
  assert.equal(judgeNew({ password: '' })?.code, 'PASSWORD_REQUIRED')
  assert.equal(judgeEdited({ account: '' })?.code, 'ACCOUNT_REQUIRED')
  assert.equal(refuseNewPhone('', '13800005678'), 'PHONE_REQUIRED')
})

test('the new number of a shop is a mainland mobile, and another one', () => {
  assert.equal(refuseNewPhone('13800005679', '13800005678'), null)
  assert.equal(refuseNewPhone('12800005678', '13800005678'), 'ACCOUNT_MOBILE')
  assert.equal(refuseNewPhone('138 0000 5678', '13800005678'), 'PHONE_UNCHANGED')
})

test('an edited account is a mainland mobile, and one that stays is not judged again', () => {
  assert.equal(refuseEditedMerchant({ ...edited, account: '01234567' }, '01234567'), null)
  assert.equal(refuseEditedMerchant({ ...edited, account: '13800005678' }, '01234567'), null)
  for (const wrong of ['01234567890', '12800005678', '138000056789'])
    assert.deepEqual(refuseEditedMerchant({ ...edited, account: wrong }, '01234567'), {
      field: 'account',
      code: 'ACCOUNT_MOBILE',
    })
})

test('a password has 6 to 64 letters, digits or common symbols', () => {
  for (const right of ['abc123', '123456', 'a'.repeat(64), '!@#$%^', 'Aa1-_.~'])
    assert.equal(refusePassword(right), null)
  for (const wrong of ['abc12', 'a'.repeat(65), 'abc 123', '密码密码密码', 'abc123\n'])
    assert.equal(refusePassword(wrong), 'PASSWORD_FORMAT', wrong)
})

test('a verification that failed has a reason of at most 100 characters, and no other needs one', () => {
  const failed = (verificationRefusal: string) =>
    judgeEdited({ verificationStatus: 'failed', verificationRefusal })
  const field = 'verificationRefusal'
  assert.deepEqual(failed(' '), { field, code: 'VERIFICATION_REASON_REQUIRED' })
  assert.deepEqual(failed('字'.repeat(101)), { field, code: 'VERIFICATION_REASON_TOO_LONG' })
  assert.equal(failed('字'.repeat(100)), null)
  for (const verificationStatus of ['verified', 'unverified', 'reviewing'] as const)
    assert.equal(judgeEdited({ verificationStatus }), null)
})

test('a shop phone may be empty, and has 6 to 20 characters otherwise', () => {
  for (const right of ['', '123456', '0755-26000000', '0755 26000000', '1'.repeat(20)])
    assert.equal(judgeEdited({ shopPhone: right }), null, right)
  for (const wrong of ['12345', '1'.repeat(21), '电话号码一二三'])
    assert.equal(judgeEdited({ shopPhone: wrong })?.code, 'SHOP_PHONE_FORMAT', wrong)
})

test('an SMS count is a whole number from 0 to a million', () => {
  for (const right of [0, 1, 1_000_000]) assert.equal(judgeNew({ smsCount: right }), null)
  for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(judgeNew({ smsCount: wrong })?.code, 'SMS_COUNT_FORMAT', String(wrong))
  assert.equal(judgeNew({ smsCount: 1_000_001 })?.code, 'SMS_COUNT_TOO_MANY')
})

test('a signature has 2 to 12 letters and digits, not digits alone, and a remark at most 50', () => {
  assert.equal(refuseSignature(''), 'SIGNATURE_REQUIRED')
  assert.equal(refuseSignature('  '), 'SIGNATURE_REQUIRED')
  assert.equal(refuseSignature('签'.repeat(12)), null)
  assert.equal(refuseSignature('签'.repeat(13)), 'SIGNATURE_TOO_LONG')
  assert.equal(refuseSignature('签'), 'SIGNATURE_TOO_SHORT')
  assert.equal(refuseSignature('【老张】'), 'SIGNATURE_SYMBOLS')
  assert.equal(refuseSignature('12345'), 'SIGNATURE_DIGITS')
  assert.equal(refuseRemark(''), null)
  assert.equal(refuseRemark('注'.repeat(50)), null)
  assert.equal(refuseRemark('注'.repeat(51)), 'REMARK_TOO_LONG')
})

test('a normal shop can be disabled, a disabled one enabled, and nothing else', () => {
  assert.equal(refuseStatusStep('normal', 'disable'), null)
  assert.equal(refuseStatusStep('disabled', 'enable'), null)
  assert.equal(refuseStatusStep('normal', 'enable'), 'STATUS_UNCHANGED')
  assert.equal(refuseStatusStep('disabled', 'disable'), 'STATUS_UNCHANGED')
  assert.equal(Object.keys(STATUS_STEPS).length, 2)
  assert.equal(REFUSALS.STATUS_UNCHANGED, '操作失败')
  assert.equal(refuseDisabled('normal'), null)
  assert.equal(REFUSALS[refuseDisabled('disabled') as 'MERCHANT_DISABLED'], '请启用后再进行操作')
  assert.deepEqual(Object.keys(STATUS_CODES), Object.keys(MERCHANT_STATUSES))
})

const OPERATOR: Editor = { isOwner: true, isOperator: true }
const OWNER: Editor = { isOwner: true, isOperator: false }
const SUB_USER: Editor = { isOwner: false, isOperator: false }
const OPERATORS_SUB_USER: Editor = { isOwner: false, isOperator: true }

/** Answers of operator, the operator's sub-user, owner, sub-user, where the field holds a value, and where it holds none. */
const LOCKS: Record<LockedField, { filled: string; empty: string }> = {
  referrer: { filled: 'open locked open locked', empty: 'open open open open' },
  managerId: { filled: 'open locked open locked', empty: 'open open open open' },
  paymentMethodId: { filled: 'open locked open locked', empty: 'open open open open' },
  versionId: { filled: 'open open operator operator', empty: 'open open operator operator' },
  storeKind: { filled: 'open open operator operator', empty: 'open open operator operator' },
  registeredAt: { filled: 'open open operator operator', empty: 'open open operator operator' },
  expiresAt: { filled: 'open open operator operator', empty: 'open open operator operator' },
  account: { filled: 'open open operator operator', empty: 'open open operator operator' },
  verificationStatus: { filled: 'open open operator operator', empty: 'open open operator operator' },
}
const ANSWERS: Record<string, string> = { FIELD_LOCKED: 'locked', FIELD_OPERATOR_ONLY: 'operator' }

for (const [field, expected] of Object.entries(LOCKS))
  test(`who may change ${field}`, () => {
    const answers = (hasValue: boolean) =>
      [OPERATOR, OPERATORS_SUB_USER, OWNER, SUB_USER]
        .map(editor => lockOf(field as LockedField, editor, { hasValue, source: 'backOffice' }))
        .map(code => (code === null ? 'open' : ANSWERS[code]))
        .join(' ')
    assert.deepEqual({ filled: answers(true), empty: answers(false) }, expected)
  })

test('a referrer set on the mobile website stays open to everyone', () => {
  assert.equal(lockOf('referrer', SUB_USER, { hasValue: true, source: 'mobileWebsite' }), null)
  assert.equal(lockOf('referrer', SUB_USER, { hasValue: true, source: 'import' }), 'FIELD_LOCKED')
  assert.equal(lockOf('managerId', SUB_USER, { hasValue: true, source: 'mobileWebsite' }), 'FIELD_LOCKED')
})

test('the messages are the documents’ to the letter', () => {
  const messages = Object.values(REFUSALS)
  for (const message of [
    '店铺简称长度不得超过8字符',
    '店铺简称请勿输入特殊字符',
    '店铺名称长度不得超过30字符',
    '店铺名称请勿输入特殊字符',
    '商户姓名长度不得超过20个字符',
    '请输入店铺简称',
    '请输入店铺名称',
    '请输入商户姓名',
    '账号格式不对',
    '请输入正确的手机号',
    '密码格式错误',
    '请输入正确的店铺电话',
    '请选择行业类型',
    '请输入短信签名，限12个字',
    '请启用后再进行操作',
    '操作失败',
  ])
    assert.ok((messages as string[]).includes(message), message)
})

test('the days that are left are told as people ask for them', () => {
  const now = new Date('2026-11-22T04:00:00Z')
  const cases = [
    ['2027-03-22T04:00:00Z', '剩 120 天', undefined],
    ['2026-12-22T04:00:00Z', '剩 30 天', undefined],
    ['2026-12-22T03:59:59Z', '剩 29 天', 'attention'],
    ['2026-11-23T03:59:59Z', '不到 1 天到期', 'attention'],
    ['2026-11-22T03:59:59Z', '已过期 1 天', 'problem'],
    ['2026-11-12T04:00:00Z', '已过期 10 天', 'problem'],
  ] as const
  for (const [expiresAt, text, tone] of cases)
    assert.deepEqual(termLeft(expiresAt, now), { text, tone }, expiresAt)
})

test('an address is looked up in the phone’s own map, and at a desk on a page', () => {
  const address = '广东省深圳市南山区1号'
  const words = encodeURIComponent(address)
  assert.equal(mapOf(address, true, 'Mozilla/5.0 (Linux; Android 14)'), `geo:0,0?q=${words}`)
  assert.equal(mapOf(address, true, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)'), `maps://?q=${words}`)
  assert.equal(
    mapOf(address, false, 'Mozilla/5.0 (X11; Linux)'),
    `https://uri.amap.com/search?keyword=${words}`,
  )
})
