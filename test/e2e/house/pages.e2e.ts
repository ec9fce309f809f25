// One walk over the pages: each is opened once by the account that it is for, and a list by the operator too, and is judged there in every way that holds
// for all of them: title, landmark, accessibility in both themes, width, columns and rows that are seen, stops of the cursor, styles.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import type { RoutePage } from '#kit/declare/pages.ts'
import { type BrowserOffice, openBrowserOffice, ready, see, visit } from '../browser.ts'
import { openBrowserWithScrollBars } from '../chromium.ts'
import { flaws, lookWide, type Size } from '../looks.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
after(() => office.stop())

const [VENDOR, AGENT] = ['10001', '20001'] as const
/** Lists of which a phone shows at least six at once above what stands at its bottom. */
const SIX_CARDS = [
  ...['versionsOrder', 'appreciationOrder', 'msgOrder'].map(list => `/admin/order/${list}`),
  '/admin/merchant/myMerchant',
]
const STATEMENT = '/admin/detail/statement'
/** Pages that are about one shop, by the parameter that names it. */
const ABOUT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['merchantDetails', 'handOver', 'versionUp1', 'addedServices'].map(page => [
      `/admin/merchant/${page}`,
      'user_id',
    ]),
  ),
  ...Object.fromEntries(
    ['order', 'version', 'merchantsToAdjust', 'delay'].map(tool => [`/admin/tool/${tool}`, 'search']),
  ),
}
/** Pages that the vendor may open too, but that are meant for partners or have more to show to one. */
const FOR_AGENTS = [
  ...['handOver', 'versionUp1', 'addedServices'].map(page => `/admin/merchant/${page}`),
  ...['webhooks', 'webhookDeliveries', 'notices'].map(page => `/admin/account/${page}`),
  ...SIX_CARDS,
  STATEMENT,
]

type Table = { hiddenPixels: number; unseenRows: number; stops: number }

/** How often Tab may be pressed from the page's beginning until the cursor is on a row. */
const STOPS_MAX = 12

async function shopId(): Promise<string> {
  const [shop] = await office.sql<{ id: string }>(
    `select id from merchants m where agent_id = 101 and status = 'normal'
       and not exists (select from merchant_services s where s.merchant_id = m.id) order by id limit 1`,
  )
  return shop?.id ?? assert.fail('no shop')
}

/** The table of the page's list: what of it is hidden at the side, rows below the edge, and stops of the cursor before the first. Null where there is none. */
const TABLE = `(() => {
  const table = document.querySelector('table[aria-labelledby=list-title]')
  if (!table) return null
  const box = table.parentElement
  // A real office has no strip that calls its data a demo.
  const strip = document.querySelector('aside[aria-label=数据说明]').getBoundingClientRect().height
  const bottom = box.getBoundingClientRect().bottom + 1 + strip
  const rows = [...table.tBodies[0].rows]
  return {
    hiddenPixels: box.scrollWidth - box.clientWidth,
    unseenRows: rows.filter(row => row.getBoundingClientRect().bottom > bottom).length,
    stops: [...document.querySelectorAll(':is(a[href], button, input, select, textarea, [tabindex])')]
      .filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }))
      .filter(one => one.type !== 'radio' || one.checked)
      .filter(one => rows[0] && one.compareDocumentPosition(rows[0]) & Node.DOCUMENT_POSITION_FOLLOWING).length,
  }
})()`

/** Cards that stand above what is fixed at the bottom. */
const CARDS = `(() => {
  const bottom = Math.min(...[...document.querySelectorAll('nav[aria-label=常用], main button, main a')]
    .filter(one => one.tagName === 'NAV' || one.textContent === '新增商户')
    .map(bar => bar.getBoundingClientRect().top))
  const cards = document.querySelectorAll('[data-part=cards] > li')
  return [...cards].filter(card => card.getBoundingClientRect().bottom <= bottom).length
})()`

/** Where each element stands, a line each, with the style sheets that came after the first in their order, and in the opposite one. */
const STANDS = `(() => {
  const GEOMETRY = () => [...document.querySelectorAll('main *')]
    .filter(one => !one.closest('svg'))
    .map(one => {
      const { x, y, width, height } = one.getBoundingClientRect()
      const { display, gap, fontSize } = getComputedStyle(one)
      return [one.tagName.toLowerCase(), one.className, x, y, width, height, display, gap, fontSize].join(' ')
    })
  const copies = (globalThis.copies ??= new Map())
  const links = [...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => sheet)
  for (const { href, sheet } of links) {
    if (copies.has(href)) continue
    const copy = new CSSStyleSheet()
    copy.replaceSync([...sheet.cssRules].map(({ cssText }) => cssText).join('\\n'))
    copies.set(href, copy)
  }
  const later = links.filter(({ dataset }) => dataset.first === undefined)
  const inOrder = later.map(({ href }) => copies.get(href))
  for (const link of later) link.disabled = true
  document.adoptedStyleSheets = inOrder
  const stood = GEOMETRY()
  document.adoptedStyleSheets = inOrder.toReversed()
  const stands = GEOMETRY()
  document.adoptedStyleSheets = []
  for (const link of later) link.disabled = false
  return stands.flatMap((line, at) => (line === stood[at] ? [] : [line + ' instead of ' + stood[at]])).slice(0, 5)
})()`

/** What the page's filled buttons and links say: what it is for is one of them. */
const FILLED = `(() => {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.backgroundColor = 'var(--accent-fill)'
  const filled = getComputedStyle(probe).backgroundColor
  probe.remove()
  return [...document.querySelectorAll('main :is(button, a)')]
    .filter(one => one.checkVisibility() && getComputedStyle(one).backgroundColor === filled)
    .map(one => one.textContent)
})()`

/** What besides accessibility and width may be wrong with a page at a size. */
async function moreFlaws(page: Page, path: string, size: Size): Promise<string[]> {
  if (size === 'wide') {
    const filled = await page.evaluate<string[]>(FILLED)
    const moved = await page.evaluate<string[]>(STANDS)
    return [
      ...(filled.length > 1 ? [`more than one filled button: ${filled.join(', ')}`] : []),
      ...moved.map(change => `after other pages: ${change}`),
    ]
  }
  if (size === 'phone' && SIX_CARDS.includes(path)) {
    const cards = await page.evaluate<number>(CARDS)
    return cards < 6 ? [`${cards} cards are seen at once`] : []
  }
  if (size === 'small phone' && path === STATEMENT) {
    const tables = page.getByRole('region', { name: /^(代币|短信额度)$/ }).locator('section:has(> table)')
    const hidden = await Promise.all(
      (await tables.all()).map(table => table.evaluate(box => box.scrollWidth - box.clientWidth)),
    )
    return hidden.length > 1 && hidden.every(pixels => pixels === 0)
      ? []
      : [`its tables hide ${hidden} pixels`]
  }
  return []
}

/** The address that a page is looked at by, and what then stands there. */
async function addressOf({ path }: RoutePage): Promise<{ address: string; shows: string | null }> {
  if (path.endsWith('/$id')) return { address: path.replace('$id', '101'), shows: null }
  if (path.endsWith('/$orderNo')) {
    const [order] = await office.sql<{ order_no: string }>(
      `select order_no from version_orders where agent_id = 101 and status = 'paid' order by id desc limit 1`,
    )
    const { order_no: no } = order ?? assert.fail('no order')
    return { address: path.replace('$orderNo', no), shows: no }
  }
  const key = ABOUT[path]
  if (!key) return { address: path, shows: null }
  const id = await shopId()
  return { address: `${path}?${key}=${id}`, shows: id }
}

const walked = new Set<string>()
for (const login of [VENDOR, AGENT])
  test(`${login} finds nothing wrong with`, async t => {
    const page = await office.openAs(login, '/admin/index')
    // What a page brings of styles comes after these.
    await page.evaluate(
      `for (const link of document.querySelectorAll('link[rel=stylesheet]')) link.dataset.first = ''`,
    )
    const session = await page.request.get('/api/session')
    const { permissions } = (await session.json()) as { permissions: string[] }
    // The shell is looked at with the first page.
    let within = 'html'
    let lists = 0
    for (const route of ROUTE_PAGES) {
      const { path, title, list, permission, forPartners } = route
      if (permission !== 'session' && !permissions.includes(permission)) continue
      const isIts = !walked.has(path) && (login === AGENT || !(forPartners || FOR_AGENTS.includes(path)))
      if (!isIts && !list) continue
      await t.test(`${title} (${path})`, async () => {
        await lookWide(page)
        const { address, shows } = await addressOf(route)
        await visit(page, address, title)
        assert.equal(await page.getByRole('main').count(), 1)
        await see(page.getByRole('main').getByRole('heading', { level: 1 }))
        if (shows) await see(page.getByText(shows))
        const table = list ? await page.evaluate<Table | null>(TABLE) : null
        if (table) {
          lists++
          const { stops, ...unseen } = table
          assert.deepEqual(unseen, { hiddenPixels: 0, unseenRows: 0 })
          assert.ok(stops <= STOPS_MAX, `${stops} stops before the first row`)
        }
        if (!isIts) return
        walked.add(path)
        await see(page.getByText('演示数据', { exact: true }))
        assert.deepEqual(await flaws(page, within, size => moreFlaws(page, path, size)), [])
        within = 'main'
      })
    }
    assert.ok(lists > 10, `${lists} lists`)
    await office.closePages()
  })

test('no page was left out', () => {
  assert.deepEqual(
    ROUTE_PAGES.filter(({ path }) => !walked.has(path)).map(({ path }) => path),
    [],
  )
})

test('scroll bars are thin where the system shows them beside the content', async () => {
  const browser = await openBrowserWithScrollBars()
  try {
    const page = await browser.newPage({ baseURL: office.url, viewport: { width: 1024, height: 600 } })
    await page.request.post('/api/session', {
      headers: { 'x-requested-with': 'partner-office' },
      data: { loginName: AGENT, password: DEMO_PASSWORD },
    })
    await page.goto('/admin/merchant/myMerchant')
    await ready(page)
    const bar = await page.evaluate<{ beside: number; below: number }>(`(() => {
      const box = document.querySelector('table[aria-labelledby=list-title]').parentElement
      return { beside: box.offsetWidth - box.clientWidth, below: box.offsetHeight - box.clientHeight }
    })()`)
    for (const pixels of Object.values(bar)) assert.ok(pixels > 0 && pixels <= 12, JSON.stringify(bar))
  } finally {
    await browser.close()
  }
})
