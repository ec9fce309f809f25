// The operator looks at the business: who sells, who sleeps, and where money stands; each number leads to the list that it counts.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { formatCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { exhaustive } from '../../lane.ts'
import { axeFindings, type BrowserOffice, eventually, openBrowserOffice, rowOf, see } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
afterEach(() => office.closePages())
after(() => office.stop())

/** What is said of an agency that sells all year, by where it leads. */
async function linkOf(page: Page, to: string): Promise<Locator> {
  const [agent] = await office.sql<{ name: string }>('select company_name as name from agents where id = 101')
  return rowOf(page, agent?.name ?? assert.fail('no agent'))
    .locator(`a[href*="${to}"]`)
    .first()
}

test('the ranking tells of a year, whose numbers lead to its orders; those still shown meanwhile lead to what they count', async () => {
  const page = await office.openAs('10001', '/admin/insights/partners')
  await see(page.getByRole('heading', { name: '代理商排行' }))
  const sales = await linkOf(page, '/insights/sales')
  const monthly = await sales.getAttribute('href')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/insights/partners?*', async route => {
    await held
    await route.continue()
  })
  const year = page.getByRole('group', { name: '周期' }).getByRole('button', { name: '年', exact: true })
  await year.click()
  await page.waitForURL('**/partners?period=year*')
  await eventually(() => year.getAttribute('aria-pressed'), 'true')
  await see(page.locator('[aria-busy=true]').getByRole('table'))
  assert.equal(await sales.getAttribute('href'), monthly)
  await see(page.getByText(/^\d{4} 年 \d{1,2} 月$/))
  release()
  await see(page.getByText(/^\d{4} 年$/), page.getByText(/\d{4}-01-01 至 /))
  assert.match((await sales.getAttribute('href')) ?? '', /from=\d{4}-01-01/)
  const link = await linkOf(page, 'versionsOrder')
  assert.match((await link.getAttribute('href')) ?? '', /status=paid.*paidFrom=\d{4}-01-01/)
  const address = new URL((await link.getAttribute('href')) ?? '', office.url)
  const listed = await page.request.get(`${office.url}/api/orders${address.search}`)
  const { settledCents } = (await listed.json()) as { settledCents: number }
  assert.equal(await link.textContent(), formatCents(settledCents))
  await link.click()
  await page.waitForURL('**/admin/order/versionsOrder?*')
})

exhaustive(
  'where money stands leads to the agents that hold it',
  ['features/overview/insights/server-cells.test.ts', 'features/overview/insights/server.test.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/insights/funds')
    const levels = page.getByRole('region', { name: '按等级' })
    await see(page.getByRole('region', { name: '在途' }))
    const [level] = await office.sql<{ name: string; agent: string }>(
      `select l.name, a.company_name as agent from agents a join agent_levels l on l.id = a.level_id where a.id = 101`,
    )
    await rowOf(levels, level?.name ?? '')
      .locator('a[href*="levelId="]')
      .first()
      .click()
    await page.waitForURL('**/admin/insights/partners?levelId=*')
    await see(rowOf(page.getByRole('table'), level?.agent ?? ''))
  },
)

exhaustive(
  'the heat map tells of those that stay, renew and are lost, and each cell opens exactly these',
  ['features/overview/insights/server-cells.test.ts', 'features/overview/insights/server-cohorts.test.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/insights/cohorts')
    const map = page.getByRole('region', { name: /热力图/ })
    await see(page.getByRole('heading', { name: '留存' }), map.locator('tbody tr'))
    const follow = async (api: string, count: (text: string) => number) => {
      const cell = map
        .locator('td[data-step]')
        .filter({ has: page.locator('a') })
        .nth(3)
      const address = new URL((await cell.locator('a').first().getAttribute('href')) ?? '', office.url)
      const answer = await page.request.get(`${office.url}${api}${address.search}`)
      const { total } = (await answer.json()) as { total: number }
      assert.equal(total, count((await cell.locator('small').textContent()) ?? ''), address.href)
      return address
    }
    const first = (text: string) => Number(text.replaceAll(',', '').match(/\d+/)?.[0])
    await follow('/api/merchants', first)
    await page.getByRole('group', { name: '指标' }).getByRole('button', { name: '流失率' }).click()
    await page.waitForURL('**/cohorts?measure=lost')
    await see(page.getByRole('region', { name: '流失率热力图' }))
    await follow('/api/merchants', first)
    await page.getByRole('group', { name: '指标' }).getByRole('button', { name: '续费率' }).click()
    await page.getByRole('group', { name: '列' }).getByRole('button', { name: '按年' }).click()
    await see(page.getByRole('columnheader', { name: '第 1 年' }))
    const { search } = await follow('/api/insights/renewals', first)
    await map.locator('td[data-step] a').first().click()
    await page.waitForURL('**/admin/insights/renewals?*')
    assert.match(search, /dueFrom=\d{4}-\d\d-01/)
    await see(page.getByRole('heading', { name: '已续费的期限' }))
  },
)

test('a plan is set for a year, and the income is told against it', async () => {
  const page = await office.openAs('10001', '/admin/insights/income')
  const kinds = page.getByRole('region', { name: '按类别（代币）', exact: true })
  await see(page.getByRole('heading', { name: '收入', exact: true }), kinds.locator('tbody tr'))
  await page.getByRole('button', { name: '增值服务的计划' }).click()
  const dialog = page.getByRole('dialog')
  await see(dialog.getByRole('region', { name: '变更记录' }))
  await dialog.getByLabel('全年').fill('120,000')
  await dialog.getByRole('button', { name: '平均分到各月' }).click()
  await see(dialog.getByText('全年合计 120,000.00 代币'))
  assert.deepEqual(await axeFindings(page), [])
  await dialog.getByRole('button', { name: '保存计划' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = kinds.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '增值服务' }) })
  // Of the year that runs the months that have begun.
  const begun = Number(formatDay(new Date()).slice(5, 7))
  await see(row.getByText(formatCents(begun * 1_000_000), { exact: true }))
  await page.getByRole('button', { name: '增值服务的计划' }).click()
  await see(page.getByRole('dialog').getByText('10,000.00 代币').first())
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await row.locator('a[href*="appreciationOrder"]').first().click()
  await page.waitForURL('**/admin/order/appreciationOrder?state=completed*')
})

exhaustive(
  'the sales of a quarter open exactly that quarter, and its growth both',
  ['features/overview/insights/server-cells.test.ts'],
  async () => {
    const page = await office.openAs('10001', '/admin/insights/partners?period=quarter')
    const link = await linkOf(page, '/insights/sales')
    const told = (await link.textContent()) ?? ''
    await link.click()
    await page.waitForURL('**/admin/insights/sales?*from=*-01&*')
    await see(page.getByRole('region', { name: '本期', exact: true }).locator('tfoot').getByText(told))
    assert.deepEqual(await axeFindings(page), [])
  },
)
