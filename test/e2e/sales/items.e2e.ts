// The operator adds a service, sets it in its place and retires it after a look; a version gets its first price in its form; more is
// given beside a recharge, shown before it is paid.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
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

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice({ outside: true })
})
afterEach(() => office.closePages())
after(() => office.stop())

const ITEMS = '/admin/operations/items'

async function openRow(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('row', { name }).getByRole('button', { name: action, exact: true }).click()
}

async function choose(page: Page, dialog: ReturnType<Page['getByRole']>, label: string, option: string) {
  await dialog.getByRole('combobox', { name: label }).click()
  await page.getByTitle(option, { exact: true }).last().click()
}

test('a service is added with its first price, offered to shops, and retired after a look at whom it concerns', async () => {
  const page = await office.openAs('10001', ITEMS)
  await page.getByRole('button', { name: '新增服务或套餐' }).click()
  const dialog = page.getByRole('dialog', { name: '新增服务或套餐' })
  await dialog.getByRole('textbox', { name: '名称' }).fill('会员小程序')
  await choose(page, dialog, '服务分类', '会员营销')
  await dialog.getByRole('textbox', { name: '服务代码' }).fill('member-app')
  await dialog.getByRole('textbox', { name: '价格' }).fill('168')
  await dialog.getByRole('button', { name: '保存' }).click()
  await see(toast(page, '新增成功'), page.getByRole('row', { name: /会员小程序.*168\.00 代币\/年.*在售/ }))
  await gone(dialog)
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and status = 'normal' and store_kind = 'head' order by id limit 1`,
  )
  const buyer = await office.openAs(
    '20001',
    `/admin/merchant/addedServices?user_id=${shop?.id ?? assert.fail()}`,
  )
  await see(buyer.getByText('会员小程序').first(), buyer.getByText('168.00').first())
  await buyer.close()
  await openRow(page, '会员小程序', '停售')
  const question = page.getByRole('dialog', { name: '停售「会员小程序」' })
  await see(
    question.getByText('使用商户'),
    question.getByText('停售后不再卖给其他商户；使用过的商户，包括已到期的，仍可续费。'),
    question.getByText('续费截止日期'),
  )
  await question.getByRole('switch', { name: '现有商户仍可续费' }).click()
  await see(question.getByText('停售后不能再购买，也不能续费；已开通的商户可以用到到期。'))
  await question.getByRole('button', { name: '停售', exact: true }).click()
  await see(toast(page, '已停售：会员小程序'), page.getByRole('row', { name: /会员小程序.*已停售/ }))
})

exhaustive(
  'whom a retirement concerns is told, and a group is put in its place',
  ['features/sales/catalogue/server-items.test.ts', 'test/e2e/sales/items.e2e.ts'],
  async () => {
    const page = await office.openAs('10001', `${ITEMS}?search=会员营销`)
    await openRow(page, '会员营销', '停售')
    const question = page.getByRole('dialog', { name: '停售「会员营销」' })
    await see(question.getByText('使用商户'), question.getByRole('table', { name: /^涉及 \d+ 家代理商/ }))
    await question.getByRole('button', { name: '取消' }).click()
    await page.getByRole('link', { name: '服务分类' }).click()
    await page.getByRole('button', { name: '编辑点餐预约' }).click()
    const dialog = page.getByRole('dialog', { name: '编辑分类：点餐预约' })
    await dialog.getByRole('textbox', { name: '分类说明' }).fill('点餐、叫号和预约')
    await dialog.getByRole('button', { name: '保存分类' }).click()
    await see(toast(page, '修改成功'), page.getByRole('cell', { name: '点餐、叫号和预约' }))
  },
)

exhaustive(
  'a new version has its first price in its form and is sold at once',
  ['features/sales/catalogue/server.test.ts', 'web/form/Form.test.tsx'],
  async () => {
    const page = await office.openAs('10001', '/admin/operations/versions')
    await page.getByRole('button', { name: '新增版本' }).click()
    const dialog = page.getByRole('dialog', { name: '新增版本' })
    await dialog.getByRole('textbox', { name: '版本名称' }).fill('轻量版')
    await dialog.getByRole('textbox', { name: '版本代码' }).fill('LIGHT')
    await dialog.getByRole('textbox', { name: '按年价格' }).fill('98')
    await dialog.getByRole('button', { name: '保存版本' }).click()
    await see(toast(page, '新增成功'), page.getByRole('row', { name: /轻量版.*在售/ }))
  },
)

exhaustive(
  'what a campaign gives beside a recharge is shown before it is paid',
  ['features/office/prices/desk/server-recharge.test.ts', 'test/e2e/sales/items.e2e.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/operations/price-campaigns')
    await page.getByRole('button', { name: '新增促销' }).click()
    const dialog = page.getByRole('dialog', { name: '新增促销' })
    await dialog.getByRole('textbox', { name: '促销名称' }).fill('充值节')
    await choose(page, dialog, '价格册', '充值')
    await choose(page, dialog, '项目', '充值短信 4000条')
    await choose(page, dialog, '项目', '充值短信 10500条')
    await dialog.getByRole('textbox', { name: '赠送' }).fill('10')
    await choose(page, dialog, '等级', '银牌代理')
    await choose(page, dialog, '等级', '金牌代理')
    await dialog.getByRole('button', { name: '新增促销' }).click()
    await see(toast(page, '新增成功'), page.getByRole('row', { name: /充值节.*进行中.*送 10%/ }))
    const buyer = await office.openAs('20001', '/admin/account/msgRecharge')
    await see(buyer.getByText('4,000 条 送 400 条').first(), buyer.getByText('另送 400 条').first())
  },
)

test('a number of pieces beside each package is shown before it is set, and before it is paid', async () => {
  const page = await office.openAs('10001', '/admin/operations/price-campaigns')
  await page.getByRole('button', { name: '新增促销' }).click()
  const dialog = page.getByRole('dialog', { name: '新增促销' })
  await dialog.getByRole('textbox', { name: '促销名称' }).fill('加送')
  await choose(page, dialog, '价格册', '充值')
  await choose(page, dialog, '项目', '充值短信 10500条')
  await dialog.getByText('按条数赠送').click()
  await dialog.getByRole('textbox', { name: '每包赠送' }).fill('2000')
  await see(dialog.getByRole('row', { name: /10500条 12,500 条，其中赠送 2,000 条 500\.00/ }))
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '新增促销' }).click()
  await see(toast(page, '新增成功'), page.getByRole('row', { name: /加送.*进行中.*每包送 2,000 条/ }))
  const buyer = await office.openAs('20001', '/admin/account/msgRecharge')
  await see(buyer.getByText('10,500 条 送 2,000 条').first())
})

exhaustive(
  'the level of a partner is changed from a moment on, with what that changes, and taken back',
  ['features/office/prices/desk/server-levels.test.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/operations/level-changes')
    await page.getByRole('button', { name: '变更等级' }).click()
    const dialog = page.getByRole('dialog', { name: '变更等级' })
    await dialog.getByRole('combobox', { name: '代理商' }).fill('101')
    await page
      .getByTitle(/（101）$/)
      .last()
      .click()
    await choose(page, dialog, '新等级', '钻石代理')
    await dialog.getByText('指定时间').first().click()
    await see(
      dialog.getByRole('region', { name: '影响' }),
      dialog.getByRole('row', { name: /软件版本 5 折 3\.8 折/ }),
    )
    assert.deepEqual(await axeFindings(page), [])
    await dialog.getByRole('button', { name: '取消' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '放弃' }).click()
    const coming = page.getByRole('row', { name: /未生效/ })
    await coming.getByRole('button', { name: '撤回' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '撤回' }).click()
    await see(toast(page, '已撤回'))
    await gone(coming)
  },
)

exhaustive(
  'on a phone the dialogs of the desk of items are read aloud',
  ['test/e2e/house/pages.e2e.ts', 'web/form/Form.test.tsx'],
  async () => {
    const page = await office.openAs('10001', ITEMS, { viewport: PHONE })
    await page.getByRole('button', { name: '新增服务或套餐' }).click()
    await see(page.getByRole('dialog', { name: '新增服务或套餐' }))
    assert.deepEqual(await axeFindings(page), [])
    await page.goto(`${office.url}/admin/operations/prices?search=自定义充值`)
    await see(page.getByText('元/代币').first())
    assert.equal(await sidewaysScroll(page), 0)
  },
)
