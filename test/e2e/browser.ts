// A browser test's office: the real program with its built page on a fresh database with demo data, and Chromium before it.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Cookie, Locator, Page } from 'playwright-core'
import { groupedFor } from '#app/menu.ts'
import { addPages } from '#app/pages.ts'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { type App, createApp } from '#app/server.ts'
import { verifyLedger } from '#features/money/ledger/verify.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { createOperator } from '#scripts/operator.ts'
import { readEnv } from '#server/env.ts'
import { clockAt } from '../clock.ts'
import { freshDatabase, TEST_SECRET } from '../database.ts'
import { type Outside, startOutside } from '../outside.ts'
import { browserSessions, DESKTOP, openBrowser, type PageOptions, waitMs } from './chromium.ts'
import { MARK_DIM, UNMARK_DIM } from './dim-text.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export { DESKTOP, type PageOptions }

/** Of a page that does not show what was expected: toasts and dialogs are last. */
const SAID_MAX = 1_500
export const PHONE = { width: 390, height: 844 }
export const SMALL_PHONE = { width: 360, height: 740 }

export type BrowserOffice = {
  url: string
  app: App
  /** The simulators, where they were asked for. */
  outside: Outside | null
  /** A page of a new browser session: signed out. Collects errors that `stop` reports. */
  open(options?: PageOptions): Promise<Page>
  /** A page signed in as a demo account, still nowhere. */
  signIn(loginName: string, options?: PageOptions): Promise<Page>
  /** A page signed in as a demo account, ready on `path`. */
  openAs(loginName: string, path: string, options?: PageOptions): Promise<Page>
  /** One statement as the database's owner: past row-level security, for making and looking. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Throws when the ledger is not sound. */
  verifyLedger(): Promise<void>
  /** Ends the program and starts it again on the same database and address; `meanwhile` runs while it is away. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  /** Ends all browser sessions, so that one test leaves nothing to the next. */
  closePages(): Promise<void>
  stop(): Promise<void>
}

/** How a new office's first operator is called, as `create-operator` is told. */
export const FIRST_OPERATOR = '10001'

/**
 * Starts program and browser; `empty` with no more than an operator; with `exports` also what writes files in the background, with `outside` also the simulators of
 * outside services and what talks to them, with `signatures` those of SMS review shops' own; `real` as no demo, though on loopback; `bridgePort` is where its pages look
 * for the print program. `stop` throws when a page met a
 * script error, a refused style or script, or a failed server.
 */
export async function openBrowserOffice({
  empty = false,
  real = false,
  exports = false,
  outside = false,
  signatures = false,
  bridgePort = undefined as number | undefined,
  /** Where packed print programs lie; a folder that has none unless told. */
  packsDir = undefined as string | undefined,
} = {}): Promise<BrowserOffice> {
  // What is open, to be ended in the opposite order; also when the start fails halfway, since all of it keeps the process.
  const opened = new AsyncDisposableStack()
  try {
    return await start(opened, {
      empty,
      real,
      exports,
      withOutside: outside,
      signatures,
      bridgePort,
      packsDir,
    })
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function start(
  opened: AsyncDisposableStack,
  {
    empty,
    real,
    exports,
    withOutside,
    signatures,
    bridgePort,
    packsDir,
  }: {
    empty: boolean
    real: boolean
    exports: boolean
    withOutside: boolean
    signatures: boolean
    bridgePort?: number | undefined
    packsDir?: string | undefined
  },
): Promise<BrowserOffice> {
  const pagesDir = await builtPages()
  const { ownerUrl } = opened.adopt(await freshDatabase({ demo: !empty }), database => database.drop())
  if (empty) {
    const operator = { account: FIRST_OPERATOR, name: '运营', mobile: '', password: DEMO_PASSWORD }
    await createOperator(ownerUrl, operator)
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-files-'))
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const outside = withOutside ? opened.adopt(await startOutside({ signatures }), one => one.stop()) : null
  const packs = packsDir ?? join(dataDir, 'packs')
  const place = { ownerUrl, pagesDir, packsDir: packs, dataDir, real, exports, outside, bridgePort }
  let app = await startApp(place)
  opened.defer(() => app.stop())
  outside?.simulators.setReceiptsUrl(
    service => `${app.services.baseUrl()}/callbacks/sms/${service}/${outside.providers.receiptSecret}`,
  )
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const owner = opened.adopt(
    new pg.Pool({ connectionString: ownerUrl, max: 1, options: '-c timezone=UTC -c app.scope=all' }),
    pool => pool.end(),
  )
  // Every page would ask for the export of the demo every two seconds, and nobody writes it.
  if (!exports) await owner.query(`delete from export_jobs where state = 'queued'`)
  const { browser } = opened.adopt(await openBrowser(), one => one.end())
  const problems: string[] = []
  // Each account signs in with one device, so that none is told of a new one.
  const devices = new Map<string, Cookie>()
  const sessions = browserSessions(browser, url, problems)
  const { open, closePages } = sessions
  const signIn = async (loginName: string, options?: PageOptions) => {
    const page = await open(options)
    const known = options?.elsewhere ? undefined : devices.get(loginName)
    if (known) await page.context().addCookies([known])
    const answer = await page.request.post('/api/session', {
      headers: { 'x-requested-with': 'partner-office' },
      data: { loginName, password: DEMO_PASSWORD },
    })
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}`)
    const device = (await page.context().cookies()).find(({ name }) => name === 'device')
    if (device && !options?.elsewhere) devices.set(loginName, device)
    return page
  }

  return {
    url,
    get app() {
      return app
    },
    outside,
    async restart(meanwhile) {
      await app.stop()
      await meanwhile?.()
      app = await startApp(place, Number(new URL(url).port))
    },
    open,
    signIn,
    async openAs(loginName, path, options) {
      const page = await signIn(loginName, options)
      await page.goto(path)
      await ready(page)
      return page
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      return (await owner.query<Row>(text, values)).rows
    },
    async verifyLedger() {
      const client = await owner.connect()
      try {
        const { sound, line } = await verifyLedger(client)
        assert.ok(sound, line)
      } finally {
        client.release()
      }
    },
    closePages,
    async stop() {
      await sessions.end()
      await opened.disposeAsync()
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}

/** Its folder. A file that is run alone builds it: the builder is large, and a run of many files has built it before. */
export async function builtPages(): Promise<string> {
  if (process.env.TEST_PAGES) return process.env.TEST_PAGES
  const { buildPageIfNeeded } = await import('#scripts/build-page.ts')
  return buildPageIfNeeded(ROOT, () => undefined)
}

type AppPlace = {
  ownerUrl: string
  pagesDir: string
  packsDir: string
  dataDir: string
  real: boolean
  exports: boolean
  outside: Outside | null
  bridgePort?: number | undefined
}

async function startApp(place: AppPlace, port = 0): Promise<App> {
  const { ownerUrl, pagesDir, packsDir, dataDir, real, exports, outside, bridgePort } = place
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: ownerUrl,
    SECRET_KEY: TEST_SECRET,
    LOG_LEVEL: 'silent',
    LOGIN_FAILURES_MAX: '1000',
    SHOP_LOGIN_URL: 'https://pos.example.com/login',
    AGENT_DOMAIN_SUFFIX: 'localhost',
    WEBHOOKS_TO_LOOPBACK: 'on',
    COMPAT_CALLS: 'on',
    ...(bridgePort === undefined ? {} : { BRIDGE_PORT: String(bridgePort) }),
  }
  const app = await createApp({
    env: { ...readEnv(settings), demo: !real },
    clock: clockAt(undefined).clock,
    ownerUrl,
    secretKey: TEST_SECRET,
    jobs: false,
    loops: real || outside !== null,
    ...(outside ? { providers: outside.providers } : {}),
    exports,
    pages: (http, services) =>
      addPages(http, services, {
        dir: pagesDir,
        packsDir,
        demo: !real,
        ...(real ? {} : { helpLine: '400-000-0000' }),
      }),
  })
  await app.http.listen({ port, host: '127.0.0.1' })
  return app
}

/** Waits until each of these is visible; otherwise fails with what the page says instead. */
export async function see(...locators: Locator[]): Promise<void> {
  for (const locator of locators)
    await locator
      .first()
      .waitFor({ state: 'visible' })
      .catch((error: Error) => tellWhatItSays(locator.page(), error))
}

async function tellWhatItSays(page: Page, error: Error): Promise<never> {
  const said = page.isClosed() ? 'is closed' : await page.locator('body').innerText()
  const instead = `${page.url()} says: ${said.replace(/\s+/g, ' ').slice(-SAID_MAX)}`
  throw new Error(`${error.message}\n${instead}`, { cause: error })
}

/** Waits until each of these is gone or hidden. */
export async function gone(...locators: Locator[]): Promise<void> {
  for (const locator of locators) await locator.waitFor({ state: 'hidden' })
}

/** Reads again and again until it answers what is expected; otherwise fails with what it answered last. */
export async function eventually<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const answer = await read()
    try {
      return assert.deepEqual(answer, expected, message)
    } catch (error) {
      if (performance.now() - startedAt > waitMs()) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

/** A short message of the program (新增成功). */
export function toast(page: Page, text: string): Locator {
  return page.locator('[data-part=toasts]').getByText(text, { exact: true })
}

/** An entry of the side menu, where its group is open. */
export function menuEntry(page: Page, name: string): Locator {
  return menu(page).getByRole('link', { name, exact: true })
}

/** An entry of the side menu, its group opened. */
export async function menuLink(page: Page, name: string): Promise<Locator> {
  await see(menuEntry(page, '首页'))
  const groups = [false, true].map(isStaff =>
    groupedFor(ROUTE_PAGES, isStaff).find(one => one.title === name || one.entry === name),
  )
  for (const group of new Set(groups.flatMap(found => found?.group ?? [])))
    await openGroups(menu(page).getByRole('button', { name: group, exact: true }))
  return menuEntry(page, name)
}

/** Goes to a page by the menu: by its own entry, or by the one that it shares and the strip over its title. */
export async function goByMenu(page: Page, name: string): Promise<void> {
  const entry = ROUTE_PAGES.find(({ title }) => title === name)?.entry ?? name
  const own = await menuLink(page, name)
  await own.or(menuEntry(page, entry)).click()
  const heading = page.getByRole('heading', { level: 1, name, exact: true })
  const beside = page.getByRole('navigation', { name: entry }).getByRole('link', { name, exact: true })
  await see(heading.or(beside))
  if ((await heading.count()) === 0) await beside.click()
  await see(heading)
}

/** Names of all entries of the side menu, all groups opened. */
export async function menuNames(page: Page): Promise<string[]> {
  await see(menuEntry(page, '首页'))
  await openGroups(menu(page).locator('[aria-expanded]:not(:has-text("最近访问"))'))
  return menu(page).getByRole('link').allInnerTexts()
}

function menu(page: Page): Locator {
  return page.getByRole('navigation', { name: '主菜单' })
}

async function openGroups(groups: Locator): Promise<void> {
  for (const group of await groups.all())
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
}

/** The value beside a name in a list of facts. */
export function fact(scope: Page | Locator, name: string): Locator {
  return scope.locator(`dl > div:has(> dt:text-is("${name}")) > dd`).first()
}

/**
 * Waits until the page says that it is ready: nothing that it asked for is on its way, and what came is drawn (`web/client/ready.ts`). The
 * example of a point of sale, and the page without a network, have no program that could.
 */
export async function ready(page: Page): Promise<void> {
  await page
    .locator('html[data-ready], html:not(:has(#root))')
    .waitFor({ state: 'attached' })
    .catch((error: Error) => tellWhatItSays(page, error))
}

/**
 * Of a page that stands in the shell: goes to an address within the loaded program, so that what the browser has compiled stays, and
 * resolves when the page there is ready.
 */
export async function visit(page: Page, address: string, title: string): Promise<void> {
  // The page is not ready from this moment on, until it is at the new address.
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  await ready(page)
  assert.equal(await page.title(), `${title} · 合作伙伴后台`)
}

/** The row of a table, the card or the entry of a list that names this. */
export function rowOf(scope: Page | Locator, text: string | RegExp): Locator {
  return scope.locator('tbody > tr, li').filter({ hasText: text })
}

/** One of the rows, cards or entries that say this, where all that say it are meant alike. */
export function someRow(scope: Page | Locator, text: string | RegExp): Locator {
  return rowOf(scope, text).first()
}

/** A press of the mouse where this stands, whatever is in front of it and though it is disabled. */
export async function pressWhere(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = (await target.boundingBox()) ?? assert.fail('it stands nowhere')
  await target.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** How far the page can be scrolled sideways once it is ready, in pixels; 0 is right. */
export async function sidewaysScroll(page: Page): Promise<number> {
  await ready(page)
  return page.evaluate<number>('Math.max(document.scrollingElement.scrollWidth - innerWidth, 0)')
}

const WCAG = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** What a theme can change the answer of. */
const COLOURS = ['color-contrast']
/** What the size and place of things can. */
const PLACES = ['target-size', 'scrollable-region-focusable']
export const LAYER = 'dialog[open]'
const MENU = 'nav[aria-label="主菜单"]'

export type AxeLook = {
  /** Only what a theme can change the answer of. */
  colours?: boolean
  /** Only what the size and place of things can change the answer of. */
  places?: boolean
  /** A selector. Without one: the layer that is open, or else the page but for the menu beside it, which `pages.e2e.ts` looks at. */
  within?: string
}

/** Serious and critical findings of axe on the page once it is ready, one line each. */
export async function axeFindings(page: Page, { colours, places, within }: AxeLook = {}): Promise<string[]> {
  await ready(page)
  // Run through the debugger's world: the page's own policy forbids foreign scripts, and stays as it is.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE)
  const isLayer = within === undefined && (await page.locator(LAYER).count()) > 0
  const include = within ?? (isLayer ? LAYER : 'html')
  const exclude = within === undefined && !isLayer ? [MENU] : []
  if (colours) return dimText(page, include, exclude)
  const found = await runAxe(page, { include: [include], exclude }, places ? { values: PLACES } : {})
  return places ? found : [...found, ...(await dimText(page, include, exclude))]
}

async function dimText(page: Page, within: string, besides: string[]): Promise<string[]> {
  if ((await page.evaluate<number>(MARK_DIM(within, besides.join() || 'none'))) === 0) return []
  const found = await runAxe(page, { include: ['[data-dim]'], exclude: [] }, { values: COLOURS })
  await page.evaluate(UNMARK_DIM)
  return found
}

/** `values`: the rules; without them all of the norm but those about colours. */
function runAxe(
  page: Page,
  context: { include: string[]; exclude: string[] },
  { values }: { values?: string[] },
) {
  const rules = values
    ? { runOnly: { type: 'rule', values } }
    : { runOnly: WCAG, rules: Object.fromEntries(COLOURS.map(rule => [rule, { enabled: false }])) }
  return page.evaluate(
    async ({ context, ...options }) => {
      const axe = (globalThis as unknown as { axe: { run: AxeRun } }).axe
      // What passed is not described, and no style sheet is asked for again: no rule of these looks at its text.
      const result = await axe.run(context, { ...options, resultTypes: ['violations'], preload: false })
      return result.violations
        .filter(violation => violation.impact === 'serious' || violation.impact === 'critical')
        .flatMap(violation =>
          violation.nodes.map(node => `${violation.id}: ${node.target.join(' ')} ${node.html.slice(0, 160)}`),
        )
    },
    { ...rules, context },
  )
}

type AxeRun = (context: object, options: object) => Promise<AxeResult>
type AxeResult = {
  violations: { id: string; impact: string; nodes: { target: string[]; html: string }[] }[]
}
