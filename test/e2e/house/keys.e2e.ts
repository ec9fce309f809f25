// What a person does without a mouse: few stops to the rows of every list, on from row to row, back to the row that was left;
// and what the palette finds besides pages, and does (D1 §2; Ctrl K).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
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
  visit,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LIST = '/admin/merchant/myMerchant'
/** From the page's beginning, and from its content's. */
const [STOPS_MAX, FROM_CONTENT_MAX] = [12, 7]
const LISTS = ROUTE_PAGES.filter(({ list }) => list !== undefined)

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

test('by keys alone one comes past the menu to the rows, into the details of one, on to the next, and back', async () => {
  const page = await office.openAs('20001', LIST)
  await see(rows(page))
  await page.keyboard.press('Tab')
  await eventually(() => hasFocus(page.getByRole('button', { name: '跳到列表' })), true)
  await page.keyboard.press('Enter')
  await eventually(() => hasFocus(rows(page).first()), true)
  const ids = [await idOf(rows(page).nth(0)), await idOf(rows(page).nth(1))]
  await page.keyboard.press('Enter')
  await see(drawer(page).getByText(`ID ${ids[0]}`))
  await page.keyboard.press('ArrowDown')
  await see(drawer(page).getByText(`ID ${ids[1]}`))
  await page.keyboard.press('Escape')
  await gone(drawer(page))
  await eventually(() => hasFocus(rows(page).nth(1)), true)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: '快捷键' })
  await see(keys.getByText('搜索页面、商户和订单'), keys.getByText('下一行的详情'))
  assert.deepEqual(await axeFindings(page), [])
  await page.keyboard.press('Escape')
  await gone(keys)
  await page.locator('#main').focus()
  assert.ok((await stopsToRow(page)) <= FROM_CONTENT_MAX)
})

for (const login of ['20001', '10001'])
  exhaustive(
    `${login} reaches the first row of a list within ${STOPS_MAX} stops, and by the first link in one`,
    ['test/e2e/house/pages.e2e.ts', 'web/list/List.test.tsx', 'test/e2e/house/keys.e2e.ts'],
    async () => {
      const page = await office.openAs(login, '/admin/index')
      const found: string[] = []
      let lists = 0
      for (const { path, title } of LISTS) {
        await visit(page, path, title)
        if ((await rows(page).count()) === 0) continue
        lists++
        await page.locator('#main').focus()
        const stops = await stopsToRow(page)
        if (stops > FROM_CONTENT_MAX) found.push(`${title}: ${stops} stops from the content`)
        await page.evaluate('document.activeElement.blur(); document.body.focus()')
        await page.getByRole('button', { name: '跳到列表' }).focus()
        await page.keyboard.press('Enter')
        if (!(await hasFocus(rows(page).first())))
          found.push(`${title}: the first link does not lead to its rows`)
      }
      assert.deepEqual(found, [])
      assert.ok(lists > 0)
    },
  )

exhaustive(
  'the first stops of a page are the links past its menu; without a list there is none to it',
  ['web/shell/Shell.test.tsx', 'test/e2e/house/keys.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', LIST)
    await see(rows(page))
    await page.keyboard.press('Tab')
    await eventually(() => hasFocus(page.getByRole('button', { name: '跳到列表' })), true)
    await page.keyboard.press('Tab')
    await eventually(() => hasFocus(page.getByRole('link', { name: '跳到内容' })), true)
    await page.goto('/admin/merchant/addUser')
    await see(page.getByRole('radio').first())
    await gone(page.getByRole('button', { name: '跳到列表' }))
  },
)

exhaustive(
  '? lists the keys of the page it is pressed on',
  ['web/shell/Shell.test.tsx', 'web/list/List.test.tsx', 'test/e2e/house/keys.e2e.ts'],
  async () => {
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
  },
)

exhaustive(
  'arrows go on to the next row’s details, and Esc comes back to the row that was seen last',
  ['web/list/List.test.tsx', 'test/e2e/house/keys.e2e.ts'],
  async () => {
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
  },
)

exhaustive(
  'a row that was left for a page has the cursor again after Esc',
  ['web/list/List.test.tsx', 'web/shell/Shell.test.tsx'],
  async () => {
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
  },
)

exhaustive(
  'the tools of a list are one stop, and arrows go on among them',
  ['web/list/List.test.tsx'],
  async () => {
    const page = await office.openAs('20001', LIST)
    await see(rows(page))
    const tools = page.getByRole('toolbar', { name: '列表工具' })
    await tools.getByRole('button', { name: '刷新' }).focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => hasFocus(tools.getByRole('button', { name: '列设置' })), true)
    await page.keyboard.press('End')
    await eventually(() => hasFocus(tools.getByText('导出', { exact: true })), true)
    await page.keyboard.press('ArrowRight')
    await eventually(() => hasFocus(tools.getByRole('button', { name: '高级筛选' })), true)
  },
)

const palette = (page: Page) => page.getByRole('dialog', { name: '全局搜索' })
const inGroup = (page: Page, name: string) => palette(page).getByRole('group', { name }).getByRole('option')

async function openPalette(login: string, options = {}): Promise<Page> {
  const page = await office.openAs(login, '/admin/index', options)
  await page.getByRole('button', { name: '全局搜索' }).click()
  return page
}
const type = (page: Page, text: string) => palette(page).getByRole('combobox').fill(text)

async function numberIn(table: 'version_orders' | 'hardware_orders', agentId: number): Promise<string> {
  const [row] = await office.sql<{ order_no: string }>(
    `select order_no from ${table} where agent_id = $1 and paid_at is not null order by id desc limit 1`,
    [agentId],
  )
  return row?.order_no ?? assert.fail(`no row in ${table}`)
}

describe('the palette', () => {
  exhaustive(
    'opens an order of any kind by its whole number or its last eight digits',
    ['app/palette.test.tsx', 'features/sales/order-details/server.test.ts'],
    async () => {
      const page = await openPalette('20001')
      const hardware = await numberIn('hardware_orders', 101)
      const version = await numberIn('version_orders', 101)
      await type(page, hardware)
      await see(inGroup(page, '订单').filter({ hasText: hardware.slice(-8) }))
      await type(page, version.slice(-8))
      await see(inGroup(page, '订单').filter({ hasText: version.slice(-8) }))
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/admin/order/${version}`)
    },
  )

  exhaustive(
    'finds no order of another agent',
    ['test/tenancy.test.ts', 'features/sales/order-details/server.test.ts'],
    async () => {
      const page = await openPalette('20002')
      await type(page, await numberIn('version_orders', 101))
      await see(palette(page).getByText('没有匹配的结果'))
    },
  )

  exhaustive(
    'opens a payment by the number that the channel gave it: the order for an agent, the payment for the operator',
    ['app/palette.test.tsx', 'features/sales/payments/desk/server-manage.test.ts'],
    async () => {
      const [paid] = await office.sql<{ transaction_id: string; order_no: string; id: string }>(
        `select a.transaction_id, i.order_no, i.id from payment_attempts a join payment_intents i on i.id = a.intent_id
       where i.agent_id = 101 and a.transaction_id is not null order by a.id desc limit 1`,
      )
      assert.ok(paid)
      for (const [login, url] of [
        ['20001', `**/admin/order/${paid.order_no}`],
        ['10001', `**/admin/operations/payments?search=${paid.id}`],
      ] as const) {
        const page = await openPalette(login)
        await type(page, paid.transaction_id)
        await inGroup(page, '支付').click()
        await page.waitForURL(url)
      }
    },
  )

  exhaustive(
    'finds a colleague by name or its first letters, and an agent by name',
    ['app/palette.test.tsx'],
    async () => {
      const [colleague] = await office.sql<{ id: string; name: string }>(
        'select id, name from accounts where agent_id = 101 and not is_owner and enabled order by id limit 1',
      )
      const [other] = await office.sql<{ company_name: string }>(
        'select company_name from agents where id = 102',
      )
      assert.ok(colleague && other)
      const page = await openPalette('20001')
      await type(page, colleague.name)
      await inGroup(page, '人员').filter({ hasText: colleague.name }).click()
      await page.waitForURL(`**/admin/merchant/renewals?managerId=${colleague.id}`)
      await see(page.getByText(`客户经理：${colleague.name}`))
      const staff = await openPalette('10001')
      await type(staff, other.company_name)
      await inGroup(staff, '人员').filter({ hasText: other.company_name }).click()
      await staff.waitForURL('**/admin/operations/agents/102')
      await see(staff.getByRole('heading', { level: 1, name: other.company_name }))
    },
  )

  exhaustive(
    'changes the looks and ends the session, by words and first letters',
    ['app/palette.test.tsx', 'web/shell/Shell.test.tsx'],
    async () => {
      const page = await openPalette('20001')
      await type(page, 'qhdss')
      await see(inGroup(page, '操作').filter({ hasText: '切换到深色' }))
      await page.keyboard.press('Enter')
      await eventually(() => page.locator('html').getAttribute('data-theme'), 'dark')
      await page.getByRole('button', { name: '全局搜索' }).click()
      await type(page, '注销')
      await inGroup(page, '操作').click()
      await see(page.getByRole('alertdialog', { name: '退出登录？' }))
    },
  )

  exhaustive(
    'is walked by arrows over all groups, and has no barrier on a phone',
    ['web/shell/Shell.test.tsx', 'test/e2e/house/appearance.e2e.ts'],
    async () => {
      const page = await openPalette('20001', { viewport: PHONE, dark: true })
      await type(page, '店')
      await see(inGroup(page, '商户').nth(1))
      await page.keyboard.press('ArrowUp')
      await see(palette(page).getByRole('option').last().and(page.locator('[aria-selected=true]')))
      assert.deepEqual(await axeFindings(page), [])
      assert.equal(await sidewaysScroll(page), 0)
    },
  )
})
