// What an application for a mini program is refused for, in the documents' order and words (D2 §4, §5).
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  askableName,
  brokenChoices,
  brokenDraft,
  brokenTexts,
  type ChosenForm,
  codeKindOf,
  FORM_REFUSALS,
  type KnownCategory,
  maskWechat,
  nameWidth,
  PROGRAM_TYPE_KEYS,
  refuseEdit,
  refuseHeadImage,
  refuseReason,
  type TypedForm,
  undecidableText,
  wantedCertificates,
} from './rules.ts'

const TEXTS: TypedForm = {
  companyName: '深圳市老张餐饮有限公司',
  companyCode: '9144030071526726XG',
  legalPersonWechat: 'zhangsan_88',
  legalPersonName: '张三',
  servicePhone: '0755-88886666',
  programName: '老张面馆点餐',
  programType: 'scanOrder',
  intro: '老张面馆的点餐小程序',
}
const EMPTY: TypedForm = {
  ...{ companyName: ' ', companyCode: '', legalPersonWechat: '', legalPersonName: '', servicePhone: '' },
  ...{ programName: '', programType: null, intro: '\n' },
}
const CHOSEN: ChosenForm = {
  ...{ categoryId: 3, alternative: 0, certificates: [] },
  ...{ headImageId: 1, idFrontId: 2, idBackId: 3, licenceId: 4 },
}
const PLAIN: KnownCategory = { alternatives: [], isLast: true }
const STRICT: KnownCategory = { alternatives: [['食品经营许可证'], ['办学许可证', '备案证明']], isLast: true }

test('what is missing is said in the documents’ words and order', () => {
  const messages = brokenTexts(EMPTY).map(({ code }) => FORM_REFUSALS[code])
  assert.deepEqual(messages, [
    '请输入营业执照上的名称',
    '请输入营业上的统一社会信用代码',
    '请输入法人微信号',
    '请输入法人姓名',
    '请输入客服电话',
    '请输入小程序名称',
    '请输入小程序类别',
    '请输入小程序简介',
  ])
  const nothing = {
    ...CHOSEN,
    categoryId: null,
    headImageId: null,
    idFrontId: null,
    idBackId: null,
    licenceId: null,
  }
  assert.deepEqual(
    brokenChoices(nothing, null).map(({ code }) => FORM_REFUSALS[code]),
    ['请选择小程序类目', '请上传小程序头像', '请上传身份证正面照', '请上传身份证反面照', '请上传营业执照'],
  )
  assert.deepEqual(brokenTexts(TEXTS), [])
  assert.deepEqual(brokenTexts({ ...TEXTS, legalPersonWechat: '' }, true), [])
})

const WRONG: readonly [field: keyof TypedForm, text: string, code: string | null][] = [
  ['companyCode', '9144030071526726XH', 'CODE_WRONG'],
  ['companyCode', '123', 'CODE_WRONG'],
  ['companyCode', '440301103456789', null],
  ['companyCode', '71526726X', null],
  ['companyCode', ' 9144030071526726xg ', null],
  ['legalPersonWechat', '张三的微信', 'WECHAT_WRONG'],
  ['legalPersonWechat', 'abc', 'WECHAT_WRONG'],
  ['legalPersonWechat', '13800138000', null],
  ['servicePhone', '12345', 'PHONE_WRONG'],
  ['servicePhone', '400-800-1234', null],
  ['servicePhone', '138 0013 8000', null],
  ['programName', '面', 'NAME_LENGTH_WRONG'],
  ['programName', '面馆', null],
  ['programName', '面'.repeat(15), null],
  ['programName', '面'.repeat(16), 'NAME_LENGTH_WRONG'],
  ['programName', '老张 面馆', 'NAME_SYMBOLS'],
  ['programName', '老张@面馆', 'NAME_SYMBOLS'],
  ['intro', '面', 'INTRO_TOO_SHORT'],
  ['intro', '面'.repeat(50), null],
  ['intro', '面'.repeat(51), 'INTRO_TOO_LONG'],
]
for (const [field, text, code] of WRONG)
  test(`${field} ${text.slice(0, 20)} is ${code ?? 'taken'}`, () => {
    const found = brokenTexts({ ...TEXTS, [field]: text })
    assert.deepEqual(found, code === null ? [] : [{ field, code }])
  })

test('a draft is bounded, and otherwise keeps what is half done', () => {
  assert.deepEqual(brokenDraft(EMPTY), [])
  assert.deepEqual(brokenDraft({ ...TEXTS, intro: '面'.repeat(51) }), [
    { field: 'intro', code: 'INTRO_TOO_LONG' },
  ])
  assert.deepEqual(brokenDraft({ ...TEXTS, companyName: '甲'.repeat(101) }), [
    { field: 'companyName', code: 'TEXT_TOO_LONG' },
  ])
})

test('the certificates of the set that was chosen are wanted, and no others', () => {
  const of = (alternative: number, ...names: string[]) => ({
    ...CHOSEN,
    alternative,
    certificates: names.map((name, at) => ({ name, documentId: 10 + at })),
  })
  assert.deepEqual(brokenChoices(of(0), STRICT), [{ field: 'certificate0', code: 'CERTIFICATE_REQUIRED' }])
  assert.deepEqual(brokenChoices(of(0, '食品经营许可证'), STRICT), [])
  assert.deepEqual(brokenChoices(of(1, '办学许可证'), STRICT), [
    { field: 'certificate1', code: 'CERTIFICATE_REQUIRED' },
  ])
  // A list that was refreshed may have fewer sets: the first holds.
  assert.deepEqual(brokenChoices(of(7), STRICT), [{ field: 'certificate0', code: 'CERTIFICATE_REQUIRED' }])
  assert.deepEqual(brokenChoices(of(0), PLAIN), [])
  assert.deepEqual(
    wantedCertificates(of(1, '办学许可证', '食品经营许可证', '备案证明'), STRICT).map(({ name }) => name),
    ['办学许可证', '备案证明'],
  )
})

test('a category is chosen down to its last level, of the list that holds', () => {
  const codes = (known: KnownCategory | null) => brokenChoices(CHOSEN, known).map(({ code }) => code)
  assert.deepEqual(codes(null), ['CATEGORY_GONE'])
  assert.deepEqual(codes({ ...PLAIN, isLast: false }), ['CATEGORY_NOT_LAST'])
})

test('an avatar is a square of at most 2M', () => {
  const of = (bytes: number, width: number, height: number) => refuseHeadImage({ bytes, width, height })
  assert.equal(of(2 * 1024 * 1024, 300, 300), null)
  assert.equal(of(2 * 1024 * 1024 + 1, 300, 300), 'HEAD_IMAGE_TOO_LARGE')
  assert.equal(of(1, 300, 299), 'HEAD_IMAGE_NOT_SQUARE')
})

test('what the platform calls the code follows from its length', () => {
  assert.deepEqual(['71526726X', '440301103456789', '9144030071526726XG', ''].map(codeKindOf), [2, 3, 1, 1])
})

test('a name is asked about that could be had, and a Chinese character counts twice', () => {
  assert.equal(askableName(' 老张面馆 '), '老张面馆')
  assert.deepEqual(['', '面', '老张"面馆'].map(askableName), [null, null, null])
  assert.equal(nameWidth('老张A1'), 6)
})

test('a WeChat number is shown by its ends alone', () => {
  assert.deepEqual(['zhangsan_88', ''].map(maskWechat), ['zh****88', ''])
})

test('what is decided or deleted is changed by nobody, and what waits by staff alone', () => {
  const of = (state: 'draft' | 'pending' | 'approved' | 'rejected', more: object = {}) => ({
    ...{ state, deletedAt: null, kind: 'registration' as const, handledByName: '李四' },
    ...more,
  })
  const may = (row: ReturnType<typeof of>) => [refuseEdit(row, false), refuseEdit(row, true)]
  assert.deepEqual(may(of('draft')), [null, null])
  assert.deepEqual(may(of('rejected')), [null, null])
  assert.deepEqual(may(of('pending')), ['PENDING_ALREADY', null])
  assert.deepEqual(may(of('approved')), ['APPROVED_ALREADY', 'APPROVED_ALREADY'])
  assert.deepEqual(may(of('draft', { deletedAt: '2026-01-01' })), ['DELETED_ALREADY', 'DELETED_ALREADY'])
  assert.deepEqual(may(of('approved', { kind: 'existing' })), ['EXISTING_ALREADY', 'EXISTING_ALREADY'])
  assert.equal(undecidableText(of('pending'), 'approve'), null)
  assert.equal(undecidableText(of('approved'), 'reject'), '已由李四处理（已处理）')
  assert.equal(undecidableText(of('draft'), 'approve'), '申请还没有提交')
  assert.equal(undecidableText(of('pending', { deletedAt: '2026-01-01' }), 'approve'), '申请已删除，请先恢复')
})

test('a rejection has a reason', () => {
  assert.deepEqual(['', ' ', '看不清', '甲'.repeat(101)].map(refuseReason), [
    'REASON_REQUIRED',
    'REASON_REQUIRED',
    null,
    'REASON_TOO_LONG',
  ])
})

test('the types stand in the order by which the documents number them', () => {
  assert.deepEqual(
    [PROGRAM_TYPE_KEYS.length, PROGRAM_TYPE_KEYS[5], PROGRAM_TYPE_KEYS[8]],
    [10, 'scanOrder', 'artTraining'],
  )
})
