import assert from 'node:assert/strict'
import test from 'node:test'
import {
  brokenOwner,
  messageOf,
  type OwnerForm,
  reasonFieldsFor,
  reasonsText,
  refuseReasons,
  statementText,
} from './rules.ts'

const TODAY = '2026-11-29'
const form = (more: Partial<OwnerForm> = {}): OwnerForm => ({
  payType: 'corporate',
  phone: '13800138000',
  company: '深圳市南山区老张面馆',
  creditCode: '91350100M000100Y43',
  legalPerson: '张三',
  personInCharge: '张三',
  email: 'zhang@example.com',
  bankName: '招商银行',
  branchName: '招商银行深圳科技园支行',
  idNumber: { typed: '11010519491231002X', kept: false },
  accountNumber: { typed: '755912345678901', kept: false },
  ...{ idFrontId: 1, idBackId: 2, licenceId: 3, permitId: 4, bankCardId: null },
  ...{ shopFrontId: 5, checkstandId: 6, shopInsideId: 7, tradePermitId: null, certificateId: null },
  ...more,
})

const NONE = { areRequired: false }

test('what is whole is handed in, and of a number that was given before nothing need be typed', () => {
  assert.deepEqual(brokenOwner(form(), TODAY, NONE), [])
  const kept = { idNumber: { typed: '', kept: true }, accountNumber: { typed: '', kept: true } }
  assert.deepEqual(brokenOwner(form(kept), TODAY, NONE), [])
})

test('what is missing is told in the order of the page, of papers those of the account', () => {
  const empty = form({
    ...{ company: '', creditCode: '', legalPerson: '', personInCharge: '', email: '', bankName: '' },
    ...{ branchName: '', idNumber: { typed: '', kept: false }, accountNumber: { typed: '', kept: false } },
    ...{ licenceId: null, idFrontId: null, idBackId: null, permitId: null, payType: 'private' },
    ...{ shopFrontId: null, checkstandId: null, shopInsideId: null },
  })
  assert.deepEqual(brokenOwner(empty, TODAY, NONE).map(messageOf), [
    ...['请上传营业执照', '请输入企业名称', '请输入统一社会信用代码', '请输入法定代表人'],
    ...['请上传身份证人像面', '请上传身份证国徽面', '请输入责任人姓名', '请输入责任人身份证号'],
    ...['请上传银行卡', '请输入银行账号', '请选择开户银行', '请输入支行名称', '请输入联系邮箱'],
    ...['请上传门店照', '请上传收银台照', '请上传店内场景照'],
  ])
})

test('where the line of business is refused without permits one of either kind is asked for', () => {
  const broken = (more: Partial<OwnerForm> = {}) => brokenOwner(form(more), TODAY, { areRequired: true })
  assert.deepEqual(broken().map(messageOf), ['请上传行业许可证或资质证书'])
  assert.deepEqual(broken({ tradePermitId: 8 }), [])
  assert.deepEqual(broken({ certificateId: 9 }), [])
})

test('a number that cannot be one is refused at its field', () => {
  const broken = (more: Partial<OwnerForm>) => brokenOwner(form(more), TODAY, NONE).map(({ field }) => field)
  assert.deepEqual(broken({ idNumber: { typed: '110105194912310021', kept: false } }), ['idNumber'])
  assert.deepEqual(broken({ accountNumber: { typed: '12', kept: true } }), ['accountNumber'])
  assert.deepEqual(broken({ creditCode: '91350100M000100Y44' }), ['creditCode'])
})

test('a reason is asked for, of the papers that the account has', () => {
  assert.equal(refuseReasons({ email: ' ' }), 'REASONS_REQUIRED')
  assert.equal(refuseReasons({ email: '长'.repeat(101) }), 'REASON_TOO_LONG')
  assert.equal(refuseReasons({ other: '请补充' }), null)
  assert.equal(reasonsText({ other: '请补充', email: '有误' }), '联系邮箱：有误；请补充')
  assert.ok(!reasonFieldsFor('corporate').includes('bankCardId'))
})

test('what is signed names all that was given, numbers masked, and changes with each of it', () => {
  const signed = {
    ...{
      shopName: '老张面馆',
      agentName: '海岸科技',
      payType: 'corporate' as const,
      phoneMasked: '138****8000',
    },
    ...{ company: '老张面馆', creditCode: '', legalPerson: '张三', personInCharge: '张三', email: 'a@b.cn' },
    ...{
      bankName: '招商银行',
      branchName: '科技园支行',
      idNumberMasked: '1101**',
      accountNumberMasked: '**01',
    },
    papers: [{ name: 'licenceId', sha256: 'ab'.repeat(32) }],
  } as const
  const text = statementText(signed)
  assert.match(text, /授权海岸科技用于「老张面馆」/)
  assert.match(text, /营业执照：图片 abababababababab$/m)
  assert.ok(!text.includes('统一社会信用代码'))
  assert.notEqual(text, statementText({ ...signed, bankName: '工商银行' }))
})
