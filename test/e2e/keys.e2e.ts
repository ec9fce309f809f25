// What a person does without a mouse: few stops to the rows of every list, on from row to row, back to the row that was left.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  gone,
  openBrowserOffice,
  see,
  steady,
} from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'
const STOPS_MAX = 20

const rows = (page: Page) => page.locator('table[aria-labelledby=list-title] tbody').getByRole('row')
const hasFocus = (locator: Locator) => locator.evaluate(node => node === node.ownerDocument.activeElement)
const drawer = (page: Page) => page.getByRole('dialog', { name: '商户详情' })

async function idOf(row: Locator): Promise<string> {
  const text = await row.locator('td[data-fixed=start]').filter({ hasText: ' · ' }).innerText()
  return text.split('\n')[1]?.split(' ')[0] ?? assert.fail('no id')
}

/** How often Tab is pressed until the cursor is on a row; more than is allowed is not counted further. */
async function stopsToRow(page: Page): Promise<number> {
  for (let stops = 1; stops <= STOPS_MAX + 10; stops++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate<boolean>(`document.activeElement.matches('tbody tr, tbody tr *')`)) return stops
  }
  return Number.POSITIVE_INFINITY
}

for (const login of ['20001', '10001'])
  test(`${login} reaches the first row of every list within ${STOPS_MAX} stops, and by the first link in one`, async () => {
    const page = await office.openAs(login, '/admin/index')
    const found: string[] = []
    let lists = 0
    for (const { path, title } of ROUTE_PAGES.filter(({ list }) => list !== undefined)) {
      await page.goto(path)
      await see(page.getByRole('heading', { level: 1 }))
      await steady(page)
      if ((await rows(page).count()) === 0) continue
      lists++
      await page.locator('#main').focus()
      const stops = await stopsToRow(page)
      if (stops > STOPS_MAX - 2) found.push(`${title}: ${stops} stops from the content`)
      await page.evaluate('document.activeElement.blur(); document.body.focus()')
      await page.getByRole('button', { name: '跳到列表' }).focus()
      await page.keyboard.press('Enter')
      if (!(await hasFocus(rows(page).first())))
        found.push(`${title}: the first link does not lead to its rows`)
    }
    assert.deepEqual(found, [])
    assert.ok(lists > 10, `${lists} lists`)
  })

test('the first stops of a page are the links past its menu; without a list there is none to it', async () => {
  const page = await office.openAs('20001', LIST)
  await see(rows(page))
  await page.keyboard.press('Tab')
  await eventually(() => hasFocus(page.getByRole('button', { name: '跳到列表' })), true)
  await page.keyboard.press('Tab')
  await eventually(() => hasFocus(page.getByRole('link', { name: '跳到内容' })), true)
  await page.goto('/admin/merchant/addUser')
  await see(page.getByRole('radio').first())
  await gone(page.getByRole('button', { name: '跳到列表' }))
})

test('? lists the keys of the page it is pressed on', async () => {
  const page = await office.openAs('20001', '/admin/merchant/renewals?window=90')
  await see(rows(page))
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: '快捷键' })
  for (const [keys, does] of [
    ['Ctrl K', '搜索页面、商户和订单'],
    ['/', '搜索列表'],
    ['↓', '下一行'],
    ['N', '续费'],
  ])
    await see(
      dialog.getByRole('term').filter({ hasText: new RegExp(`^${keys?.replace(' ', '')}$`) }),
      dialog.getByText(does as string),
    )
  assert.deepEqual(await axeFindings(page), [])
  await page.keyboard.press('Escape')
  await gone(dialog)
  await page.getByRole('textbox', { name: /^搜索：/ }).fill('?')
  await gone(dialog)
})

test('arrows go on to the next row’s details, and Esc comes back to the row that was seen last', async () => {
  const page = await office.openAs('20001', LIST)
  await rows(page).first().focus()
  const ids = [await idOf(rows(page).nth(0)), await idOf(rows(page).nth(1))]
  await page.keyboard.press('Enter')
  await see(drawer(page).getByText(`ID ${ids[0]}`))
  await page.keyboard.press('ArrowDown')
  await see(drawer(page).getByText(`ID ${ids[1]}`))
  await page.keyboard.press('ArrowUp')
  await see(drawer(page).getByText(`ID ${ids[0]}`))
  await page.keyboard.press('ArrowDown')
  await see(drawer(page).getByText(`ID ${ids[1]}`))
  await page.keyboard.press('Escape')
  await gone(drawer(page))
  await eventually(() => hasFocus(rows(page).nth(1)), true)
})

test('a row that was left for a page has the cursor again after Esc', async () => {
  const page = await office.openAs('20001', LIST)
  await rows(page).nth(3).focus()
  await rows(page)
    .nth(3)
    .getByRole('button', { name: '续费' })
    .or(rows(page).nth(3).getByRole('button', { name: '更多操作' }))
    .first()
    .press('Enter')
  if (await page.getByRole('menuitem').count())
    await page.getByRole('menuitem', { name: '增值服务' }).press('Enter')
  await gone(rows(page).first())
  await see(page.getByRole('heading', { level: 1 }))
  await page.locator('#main').focus()
  await page.keyboard.press('Escape')
  await eventually(() => hasFocus(rows(page).nth(3)), true)
})

test('the tools of a list are one stop, and arrows go on among them', async () => {
  const page = await office.openAs('20001', LIST)
  await see(rows(page))
  const tools = page.getByRole('toolbar', { name: '列表工具' })
  await tools.getByRole('button', { name: '刷新' }).focus()
  await page.keyboard.press('ArrowRight')
  await eventually(() => hasFocus(tools.getByRole('button', { name: '列设置' })), true)
  await page.keyboard.press('End')
  await eventually(() => hasFocus(tools.getByText('导出', { exact: true })), true)
  await page.keyboard.press('ArrowRight')
  await eventually(() => hasFocus(tools.getByRole('button', { name: '刷新' })), true)
})
