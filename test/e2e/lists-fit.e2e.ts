// What people see of every list without scrolling: all its columns on a laptop with the menu open, and ten rows.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { DEMO_PASSWORD } from '#features/access/demo.ts'
import {
  type BrowserOffice,
  eventually,
  openBrowserOffice,
  PHONE,
  pressWhere,
  ready,
  SMALL_PHONE,
  see,
  visit,
} from './browser.ts'
import { openBrowserWithScrollBars } from './chromium.ts'

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
    // A real office has no strip that calls its data a demo.
    const strip = document.querySelector('aside[aria-label=数据说明]').getBoundingClientRect().height
    const bottom = box.getBoundingClientRect().bottom + 1 + strip
    const rows = [...table.tBodies[0].rows]
    return {
      hiddenPixels: box.scrollWidth - box.clientWidth,
      rows: rows.length,
      seen: rows.filter(row => row.getBoundingClientRect().bottom <= bottom).length,
    }
  })()`)
}

/** The rows of a list on a phone, of which at least six must be seen above what stands at the bottom. */
async function sixCards(page: Page, bottom: Locator): Promise<Locator> {
  const cards = page.locator('[data-part=cards] > li').filter({ has: page.getByRole('button') })
  await ready(page)
  const bar = await bottom.boundingBox()
  const boxes = await Promise.all((await cards.all()).map(card => card.boundingBox()))
  const seen = boxes.filter(box => box && bar && box.y + box.height <= bar.y)
  assert.ok(seen.length >= 6, `${seen.length} cards`)
  return cards
}

for (const path of ['versionsOrder', 'appreciationOrder', 'msgOrder'])
  test(`on a phone at least six orders are seen at once: ${path}`, async () => {
    const page = await office.openAs('20001', `/admin/order/${path}`, { viewport: PHONE })
    await sixCards(page, page.getByRole('navigation', { name: '常用' }))
  })

test('on a phone at least six shops are seen at once, each with a way to call it', async () => {
  const page = await office.openAs('20001', '/admin/merchant/myMerchant', { viewport: PHONE })
  const cards = await sixCards(page, page.getByRole('button', { name: '新增商户' }))
  const [call] = await Promise.all(
    (await cards.getByRole('link', { name: '拨打电话' }).all()).map(link => link.boundingBox()),
  )
  assert.ok(call && Math.min(call.width, call.height) >= 44)
  // Where a thumb lands, beside the name and below it.
  const [box] = await cards.locator('dl > div').all()
  await pressWhere(box ?? assert.fail('no card'))
  await see(page.getByRole('dialog', { name: '商户详情' }))
})

test('on the smallest phone a statement is read without scrolling sideways', async () => {
  const page = await office.openAs('20001', '/admin/detail/statement', { viewport: SMALL_PHONE })
  const tables = page.getByRole('region', { name: /^(代币|短信额度)$/ }).locator('section:has(> table)')
  await see(tables.nth(1))
  for (const table of await tables.all())
    assert.equal(await table.evaluate(box => box.scrollWidth - box.clientWidth), 0)
})

for (const login of ['20001', '10001'])
  test(`${login} sees all columns of every list, and its rows`, async () => {
    const page = await office.openAs(login, '/admin/index')
    const found: string[] = []
    let lists = 0
    for (const { path, title } of LISTS) {
      await visit(page, path, title)
      const table = await tableOf(page)
      if (!table) continue
      lists++
      if (table.hiddenPixels > 0) found.push(`${title}: ${table.hiddenPixels} pixels are hidden`)
      if (table.seen < table.rows) found.push(`${title}: ${table.seen} of ${table.rows} rows are seen`)
    }
    assert.deepEqual(found, [])
    assert.ok(lists > 10, `${lists} lists`)
  })

test('scroll bars are thin where the system shows them beside the content', async () => {
  const browser = await openBrowserWithScrollBars()
  try {
    const page = await browser.newPage({ baseURL: office.url, viewport: { width: 1024, height: 600 } })
    await page.request.post('/api/session', {
      headers: { 'x-requested-with': 'partner-office' },
      data: { loginName: '20001', password: DEMO_PASSWORD },
    })
    await page.goto('/admin/merchant/myMerchant')
    await eventually(() => page.getByRole('table').locator('tbody').getByRole('row').count(), 10)
    const bar = await page.evaluate<{ beside: number; below: number }>(`(() => {
      const box = document.querySelector('table[aria-labelledby=list-title]').parentElement
      return { beside: box.offsetWidth - box.clientWidth, below: box.offsetHeight - box.clientHeight }
    })()`)
    for (const pixels of Object.values(bar)) assert.ok(pixels > 0 && pixels <= 12, JSON.stringify(bar))
  } finally {
    await browser.close()
  }
})
