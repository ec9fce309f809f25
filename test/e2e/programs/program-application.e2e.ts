// A shop's mini program in the browser: its agent fills it in on a phone, the platform says that a name is taken, staff send it back and
// approve it, and one that exists already is recorded (D2 §2 16, 17, 22).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import {
  axeFindings,
  type BrowserOffice,
  gone,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

type Shop = { id: string; account: string; shop_name: string }
let office: BrowserOffice
let shop: Shop
let other: Shop
before(async () => {
  office = await openBrowserOffice()
  const [first, second] = await office.sql<Shop>(
    `select m.id, m.account, m.shop_name from merchants m where m.agent_id = 101 and m.status = 'normal'
       and not exists (select from documents d where d.merchant_id = m.id)
       and not exists (select from program_applications p where p.merchant_id = m.id) order by m.id limit 2`,
  )
  shop = first ?? assert.fail('no shop')
  other = second ?? assert.fail('no second shop')
})
afterEach(() => office.closePages())
after(() => office.stop())

const PAPERS = ['小程序头像', '身份证人像面', '身份证国徽面', '营业执照']
const TEXTS = {
  营业执照名称: '深圳市老张餐饮有限公司',
  统一社会信用代码: '9144030071526726XG',
  法人微信号: 'zhangsan_88',
  法人姓名: '张三',
  客服电话: '0755-88886666',
  小程序名称: '老张面馆点餐',
  小程序简介: '老张面馆的点餐小程序',
}

async function upload(page: Page, label: string, at: number): Promise<void> {
  const background = { r: 30 * at, g: 200 - 20 * at, b: 120 }
  const buffer = await sharp({ create: { width: 600, height: 600, channels: 3, background } })
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

/** One of a few, which stand in a list under the control. */
async function pickType(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox', { name: '小程序类别' }).click()
  await page.getByText(text, { exact: true }).last().click()
}

async function findShop(page: Page, { account, shop_name }: Shop): Promise<void> {
  await page.getByLabel('软件账号').fill(account)
  await page.getByRole('button', { name: '查找店铺' }).click()
  await see(page.getByText(shop_name, { exact: true }).first())
}

async function fillIn(page: Page): Promise<void> {
  await findShop(page, shop)
  await page.getByRole('button', { name: '确认提交' }).click()
  await see(page.getByText('请输入营业执照上的名称'), page.getByText('请上传营业执照'))
  for (const [label, text] of Object.entries(TEXTS))
    await page.getByRole('textbox', { name: label }).fill(text)
  // Nothing is connected that could say of the name: that is said, and nothing is held back.
  await see(page.getByText(/暂时不能校验名称，不影响提交/))
  await pickType(page, '扫码点餐')
  await page.getByRole('combobox', { name: '小程序类目' }).click()
  await page.getByRole('searchbox', { name: /^搜索/ }).fill('在线教育')
  await page
    .locator('[data-part=choices]')
    .getByRole('button', { name: /在线教育/ })
    .first()
    .click()
  await see(page.getByText('需要资质：《办学许可证》/《备案证明》'))
  for (const [at, label] of [...PAPERS, '《办学许可证》', '《备案证明》'].entries())
    await upload(page, label, at + 1)
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  await page.getByRole('button', { name: '确认提交' }).click()
  await see(toast(page, '提交成功，24 小时内给出结果'))
}

test('a shop’s mini program is applied for on a phone, sent back, mended and approved', async () => {
  const page = await office.openAs('20001', '/admin/schedule/creationApplet', { viewport: PHONE })
  await fillIn(page)

  const staff = await office.openAs('10090', `/admin/schedule/appApplication?search=${shop.id}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  const drawer = staff.getByRole('dialog', { name: '小程序申请' })
  await see(drawer.getByText('教育 / 在线教育'), drawer.getByText('zh****88'))
  assert.deepEqual(await axeFindings(staff), [])
  await drawer.getByRole('button', { name: '驳回' }).click()
  const reject = staff.getByRole('dialog', { name: /驳回/ })
  await reject.getByLabel('驳回原因').fill('简介请写明主营品类')
  await reject.getByRole('button', { name: '驳回', exact: true }).click()
  await see(toast(staff, '已驳回'))

  await page.goto(`/admin/schedule/creationApplet?user_id=${shop.id}`)
  await see(page.getByText('简介请写明主营品类'))
  await page.getByRole('textbox', { name: '小程序简介' }).fill('老张牛肉面，扫码点餐')
  await page.getByRole('button', { name: '确认提交' }).click()
  await see(toast(page, '提交成功，24 小时内给出结果'))

  await staff.goto(`/admin/schedule/appApplication?search=${shop.id}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  await drawer.getByRole('button', { name: '通过', exact: true }).click()
  await see(toast(staff, '审核通过'))
  const [row] = await office.sql<{ state: string; flow_step: number }>(
    'select state, flow_step from program_applications where merchant_id = $1',
    [shop.id],
  )
  assert.deepEqual(row, { state: 'approved', flow_step: 2 })
})

test('a mini program that a shop has already is recorded', async () => {
  const page = await office.openAs('20001', '/admin/schedule/UpdateApplet')
  await findShop(page, other)
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(page.getByText('请输入小程序类别'))
  await pickType(page, '扫码购')
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(toast(page, '提交成功'))
  await page.goto(`/admin/schedule/appApplication?search=${other.id}`)
  assert.deepEqual(await axeFindings(page), [])
})
