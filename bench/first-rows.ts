// node bench/first-rows.ts [rounds]: of five lists, when data, code, shell and rows were there, in ms, and how far anything moved.
// Cold is a browser that has loaded nothing; warm the same page again; inside a press in the menu of another page.
import type { Page } from 'playwright-core'
import { pageAt } from '#app/route-pages.ts'
import { type BrowserOffice, openBrowserOffice, see } from '#test/e2e/browser.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const SLOWDOWNS = [1, 4]
const MOST_AFTER_MS = 150
const ACCOUNT = '20001'
const ELSEWHERE = '/admin/account/notices'
const LISTS = [
  { path: '/admin/merchant/myMerchant', asks: '/api/merchants' },
  { path: '/admin/order/versionsOrder', asks: '/api/orders' },
  { path: '/admin/merchant/renewals', asks: '/api/renewals' },
  { path: '/admin/detail/billingDetails', asks: '/api/settlement/bills' },
  { path: '/admin/order/msgOrder', asks: '/api/sms/orders' },
].map(list => ({ ...list, title: pageAt(list.path)?.title ?? '' }))

type Case = (typeof LISTS)[number]
/** `shifted` is the browser's own measure of what moved without being asked to. */
type Seen = { data: number; code: number; shell: number; rows: number; shifted: number }

/** Runs in the page before its own code: notes the first frames that show the shell and the rows of the list of this title. */
const watchFrames = (title: string) => `{
  const noted = (globalThis.noted = { from: 0, shell: 0, rows: 0, shifted: 0, code: [] })
  // What the HTML names is the page's code; what is fetched later is not what the rows wait for.
  addEventListener('DOMContentLoaded', () => {
    for (const element of document.querySelectorAll('link[rel=modulepreload], script[src]'))
      noted.code.push(element.src || element.href)
  })
  new PerformanceObserver(list => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) noted.shifted += value
  }).observe({ type: 'layout-shift', buffered: true })
  const restart = () => Object.assign(noted, { from: performance.now(), shell: 0, rows: 0, shifted: 0, code: [] })
  addEventListener('click', restart, true)
  const isShown = {
    shell: () => document.querySelector('nav[aria-label=主菜单]'),
    rows: () => document.querySelector('main h1')?.textContent === '${title}' && document.querySelector('main tbody tr'),
  }
  const channel = new MessageChannel()
  channel.port1.onmessage = ({ data }) => {
    noted[data] ||= performance.now()
  }
  const look = () => {
    // Told after the frame is painted.
    for (const what in isShown) if (noted[what] === 0 && isShown[what]()) channel.port2.postMessage(what)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}`

const readNoted = (address: string) => `{
  const files = performance
    .getEntriesByType('resource')
    .filter(({ responseEnd }) => responseEnd >= noted.from && responseEnd <= noted.rows)
  const isCode = ({ name }) => (noted.code.length > 0 ? noted.code.includes(name) : name.endsWith('.js'))
  const last = found => Math.max(noted.from, ...found.map(({ responseEnd }) => responseEnd)) - noted.from
  ;({
    data: last(files.filter(({ name }) => new URL(name).pathname === '${address}')),
    code: last(files.filter(isCode)),
    shell: noted.shell - noted.from,
    rows: noted.rows - noted.from,
    shifted: noted.shifted,
  })
}`

async function seen(page: Page, { asks }: Case): Promise<Seen> {
  await page.waitForFunction(() => (globalThis as unknown as { noted: Seen }).noted.rows > 0)
  return page.evaluate<Seen>(readNoted(asks))
}

async function measure(office: BrowserOffice, list: Case, slowdown: number) {
  const opened = async () => {
    const page = await office.openAs(ACCOUNT, 'about:blank')
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(watchFrames(list.title))
    return page
  }
  const load = async (page: Page) => {
    await page.goto(list.path)
    return seen(page, list)
  }
  const page = await opened()
  const cold = await load(page)
  await page.waitForLoadState('networkidle')
  const warm = await load(page)
  await office.closePages()
  const other = await opened()
  await other.goto(ELSEWHERE)
  await see(other.locator('main h1'))
  await other.waitForLoadState('networkidle')
  const group = pageAt(list.path)?.group
  await other.locator(`nav[aria-label=主菜单] button:has-text("${group}")`).click()
  await other.locator(`nav[aria-label=主菜单] a[href="${list.path}"]`).click()
  const inside = await seen(other, list)
  await office.closePages()
  return { cold, warm, inside }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const COLUMNS = ['data', 'code', 'shell', 'rows', 'after'] as const

function printLine(name: string, all: readonly Seen[]): void {
  const after = all.map(({ data, code, rows }) => rows - Math.max(data, code))
  const times = COLUMNS.map(column =>
    median(column === 'after' ? after : all.map(seen => seen[column]))
      .toFixed(0)
      .padStart(6),
  )
  const isLate = median(after) > MOST_AFTER_MS
  const shifted = median(all.map(seen => seen.shifted)).toFixed(3)
  process.stdout.write(`${name}${times.join('')}${shifted.padStart(8)}${isLate ? '  late' : ''}\n`)
}

async function main(): Promise<void> {
  const office = await openBrowserOffice()
  try {
    await measure(office, LISTS[0] as Case, 1)
    for (const slowdown of SLOWDOWNS) {
      process.stdout.write(
        `\nProcessor at 1/${slowdown}, medians of ${ROUNDS}; after: rows since data and code\n`,
      )
      process.stdout.write(`${' '.repeat(36)}  data  code shell  rows after shifted\n`)
      for (const list of LISTS) {
        const rounds = []
        for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(office, list, slowdown))
        for (const way of ['cold', 'warm', 'inside'] as const)
          printLine(
            `${list.path.split('/').at(-1)?.padEnd(28)}${way.padEnd(8)}`,
            rounds.map(round => round[way]),
          )
      }
    }
  } finally {
    await office.stop()
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
