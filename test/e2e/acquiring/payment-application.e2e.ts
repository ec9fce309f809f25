// An application of a shop for payments in the browser: an agent fills it in on a phone, staff send one field back, it is mended, approved and
// taken on (D2 §2 18 to 20).
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import {
  axeFindings,
  type BrowserOffice,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  toast,
} from '../browser.ts'

let office: BrowserOffice
let shop: { id: string; account: string; shop_name: string }
before(async () => {
  office = await openBrowserOffice()
  const [row] = await office.sql<{ id: string; account: string; shop_name: string }>(
    `select m.id, m.account, m.shop_name from merchants m where m.agent_id = 101 and m.status = 'normal'
       and not exists (select from documents d where d.merchant_id = m.id) order by m.id limit 1`,
  )
  shop = row ?? assert.fail('no shop')
})
afterEach(() => office.closePages())
after(() => office.stop())

const PICTURES = ['身份证人像面', '身份证国徽面', '营业执照', '银行卡', '门头照片', '收银台照片', '店内照片']

async function upload(page: Page, label: string, at: number): Promise<void> {
  const background = { r: 30 * at, g: 200 - 20 * at, b: 120 }
  const buffer = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer()
  await page
    .getByLabel(label, { exact: true })
    .setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer })
}

test('an agent hands in on the phone, staff send a field back, it is mended, approved and taken on', async () => {
  const page = await office.openAs('20001', '/admin/schedule/submitPayment', { viewport: PHONE })
  await page.getByRole('button', { name: '查找店铺' }).click()
  await see(page.getByText('请输入软件注册的账号', { exact: true }))
  await page.getByLabel('软件账号').fill(shop.account)
  await page.getByRole('button', { name: '查找店铺' }).click()
  await see(page.getByText(shop.shop_name, { exact: true }).first())
  await page.getByText('对私', { exact: true }).click()
  await page.getByLabel(/^联系电话/).fill('13800138000')
  await page.getByLabel(/^联系邮箱/).fill('shop@example.com')
  for (const [at, label] of PICTURES.entries()) await upload(page, label, at + 1)
  await page.getByRole('button', { name: '保存草稿' }).click()
  await see(toast(page, '草稿已保存'))
  assert.equal(await sidewaysScroll(page), 0)
  assert.deepEqual(await axeFindings(page), [])
  // How a bank is chosen differs with the service that is connected; without one its names are typed, and the region is a control of its own tests.
  await office.sql(
    `update payment_applications set bank_region = '440305', bank_name = '招商银行', branch_name = '招商银行深圳科技园支行'
       where merchant_id = $1`,
    [shop.id],
  )
  await page.reload()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(toast(page, '已提交，24 小时内给出结果'))

  const staff = await office.openAs('10090', `/admin/schedule/payApplication?search=${shop.id}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  const drawer = staff.getByRole('dialog', { name: '支付申请' })
  await drawer.getByRole('button', { name: '驳回' }).click()
  const reject = staff.getByRole('dialog', { name: /驳回/ })
  await reject.getByLabel('银行卡').fill('卡号看不清楚')
  await reject.getByRole('button', { name: '驳回', exact: true }).click()
  await see(toast(staff, '已驳回'))

  await page.goto(`/admin/schedule/submitPayment?user_id=${shop.id}`)
  await see(page.getByText('卡号看不清楚'))
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await see(toast(page, '已提交，24 小时内给出结果'))

  await staff.goto(`/admin/schedule/payApplication?search=${shop.id}`)
  await staff.getByRole('button', { name: '审核', exact: true }).click()
  await staff
    .getByRole('dialog', { name: '支付申请' })
    .getByRole('button', { name: '通过', exact: true })
    .click()
  await see(toast(staff, '已通过'))
  await staff.goto(`/admin/schedule/payInformation?search=${shop.id}`)
  await staff.getByRole('button', { name: '受理', exact: true }).click()
  await staff.getByRole('button', { name: '更新受理状态' }).click()
  const review = staff.getByRole('dialog', { name: '更新受理状态' })
  await review.getByText('已受理', { exact: true }).click()
  await review.getByRole('button', { name: '保存' }).click()
  await see(toast(staff, '已保存'))
  assert.deepEqual(await axeFindings(staff), [])
})
