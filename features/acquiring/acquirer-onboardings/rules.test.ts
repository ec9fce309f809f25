import assert from 'node:assert/strict'
import test from 'node:test'
import {
  ACQUIRER_KEYS,
  ACQUIRER_PAPER_KEYS,
  ACQUIRER_SOURCE_KEYS,
  acquirerOf,
  picturesFor,
} from '#kit/ports/acquirers.ts'
import {
  ACQUIRER_STEPS,
  brokenCode,
  brokenCompletion,
  CHANNEL_STATE_KEYS,
  changesOf,
  HANDING_IN,
  handingInOf,
  type Known,
  lackingOf,
  type Paid,
  reasonFieldsFor,
  reasonsText,
  refuseByHand,
  refuseEdit,
  refuseHandIn,
  refuseHandOver,
  refuseReasons,
  refuseSettling,
  refuseSettlingCheck,
  refuseStep,
  refuseSubmission,
  type Standing,
  secondsToAsk,
  secondsToNext,
  TEST_STATE_KEYS,
  type TestState,
  unfitOf,
} from './rules.ts'

const KNOWN = Object.fromEntries(ACQUIRER_SOURCE_KEYS.map(key => [key, '有'])) as Known
const CORPORATE: Known = { ...KNOWN, payType: 'corporate' }
const ALL = ACQUIRER_PAPER_KEYS
const standing = (more: Partial<Standing> = {}): Standing => ({
  ...{ isActive: true, approvalState: 'draft', state: 'waiting' },
  ...more,
})

test('every record can be handed in as it stands: names once, a pattern that is one, pictures as files', () => {
  for (const name of ACQUIRER_KEYS) {
    const { lines, code, form } = acquirerOf(name)
    const names = lines.map(line => line.name)
    assert.equal(new Set(names).size, names.length, name)
    assert.doesNotThrow(() => new RegExp(code.pattern))
    for (const payType of ['corporate', 'private'] as const) {
      const files = picturesFor(name, payType).map(({ fileName }) => fileName)
      assert.equal(new Set(files).size, files.length, name)
      assert.ok([...files, form.fileName].every(file => !/[/\\]/.test(file)))
    }
  }
})

test('what is wanting is said in the order of the form, with where it is said', () => {
  const lacking = lackingOf(
    'xl',
    { ...CORPORATE, company: '', bankName: '', rate: '', email: '' },
    ALL.filter(paper => paper !== 'checkstand' && paper !== 'bankCard'),
  )
  assert.deepEqual(
    lacking.map(({ words }) => words),
    [
      '营业执照名称（在实名资料中填写）',
      '开户银行（在支付申请中填写）',
      '费率（在进件资料中填写）',
      '收银台照片（在店铺证件中上传）',
    ],
  )
  assert.deepEqual(lackingOf('xl', CORPORATE, ALL), [])
})

test('a private account asks for its card and not for a permit', () => {
  const papers = ALL.filter(paper => paper !== 'accountPermit' && paper !== 'bankCard')
  const fields = (payType: string) => lackingOf('xl', { ...KNOWN, payType }, papers).map(one => one.field)
  assert.deepEqual(fields('private'), ['bankCard'])
  assert.deepEqual(fields('corporate'), ['accountPermit'])
})

test('what is typed is judged, what is empty is not', () => {
  const form = { contactPhone: '', email: '', rate: '', accountNumber: '' }
  assert.equal(brokenCompletion(form), null)
  const code = (more: Partial<typeof form>) => brokenCompletion({ ...form, ...more })?.code
  assert.equal(code({ contactPhone: '12345' }), 'CONTACT_PHONE_WRONG')
  assert.equal(code({ contactPhone: '0755-88886666' }), undefined)
  assert.equal(code({ email: 'a@b' }), 'EMAIL_WRONG')
  for (const rate of ['0.00', '38', '0.388', 'x']) assert.equal(code({ rate }), 'RATE_WRONG', rate)
  assert.equal(code({ rate: '0.38' }), undefined)
  assert.equal(code({ accountNumber: '1234' }), 'ACCOUNT_NUMBER_WRONG')
})

test('a draft or what was sent back is changed, nothing else, and nothing that was put aside', () => {
  assert.equal(refuseEdit(standing()), null)
  assert.equal(refuseEdit(standing({ approvalState: 'rejected' })), null)
  assert.equal(refuseEdit(standing({ approvalState: 'pending' })), 'PENDING_ALREADY')
  assert.equal(refuseEdit(standing({ approvalState: 'approved' })), 'APPROVED_ALREADY')
  assert.equal(refuseEdit(standing({ isActive: false })), 'INACTIVE')
  assert.equal(refuseSubmission(standing(), 1), 'LACKING')
})

test('only what was approved goes to the acquirer, and a number may come before or after', () => {
  const approved = standing({ approvalState: 'approved' })
  assert.equal(refuseStep(standing(), 'send'), 'NOT_APPROVED')
  assert.equal(refuseStep(approved, 'send'), null)
  assert.equal(refuseStep({ ...approved, state: 'sent' }, 'send'), 'SENT_ALREADY')
  assert.equal(refuseStep(approved, 'refuse'), 'NOT_SENT')
  for (const state of ['waiting', 'sent', 'opened'] as const)
    assert.equal(refuseStep({ ...approved, state }, 'open'), null)
})

test('how far it is with the protocol, and what people may do by hand meanwhile', () => {
  const of = (state: Standing['state'], tries = 0, requestNo = 'A1') =>
    handingInOf({ requestNo, state, tries })
  assert.equal(of('waiting', 0, ''), 'none')
  assert.equal(of('sent', 99), 'asked')
  for (const state of ['waiting', 'refused'] as const) {
    assert.equal(of(state, HANDING_IN.silentRounds - 1), 'running')
    assert.equal(of(state, HANDING_IN.silentRounds), 'stuck')
  }
  const approved = { ...standing({ approvalState: 'approved' }), handingIn: 'none' as const }
  const connected = { isConnected: true, lacking: 0 }
  for (const handingIn of ['none', 'stuck'] as const) {
    assert.equal(refuseHandIn({ ...approved, handingIn }, connected), null)
    assert.equal(refuseByHand({ ...approved, handingIn }, 'send'), null)
  }
  assert.equal(refuseHandIn({ ...approved, handingIn: 'running' }, connected), 'HANDING_IN')
  for (const step of ['send', 'open'] as const)
    assert.equal(refuseByHand({ ...approved, handingIn: 'running' }, step), 'HANDING_IN')
  for (const step of ['refuse', 'open'] as const)
    assert.equal(refuseByHand({ ...approved, state: 'sent', handingIn: 'asked' }, step), null)
  assert.equal(refuseHandIn({ ...approved, state: 'sent', handingIn: 'asked' }, connected), 'SENT_ALREADY')
  assert.equal(refuseHandIn(approved, { isConnected: false, lacking: 3 }), 'NOT_CONNECTED')
  assert.equal(refuseHandIn(approved, { isConnected: true, lacking: 1 }), 'LACKING')
  assert.equal(refuseHandIn({ ...approved, approvalState: 'pending' }, connected), 'NOT_APPROVED')
  assert.equal(refuseHandIn({ ...approved, isActive: false }, connected), 'INACTIVE')
  // What its protocol turns down is where it may be handed in.
  assert.deepEqual(ACQUIRER_STEPS.turnDown.from, ACQUIRER_STEPS.send.from)
})

test('it is tried again soon and then less often, and asked about hourly in the end', () => {
  const now = new Date('2026-04-01T10:00:00.000Z')
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
  const cases: [state: Standing['state'], tries: number, sentAt: string | null, seconds: number][] = [
    ['waiting', 0, null, 5],
    ['waiting', 3, null, 40],
    ['refused', 30, ago(600), 1_800],
    ['sent', 0, ago(0), 60],
    ['sent', 7, ago(9), 60],
    ['sent', 0, ago(11), 300],
    ['sent', 0, ago(61), 3_600],
    ['opened', 0, null, 5],
  ]
  for (const [state, tries, sentAt, seconds] of cases)
    assert.equal(secondsToNext({ state, tries, sentAt }, now), seconds, `${state} ${tries} ${sentAt}`)
  assert.deepEqual(new Set(cases.map(([state]) => state)), new Set(CHANNEL_STATE_KEYS))
})

test('what a protocol does not take is said with where it is mended, and nothing of what is not there', () => {
  const fit: Known = {
    ...{ ...CORPORATE, shortName: '老张面馆', creditCode: '92440300MA5EXAMPLE', category: '餐馆' },
    ...{ contactPhone: '13800138000', branchNumber: '308584000013', company: '老张面馆' },
    ...{ accountName: '老张面馆', legalPerson: '张三' },
  }
  assert.deepEqual(unfitOf('tianque', fit), [])
  const cases: [more: Partial<Known>, field: string | null][] = [
    [{ shortName: '88' }, 'shortName'],
    [{ creditCode: '440305600000001' }, 'creditCode'],
    [{ creditCode: '12440300MA5EXAMPLE' }, 'creditCode'],
    [{ contactPhone: '0755-88886666' }, 'contactPhone'],
    [{ category: '餐饮' }, 'category'],
    [{ accountName: '张三' }, 'accountName'],
    [{ accountName: '张三', payType: 'private' }, null],
    [{ payType: 'private' }, 'accountName'],
    [{ branchNumber: '1' }, 'branchNumber'],
    [{ branchNumber: '', category: '' }, null],
  ]
  for (const [more, field] of cases)
    assert.deepEqual(
      unfitOf('tianque', { ...fit, ...more }).map(one => one.field),
      field === null ? [] : [field],
      JSON.stringify(more),
    )
  assert.deepEqual(unfitOf('xl', { ...fit, category: '餐饮' }), [])
})

test('a number is as its acquirer gives them', () => {
  assert.equal(brokenCode('tianque', '399200000000001'), null)
  assert.equal(brokenCode('tianque', 'XL12345678'), '随行付天阙的商户编号为 15 位数字')
  assert.equal(brokenCode('xl', 'XL12345678'), null)
  assert.equal(brokenCode('xl', ''), '请输入商户编号')
})

test('reasons are of what the form asks, and at least one', () => {
  assert.ok(!reasonFieldsFor('lianfu', 'private').includes('accountPermit'))
  assert.ok(reasonFieldsFor('lianfu', 'private').includes('bankCard'))
  assert.equal(refuseReasons({ company: ' ' }), 'REASONS_REQUIRED')
  assert.equal(refuseReasons({ other: '字'.repeat(101) }), 'REASON_TOO_LONG')
  assert.equal(reasonsText({ other: '行业不符', company: '不一致' }), '营业执照名称：不一致；行业不符')
})

const FIELDS = [
  { key: 'mercId', label: '商户编号', secret: false },
  { key: 'signKey', label: '签名密钥', secret: true },
]
const paid = (more: Partial<Paid> = {}): Paid => ({
  methodId: 0,
  methodName: '默认支付',
  values: {},
  ...more,
})

test('what the point of sale would get is told beside what it has, and no key is shown', () => {
  const next = { methodName: '收单渠道十六', fields: FIELDS, given: { mercId: 'XL2' } }
  assert.deepEqual(changesOf(paid(), next), [
    { label: '支付方式', before: '默认支付', after: '收单渠道十六' },
    { label: '商户编号', before: '', after: 'XL2' },
    { label: '签名密钥', before: '', after: '' },
  ])
  const held = paid({ methodId: 16, methodName: '收单渠道十六', values: { mercId: 'XL1', signKey: 'k' } })
  assert.deepEqual(changesOf(held, next).slice(1), [
    { label: '商户编号', before: 'XL1', after: 'XL2' },
    { label: '签名密钥', before: '已设置', after: '已设置' },
  ])
})

test('it is handed over by an opened number alone, by a method that is offered, and in no other place unasked', () => {
  const opened: Parameters<typeof refuseHandOver>[0] = {
    ...standing({ approvalState: 'approved', state: 'opened' }),
    ...{ code: 'XL12345678', merchantStatus: 'normal', handedOverCode: '' },
  }
  const method = { isOffered: true, fits: true, paid: paid(), methodId: 16, insteadOf: null }
  assert.equal(refuseHandOver(opened, method), null)
  assert.equal(refuseHandOver({ ...opened, state: 'sent' }, method), 'NO_CODE')
  assert.equal(refuseHandOver({ ...opened, merchantStatus: 'frozen' }, method), 'MERCHANT_NOT_NORMAL')
  assert.equal(refuseHandOver(opened, { ...method, isOffered: false }), 'METHOD_NOT_OFFERED')
  assert.equal(refuseHandOver(opened, { ...method, fits: false }), 'METHOD_UNFIT')
  const other = { ...method, paid: paid({ methodId: 2, methodName: '服务商支付' }) }
  assert.equal(refuseHandOver(opened, other), 'PAID_OTHERWISE')
  assert.equal(refuseHandOver(opened, { ...other, insteadOf: 2 }), null)
  assert.equal(refuseHandOver(opened, { ...other, insteadOf: 1 }), 'PAID_OTHERWISE')
})

test('a payment of one fen is asked about soon and then less often, and not at all once it has ended', () => {
  const cases: [state: TestState, tries: number, seconds: number | null][] = [
    ['ordering', 0, 2],
    ['ordering', 1, 4],
    ['waiting', 0, 2],
    ['waiting', -1, 2],
    ['waiting', 5, 64],
    ['paid', 9, 1_024],
    ['paid', 10, 1_800],
    ['paid', 2_000, 1_800],
    ['refunded', 0, null],
    ['failed', 0, null],
    ['settled', 3, null],
  ]
  for (const [state, tries, seconds] of cases)
    assert.equal(secondsToAsk({ state, tries }), seconds, `${state} ${tries}`)
  assert.deepEqual(new Set(cases.map(([state]) => state)), new Set(TEST_STATE_KEYS))
})

test('what does not come back is seen to by two people, and by nobody where it still may', () => {
  const stuck = { state: 'paid', isStuck: true, isAsked: false, settledBy: null } as const
  const said = { ...stuck, settledBy: 7 }
  assert.equal(refuseSettling(stuck), null)
  assert.equal(refuseSettling({ ...stuck, state: 'waiting', isAsked: true }), null)
  assert.equal(refuseSettling({ ...stuck, isStuck: false }), 'TEST_NOT_STUCK')
  assert.equal(refuseSettling({ ...stuck, state: 'refunded' }), 'TEST_NOT_STUCK')
  assert.equal(refuseSettling(said), 'TEST_SETTLING')
  assert.equal(refuseSettlingCheck(said, 8), null)
  assert.equal(refuseSettlingCheck(said, 7), 'TEST_SETTLED_BY_YOU')
  assert.equal(refuseSettlingCheck(stuck, 8), 'TEST_NOT_SETTLING')
  assert.equal(refuseSettlingCheck({ ...said, isStuck: false }, 8), 'TEST_NOT_SETTLING')
  assert.equal(refuseSettlingCheck({ ...said, isAsked: true }, 8), 'TEST_ASKED_NOW')
})
