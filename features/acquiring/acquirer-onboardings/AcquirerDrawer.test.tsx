// What people see of a shop at an acquirer over its list, and what they can do with it next.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Merchant } from '#features/shops/merchants/contract.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { MerchantFacts } from '#features/shops/merchants/MerchantFacts.tsx'
import { typedOf } from '#kit/declare/form.ts'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import AcquirerDrawer from './AcquirerDrawer.tsx'
import type { AcquirerData } from './acquirerApi.tsx'
import { acquirerOnboardings } from './contract.ts'
import { REFUSALS } from './rules.ts'
import { fillSlots } from './slots-filled.tsx'

const DATA: AcquirerData = {
  ...{ id: 5, revision: 2, merchantId: 7, shopName: '南山面馆', account: '13800138000', channel: 'xl' },
  ...{ approvalState: 'draft', state: 'waiting', merchantStatus: null, isActive: true, code: '' },
  ...{ remark: '', createdAt: '2026-03-04T02:00:00.000Z', submittedAt: null, submittedByName: '' },
  ...{ handledAt: null, handledByName: '', sentAt: null, sentByName: '', openedAt: null },
  ...{ handedOverAt: null, handedOverByName: '', agentId: 3, agentName: '深圳代理', reasons: {} },
  ...{ payType: 'corporate', shortName: '南山面馆', category: '餐饮', contactName: '张三' },
  ...{ contactPhone: '13800138000', email: '', rate: '', accountName: '', accountNumberMasked: '' },
  lines: [{ name: '商户名称', source: 'company', value: '深圳市老张餐饮有限公司', required: true }],
  ...{ pictures: [], lacking: [], handedOverCode: '', editRefusal: null, hours: 24 },
  ...{ testPayments: [], testRefusal: null, phoneUrl: null },
  ...{
    isConnected: false,
    handingIn: 'none',
    serviceMessage: '',
    applicationId: '',
    askedAt: null,
    isBeingAsked: false,
  },
}
const EDIT = ['acquirerOnboardings.edit']
const DECIDE = ['acquirerOnboardings.decide']
const drawer = <AcquirerDrawer id={5} onClose={() => undefined} />

test('what is wanting is said with where it is said, and nothing is handed in without it', async () => {
  const lacking = [
    { field: 'rate', words: '费率（在进件资料中填写）', home: 'here' as const },
    { field: 'bankName', words: '开户银行（在支付申请中填写）', home: 'account' as const },
  ]
  answer(acquirerOnboardings.details, { ...DATA, lacking })
  show(drawer, { may: [...EDIT, 'paymentApplications.edit'] })
  const region = await screen.findByRole('region', { name: '还需要的资料' })
  within(region).getByText('费率（在进件资料中填写）')
  within(region).getByRole('link', { name: '填写支付申请的收款账户' })
  expect(screen.getByRole('button', { name: '提交审核' }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('button', { name: '通过' })).toBeNull()
})

test('what a form names for programs is called by our word, and a name that people read stays', async () => {
  const line = { source: 'company' as const, value: '深圳市老张餐饮有限公司', required: true }
  answer(acquirerOnboardings.details, {
    ...DATA,
    lines: [
      { ...line, name: '商户名称' },
      { ...line, name: 'registCode', source: 'creditCode', value: '91330100799655058B' },
      { ...line, name: 'regProvCd', source: 'regionName', value: '广东省深圳市南山区' },
      { ...line, name: 'regDistCd', source: 'regionName', value: '广东省深圳市南山区' },
    ],
  })
  show(drawer, { may: EDIT })
  const heads = (await screen.findAllByRole('term')).map(term => term.textContent)
  expect(heads).toContain('商户名称')
  expect(heads).toContain('统一社会信用代码')
  expect(heads).not.toContain('registCode')
  expect(heads.filter(head => head === '所在地区')).toHaveLength(1)
  screen.getByText('regProvCd regDistCd')
  screen.getByText('registCode')
})

test('what was refused of a field stands below it where it is mended, and at its picture', async () => {
  answer(acquirerOnboardings.details, {
    ...{ ...DATA, approvalState: 'rejected', state: 'refused' },
    reasons: { shortName: '简称须体现经营内容', shopFront: '看不清招牌' },
    pictures: [{ fileName: '门头', kind: 'shopFront', required: true, paper: null }],
  })
  const person = show(drawer, { may: EDIT })
  await person.click(await screen.findByRole('button', { name: '填写资料' }))
  const dialog = await screen.findByRole('dialog', { name: '填写进件资料' })
  within(dialog).getByText('驳回原因：简称须体现经营内容')
  within(screen.getByRole('region', { name: '图片资料' })).getByText('驳回原因：看不清招牌')
})

test('what is typed is judged at its field, and an account number that is kept need not be typed again', async () => {
  answer(acquirerOnboardings.details, { ...DATA, accountNumberMasked: '755********0018' })
  const sent = answer(acquirerOnboardings.complete, { id: 5, revision: 3 })
  const person = show(drawer, { may: EDIT })
  await person.click(await screen.findByRole('button', { name: '填写资料' }))
  const dialog = await screen.findByRole('dialog', { name: '填写进件资料' })
  const rate = within(dialog).getByRole('textbox', { name: /费率/ })
  await person.type(rate, '38')
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  await within(dialog).findByText('费率应为 0.01 至 9.99 之间的数字，如 0.38')
  await person.clear(rate)
  await person.type(rate, '0.38')
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  await toasted('已保存')
  expect(sent[0]).toMatchObject({ id: 5, revision: 2, rate: '0.38', accountNumber: '', contactName: '张三' })
})

test('what is spoken to by its protocol is handed in there, and by hand only when nothing comes of it', async () => {
  const ready: AcquirerData = {
    ...{ ...DATA, channel: 'tianque', approvalState: 'approved', isConnected: true },
  }
  answer(acquirerOnboardings.details, ready)
  const sent = answer(acquirerOnboardings.handIn, { id: 5, revision: 3 })
  const person = show(drawer, { may: DECIDE })
  const button = await screen.findByRole('button', { name: '提交渠道' })
  expect(screen.queryByRole('button', { name: '已送达渠道' })).toBeNull()
  expect(screen.queryByRole('link', { name: '下载进件资料包' })).toBeNull()
  answer(acquirerOnboardings.details, {
    ...{ ...ready, revision: 3, handingIn: 'stuck', serviceMessage: '渠道没有应答，将再次尝试' },
  })
  await person.click(button)
  await toasted('正在提交渠道')
  expect(sent[0]).toEqual({ id: 5, revision: 2 })
  const told = await screen.findByRole('region', { name: '渠道接口' })
  await within(told).findByText('渠道没有应答，将再次尝试')
  await screen.findByRole('button', { name: '立即重试' })
  screen.getByRole('button', { name: '已送达渠道' })
  screen.getByRole('link', { name: '下载进件资料包' })
})

test('what is on its way cannot be pressed again, and what is reviewed says under which number', async () => {
  const ready: AcquirerData = {
    ...{ ...DATA, channel: 'tianque', approvalState: 'approved', isConnected: true, handingIn: 'running' },
  }
  answer(acquirerOnboardings.details, ready)
  const first = show(drawer, { may: DECIDE })
  await screen.findByText('正在提交')
  for (const name of ['提交渠道', '已送达渠道', '填写商户编号', '渠道驳回'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(first).toBeDefined()
  answer(acquirerOnboardings.details, {
    ...{ ...ready, state: 'sent', handingIn: 'asked', applicationId: 'e5b1c0', revision: 3 },
  })
  await screen.findByText('e5b1c0')
  screen.getByRole('button', { name: '填写商户编号' })
})

test('a category is chosen where its acquirer has a list of them', async () => {
  answer(acquirerOnboardings.details, { ...DATA, channel: 'tianque', category: '餐馆' })
  const sent = answer(acquirerOnboardings.complete, { id: 5, revision: 3 })
  const person = show(drawer, { may: EDIT })
  await person.click(await screen.findByRole('button', { name: '填写资料' }))
  const dialog = await screen.findByRole('dialog', { name: '填写进件资料' })
  await person.click(within(dialog).getByRole('combobox', { name: /经营类目/ }))
  await person.click(await screen.findByTitle('快餐店'))
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  await toasted('已保存')
  expect(sent[0]).toMatchObject({ category: '快餐店' })
})

test('a number that is none of this acquirer is refused before it is sent', async () => {
  answer(acquirerOnboardings.details, { ...DATA, approvalState: 'approved', state: 'sent' })
  const sent = answer(acquirerOnboardings.setCode, { id: 5, revision: 3 })
  const person = show(drawer, { may: DECIDE })
  await person.click(await screen.findByRole('button', { name: '填写商户编号' }))
  const dialog = await screen.findByRole('dialog', { name: '填写商户编号' })
  await person.type(within(dialog).getByRole('textbox', { name: /商户编号/ }), 'XL-1')
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  await within(dialog).findByText('XL 收单的商户编号为 8 至 20 位字母或数字')
  expect(sent).toEqual([])
})

test('the hand-over shows what the point of sale has and would get, and asks before it replaces another method', async () => {
  answer(acquirerOnboardings.details, {
    ...{ ...DATA, approvalState: 'approved', state: 'opened', code: 'XL12345678' },
  })
  answer(acquirerOnboardings.preview, {
    ...{ methodName: '收单渠道十六', replaces: { methodId: 2, name: '服务商支付' }, refusal: null },
    ...{ secretLabel: '签名密钥', isSecretSet: false },
    changes: [{ label: '商户编号', before: '', after: 'XL12345678' }],
  })
  const sent = answer(acquirerOnboardings.handOver, { id: 5, revision: 3 })
  const person = show(drawer, { may: DECIDE })
  await person.click(await screen.findByRole('button', { name: '交接收款配置' }))
  await screen.findByRole('row', { name: '商户编号 无 XL12345678' })
  const dialog = screen.getByRole('dialog', { name: '交接收款配置' })
  await person.click(within(dialog).getByRole('button', { name: '交接' }))
  await within(dialog).findByText('请输入签名密钥')
  await person.type(within(dialog).getByLabelText(/签名密钥/), 'abcdef')
  await person.click(within(dialog).getByRole('button', { name: '交接' }))
  await person.click(await screen.findByRole('button', { name: '替换并交接' }))
  await toasted('已交接，收银系统随即生效')
  expect(sent[0]).toMatchObject({ id: 5, revision: 2, secret: 'abcdef', insteadOf: 2 })
})

test('why it cannot be handed over is said in words', async () => {
  answer(acquirerOnboardings.details, {
    ...{ ...DATA, approvalState: 'approved', state: 'opened', code: 'XL12345678' },
  })
  answer(acquirerOnboardings.preview, {
    ...{ methodName: '', replaces: null, refusal: '该代理商没有开通该渠道对应的支付方式' },
    ...{ secretLabel: null, isSecretSet: false, changes: [] },
  })
  const person = show(drawer, { may: DECIDE })
  await person.click(await screen.findByRole('button', { name: '交接收款配置' }))
  const dialog = await screen.findByRole('dialog', { name: '交接收款配置' })
  await within(dialog).findByText(/没有开通/)
  expect(within(dialog).queryByRole('button', { name: '交接' })).toBeNull()
})

test('the details of a shop lead to where it stands at acquirers', async () => {
  fillSlots()
  const known = {
    ...{ id: 7, storeKind: 'head', status: 'normal', shopName: '南山面馆', shopsBought: 1, smsBalance: 0 },
    ...{ registeredAt: '2026-03-04T02:00:00.000Z', verificationStatus: 'verified', source: 'backOffice' },
  }
  const shop = {
    ...typedOf(MERCHANT_FIELDS, known),
    ...{ fullAddress: '', paymentConfig: {}, paymentSecretsSet: [] },
  } as Merchant
  show(<MerchantFacts merchant={shop} options={undefined} showAgent={false} />, {
    may: ['acquirerOnboardings.list'],
  })
  const link = await screen.findByRole('link', { name: '收单进件' })
  expect(link.getAttribute('href')).toBe('/admin/merchant/acquiring?search=7')
})

const TEST = {
  ...{ startedByName: '李四', createdAt: '2026-03-02T02:00:00.000Z', paidAt: null, refundedAt: null },
  ...{ settleReason: '', settledByName: '', settledAt: null, checkedByName: '', checkedAt: null },
  ...{ settleRefusal: REFUSALS.TEST_NOT_STUCK, checkRefusal: REFUSALS.TEST_NOT_SETTLING },
}

test('what does not come back is said to be seen to by hand, and another looks at it', async () => {
  const stuck = {
    ...TEST,
    id: 3,
    state: 'paid' as const,
    reason: '渠道没有应答',
    codeUrl: '',
    settleRefusal: null,
  }
  const said = { ...stuck, id: 4, settleRefusal: REFUSALS.TEST_SETTLING, checkRefusal: null }
  const settled = {
    settleReason: '渠道后台已退',
    settledByName: '王芳',
    settledAt: '2026-03-02T03:00:00.000Z',
  }
  answer(acquirerOnboardings.details, {
    ...{ ...DATA, handedOverCode: 'XL88888888' },
    testPayments: [stuck, { ...said, ...settled }],
  })
  const told = answer(acquirerOnboardings.settleTest, { id: DATA.id, testPaymentId: 3 })
  const checked = answer(acquirerOnboardings.checkTest, { id: DATA.id, testPaymentId: 4 })
  const person = show(drawer, { may: DECIDE })
  const region = await screen.findByRole('region', { name: '测试支付' })
  await person.click(within(region).getByRole('button', { name: '登记人工处理' }))
  const dialog = await screen.findByRole('dialog', { name: '登记人工处理' })
  await person.click(within(dialog).getByRole('button', { name: '登记' }))
  within(dialog).getByText('请输入处理说明')
  await person.type(within(dialog).getByRole('textbox', { name: /处理说明/ }), '渠道后台已原路退回')
  await person.click(within(dialog).getByRole('button', { name: '登记' }))
  await toasted('已登记，等待另一位同事复核')
  expect(told).toEqual([{ id: DATA.id, testPaymentId: 3, settleReason: '渠道后台已原路退回' }])
  within(region).getByText(/渠道后台已退 · 王芳 登记/)
  await person.click(within(region).getByRole('button', { name: '复核通过' }))
  const question = await screen.findByRole('alertdialog', { name: '复核通过？' })
  await person.click(within(question).getByRole('button', { name: '复核通过' }))
  await toasted('已复核，这笔测试支付已了结')
  expect(checked).toEqual([{ id: DATA.id, testPaymentId: 4, isRight: true }])
})

test('a test payment shows its code while it waits, and says what came of the others', async () => {
  const base = TEST
  const testPayments = [
    { ...base, id: 2, state: 'waiting' as const, reason: '', codeUrl: 'https://qr.example.com/1' },
    { ...base, id: 1, state: 'failed' as const, reason: '签名校验失败，请检查密钥', codeUrl: '' },
  ]
  answer(acquirerOnboardings.details, { ...DATA, handedOverCode: 'XL88888888', testPayments })
  show(drawer, { may: DECIDE })
  const region = await screen.findByRole('region', { name: '测试支付' })
  within(region).getByRole('img', { name: '测试付款码' })
  within(region).getByText('签名校验失败，请检查密钥')
})

test('where no payment can be tried that is said, and nothing is pressed', async () => {
  const testRefusal = '该渠道没有接入接口'
  answer(acquirerOnboardings.details, { ...DATA, handedOverCode: 'XL88888888', testRefusal })
  show(drawer, { may: DECIDE })
  const region = await screen.findByRole('region', { name: '测试支付' })
  within(region).getByText(testRefusal)
  expect(within(region).getByRole('button', { name: '测试支付' }).getAttribute('aria-disabled')).toBe('true')
})

test('whoever decides has the acquirer asked at once, once at a time; others see where it stands', async () => {
  const handedIn = { isConnected: true, handingIn: 'asked', applicationId: '2026030400000001' } as const
  const asked = answer(acquirerOnboardings.ask, { id: 5, revision: 2 })
  answer(acquirerOnboardings.details, { ...DATA, ...handedIn, approvalState: 'approved', state: 'sent' })
  const user = show(drawer, { may: DECIDE })
  const part = within(await screen.findByRole('region', { name: '渠道接口' }))
  part.getByText('已提交，等待渠道审核')
  await user.click(part.getByRole('button', { name: '立即查询' }))
  await toasted('正在向渠道查询')
  expect(asked).toEqual([{ id: 5 }])
})

test('while the acquirer is being asked nobody asks again', async () => {
  const handedIn = { isConnected: true, handingIn: 'asked', isBeingAsked: true, state: 'sent' } as const
  answer(acquirerOnboardings.details, { ...DATA, ...handedIn, approvalState: 'approved' })
  show(drawer, { may: DECIDE })
  const button = await screen.findByRole('button', { name: '正在查询' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})
