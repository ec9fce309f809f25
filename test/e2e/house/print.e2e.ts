// A list on paper: what is filtered, all of it, with its heading, conditions and totals; nothing else of the page.

import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { exhaustive } from '../../lane.ts'
import { type BrowserOffice, eventually, openBrowserOffice, see } from '../browser.ts'
import { pagesOf, plain } from '../pdf.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const sheet = (page: Page) => page.locator('[data-part=print]')

/** Opened with the browser's own dialog of printing left out: what would stand in it is looked at. */
async function openList(path: string, login = '20001'): Promise<Page> {
  const page = await office.signIn(login)
  await page.addInitScript('globalThis.print = () => {}')
  await page.goto(path)
  await see(page.locator('tbody tr'))
  return page
}

async function print(page: Page): Promise<string[]> {
  await sheet(page).waitFor({ state: 'attached' })
  return pagesOf(await page.pdf({ preferCSSPageSize: true }))
}

test('Ctrl P prints every row that is filtered, each page with the heading, the heads and its number', async () => {
  const [counted] = await office.sql<{ n: number }>(
    `select count(*)::int as n from merchants where agent_id = 101 and status = 'normal'`,
  )
  const { n } = counted as { n: number }
  const page = await openList('/admin/merchant/myMerchant?status=normal&sort=expiresAt&order=asc')
  await page.keyboard.press('Control+p')
  const paper = await print(page)
  assert.ok(paper.length > 2, `${paper.length} pages`)
  paper.forEach((text, at) => {
    for (const words of ['我的商户 · 状态：正常', '到期时间', `第 ${at + 1} 页，共 ${paper.length} 页`])
      assert.ok(text.includes(plain(words)), `${words} on page ${at + 1}: ${text.slice(0, 200)}`)
  })
  assert.ok(!paper.join('').includes('更多操作'))
  await eventually(() => sheet(page).count(), 0)
  assert.ok(n > 20)
})

test('the documents’ address of orders for paper leads to their list as it is filtered, which prints itself once', async () => {
  const page = await office.signIn('20001')
  await page.addInitScript('globalThis.print = () => {}')
  await page.goto('/admin/order/versionsOrderPrint?salesType=renew')
  await page.waitForURL('**/admin/order/versionsOrder?salesType=renew')
  const paper = (await print(page)).join('')
  for (const words of ['版本订单', '条件：', '续费']) assert.ok(paper.includes(plain(words)), words)
  await eventually(() => sheet(page).count(), 0)
})

exhaustive(
  'the button prints the rows in the list’s order, with the totals above them, and the list stays as it is',
  ['web/list/List.test.tsx'],
  async () => {
    const page = await openList('/admin/detail/billingDetails?salesType=renew')
    await page.evaluate(`addEventListener('afterprint', event => event.stopImmediatePropagation(), true)`)
    await page.getByRole('toolbar').getByRole('button', { name: '打印', exact: true }).click()
    await sheet(page).waitFor({ state: 'attached' })
    const [counted] = await office.sql<{ n: number }>(
      `select count(*)::int as n from version_orders where agent_id = 101 and sales_type = 'renew' and status <> 'quoted'`,
    )
    assert.equal(await sheet(page).locator('tbody tr').count(), counted?.n)
    await page.emulateMedia({ media: 'print' })
    await see(
      sheet(page).getByRole('heading', { name: '账单明细' }),
      sheet(page).getByText('条件：销售类型：续费'),
    )
    await eventually(() => page.getByRole('main').isVisible(), false)
  },
)

test('the browser’s own command prints the page alone, all of it, on white paper', async () => {
  const page = await office.openAs('20001', '/admin/detail/statement', { dark: true })
  await see(page.getByRole('navigation', { name: '主菜单' }), page.getByRole('main'))
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const name of ['主菜单', '打开的页面', '当前位置'])
    await eventually(() => page.getByRole('navigation', { name }).isVisible(), false)
  await see(page.getByRole('main').getByRole('heading', { level: 1 }))
  assert.ok(await page.getByRole('main').evaluate(main => main.scrollHeight <= main.clientHeight))
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)')
})
