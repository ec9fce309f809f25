import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, newMerchantForm } from '#test/make.ts'
import { rowsOfAllTables } from '#test/rows.ts'

let office: Office
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 500 })
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

type Told = { code: string; message: string; data: Record<string, unknown> | undefined }

async function refusal(call: Promise<unknown>): Promise<Told> {
  const error = await call.then(
    () => assert.fail('it was accepted'),
    (failure: ORPCError<string, Record<string, unknown>>) => failure,
  )
  return { code: error.code, message: error.message, data: error.data }
}

type Form = NonNullable<Parameters<typeof newMerchantForm>[0]>
const REFUSED: [name: string, changes: Form, code: string, field: string, message: string][] = [
  ['an unknown version', { versionId: 77 }, 'VERSION_REQUIRED', 'versionId', '请选择软件版本'],
  ['a version not for new shops', { versionId: 4 }, 'VERSION_REQUIRED', 'versionId', '请选择软件版本'],
  ['a chain by the month', { versionId: 3, term: 'month' }, 'TERM_REQUIRED', 'term', '请选择购买时限'],
  ['6 years', { periods: 6 }, 'YEARS_OUT_OF_RANGE', 'periods', '购买年限为1至5年'],
  ['13 months', { term: 'month', periods: 13 }, 'MONTHS_OUT_OF_RANGE', 'periods', '购买月数为1至12个月'],
  ['two and a half shops', { shops: 2.5 }, 'INPUT_INVALID', 'shops', '须为整数'],
  ['half a year', { periods: 0.5 }, 'INPUT_INVALID', 'periods', '须为整数'],
  ['0 shops', { shops: 0 }, 'SHOPS_TOO_FEW', 'shops', '订购数量最少为1'],
  ['1,000 shops', { shops: 1_000 }, 'SHOPS_TOO_MANY', 'shops', '订购数量最多为999'],
  ['-1 branches', { versionId: 3, branches: -1 }, 'BRANCHES_TOO_FEW', 'branches', '该版本的分店数量最少为1'],
  ['1,000 branches', { versionId: 3, branches: 1_000 }, 'BRANCHES_TOO_MANY', 'branches', '分店数量最多为999'],
  [
    'a term before the names',
    { versionId: 3, term: 'month', shortName: '' },
    'TERM_REQUIRED',
    'term',
    '请选择购买时限',
  ],
  [
    'half an SMS before 0 shops',
    { smsCount: 0.5, shops: 0 },
    'SMS_COUNT_FORMAT',
    'smsCount',
    '短信条数只能输入数字',
  ],
  [
    'a long remark before 6 years',
    { remark: '注'.repeat(51), periods: 6 },
    'REMARK_TOO_LONG',
    'remark',
    '备注不得超过50字',
  ],
  ['0 shops before 6 years', { shops: 0, periods: 6 }, 'SHOPS_TOO_FEW', 'shops', '订购数量最少为1'],
  ['no industry', { industryId: null }, 'INDUSTRY_REQUIRED', 'industryId', '请选择行业类型'],
  ['an unknown industry', { industryId: 99 }, 'INDUSTRY_REQUIRED', 'industryId', '请选择行业类型'],
  ['an industry of no table', { industryId: 3e9 }, 'INDUSTRY_REQUIRED', 'industryId', '请选择行业类型'],
  ['no short name', { shortName: ' ' }, 'SHORT_NAME_REQUIRED', 'shortName', '请输入店铺简称'],
  [
    'a long short name',
    { shortName: '一二三四五六七八九' },
    'SHORT_NAME_TOO_LONG',
    'shortName',
    '店铺简称长度不得超过8字符',
  ],
  [
    'symbols in the short name',
    { shortName: '<b>' },
    'SHORT_NAME_SYMBOLS',
    'shortName',
    '店铺简称请勿输入特殊字符',
  ],
  ['no shop name', { shopName: '' }, 'SHOP_NAME_REQUIRED', 'shopName', '请输入店铺名称'],
  [
    'a long shop name',
    { shopName: '店'.repeat(31) },
    'SHOP_NAME_TOO_LONG',
    'shopName',
    '店铺名称长度不得超过30字符',
  ],
  [
    'symbols in the shop name',
    { shopName: '店#' },
    'SHOP_NAME_SYMBOLS',
    'shopName',
    '店铺名称请勿输入特殊字符',
  ],
  ['no merchant name', { personName: '' }, 'PERSON_NAME_REQUIRED', 'personName', '请输入商户姓名'],
  [
    'a long merchant name',
    { personName: '张'.repeat(21) },
    'PERSON_NAME_TOO_LONG',
    'personName',
    '商户姓名长度不得超过20个字符',
  ],
  ['an account of 9 digits', { account: '188000000' }, 'ACCOUNT_FORMAT', 'account', '账号格式不对'],
  ['an account from 2', { account: '28800000000' }, 'ACCOUNT_FORMAT', 'account', '账号格式不对'],
  ['an account of 40 digits', { account: '1'.repeat(40) }, 'ACCOUNT_FORMAT', 'account', '账号格式不对'],
  ['a short password', { password: 'abc12' }, 'PASSWORD_FORMAT', 'password', '密码格式错误'],
  ['half an SMS', { smsCount: 0.5 }, 'SMS_COUNT_FORMAT', 'smsCount', '短信条数只能输入数字'],
  ['an SMS less than none', { smsCount: -1 }, 'SMS_COUNT_FORMAT', 'smsCount', '短信条数只能输入数字'],
  [
    'more SMS than can be given',
    { smsCount: 999_999_999 },
    'SMS_COUNT_TOO_MANY',
    'smsCount',
    '短信条数不得超过1,000,000条',
  ],
  ['no district', { districtCode: '' }, 'DIVISION_REQUIRED', 'districtCode', '请选择省市区'],
  ['an unknown district', { districtCode: '999999' }, 'DIVISION_REQUIRED', 'districtCode', '请选择省市区'],
  ['a city alone', { districtCode: '4403' }, 'DIVISION_REQUIRED', 'districtCode', '请选择省市区'],
  ['a long address', { address: '号'.repeat(101) }, 'ADDRESS_TOO_LONG', 'address', '详细地址不得超过100字'],
  ['a long referrer', { referrer: '王'.repeat(21) }, 'REFERRER_TOO_LONG', 'referrer', '推荐人不得超过20字'],
  ['a very long remark', { remark: '注'.repeat(300) }, 'REMARK_TOO_LONG', 'remark', '备注不得超过50字'],
  ['a long remark', { remark: '注'.repeat(51) }, 'REMARK_TOO_LONG', 'remark', '备注不得超过50字'],
  [
    'an unknown manager',
    { managerId: 999_999 },
    'MANAGER_UNKNOWN',
    'managerId',
    '客户经理不存在，请重新选择',
  ],
  [
    'a method not offered',
    { paymentMethodId: 7 },
    'PAYMENT_METHOD_UNKNOWN',
    'paymentMethodId',
    '支付方式不可用，请重新选择',
  ],
  [
    'a method without its number',
    { paymentMethodId: 1, paymentConfig: { mch_id: ' ' } },
    'PAYMENT_FIELD_REQUIRED',
    'paymentConfig.mch_id',
    '商户号不能为空',
  ],
]

test('every broken rule is told with its field and the documents’ message, and writes nothing', async () => {
  const before = await rowsOfAllTables(office)
  for (const [name, changes, code, field, message] of REFUSED) {
    const told = await refusal(me.selling.quote(newMerchantForm(changes)))
    assert.deepEqual({ ...told, data: told.data?.field }, { code, message, data: field }, name)
  }
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('a manager of another agent, or one that is disabled, is unknown', async () => {
  const stranger = await makeAgent(office)
  const disabled = await makeAccount(office, agent.id)
  await office.owner.query('update accounts set enabled = false where id = $1', [disabled.accountId])
  for (const managerId of [stranger.accountId, disabled.accountId])
    assert.equal(await refusalOf(me.selling.quote(newMerchantForm({ managerId }))), 'MANAGER_UNKNOWN')
  assert.equal(await refusalOf(me.selling.quote(newMerchantForm({ managerId: agent.accountId }))), 'accepted')
})
