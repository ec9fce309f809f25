// Chromium: started for one office, or kept by a process for all the offices of its files.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { patient } from '../patience.ts'
import { movedMs } from '../runner/day.ts'

export const DESKTOP = { width: 1440, height: 900 }

/** How long a page may take to show what it is to show, on a machine with nothing else to do. */
const WAIT_MS = 30_000

export const waitMs = () => patient(WAIT_MS)

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  // What it has to draw without one is little: a process of its own for it costs more than the drawing.
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // With one page of an office open there is a process that has its scripts compiled for the next.
  '--process-per-site',
  // Tests open many pages for a short time: what compiles them better costs more than it saves.
  '--js-flags=--no-opt --no-maglev',
]

let kept: Promise<Browser> | null = null

function launch({ scrollBars = false, more = [] as string[] } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...ARGS, ...more, ...(scrollBars ? ['--disable-features=OverlayScrollbar'] : [])],
    ...(scrollBars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
    // Without a locale that knows Chinese the browser drops the names of downloads.
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  })
}

/** One browser for whatever this process opens from now on, until it is released. */
export async function keepBrowser(): Promise<void> {
  // One that crashed is not given to the next file.
  if (!(await kept)?.isConnected()) kept = launch()
  await kept
}

export async function releaseBrowser(): Promise<void> {
  await (await kept)?.close()
  kept = null
}

/** The kept browser, or one of its own; sessions in it are the caller's to close, as is a browser of its own by `end`. */
export async function openBrowser(): Promise<{ browser: Browser; end(): Promise<void> }> {
  if (kept) return { browser: await kept, end: async () => undefined }
  const browser = await launch()
  return { browser, end: () => browser.close() }
}

/** One that shows scroll bars beside the content, as many systems do; the caller's to close. */
export function openBrowserWithScrollBars(): Promise<Browser> {
  return launch({ scrollBars: true })
}

/** One that finds every name here, so that an office has a name of the internet; the caller's to close. */
export function openBrowserOfNames(): Promise<Browser> {
  return launch({ more: ['--host-resolver-rules=MAP * 127.0.0.1'] })
}

export type PageOptions = {
  viewport?: { width: number; height: number }
  /** In a browser that the account has not signed in with before. */
  elsewhere?: boolean
  dark?: boolean
  /** With the service worker. */
  worker?: boolean
  /** In a browser session that nobody has used and nobody uses again: for tests that change it, or ask what comes over the network. */
  unused?: boolean
}

export type BrowserSessions = {
  /** A page of a browser session that knows nobody. */
  open(options?: PageOptions): Promise<Page>
  /** Nothing of what was done is left to the next who opens one. */
  closePages(): Promise<void>
  end(): Promise<void>
}

/** What of a session stays the page's own affair once it is used again. */
const FORGOTTEN = 'cookies,local_storage,indexeddb,service_workers,cache_storage,file_systems'

type Session = {
  context: BrowserContext
  /** Which others may use it once it was closed; with the page that stays open in between. */
  again: { kind: string; keeper: Page } | null
  origins: Set<string>
}

/** The least of what an office serves. */
const NEARLY_NOTHING = '/icon.svg'

/**
 * The sessions of an office. One that was closed is given out again as good as new: it knows nobody and nothing, but has loaded and
 * compiled what the pages are made of, which costs a browser more than all that a test does there.
 */
export function browserSessions(browser: Browser, baseURL: string, problems: string[]): BrowserSessions {
  const rested: Session[] = []
  let used: Session[] = []

  async function begin(options: PageOptions, kind: string | null): Promise<Session> {
    const viewport = options.viewport ?? DESKTOP
    const context = await browser.newContext({
      baseURL,
      viewport,
      colorScheme: options.dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'zh-CN',
      timezoneId: process.env.TEST_ZONE ?? 'Asia/Shanghai',
      // What it answers is not seen by a test that stands between page and program.
      serviceWorkers: options.worker ? 'allow' : 'block',
      hasTouch: viewport.width < DESKTOP.width,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    if (movedMs() !== 0) await context.addInitScript(moveDate, movedMs())
    await context.addInitScript(lookOften, LOOKS)
    context.setDefaultTimeout(waitMs())
    const again = kind === null ? null : { kind, keeper: await context.newPage() }
    await again?.keeper.goto(NEARLY_NOTHING)
    const origins = new Set<string>()
    context.on('page', page => {
      watch(page, problems)
      page.on('framenavigated', frame => origins.add(new URL(frame.url()).origin))
    })
    return { context, again, origins }
  }

  async function closePages(): Promise<void> {
    const open = used
    used = []
    await Promise.all(
      open.map(async session => {
        const { context, again, origins } = session
        if (!again || !browser.contexts().includes(context)) return context.close()
        await forget(context, again.keeper, origins)
        rested.push(session)
      }),
    )
  }

  return {
    async open(options = {}) {
      const { width, height } = options.viewport ?? DESKTOP
      const isOnce = options.unused || options.elsewhere || options.worker
      const kind = isOnce ? null : `${width}x${height} ${options.dark === true}`
      const at = rested.findLastIndex(session => session.again?.kind === kind)
      const [session = await begin(options, kind)] = kind === null || at < 0 ? [] : rested.splice(at, 1)
      used.push(session)
      session.context.setDefaultTimeout(waitMs())
      return session.context.newPage()
    },
    closePages,
    async end() {
      await closePages()
      await Promise.all(rested.map(({ context }) => context.close()))
    },
  }
}

/** Pages that look every few seconds whether something has come, as slowly as a person minds, look at once here. */
const LOOKS = { fromMs: 2_000, toMs: 20_000, everyMs: 500 }

/** In a page. */
function lookOften({ fromMs, toMs, everyMs }: typeof LOOKS): void {
  const set = globalThis.setInterval as (act: () => void, ms?: number, ...more: unknown[]) => NodeJS.Timeout
  const hurried = (act: () => void, ms = 0, ...more: unknown[]) =>
    set(act, ms >= fromMs && ms <= toMs ? everyMs : ms, ...more)
  globalThis.setInterval = hurried as typeof setInterval
}

/** In a page: its Date stands with that of the tests. */
function moveDate(byMs: number): void {
  const SystemDate = Date
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, values) =>
      values.length === 0 ? new target(target.now() + byMs) : Reflect.construct(target, values),
    get: (target, key) => (key === 'now' ? () => target.now() + byMs : Reflect.get(target, key)),
  })
}

async function forget(context: BrowserContext, keeper: Page, origins: Set<string>): Promise<void> {
  const pages = context.pages().filter(page => page !== keeper)
  await Promise.all(pages.map(page => page.close()))
  // A closed page ends what it was doing, and may write then: its process answers the keeper after that.
  await keeper.evaluate('0')
  const debug = await context.newCDPSession(keeper)
  for (const origin of origins)
    if (origin !== 'null') await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: FORGOTTEN })
  await debug.detach()
  await context.clearCookies()
  origins.clear()
}

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', error => problems.push(`script error: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' && /Content Security Policy|Warning:|Uncaught/.test(message.text()))
      problems.push(`console: ${message.text()}`)
  })
  page.on('response', response => {
    if (response.status() >= 500 && !response.fromServiceWorker())
      problems.push(`${response.status()} ${response.url()}`)
  })
}
