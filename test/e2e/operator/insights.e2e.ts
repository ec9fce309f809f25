// The operator looks at the business: who sells, who sleeps, and where money stands; each number leads to the list that it counts.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { formatCents } from '#kit/money.ts'
import { axeFindings, type BrowserOffice, openBrowserOffice, PHONE, see, sidewaysScroll } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

test('the ranking tells of a year, and its numbers open the orders of that year', async () => {
  const page = await office.openAs('10001', '/admin/insights/partners')
  await see(page.getByRole('heading', { name: '代理商排行' }), page.getByRole('row').nth(1))
  await page.getByRole('group', { name: '周期' }).getByRole('button', { name: '年', exact: true }).click()
  await page.waitForURL('**/partners?period=year*')
  const row = page.getByRole('row').nth(1)
  const link = row.locator('a[href*="versionsOrder"]').first()
  await see(link)
  assert.match((await link.getAttribute('href')) ?? '', /status=paid.*paidFrom=\d{4}-01-01/)
  const address = new URL((await link.getAttribute('href')) ?? '', office.url)
  const listed = await page.request.get(`${office.url}/api/orders${address.search}`)
  const { settledCents } = (await listed.json()) as { settledCents: number }
  assert.equal(await link.textContent(), formatCents(settledCents))
  assert.deepEqual(await axeFindings(page), [])
  await link.click()
  await page.waitForURL('**/admin/order/versionsOrder?*')
})

test('where money stands leads to the agents that hold it', async () => {
  const page = await office.openAs('10001', '/admin/insights/funds')
  const levels = page.getByRole('region', { name: '按等级' })
  await see(levels.getByRole('row').nth(2), page.getByRole('region', { name: '在途' }))
  await levels.getByRole('row').nth(2).getByRole('link').first().click()
  await page.waitForURL('**/admin/insights/partners?levelId=*')
  await see(page.getByRole('row').nth(1))
})

test('on a phone both are read without scrolling sideways', async () => {
  for (const path of ['partners', 'funds']) {
    const page = await office.openAs('10001', `/admin/insights/${path}`, { viewport: PHONE })
    await see(page.getByRole('heading', { level: 1 }))
    assert.equal(await sidewaysScroll(page), 0, path)
    assert.deepEqual(await axeFindings(page), [], path)
  }
})
