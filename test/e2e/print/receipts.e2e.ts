// Receipts in the browser (D3 §2–§5, §8): a group is made, a receipt is put together of five for rolls and A4, ordered by keys and by
// dragging, saved, copied, deleted, and drawn for printers of every width.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { ReceiptContent } from '#kit/print/receipt.ts'
import { exhaustive } from '../../lane.ts'
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
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

const contentOf = async (name: string) => {
  const [row] = await office.sql<{ content: ReceiptContent }>(
    `select content from print_templates where kind = 'receipt' and name = $1`,
    [name],
  )
  return row?.content
}
const namesOn = (content: ReceiptContent | undefined) => content?.ordinary.map(({ name }) => name)

exhaustive(
  'a group of receipt items is made within its limits, found by its tag, and deleted',
  [
    'features/print/receipts/rules.test.ts',
    'features/print/receipts/server.test.ts',
    'test/e2e/print/from-nothing.e2e.ts',
  ],
  async () => {
    const page = await office.openAs('10001', '/admin/template/ticketGroup')
    await page.getByRole('link', { name: '小票信息分组' }).click()
    await page.getByRole('link', { name: '新增分组' }).click()
    await see(heading(page, '新增信息分组'))
    await button(page, '保存').click()
    await see(page.getByText('请输入分组名称'))
    await page.getByRole('textbox', { name: '分组名称' }).fill('洗衣抬头')
    await page.getByRole('textbox', { name: '分组标签' }).fill('字'.repeat(101))
    await button(page, '保存').click()
    await see(page.getByText('字数不可以超过一百'))
    await page.getByRole('textbox', { name: '分组标签' }).fill('洗衣，取件,')
    await see(page.getByText('2 个标签：洗衣、取件'))
    await see(page.locator('input[type=checkbox][aria-disabled=true]').nth(2))
    await box(page, '店铺名称').check()
    await page.getByRole('textbox', { name: '操作员的显示名称' }).fill('店员')
    assert.deepEqual(await axeFindings(page), [])
    await button(page, '保存').click()
    await see(toast(page, '保存成功'), heading(page, '小票信息分组'))
    await page.getByPlaceholder('分组标签').fill('取件')
    await page.keyboard.press('Enter')
    const cards = page.getByRole('list', { name: '小票信息分组' }).getByRole('listitem')
    await eventually(() => cards.count(), 1)
    await see(cards.getByText(/必显：店铺名称、单号、销售时间、店员/))
    await page.getByPlaceholder('分组标签').fill('没有这个标签')
    await page.keyboard.press('Enter')
    await see(page.getByText('暂无数据'))
    await page.getByPlaceholder('分组标签').fill('洗衣')
    await page.keyboard.press('Enter')
    await button(page, '删除洗衣抬头').click()
    await see(page.getByText('此操作将永久删除该小票信息分组, 是否继续?'))
    await button(page, '取消').click()
    await see(toast(page, '已取消删除'))
    await button(page, '删除洗衣抬头').click()
    await button(page, '删除分组').click()
    await see(toast(page, '删除成功'), page.getByText('暂无数据'))
  },
)

const FIVE = ['基本信息', '商品信息', '支付信息', '客户信息', '每页底部打印']

test('a receipt is put together of five groups, with the rules of each, and saved with their checks', async () => {
  const page = await office.openAs('10001', '/admin/template/ticketGroup')
  await page.getByRole('link', { name: '新增小票' }).click()
  await see(heading(page, '新增小票'), page.getByText('暂无小票样式').first())
  for (const name of FIVE) await button(page, `添加${name}`).click()
  await see(button(page, '板块：每页底部打印'))
  await see(page.locator('[data-tip="已选择该板块"]').first())
  await button(page, '保存').click()
  await see(page.getByText('请输入模板名称'))
  await page.getByRole('textbox', { name: '模板名称' }).fill('五块小票')

  // A click on the preview chooses a block; what must be shown cannot be taken away.
  await button(page, '板块：基本信息').click()
  assert.equal(await tab(page, '基本信息').getAttribute('aria-selected'), 'true')
  assert.equal(await box(page, '单号').getAttribute('aria-disabled'), 'true')
  await box(page, '车牌号').check()

  // Items are ordered within their block by keys and by dragging; the logo is a picture of the template's own.
  await button(page, '移动车牌号').focus()
  await page.keyboard.press('ArrowUp')
  await see(page.getByText('车牌号 已移到第 9 位'))
  await page.keyboard.press('ArrowUp')
  await see(page.getByText('车牌号 已移到第 8 位'))
  await button(page, '移动操作员').dragTo(button(page, '移动LOGO'))
  await see(page.getByText('操作员 已移到第 1 位'))
  await box(page, 'LOGO').check()
  const logo = page.getByLabel('LOGO图片')
  await logo.setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
  await see(page.getByText('图片格式须为jpg、jpeg或png'))
  const white = sharp({ create: { width: 90, height: 30, channels: 3, background: '#fff' } })
  await logo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await white.png().toBuffer() })
  await see(page.getByText(/打印出来是空白/))
  const dark = sharp({ create: { width: 90, height: 30, channels: 3, background: '#222' } })
  await logo.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: await dark.png().toBuffer() })
  await gone(page.getByText(/打印出来是空白/))

  // Shift with an arrow moves it, so does dragging.
  await button(page, '板块：支付信息').focus()
  await page.keyboard.press('Shift+ArrowUp')
  await see(page.getByText('支付信息 已移到第 2 位'))
  await button(page, '板块：客户信息').dragTo(button(page, '板块：商品信息'))
  await see(page.getByText('客户信息 已移到第 3 位'))
  await button(page, '移除板块：客户信息').click()
  await gone(button(page, '板块：客户信息'))
  assert.equal(await tab(page, '基本信息').getAttribute('aria-selected'), 'true')
  await button(page, '添加客户信息').click()
  await see(button(page, '板块：客户信息'))

  // The other sheet has groups of its own, and says which may not stand on it.
  await tab(page, '210mm模板').click()
  await see(page.getByText(/^每页底部打印只能放在A5小票模板/))
  await see(page.locator('[data-tip="每页底部打印只能放在A5小票模板"]'))
  for (const name of ['基本信息', '商品信息']) await button(page, `添加${name}`).click()
  await see(button(page, '板块：商品信息'))
  await page.getByPlaceholder('分组标签').fill('没有')
  await page.keyboard.press('Enter')
  await see(page.getByText('暂无分组信息'))
  await tab(page, '小票模板').click()
  assert.equal(await tab(page, '客户信息').getAttribute('aria-selected'), 'true')
  assert.deepEqual(await axeFindings(page), [])

  // What is not saved is not left without a question.
  await button(page, '返回列表').click()
  await button(page, '继续填写').click()
  await button(page, '保存').click()
  await see(toast(page, '保存成功'), heading(page, '小票模板'), page.getByText('五块小票'))
  const content = await contentOf('五块小票')
  assert.deepEqual(namesOn(content), ['基本信息', '支付信息', '商品信息', '每页底部打印', '客户信息'])
  assert.equal(content?.wide.length, 2)
  const items = content?.ordinary[0]?.items ?? []
  assert.deepEqual(
    items.map(({ id }) => id),
    [108, 101, 102, 103, 104, 105, 106, 107, 110, 109],
  )
  assert.match(items[1]?.picture ?? '', /^[\da-f-]{36}$/)
  const [group] = await office.sql<{ checked: boolean }>(
    `select (item ->> 'checked')::boolean as checked from receipt_groups, jsonb_array_elements(items) as item
     where receipt_groups.id = 1 and item ->> 'id' = '110'`,
  )
  assert.equal(group?.checked, true)
})

exhaustive(
  'a receipt is copied, deleted after a question, and looked at on every paper',
  [
    'features/print/receipts/server.test.ts',
    'test/print/receipts.test.ts',
    'test/e2e/print/from-nothing.e2e.ts',
  ],
  async () => {
    const page = await office.openAs('10001', '/admin/template/ticketGroup')
    const row = page.getByRole('row', { name: /标准小票 58mm/ })
    await row.getByRole('button', { name: '复制' }).click()
    await see(toast(page, '复制成功'))
    const copy = page.getByRole('row', { name: /标准小票 58mm 副本/ })
    await see(copy)
    await copy.getByRole('button', { name: /更多/ }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await see(page.getByText('此操作将永久删除该小票模板, 是否继续?'))
    await button(page, '取消').click()
    await see(toast(page, '已取消删除'))
    await copy.getByRole('button', { name: /更多/ }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await button(page, '删除模板').click()
    await see(toast(page, '删除成功'))
    await gone(copy)

    await page
      .getByRole('row', { name: /会员小票 80mm (?!副本)/ })
      .getByRole('button', { name: /更多/ })
      .click()
    await page.getByRole('menuitem', { name: '打印设计' }).click()
    await see(heading(page, '小票打印设计'))
    for (const paper of ['58mm', '76mm', '80mm', '110mm'])
      await see(page.getByRole('img', { name: `${paper} 小票预览` }))
    await see(page.getByText(/^长 \d+\.\d 毫米，每百张纸约/).first())
    await page.getByText('退货小票', { exact: true }).click()
    await page.getByText('最长', { exact: true }).click()
    await see(page.getByText(/^长 \d+\.\d 毫米，每百张纸约/).first())
    await tab(page, '支付信息').click()
    await box(page, '本次欠款').check()
    await page.getByRole('combobox', { name: '实收的字号' }).selectOption('12')
    assert.deepEqual(await axeFindings(page), [])
    await button(page, '保存').click()
    await see(toast(page, '保存成功'))
    await eventually(async () => {
      const content = await contentOf('会员小票 80mm')
      const payment = content?.ordinary.find(({ section }) => section === 'payment')
      return payment?.items.find(({ id }) => id === 402)?.fontSize
    }, 12)
    await button(page, '测试打印').click()
    await see(page.getByRole('dialog'))
  },
)

exhaustive(
  'on a phone a receipt is put together by a thumb',
  ['test/e2e/house/pages.e2e.ts', 'test/e2e/print/receipts.e2e.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/template/editTicketStyle', { viewport: PHONE })
    await see(heading(page, '新增小票'))
    await button(page, '添加基本信息').click()
    await see(button(page, '移除板块：基本信息'))
    assert.equal(await sidewaysScroll(page), 0)
    assert.deepEqual(await axeFindings(page), [])
  },
)
