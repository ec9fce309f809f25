// What the palette finds besides pages, and what it does (D1 §2; Ctrl K).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  axeFindings,
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  PHONE,
  see,
  sidewaysScroll,
  steady,
} from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

const palette = (page: Page) => page.getByRole('dialog', { name: '全局搜索' })
const inGroup = (page: Page, name: string) => palette(page).getByRole('group', { name }).getByRole('option')

async function open(login: string, options = {}): Promise<Page> {
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
  test('opens an order of any kind by its whole number or its last eight digits', async () => {
    const page = await open('20001')
    const hardware = await numberIn('hardware_orders', 101)
    const version = await numberIn('version_orders', 101)
    await type(page, hardware)
    await see(inGroup(page, '订单').filter({ hasText: hardware.slice(-8) }))
    await type(page, version.slice(-8))
    await see(inGroup(page, '订单').filter({ hasText: version.slice(-8) }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/order/${version}`)
  })

  test('finds no order of another agent', async () => {
    const page = await open('20002')
    await type(page, await numberIn('version_orders', 101))
    await see(palette(page).getByText('没有匹配的结果'))
  })

  test('opens a payment by the number that the channel gave it: the order for an agent, the payment for the operator', async () => {
    const [paid] = await office.sql<{ transaction_id: string; order_no: string; id: string }>(
      `select a.transaction_id, i.order_no, i.id from payment_attempts a join payment_intents i on i.id = a.intent_id
       where i.agent_id = 101 and a.transaction_id is not null order by a.id desc limit 1`,
    )
    assert.ok(paid)
    for (const [login, url] of [
      ['20001', `**/admin/order/${paid.order_no}`],
      ['10001', `**/admin/operations/payments?search=${paid.id}`],
    ] as const) {
      const page = await open(login)
      await type(page, paid.transaction_id)
      await inGroup(page, '支付').click()
      await page.waitForURL(url)
    }
  })

  test('finds a colleague by name or its first letters, and an agent by name', async () => {
    const [colleague] = await office.sql<{ id: string; name: string }>(
      'select id, name from accounts where agent_id = 101 and not is_owner and enabled order by id limit 1',
    )
    const [other] = await office.sql<{ company_name: string }>(
      'select company_name from agents where id = 102',
    )
    assert.ok(colleague && other)
    const page = await open('20001')
    await type(page, colleague.name)
    await inGroup(page, '人员').filter({ hasText: colleague.name }).click()
    await page.waitForURL(`**/admin/merchant/renewals?managerId=${colleague.id}`)
    await see(page.getByText(`客户经理：${colleague.name}`))
    const staff = await open('10001')
    await type(staff, other.company_name)
    await inGroup(staff, '人员').filter({ hasText: other.company_name }).click()
    await staff.waitForURL('**/admin/operations/agents?search=102')
    await see(staff.getByRole('table').getByText(other.company_name))
  })

  test('changes the looks and ends the session, by words and first letters', async () => {
    const page = await open('20001')
    await type(page, 'qhdss')
    await see(inGroup(page, '操作').filter({ hasText: '切换到深色' }))
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('html').getAttribute('data-theme'), 'dark')
    await page.getByRole('button', { name: '全局搜索' }).click()
    await type(page, '注销')
    await inGroup(page, '操作').click()
    await see(page.getByRole('alertdialog', { name: '退出登录？' }))
  })

  test('is walked by arrows over all groups, and has no barrier on a phone', async () => {
    const page = await open('20001', { viewport: PHONE, dark: true })
    await type(page, '店')
    await see(inGroup(page, '商户').nth(1))
    await page.keyboard.press('ArrowUp')
    await see(palette(page).getByRole('option').last().and(page.locator('[aria-selected=true]')))
    await steady(page)
    assert.deepEqual(await axeFindings(page), [])
    assert.equal(await sidewaysScroll(page), 0)
  })
})
