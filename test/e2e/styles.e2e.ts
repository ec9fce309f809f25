// One session opens every page without a reload; each must stand as when it is loaded afresh, whatever was open before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { type BrowserOffice, openBrowserOffice, ready, visit } from './browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
after(() => office.stop())

/** Pages about one shop: the parameter that names it. */
const ABOUT_A_SHOP: Record<string, string> = {
  '/admin/merchant/merchantDetails': 'user_id',
  '/admin/merchant/handOver': 'user_id',
  '/admin/merchant/versionUp1': 'user_id',
  '/admin/merchant/addedServices': 'user_id',
  '/admin/tool/order': 'search',
  '/admin/tool/version': 'search',
  '/admin/tool/merchantsToAdjust': 'search',
  '/admin/tool/delay': 'search',
}

/** Where each element stands in the page and how it lays out what is in it, a line each. Drawings, times and pictures in turn are left out. */
const GEOMETRY = `(() => {
  const main = document.querySelector('main')
  const origin = main.firstElementChild.getBoundingClientRect()
  return [...main.querySelectorAll('*')]
    .filter(element => !element.closest('svg, figure > [aria-hidden], [aria-roledescription], time'))
    .map(element => {
      const box = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      // A greeting changes with the hour.
      const said = element.textContent.slice(0, 20).replace(/^(夜深了|早上好|下午好|晚上好)(?=，)/, '')
      const text = element.childElementCount === 0 ? said.replace(/\\d/g, '0') : ''
      const place = [box.x - origin.x, box.y - origin.y, box.width, box.height].map(Math.round)
      return [
        element.tagName.toLowerCase() + ' ' + JSON.stringify(text),
        place.join(' '),
        style.display,
        style.gap,
        style.fontSize,
      ].join(', ')
    })
})()`

type Seen = { address: string; title: string; fresh: string[] }

/** What stands otherwise than after a fresh load. */
async function changes(page: Page, { fresh }: Seen): Promise<string[]> {
  const lines = await page.evaluate<string[]>(GEOMETRY)
  if (lines.length !== fresh.length) return [`${lines.length} elements instead of ${fresh.length}`]
  return lines
    .flatMap((line, at) => (line === fresh[at] ? [] : [`${line} instead of ${fresh[at]}`]))
    .slice(0, 5)
}

async function freshGeometry(page: Page, address: string): Promise<string[]> {
  await page.goto(address)
  await ready(page)
  return page.evaluate<string[]>(GEOMETRY)
}

async function shopId(): Promise<string | undefined> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and status = 'normal' order by id limit 1`,
  )
  return shop?.id
}

/** The pages that the account may open and `others` do not name already. */
async function visitsOf(page: Page, others: readonly Seen[]): Promise<Seen[]> {
  const id = await shopId()
  const session = (await (await page.request.get('/api/session')).json()) as { permissions: string[] }
  const visits: Seen[] = []
  for (const { path, title, permission } of ROUTE_PAGES) {
    if (permission !== 'session' && !session.permissions.includes(permission)) continue
    if (others.some(visit => visit.title === title)) continue
    const key = ABOUT_A_SHOP[path]
    const address = key ? `${path}?${key}=${id}` : path
    visits.push({ address, title, fresh: await freshGeometry(page, address) })
  }
  return visits
}

const seen: Seen[] = []
for (const [name, login] of [
  ['an agent', '20001'],
  ['the vendor', '10001'],
] as const)
  test(`pages of ${name} stand as freshly loaded, whatever was open before them`, async t => {
    const page = await office.openAs(login, '/admin/index')
    const visits = await visitsOf(page, seen)
    seen.push(...visits)
    for (const [order, inOrder] of [
      ['in their order', visits],
      ['in reverse', visits.toReversed()],
    ] as const)
      await t.test(order, async () => {
        await page.reload()
        const found: string[] = []
        for (const one of inOrder) {
          await visit(page, one.address, one.title)
          for (const change of await changes(page, one)) found.push(`${one.title}: ${change}`)
        }
        assert.deepEqual(found, [])
      })
    await office.closePages()
  })
