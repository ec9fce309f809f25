// One drawer for every kind of order: opened from each list, back to the row it was opened from, its page and its paper.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { exhaustive } from '../../lane.ts'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  PHONE,
  rowOf,
  see,
  sidewaysScroll,
  someRow,
  visit,
} from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const LISTS = [
  '/admin/order/versionsOrder?page=2',
  '/admin/order/appreciationOrder',
  '/admin/order/msgOrder',
  '/admin/order/msgChanges',
  '/admin/order/hardwareOrder',
  '/admin/detail/billingDetails',
  '/admin/detail/personalDetails',
  '/admin/detail/merchantMsgChanges',
]
/** As its tab is called. */
const titleOf = (address: string) =>
  ROUTE_PAGES.find(({ path }) => path === address.split('?')[0])?.title ?? assert.fail(address)
const drawer = (page: Page): Locator => page.getByRole('dialog', { name: '订单详情' })
const numbers = (page: Page): Locator =>
  page
    .getByRole('table')
    .locator('tbody')
    .getByRole('button', { name: /^\d{8}$/ })

test('an order opens from its number in each list and by its address, Esc leads back to the row, and on paper it stands alone', async () => {
  const page = await office.openAs('20001', '/admin/index')
  for (const [at, list] of LISTS.entries()) {
    await visit(page, list, titleOf(list))
    await see(numbers(page))
    const tails = await numbers(page).allInnerTexts()
    // Of an order that stands there once: what it cost and what came back are two lines of one order.
    const tail = tails.find((one, at) => at > 0 && tails.indexOf(one) === tails.lastIndexOf(one)) ?? ''
    await page.getByRole('table').getByRole('button', { name: tail, exact: true }).click()
    const order = drawer(page)
    await see(order.getByRole('heading', { name: '内容' }), order.getByText(new RegExp(`\\d{14}${tail}`)))
    assert.match(new URL(page.url()).searchParams.get('orderNo') ?? '', new RegExp(`${tail}$`))
    if (at === 0) assert.deepEqual(await axeFindings(page), [])
    await page.keyboard.press('Escape')
    await order.waitFor({ state: 'hidden' })
    assert.equal(page.url().replace(/^https?:\/\/[^/]+/, ''), list)
    const row = page
      .locator('tbody > tr')
      .filter({ has: page.getByRole('button', { name: tail, exact: true }) })
    await eventually(() => row.evaluate(line => line.contains(line.ownerDocument.activeElement)), true)
  }
  const no = await latestOrder()
  await page.goto(`/admin/order/versionsOrder?order=${no}`)
  await see(drawer(page).getByText(no), drawer(page).getByRole('heading', { name: '账务流水' }))
  await page.emulateMedia({ media: 'print' })
  await see(page.getByRole('heading', { name: '账务流水' }))
  assert.equal(await page.getByRole('heading', { name: '版本订单', exact: true }).isVisible(), false)
  assert.equal(await page.getByRole('button', { name: '打印', exact: true }).isVisible(), false)
})

exhaustive(
  'an order has a page of its own, leads to its shop, and is not there for another agent',
  ['features/sales/order-details/server.test.ts', 'test/tenancy.test.ts', 'test/e2e/house/pages.e2e.ts'],
  async () => {
    const [order] = await office.sql<{ order_no: string; shop_name: string }>(
      `select o.order_no, m.shop_name from version_orders o join merchants m on m.id = o.merchant_id
     where o.agent_id = 101 and m.agent_id = 101 and o.status = 'paid' order by o.id desc limit 1`,
    )
    const { order_no: no, shop_name: shop } = order ?? assert.fail('no order')
    const page = await office.openAs('20001', `/admin/order/${no}`)
    await see(page.getByRole('heading', { name: '账务流水' }))
    await page
      .getByRole('link', { name: new RegExp(`^${shop}（`) })
      .first()
      .click()
    await see(page.getByRole('heading', { name: shop }))
    const stranger = await office.openAs('20002', `/admin/order/${no}`)
    await see(stranger.getByRole('alert').getByText('找不到该订单，请检查订单号'))
  },
)

exhaustive(
  'an address with `order` opens the order over its list, and a sorted list keeps its direction beside it',
  ['app/search-params.test.ts', 'test/e2e/sales/orders.e2e.ts'],
  async () => {
    const [order] = await office.sql<{ order_no: string }>(
      'select order_no from hardware_orders where agent_id = 101 order by id desc limit 1',
    )
    const no = order?.order_no ?? assert.fail('no order')
    const page = await office.openAs('20001', `/admin/order/hardwareOrder?order=${no}`)
    await see(drawer(page).getByText(no))
    await page.goto('/admin/order/hardwareOrder?sort=createdAt&order=desc')
    await page
      .getByRole('table')
      .getByRole('button', { name: no.slice(-8) })
      .click()
    await see(drawer(page))
    assert.equal(new URL(page.url()).searchParams.get('order'), 'desc')
  },
)

/** The number of the version order that stands first on its list. */
async function latestOrder(): Promise<string> {
  const [order] = await office.sql<{ order_no: string }>(
    `select order_no from version_orders where agent_id = 101 and status <> 'quoted' order by id desc limit 1`,
  )
  return order?.order_no ?? assert.fail('no order')
}

exhaustive('on paper stands the order alone', ['test/e2e/sales/orders.e2e.ts'], async () => {
  const no = await latestOrder()
  const page = await office.openAs('20001', '/admin/order/versionsOrder')
  await page
    .getByRole('table')
    .getByRole('button', { name: no.slice(-8) })
    .click()
  await see(drawer(page).getByRole('heading', { name: '账务流水' }))
  await page.emulateMedia({ media: 'print' })
  await see(page.getByRole('heading', { name: '账务流水' }))
  assert.equal(await page.getByRole('heading', { name: '版本订单', exact: true }).isVisible(), false)
  assert.equal(await page.getByRole('button', { name: '打印', exact: true }).isVisible(), false)
})

exhaustive(
  'on a phone it fits, with the names of what stands in its tables',
  ['test/e2e/house/pages.e2e.ts'],
  async () => {
    const page = await office.openAs('20001', '/admin/order/versionsOrder', { viewport: PHONE })
    await someRow(page.locator('[data-part=cards]'), /\d/).click()
    await see(drawer(page).getByRole('heading', { name: '账务流水' }))
    assert.equal(await sidewaysScroll(page), 0)
    const box = drawer(page).getByRole('region', { name: '账务流水' })
    assert.equal(await box.evaluate(element => element.scrollWidth - element.clientWidth), 0)
  },
)

test('a bulk renewal is found in its list, opens with its shops, and is undone from there as a whole', async () => {
  const [batch] = await office.sql<{ batch_no: string }>(
    `update renewal_batches set paid_at = now() - interval '2 days'
     where id = (select max(id) from renewal_batches where agent_id = 101) returning batch_no`,
  )
  const { batch_no: no } = batch ?? assert.fail('no batch')
  await office.sql(`update version_orders set paid_at = now() - interval '2 days' where batch_no = '${no}'`)
  const page = await office.openAs('20001', '/admin/order/versionsOrder')
  await page.getByRole('main').getByRole('link', { name: '批量续费', exact: true }).click()
  const row = rowOf(page, no.slice(-8))
  await see(row.getByText('已支付', { exact: true }))
  await row.getByRole('button', { name: no.slice(-8) }).click()
  const lines = drawer(page).getByRole('region', { name: '商户订单' })
  await lines.getByRole('button').first().click()
  await drawer(page)
    .getByRole('button', { name: `批次 ${no.slice(-8)}` })
    .click()
  await see(lines)
  await drawer(page).getByRole('button', { name: '撤销', exact: true }).click()
  const undo = page.getByRole('dialog', { name: '撤销订单' })
  await undo.getByRole('textbox', { name: '撤销原因' }).fill('客户不续了')
  await undo.getByRole('button', { name: '撤销订单' }).click()
  await page.getByRole('dialog', { name: '撤销结果' }).getByRole('button', { name: '完成' }).click()
  await see(
    drawer(page)
      .locator('header')
      .getByText(/^(已撤销|部分撤销)$/),
  )
  await page.keyboard.press('Escape')
  await see(row.getByText(/^(已撤销|部分撤销)$/))
  await office.verifyLedger()
})
