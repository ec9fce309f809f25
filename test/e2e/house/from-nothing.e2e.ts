// An office with nothing but its operator becomes one that sells, by its screens alone; in the end a partner leaves it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { comeTrue } from '../../come-true.ts'
import { exhaustive } from '../../lane.ts'
import { chooseDivision, fillForm } from '../add-form.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  FIRST_OPERATOR,
  fact,
  goByMenu,
  gone,
  openBrowserOffice,
  see,
  toast,
} from '../browser.ts'

const PASSWORD = 'Herbst-2026-Anfang'
const VERSION = '茶饮版'
const PARTNERS = [
  { company: '南山启程科技有限公司', account: '700001', mobile: '13710004567', tokens: '2000' },
  { company: '福田接力科技有限公司', account: '700002', mobile: '13710004568', tokens: '' },
] as const

let office: BrowserOffice
let operator: Page
before(async () => {
  office = await openBrowserOffice({ empty: true, outside: true })
  operator = await office.openAs(FIRST_OPERATOR, '/admin/index')
})
after(() => office.stop())

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const fill = (scope: Page | Locator, name: string, text: string) =>
  scope.getByRole('textbox', { name, exact: true }).fill(text)

async function press(page: Page, row: string | RegExp, name: string): Promise<void> {
  const found = page.getByRole('row', { name: row })
  const button = found.getByRole('button', { name, exact: true })
  await see(found)
  if ((await button.count()) > 0) return button.click()
  await found.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

async function takeOn({ company, account, mobile, tokens }: (typeof PARTNERS)[number]): Promise<void> {
  await goByMenu(operator, '代理商')
  await operator.getByRole('button', { name: '新增合作伙伴' }).first().click()
  const form = dialog(operator, '新增合作伙伴')
  await fill(form, '公司名称', company)
  await fill(form, '联系人', '陈经理')
  await fill(form, '联系手机', mobile)
  await form.getByRole('combobox', { name: '等级' }).click()
  await operator.getByTitle(/^银牌代理/).click()
  await chooseDivision(operator, ['广东省', '深圳市', '南山区'], '所在地区')
  await fill(form, '登录账号', account)
  await fill(form, '负责人姓名', '陈经理')
  await fill(form, '负责人手机', mobile)
  if (tokens) {
    await form.getByRole('button', { name: '更多约定' }).click()
    await fill(form, '开户代币', tokens)
  }
  await form.getByRole('button', { name: '新增并邀请' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: '新增并邀请' }).click()
  const told = dialog(operator, '新增成功')
  await see(told.getByRole('img', { name: '邀请链接二维码' }), told.getByText(/短信(已发送到|已送达) /))
  await told.getByRole('button', { name: '完成' }).click()
}

/** What the invitation that a phone got leads to. */
async function invitedTo(mobile: string): Promise<string> {
  const { phoneUrl } = office.outside?.simulators ?? assert.fail('no phone')
  const inbox = (await fetch(new URL('inbox', phoneUrl))).url
  const read = async () => {
    const answer = await fetch(new URL(`inbox.json?phone=${mobile}`, inbox))
    const { messages } = (await answer.json()) as { messages: { text: string }[] }
    return messages.map(({ text }) => /\/invite\/[\w-]+/.exec(text)?.[0]).find(Boolean) ?? ''
  }
  await eventually(async () => (await read()) !== '', true, `no invitation for ${mobile}`)
  return read()
}

/** Follows the invitation and signs in. */
async function comeIn({ account, mobile }: (typeof PARTNERS)[number]): Promise<Page> {
  const page = await office.open()
  await page.goto(await invitedTo(mobile))
  await page.getByLabel('新密码*', { exact: true }).fill(PASSWORD)
  await page.getByLabel('再次输入新密码*', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '设置密码' }).click()
  await page.getByRole('link', { name: '去登录' }).click()
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await see(page.getByRole('navigation', { name: '主菜单' }))
  return page
}

/** From the first of next month on. */
async function announcePrice(tokens: string): Promise<void> {
  await goByMenu(operator, '价格')
  await press(operator, new RegExp(`${VERSION}.*按年`), '调价')
  const form = dialog(operator, new RegExp(`^调价：${VERSION}`))
  await fill(form, '新价格', tokens)
  await form.getByText('指定时间').first().click()
  await form.getByRole('button', { name: '设置新价格' }).click()
  await gone(form)
}

test('a version is made, priced, and offered', async () => {
  await goByMenu(operator, '版本管理')
  await operator.getByRole('button', { name: '新增版本' }).first().click()
  const form = dialog(operator, '新增版本')
  await fill(form, '版本名称', VERSION)
  await fill(form, '版本代码', 'TEA')
  await fill(form, '按年价格', '200')
  await form.getByRole('button', { name: '保存版本' }).click()
  await see(toast(operator, '新增成功'))
  await goByMenu(operator, '价格')
  await see(operator.getByRole('row', { name: new RegExp(`${VERSION}.*200.00`) }))
})

let partner: Page
test('a partner comes by invitation, with tokens, and sells its first shop at the price of its level', async () => {
  await takeOn(PARTNERS[0])
  partner = await comeIn(PARTNERS[0])
  await see(partner.getByRole('link', { name: '余额 2,000.00 代币' }))
  await goByMenu(partner, '新增商户')
  await fillForm(partner, {
    account: '13911112222',
    shopName: '启程茶饮南山店',
    version: VERSION,
    term: '按年',
  })
  await partner.getByRole('button', { name: '下一步' }).click()
  const asked = dialog(partner, '确认新增商户')
  await see(asked)
  const price = await fact(asked, '合计（代币）').innerText()
  await asked.getByRole('button', { name: '确认购买' }).click()
  await see(toast(partner, '新增成功'))
  await see(
    partner.getByRole('link', {
      name: `余额 ${(2_000 - Number(price)).toLocaleString('en', { minimumFractionDigits: 2 })} 代币`,
    }),
  )
  assert.ok(Number(price) > 0 && Number(price) < 200, `a level's price: ${price}`)
})

test("next month's price is set today, shown as the next, and taken from its moment on", async () => {
  await announcePrice('260')
  await see(operator.getByRole('row', { name: new RegExp(`${VERSION}.*200.00.*260.00`) }))
  const [version] = await office.sql<{ id: string }>('select id from versions where name = $1', [VERSION])
  const ofYear = async () => {
    await partner.goto('/admin/merchant/addUser')
    await partner.getByRole('radio', { name: new RegExp(`^${VERSION}`) }).check()
    await partner.getByRole('radio', { name: '按年', exact: true }).check()
    return partner.getByRole('complementary', { name: '价格' })
  }
  await see((await ofYear()).getByText('200.00').first())
  await comeTrue(office, 'version', Number(version?.id))
  await see((await ofYear()).getByText('260.00').first())
})

exhaustive(
  'a version that is retired is sold to nobody new',
  ['features/sales/catalogue/server.test.ts'],
  async () => {
    await goByMenu(operator, '版本管理')
    await press(operator, VERSION, '停售')
    const form = dialog(operator, `停售「${VERSION}」`)
    await see(form.getByText('使用商户'))
    await form.getByRole('button', { name: '停售版本' }).click()
    await see(toast(operator, `已停售：${VERSION}`))
    await partner.goto('/admin/merchant/addUser')
    await see(partner.getByRole('radio', { name: /^高级版/ }))
    assert.equal(await partner.getByRole('radio', { name: new RegExp(`^${VERSION}`) }).count(), 0)
  },
)

test('a suspended partner sees its shops and buys nothing', async () => {
  await goByMenu(operator, '代理商')
  await press(operator, PARTNERS[0].company, '暂停')
  const form = dialog(operator, `暂停：${PARTNERS[0].company}`)
  await fill(form, '原因', '合同到期未续签')
  await form.getByRole('button', { name: '暂停', exact: true }).click()
  await see(toast(operator, `已暂停：${PARTNERS[0].company}`))
  await partner.goto('/admin/merchant/myMerchant')
  await see(partner.getByText(/合同到期未续签/).first(), partner.getByRole('row', { name: /启程茶饮南山店/ }))
})

test('a partner is closed, and its shop with all it has is another’s', async () => {
  await takeOn(PARTNERS[1])
  const taker = await comeIn(PARTNERS[1])
  await goByMenu(operator, '停止合作')
  await operator.getByRole('button', { name: '办理停止合作' }).first().click()
  const form = dialog(operator, '办理停止合作')
  const pick = async (label: string, company: string) => {
    await form.getByRole('combobox', { name: label }).click()
    await operator
      .getByTitle(new RegExp(`^${company}`))
      .filter({ visible: true })
      .click()
  }
  await pick('停止合作的合作伙伴', PARTNERS[0].company)
  await pick('商户转给', PARTNERS[1].company)
  await see(form.getByRole('region', { name: '预演' }).getByText(/1 家（总店 1/))
  assert.deepEqual(await axeFindings(operator), [])
  await form.getByText('转给接收方', { exact: true }).click()
  await fill(form, '原因', '合同到期')
  await form.getByRole('button', { name: '开始停止合作' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: '开始停止合作' }).click()
  const drawer = dialog(operator, '停止合作')
  await see(drawer.getByText('已完成'), drawer.getByText(/已转移 1 \/ 1 家（100%）/))
  assert.deepEqual(await axeFindings(operator), [])
  await taker.goto('/admin/merchant/myMerchant')
  await see(taker.getByRole('row', { name: /启程茶饮南山店/ }))
  await see(taker.getByRole('link', { name: /^余额 1,8\d\d\.\d\d 代币$/ }))
  await partner.goto('/admin/merchant/myMerchant')
  await see(partner.getByRole('button', { name: '登录', exact: true }))
  await office.verifyLedger()
})
