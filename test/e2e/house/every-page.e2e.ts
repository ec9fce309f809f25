// What holds for every page and every list, whichever they are: walks over the routes and their contract. What one piece of code does for all lists
// is seen at some of them, and at each with `--all`.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { contract } from '#app/joined.ts'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { listOps } from '#kit/declare/op.ts'
import { sampled } from '../../lane.ts'
import { type BrowserOffice, eventually, openBrowserOffice, see, visit } from '../browser.ts'

let office: BrowserOffice
before(async () => {
  office = await openBrowserOffice()
})
after(() => office.stop())

const LISTS_SEEN = 8

/** Lists that a page shows beside, or instead of, the one its route names. */
const MORE_LISTS: readonly (readonly [address: string, operation: string])[] = [
  ['/admin/merchant/renewals', 'renewals.desk'],
  ['/admin/detail/billingDetails?view=requests', 'settlement.undoRequests'],
  ['/admin/operations/payments', 'paymentDesk.intents'],
  ['/admin/operations/payments?view=events', 'paymentDesk.events'],
  ['/admin/operations/payments?view=refunds', 'paymentDesk.refunds'],
  ['/admin/operations/payments?view=bills', 'paymentDesk.reconciliations'],
  ['/admin/operations/payments?view=differences', 'paymentDesk.differences'],
]
const OPERATIONS = listOps(contract).filter(({ method }) => method === 'GET')
const LISTS = [
  ...ROUTE_PAGES.flatMap(page => {
    const operation = OPERATIONS.find(({ path }) => `/api${path}` === page.list)
    return operation ? [[page.path, operation.name] as const] : []
  }),
  ...MORE_LISTS,
]
/** Not filters. */
const OF_EVERY_LIST = ['page', 'size', 'search', 'sort', 'order', 'total']
/** Filters that a page shows as tabs, or does not have. */
const WITHOUT_CHIP: Readonly<Record<string, readonly string[]>> = {
  'content.list': ['kind'],
  'renewals.desk': ['window', 'orderBy'],
  'settlement.undoRequests': ['agentId'],
}

type Shape = { type?: string; enum?: string[]; const?: string; format?: string; anyOf?: Shape[] }

/** A value that the parameter takes, as it stands in an address. */
function sampleOf(shape: Shape): string {
  if (shape.const !== undefined) return shape.const
  // The last: a list's first choice may be what it shows anyway.
  if (shape.enum) return shape.enum.at(-1) ?? ''
  if (shape.format === 'date') return '2026-01-15'
  return shape.anyOf?.some(({ type }) => type === 'number') || shape.type === 'integer' ? '1' : 'x'
}

/** Every filter of a list with a value. */
function filtersOf(operation: string): Record<string, string> {
  const found = OPERATIONS.find(({ name }) => name === operation)
  const input = found?.op['~orpc'].inputSchema as z.ZodType | undefined
  if (!input) return assert.fail(`${operation} is no operation with an input`)
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const others = [...OF_EVERY_LIST, ...(WITHOUT_CHIP[operation] ?? [])]
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !others.includes(name))
      .map(([name, shape]) => [name, sampleOf(shape as Shape)]),
  )
}

describe('each chip of each list goes by its own ×, with all that it stands for', () => {
  let page: Page
  before(async () => {
    page = await office.openAs('10001', '/admin/index')
  })
  after(() => office.closePages())

  const shown = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('button[aria-label^="移除条件"]')].map(one => one.ariaLabel)`,
    )
  const parameters = () => [...new URL(page.url()).searchParams.keys()]

  const filtered = LISTS.map(([address, operation]) => [address, filtersOf(operation)] as const)
  for (const [address, filters] of sampled(
    filtered.filter(([, filters]) => Object.keys(filters).length > 0),
    LISTS_SEEN,
  ))
    test(address, async () => {
      const { pathname, searchParams } = new URL(address, office.url)
      for (const [name, value] of Object.entries(filters)) searchParams.set(name, value)
      const title = ROUTE_PAGES.find(({ path }) => path === pathname)?.title
      await visit(page, `${pathname}?${searchParams}`, title ?? assert.fail(pathname))
      await see(page.getByRole('list', { name: '已选条件' }))
      for (let names = await shown(); names[0] !== undefined; names = await shown()) {
        const before = parameters()
        await page.getByRole('button', { name: names[0], exact: true }).click()
        await eventually(shown, names.slice(1), `${names[0]} does nothing`)
        assert.ok(parameters().length < before.length, `${names[0]} left the address as it was`)
      }
      assert.deepEqual(
        parameters().filter(name => name in filters),
        [],
      )
    })
})

test('what a page writes after it was closed is not there for the next', async () => {
  const busy = await office.open()
  await busy.goto('/icon.svg')
  await busy.evaluate(`void setTimeout(() => {
    // Longer than a browser waits for it.
    const until = Date.now() + 1_500
    while (Date.now() < until);
    localStorage.setItem('late', 'x')
  })`)
  await office.closePages()
  const next = await office.open()
  await next.goto('/icon.svg')
  assert.equal(await next.evaluate(`localStorage.getItem('late')`), null)
  await office.closePages()
})

/** Values that no page has asked for. */
const STRANGE = new URLSearchParams({
  user_id: 'x',
  id: '0',
  search: '没有',
  view: 'none',
  page: 'x',
  window: 'x',
  month: 'x',
})
const OUTSIDE_THE_SHELL = [
  '/login',
  '/c/no-such-token',
  '/consult',
  '/partner/apply',
  '/invite/none',
  '/admin/nowhere',
]

describe('one main landmark, also where the address does not say what the page is about', () => {
  let page: Page
  before(async () => {
    page = await office.openAs('10001', '/admin/index')
  })
  after(() => office.closePages())

  const ofOneThing = ROUTE_PAGES.filter(({ list }) => list === undefined)
  const lists = ROUTE_PAGES.filter(({ list }) => list !== undefined)
  for (const { path, title } of [...ofOneThing, ...sampled(lists, LISTS_SEEN)])
    test(path, async () => {
      await visit(page, `${path}?${STRANGE}`, title)
      assert.equal(await page.getByRole('main').count(), 1)
    })
  for (const path of OUTSIDE_THE_SHELL)
    test(path, async () => {
      await page.goto(`${path}?${STRANGE}`)
      await see(page.getByRole('heading', { level: 1 }))
      assert.equal(await page.getByRole('main').count(), 1)
    })
})
