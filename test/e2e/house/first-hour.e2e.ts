// The first hour of a real office: nothing outside is connected, and its start page leads from an empty database to the first shop that
// was sold; then a list of what is to be set up is there no more.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { codeOf, stepWithRoom } from '../../make-factors.ts'
import { chooseDivision, fillForm } from '../add-form.ts'
import {
  axeFindings,
  type BrowserOffice,
  FIRST_OPERATOR,
  gone,
  openBrowserOffice,
  ready,
  see,
  toast,
} from '../browser.ts'

const PASSWORD = 'Herbst-2026-Anfang'
const COMPANY = '南山启程科技有限公司'

let office: BrowserOffice
let operator: Page
before(async () => {
  office = await openBrowserOffice({ empty: true, real: true })
  operator = await office.openAs(FIRST_OPERATOR, '/admin/index')
})
after(() => office.stop())

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const fill = (scope: Locator, name: string, text: string) =>
  scope.getByRole('textbox', { name, exact: true }).fill(text)
const panel = (page: Page) => page.getByRole('region', { name: '开始使用' })
const step = (page: Page, name: string) => panel(page).getByRole('listitem').filter({ hasText: name })

/** Goes where a step leads. */
async function follow(page: Page, name: string): Promise<void> {
  await page.goto('/admin/index')
  await panel(page)
    .getByRole('link', { name: `${name}：去完成` })
    .click()
  await ready(page)
}

test('the start page names what is missing, with the lines of missing settings, and never says that all is done', async () => {
  await see(panel(operator), step(operator, '微信收款').getByText(/没有接入/))
  await see(operator.getByText(/还没有商户。有了商户和订单/))
  assert.equal(await operator.getByText(/都处理好了/).count(), 0)
  await operator.getByRole('button', { name: '微信收款：查看设置' }).click()
  await see(operator.getByText('WECHAT_PAY_MCHID=1900000109'))
  await operator.getByRole('button', { name: '收银系统数据服务：以后再说' }).click()
  await see(panel(operator).getByText('以后再说 1 步'))
  assert.deepEqual(await axeFindings(operator), [])
})

test('company, second factor and prices are done where the steps lead', async () => {
  await follow(operator, '公司名称与地区')
  await operator.getByRole('button', { name: '修改', exact: true }).click()
  const form = dialog(operator, /^修改：/)
  await fill(form, '公司名称', '云栈软件有限公司')
  await fill(form, '联系手机', '13800138000')
  await chooseDivision(operator, ['广东省', '深圳市', '南山区'], '所在地区')
  await form.getByRole('button', { name: '保存' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: '保存' }).click()
  await gone(form)

  await follow(operator, '价格与等级折扣')
  await operator.getByRole('button', { name: '确认价格' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: '确认价格' }).click()
  await see(toast(operator, '已确认，合作伙伴看到的不再是示例价格'))
})

let partner: Page
test('without SMS the first partner comes in by the link that the dialog shows', async () => {
  await follow(operator, '第一个合作伙伴')
  await operator.getByRole('button', { name: '新增合作伙伴' }).first().click()
  const form = dialog(operator, '新增合作伙伴')
  await fill(form, '公司名称', COMPANY)
  await fill(form, '联系人', '陈经理')
  await fill(form, '联系手机', '13710000001')
  await form.getByRole('combobox', { name: '等级' }).click()
  await operator.getByTitle(/^银牌代理/).click()
  await chooseDivision(operator, ['广东省', '深圳市', '南山区'], '所在地区')
  await fill(form, '登录账号', '700001')
  await fill(form, '负责人姓名', '陈经理')
  await fill(form, '负责人手机', '13710000001')
  await form.getByRole('button', { name: '更多约定' }).click()
  await fill(form, '开户代币', '2000')
  await form.getByRole('button', { name: '新增并邀请' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: '新增并邀请' }).click()
  const told = dialog(operator, '新增成功')
  await see(
    told.getByRole('img', { name: '邀请链接二维码' }),
    told.getByText(/短信没有发出：还没有接入短信服务/),
  )
  assert.equal(await told.getByText(/已发送/).count(), 0)
  assert.deepEqual(await axeFindings(operator), [])
  const link = (await told.getByText(/\/invite\//).innerText()).trim()
  await told.getByRole('button', { name: '完成' }).click()

  partner = await office.open()
  await partner.goto(new URL(link).pathname)
  await partner.getByLabel('新密码*', { exact: true }).fill(PASSWORD)
  await partner.getByLabel('再次输入新密码*', { exact: true }).fill(PASSWORD)
  await partner.getByRole('button', { name: '设置密码' }).click()
  await partner.getByRole('link', { name: '去登录' }).click()
  await partner.getByLabel('账号', { exact: true }).fill('700001')
  await partner.getByLabel('密码', { exact: true }).fill(PASSWORD)
  await partner.getByRole('button', { name: '登录', exact: true }).click()
  await see(panel(partner), step(partner, '收款账号').getByText(/联系厂商开通/))
})

test('the partner sells its first shop, and for both nothing is left to set up', async () => {
  await follow(partner, '第一家商户')
  await fillForm(partner, { account: '13911112222', shopName: '启程茶饮南山店', term: '按年' })
  await partner.getByRole('button', { name: '下一步' }).click()
  await dialog(partner, '确认新增商户').getByRole('button', { name: '确认购买' }).click()
  await see(toast(partner, '新增成功'))
  await see(partner.getByText(/没有接入短信服务，短信发不出去：请复制资料/).first())
  await follow(partner, '公司资料')
  await office.sql(`update agents set address = '科苑路 1 号' where company_name = $1`, [COMPANY])
  await partner.goto('/admin/index')
  await see(partner.getByRole('heading', { name: '今天要做' }))
  await gone(panel(partner))

  await operator.goto('/admin/index')
  await see(step(operator, '备份').getByText(/还没有备份.*npm run backup/))
  // Commands on the server, which write down that they were run.
  await office.sql(
    `insert into service_checks (service, problem, checked_at) values ('files', '', now()), ('database', '', now()), ('restore', '', now())`,
  )
  await operator.goto('/admin/index')
  await see(step(operator, '本人的二次验证'))
  assert.deepEqual(
    await panel(operator)
      .getByRole('link', { name: /去完成/ })
      .evaluateAll(all => all.map(one => one.getAttribute('aria-label'))),
    ['公司标志：去完成', '本人的二次验证：去完成', '同事账号：去完成'],
  )
  await follow(operator, '本人的二次验证')
  await office.sql('delete from factor_proofs')
  await operator.getByRole('button', { name: '设置', exact: true }).click()
  await operator.getByLabel('登录密码*', { exact: true }).fill(DEMO_PASSWORD)
  await operator.getByRole('button', { name: '验证并继续' }).click()
  const factor = operator.getByRole('dialog')
  const secret = (await factor.locator('code').innerText()).replaceAll(' ', '')
  await stepWithRoom()
  await factor.getByLabel('验证码').fill(codeOf(secret, -1))
  await factor.getByRole('button', { name: '确认设置' }).click()
  await operator.getByRole('button', { name: '我已保存' }).click()
  await operator.goto('/admin/index')
  await see(operator.getByRole('heading', { name: '今天要做' }))
  await gone(panel(operator))
  await office.verifyLedger()
})
