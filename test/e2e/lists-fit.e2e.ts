// What people see of every list without scrolling: all its columns on a laptop with the menu open, and ten rows.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { type BrowserOffice, openBrowserOffice, PHONE, see, steady } from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
after(() => office.stop())

const LISTS = ROUTE_PAGES.filter(({ list }) => list !== undefined)

type Table = { hiddenPixels: number; rows: number; seen: number }

/** The table of the page's list, measured; null where the page has none. */
function tableOf(page: Page): Promise<Table | null> {
  return page.evaluate<Table | null>(`(() => {
    const table = document.querySelector('table[aria-labelledby=list-title]')
    if (!table) return null
    const box = table.parentElement
    const bottom = box.getBoundingClientRect().bottom + 1
    const rows = [...table.tBodies[0].rows]
    return {
      hiddenPixels: box.scrollWidth - box.clientWidth,
      rows: rows.length,
      seen: rows.filter(row => row.getBoundingClientRect().bottom <= bottom).length,
    }
  })()`)
}

test('on a phone at least six shops are seen at once, each with a way to call it', async () => {
  const page = await office.openAs('20001', '/admin/merchant/myMerchant', { viewport: PHONE })
  const cards = page.locator('[data-part=cards] > li').filter({ has: page.getByRole('button') })
  await see(cards.nth(9))
  await steady(page)
  const bar = await page.getByRole('button', { name: '新增商户' }).boundingBox()
  const boxes = await Promise.all((await cards.all()).map(card => card.boundingBox()))
  const seen = boxes.filter(box => box && bar && box.y + box.height <= bar.y)
  assert.ok(seen.length >= 6, `${seen.length} shops`)
  const call = await cards.first().getByRole('button', { name: '拨打电话' }).boundingBox()
  assert.ok(call && Math.min(call.width, call.height) >= 44)
  // Where a thumb lands, beside the name and below it.
  await cards.first().locator('dl > div').first().click({ force: true })
  await see(page.getByRole('dialog', { name: '商户详情' }))
})

for (const login of ['20001', '10001'])
  test(`${login} sees all columns of every list, and its rows`, async () => {
    const page = await office.openAs(login, '/admin/index')
    const found: string[] = []
    let lists = 0
    for (const { path, title } of LISTS) {
      await page.goto(path)
      await see(page.getByRole('heading', { level: 1 }))
      await steady(page)
      const table = await tableOf(page)
      if (!table) continue
      lists++
      if (table.hiddenPixels > 0) found.push(`${title}: ${table.hiddenPixels} pixels are hidden`)
      if (table.seen < table.rows) found.push(`${title}: ${table.seen} of ${table.rows} rows are seen`)
    }
    assert.deepEqual(found, [])
    assert.ok(lists > 10, `${lists} lists`)
  })
