// What is refused of an application for payments, and in which order (D2 §5 Payment form).
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type ApplicationForm,
  brokenApplication,
  brokenDraft,
  FORM_REFUSALS,
  papersFor,
  reasonFieldsFor,
  reasonsText,
  refuseEdit,
  refuseNote,
  refuseReasons,
  undecidableText,
} from './rules.ts'

const EMPTY: ApplicationForm = {
  ...{ merchantId: null, payType: 'corporate', phone: '', email: '', bankRegion: '' },
  ...{ bankName: '', bankCode: '', branchName: '', branchNumber: '' },
  ...{ idFrontId: null, idBackId: null, licenceId: null, permitId: null, bankCardId: null },
  ...{ shopFrontId: null, checkstandId: null, shopInsideId: null },
}
const WHOLE: ApplicationForm = {
  ...{ merchantId: 7, payType: 'corporate', phone: '13800138000', email: 'a@example.com' },
  ...{ bankRegion: '440305', bankName: '招商银行', bankCode: '1001', branchName: '科技园支行' },
  branchNumber: '308584000013',
  ...{ idFrontId: 1, idBackId: 2, licenceId: 3, permitId: 4, bankCardId: null },
  ...{ shopFrontId: 5, checkstandId: 6, shopInsideId: 7 },
}
const said = (form: ApplicationForm) => brokenApplication(form).map(({ code }) => FORM_REFUSALS[code])

test('an empty form is refused in the words of the documents and in their order', () => {
  const of = (paper: string) => [
    '请输入软件注册的账号',
    '请输入联系电话',
    '请输入联系邮箱',
    '请输入开户行信息',
    '请选择开户银行',
    '请输入支行名称',
    '请上传身份证人像面',
    '请上传身份证国徽面',
    '请上传营业执照',
    paper,
    '请上传门店照',
    '请上传收银台照',
    '请上传店内场景照',
  ]
  assert.deepEqual(said(EMPTY), of('请上传开户许可证'))
  assert.deepEqual(said({ ...EMPTY, payType: 'private' }), of('请上传银行卡'))
})

test('a whole form is refused nothing, and each account type asks for seven papers', () => {
  assert.deepEqual(said(WHOLE), [])
  assert.deepEqual(said({ ...WHOLE, payType: 'private', permitId: null, bankCardId: 9 }), [])
  assert.equal(papersFor('corporate').length, 7)
  assert.ok(papersFor('private').includes('bankCardId') && !papersFor('private').includes('permitId'))
})

test('phones of shops may be lines, and addresses of mail have a domain', () => {
  const phones: [string, boolean][] = [
    ['13800138000', true],
    ['0755-26001234', true],
    ['02026001234', true],
    ['4001234567', true],
    ['12800138000', false],
    ['138001380', false],
  ]
  for (const [phone, fits] of phones)
    assert.deepEqual(said({ ...WHOLE, phone }), fits ? [] : [FORM_REFUSALS.PHONE_WRONG], phone)
  for (const email of ['a', 'a@b', 'a b@example.com', 'a@example.'])
    assert.deepEqual(said({ ...WHOLE, email }), [FORM_REFUSALS.EMAIL_WRONG], email)
})

test('a draft may want anything, and hold nothing that has no place', () => {
  assert.deepEqual(brokenDraft(EMPTY), [])
  assert.deepEqual(
    brokenDraft({ ...WHOLE, branchName: 'x'.repeat(101), bankName: '<b>', branchNumber: '12' }).map(
      ({ field, code }) => [field, code],
    ),
    [
      ['branchName', 'TEXT_TOO_LONG'],
      ['bankName', 'TEXT_SYMBOLS'],
      ['branchNumber', 'BRANCH_NUMBER_WRONG'],
    ],
  )
})

test('a rejection says what is wrong with at least one field, and is read in one line', () => {
  assert.equal(refuseReasons({}), 'REASONS_REQUIRED')
  assert.equal(refuseReasons({ phone: '  ' }), 'REASONS_REQUIRED')
  assert.equal(refuseReasons({ phone: '打'.repeat(101) }), 'REASON_TOO_LONG')
  assert.equal(refuseReasons({ phone: '打不通' }), null)
  assert.equal(reasonsText({ other: '请尽快', phone: '打不通' }), '联系电话：打不通；请尽快')
  assert.ok(!reasonFieldsFor('private').includes('permitId'))
})

test('who comes second is told who was first', () => {
  assert.equal(undecidableText({ state: 'pending', handledByName: '' }, 'approve'), null)
  assert.equal(
    undecidableText({ state: 'approved', handledByName: '李四' }, 'reject'),
    '已由李四处理（已处理）',
  )
  assert.equal(undecidableText({ state: 'draft', handledByName: '' }, 'approve'), '申请还没有提交')
})

test('what waits or was approved is not changed', () => {
  assert.deepEqual(
    [null, 'draft', 'rejected', 'pending', 'approved'].map(state => refuseEdit(state as 'draft' | null)),
    [null, null, null, 'PENDING_ALREADY', 'UNDER_WAY'],
  )
})

test('a reviewer who rejects says why', () => {
  assert.equal(refuseNote('rejected', ' '), 'NOTE_REQUIRED')
  assert.equal(refuseNote('accepting', ''), null)
  assert.equal(refuseNote('accepting', 'x'.repeat(201)), 'NOTE_TOO_LONG')
})
