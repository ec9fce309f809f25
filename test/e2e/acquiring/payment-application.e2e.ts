// The whole way of a shop to being paid, in the browser: its agent hands in on a phone, staff send one field back and approve, the payment
// service refuses two fields, they are mended and it goes again, the shop signs at the service, and its number reaches what the shop is paid
// by and its point of sale (D2 §2 18 to 20; issue 29 §1).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { handInAndAsk } from '#features/acquiring/onboardings/server-service.ts'
import { deliverWebhooks } from '#features/agencies/webhooks/server-deliver.ts'
import { WHOLE as IDENTITY } from '#features/care/verification/walk.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { openReceiver, type Receiver } from '../../changes/receiver.ts'
import type { Outside } from '../../outside.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
let receiver: Receiver
let shop: { id: string; account: string; shop_name: string }
before(async () => {
  office = await openBrowserOffice({ outside: true })
  receiver = await openReceiver()
  const [row] = await office.sql<{ id: string; account: string; shop_name: string }>(
    `select m.id, m.account, m.shop_name from merchants m where m.agent_id = 101 and m.status = 'normal'
       and m.payment_method_id is null and m.verification_status = 'unverified'
       and not exists (select from documents d where d.merchant_id = m.id)
       and not exists (select from owner_papers o where o.merchant_id = m.id) order by m.id limit 1`,
  )
  shop = row ?? assert.fail('no shop')
})
afterEach(() => office.closePages())
after(async () => {
  await receiver.stop()
  await office.stop()
})

const PICTURES = [
  ...['身份证人像面', '身份证国徽面', '营业执照', '开户许可证'],
  ...['门头照片', '收银台照片', '店内照片'],
]
const DETAILS = {
  执照地址: '深圳市南山区科技路1号',
  身份证住址: '深圳市南山区学府路2号',
  商户简称: '老张面馆',
  客服电话: '0755-88886666',
  银行账号: '755912345678901',
}
const DAYS = { 执照有效期起: '2018-05-01', 身份证有效期起: '2020-01-01', 身份证有效期止: '2040-01-01' }

async function upload(page: Page, label: string, at: number): Promise<void> {
  const background = { r: 30 * at, g: 200 - 20 * at, b: 120 }
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer()
  const kept = page.waitForResponse(
    answer => answer.url().endsWith('/api/documents') && answer.request().method() === 'POST',
  )
  await page
    .getByLabel(label, { exact: true })
    .setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer })
  assert.ok((await kept).ok())
  await gone(page.getByRole('progressbar', { name: '上传进度' }))
}

/** On a phone choices stand in a sheet with a search. */
async function pick(page: Page, label: string, typed: string, text: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('searchbox', { name: /^搜索/ }).fill(typed)
  const exact = typeof text === 'string'
  await page.locator('[data-part=choices]').getByRole('button', { name: text, exact }).first().click()
}

async function call<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const headers = { 'x-requested-with': 'partner-office' }
  const answer = await page.request.fetch(path, { method, headers, ...(data ? { data } : {}) })
  assert.ok(answer.ok(), await answer.text())
  return answer.json() as Promise<T>
}

type Standing = { business_code: string; sign_url: string; sub_merchant_id: string }
async function standing(): Promise<Standing> {
  const [row] = await office.sql<Standing>(
    `select business_code, sign_url, sub_merchant_id from onboardings where merchant_id = $1`,
    [shop.id],
  )
  return row ?? assert.fail('no onboarding')
}

/** What waits for its time is due at once, until the program has heard it; the program may be asking by itself meanwhile. */
async function heard(serviceState: string): Promise<void> {
  await eventually(async () => {
    await office.sql(`update onboardings set next_at = now() - interval '1 second' where next_at is not null`)
    while (await handInAndAsk(office.app.services));
    const [row] = await office.sql<{ service_state: string }>(
      'select service_state from payment_applications where merchant_id = $1',
      [shop.id],
    )
    return row?.service_state
  }, serviceState)
}

/** What the staff of the payment service do. */
async function decide(decision: object, serviceState: string): Promise<void> {
  const { simulators } = office.outside as Outside
  const body = JSON.stringify({ businessCode: (await standing()).business_code, ...decision })
  const answer = await fetch(`${simulators.wechat.url}/__sim/applications`, { method: 'POST', body })
  assert.equal(answer.status, 200)
  await heard(serviceState)
}

/** Staff approve what waits, and have it handed in at the payment service. */
async function approve(staff: Page): Promise<void> {
  await staff.goto(`/admin/schedule/payApplication?search=${shop.id}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  await staff
    .getByRole('dialog', { name: '支付申请' })
    .getByRole('button', { name: '通过', exact: true })
    .click()
  await see(toast(staff, '已通过'))
}
async function handIn(staff: Page): Promise<void> {
  await staff.goto(`/admin/schedule/payInformation?search=${shop.id}`)
  await staff.getByRole('button', { name: '受理', exact: true }).click()
  await staff.getByRole('button', { name: /提交支付服务$/ }).click()
  await see(toast(staff, '已提交，正在送达支付服务'))
  await eventually(async () => {
    const rows = await office.sql(`select from onboardings where merchant_id = $1 and state = 'asked'`, [
      shop.id,
    ])
    return rows.length
  }, 1)
}

const openForm = (page: Page) => page.goto(`/admin/schedule/submitPayment?user_id=${shop.id}`)
async function openOwn(page: Page): Promise<void> {
  const [row] = await office.sql<{ id: string }>(
    'select id from payment_applications where merchant_id = $1',
    [shop.id],
  )
  await page.goto(`/admin/schedule/payApplication?id=${row?.id}`)
  await see(page.getByRole('region', { name: '支付服务' }))
}

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: '查找店铺' }).click()
  await see(page.getByText('请输入软件注册的账号', { exact: true }))
  await page.getByLabel('软件账号').fill(shop.account)
  await page.getByRole('button', { name: '查找店铺' }).click()
  await see(page.getByText(shop.shop_name, { exact: true }).first())
  await page.getByText('对公', { exact: true }).click()
  await page.getByLabel(/^联系电话/).fill('13800138000')
  await page.getByLabel(/^联系邮箱/).fill('shop@example.com')
  await pick(page, '开户行地区', '南山区', /深圳市.*南山区/)
  await pick(page, '开户银行', '招商银行', '招商银行')
  await page.getByRole('textbox', { name: '支行名称' }).fill('招商银行深圳科技园支行')
  for (const [at, label] of PICTURES.entries()) await upload(page, label, at + 1)
  await page.getByRole('button', { name: '保存草稿' }).click()
  await see(toast(page, '草稿已保存'))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
}

/** Who the shop is has a dialog and a browser test of its own; the card is the one that was just photographed. */
async function identify(page: Page): Promise<void> {
  const [papers] = await office.sql<Record<'front' | 'back' | 'licence', string>>(
    `select id_front_id as front, id_back_id as back, licence_id as licence from payment_applications where merchant_id = $1`,
    [shop.id],
  )
  const { front, back, licence } = papers ?? assert.fail('no application')
  await call(page, 'PUT', '/api/verification/shop', {
    ...{ merchantId: Number(shop.id), revision: 0, ...IDENTITY, code: '', requestId: null },
    ...{ idFrontId: Number(front), idBackId: Number(back), licenceId: Number(licence) },
  })
}

async function complete(page: Page): Promise<void> {
  await page.getByRole('button', { name: '补全资料' }).click()
  const dialog = page.getByRole('dialog', { name: '补全支付资料' })
  await dialog.getByText('企业', { exact: true }).click()
  for (const [label, text] of Object.entries(DETAILS))
    await dialog.getByRole('textbox', { name: label }).fill(text)
  for (const [label, day] of Object.entries(DAYS)) await dialog.getByLabel(label, { exact: true }).fill(day)
  await dialog.getByText('执照长期有效', { exact: true }).click()
  await pick(page, '所属行业', '餐饮', /^餐饮（/)
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '已保存'))
  await see(page.getByText('资料已齐全'))
}

test('a shop is brought in to the payment service from the first picture to its point of sale', async () => {
  const page = await office.openAs('20001', '/admin/schedule/submitPayment', { viewport: PHONE })
  const { secret } = await call<{ secret: string }>(page, 'POST', '/api/webhooks', {
    url: receiver.url,
    topics: ['shop.payment.changed'],
  })
  receiver.secrets.push(secret)
  await fillIn(page)
  await identify(page)
  await page.reload()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(toast(page, '已提交，24 小时内给出结果'))

  const staff = await office.openAs('10090', `/admin/schedule/payApplication?search=${shop.id}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  await staff.getByRole('dialog', { name: '支付申请' }).getByRole('button', { name: '驳回' }).click()
  const reject = staff.getByRole('dialog', { name: /驳回/ })
  await reject.getByLabel('开户许可证').fill('公章看不清楚')
  await reject.getByRole('button', { name: '驳回', exact: true }).click()
  await see(toast(staff, '已驳回'))
  await openForm(page)
  await see(page.getByText('公章看不清楚'))
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(toast(page, '已提交，24 小时内给出结果'))
  await approve(staff)

  await openOwn(page)
  await complete(page)
  await handIn(staff)
  const refusals = [
    { field: 'merchant_shortname', field_name: '商户简称', reject_reason: '简称须体现经营内容' },
    { field: 'license_copy', field_name: '营业执照照片', reject_reason: '执照图片反光，请重新拍摄' },
  ]
  await decide({ refusals }, 'rejected')

  // Each where it is mended: the short name among what was completed, the picture in the application.
  await openOwn(page)
  await see(page.getByText('商户简称：简称须体现经营内容').last())
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('button', { name: '补全资料' }).click()
  const dialog = page.getByRole('dialog', { name: '补全支付资料' })
  await see(dialog.getByText('支付服务驳回：简称须体现经营内容'))
  await dialog.getByRole('textbox', { name: '商户简称' }).fill('老张牛肉面')
  await dialog.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '已保存'))
  await openForm(page)
  await see(page.getByText('执照图片反光，请重新拍摄').first())
  await upload(page, '营业执照', 8)
  // What is read of it stands below it, and moves what comes after.
  await see(page.getByText(/^企业名称识别为/))
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(toast(page, '已提交，24 小时内给出结果'))
  await approve(staff)
  const { business_code: code } = await standing()
  await handIn(staff)
  await decide({ state: 'TO_BE_SIGNED' }, 'toBeSigned')
  assert.equal((await standing()).business_code, code, 'one code is one application there')

  await openOwn(page)
  await see(page.getByRole('img', { name: '签约二维码' }), page.getByText(/用微信扫码，核对资料并签约/))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  const phone = await office.open({ viewport: PHONE })
  await phone.goto((await standing()).sign_url)
  await see(phone.getByText('老张牛肉面', { exact: true }))
  await phone.getByRole('button', { name: '确认签约' }).click()
  await see(phone.getByText('签约成功，系统正在开通权限'))
  await decide({ state: 'FINISHED' }, 'finished')

  const { sub_merchant_id: number } = await standing()
  assert.match(number, /^16\d{8}$/)
  await openOwn(page)
  const service = page.getByRole('region', { name: '支付服务' })
  await see(service.getByText('已开通', { exact: true }), service.getByText(number, { exact: true }))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await staff.goto(`/admin/schedule/payInformation?search=${shop.id}`)
  await see(staff.getByRole('cell', { name: /已受理/ }))
  const [paid] = await office.sql<{
    payment_method_id: number
    pay_enabled: boolean
    payment_config: Buffer
  }>('select payment_method_id, pay_enabled, payment_config from merchants where id = $1', [shop.id])
  const { payment_config: config, ...method } = paid ?? assert.fail('no shop')
  assert.deepEqual(method, { payment_method_id: 2, pay_enabled: true })
  assert.deepEqual(JSON.parse(office.app.services.secrets.decrypt(config)), { mch_id: number })
  while (await sequenceChanges(office.app.services));
  while (await deliverWebhooks(office.app.services));
  assert.deepEqual(
    receiver.messages.map(({ type, shopId, data }) => ({ type, shopId, data })),
    [
      {
        type: 'shop.payment.changed',
        shopId: Number(shop.id),
        data: { agentId: 101, methodId: 2, enabled: true },
      },
    ],
  )
})
