// One session opens every page without a reload; each must stand as when it is loaded afresh, whatever was open before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { type BrowserOffice, eventually, openBrowserOffice, see, steady } from './browser.ts'

const LOADED_MS = 10_000

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

type Visit = { address: string; title: string; fresh: string[] }

/** What stands otherwise than after a fresh load. */
async function changes(page: Page, { fresh }: Visit): Promise<string[]> {
  const lines = await page.evaluate<string[]>(GEOMETRY)
  if (lines.length !== fresh.length) return [`${lines.length} elements instead of ${fresh.length}`]
  return lines
    .flatMap((line, at) => (line === fresh[at] ? [] : [`${line} instead of ${fresh[at]}`]))
    .slice(0, 5)
}

/** What is still otherwise when all that the page asks for should have come. */
async function lastingChanges(page: Page, visit: Visit): Promise<string[]> {
  const until = Date.now() + LOADED_MS
  for (;;) {
    const found = await changes(page, visit)
    if (found.length === 0 || Date.now() > until) return found
    await page.waitForTimeout(50)
  }
}

async function arrived(page: Page, title: string): Promise<void> {
  await eventually(() => page.title(), `${title} · 合作伙伴后台`)
  await see(page.getByRole('main').getByRole('heading', { level: 1 }))
}

/** When all that the page asks for has come, and it stands the same twice in a row. */
async function freshGeometry(page: Page, address: string, title: string): Promise<string[]> {
  await page.goto(address)
  await arrived(page, title)
  await page.waitForLoadState('networkidle')
  await steady(page)
  const read = () => page.evaluate<string[]>(GEOMETRY)
  let lines = await read()
  await eventually(async () => {
    const before = lines
    lines = await read()
    return lines.join('\n') === before.join('\n')
  }, true)
  return lines
}

async function shopId(): Promise<string | undefined> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants where agent_id = 101 and status = 'normal' order by id limit 1`,
  )
  return shop?.id
}

/** The pages that the account may open and `others` do not name already. */
async function visitsOf(page: Page, others: readonly Visit[]): Promise<Visit[]> {
  const id = await shopId()
  const session = (await (await page.request.get('/api/session')).json()) as { permissions: string[] }
  const visits: Visit[] = []
  for (const { path, title, permission } of ROUTE_PAGES) {
    if (permission !== 'session' && !session.permissions.includes(permission)) continue
    if (others.some(visit => visit.title === title)) continue
    const key = ABOUT_A_SHOP[path]
    const address = key ? `${path}?${key}=${id}` : path
    visits.push({ address, title, fresh: await freshGeometry(page, address, title) })
  }
  return visits
}

const seen: Visit[] = []
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
        for (const visit of inOrder) {
          await page.evaluate(`history.pushState(null, '', ${JSON.stringify(visit.address)})`)
          await arrived(page, visit.title)
          for (const change of await lastingChanges(page, visit)) found.push(`${visit.title}: ${change}`)
        }
        assert.deepEqual(found, [])
      })
    await office.closePages()
  })
