// A browser test's office: the real program with its built page on a fresh database with demo data, and Chromium before it.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { createDemoData, DEMO_PASSWORD } from '#app/demo.ts'
import { addPages } from '#app/pages.ts'
import { type App, createApp } from '#app/server.ts'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { readEnv } from '#server/env.ts'
import { freshDatabase, TEST_SECRET } from '../database.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

export type BrowserOffice = {
  url: string
  ownerUrl: string
  app: App
  /** A page of a new browser session: signed out. Collects errors that `stop` reports. */
  open(options?: { viewport?: { width: number; height: number }; dark?: boolean }): Promise<Page>
  /** A page signed in as a demo account, on `path`. */
  openAs(
    loginName: string,
    path: string,
    options?: { viewport?: { width: number; height: number }; dark?: boolean },
  ): Promise<Page>
  stop(): Promise<void>
}

/** Starts program and browser. `stop` throws when a page met a script error or a refused style, script or request. */
export async function openBrowserOffice(): Promise<BrowserOffice> {
  const database = await freshDatabase()
  const pagesDir = await buildPageIfNeeded(ROOT, () => undefined)
  const settings = { DATABASE_URL: database.ownerUrl, SECRET_KEY: TEST_SECRET, LOG_LEVEL: 'silent', LOGIN_FAILURES_MAX: '1000' }
  const env = { ...readEnv(settings), demo: true }
  const app = await createApp({
    env,
    ownerUrl: database.ownerUrl,
    secretKey: TEST_SECRET,
    jobs: false,
    pages: http => addPages(http, { dir: pagesDir, demo: true }),
  })
  await createDemoData(database.ownerUrl)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const browser: Browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: CHROMIUM_ARGS,
  })
  const problems: string[] = []
  const contexts: BrowserContext[] = []

  async function open(options: { viewport?: { width: number; height: number }; dark?: boolean } = {}): Promise<Page> {
    const context = await browser.newContext({
      baseURL: url,
      viewport: options.viewport ?? DESKTOP,
      colorScheme: options.dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      hasTouch: options.viewport === PHONE,
    })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    page.on('pageerror', error => problems.push(`script error: ${error.message}`))
    page.on('console', message => {
      if (message.type() === 'error' && /Content Security Policy|Warning:|Uncaught/.test(message.text()))
        problems.push(`console: ${message.text()}`)
    })
    return page
  }

  return {
    url,
    ownerUrl: database.ownerUrl,
    app,
    open,
    async openAs(loginName, path, options) {
      const page = await open(options)
      const answer = await page.request.post('/api/session', {
        headers: { 'x-requested-with': 'partner-office' },
        data: { loginName, password: DEMO_PASSWORD },
      })
      if (!answer.ok()) throw new Error(`login answered ${answer.status()}`)
      await page.goto(path)
      return page
    },
    async stop() {
      for (const context of contexts) await context.close()
      await browser.close()
      await app.stop()
      await database.drop()
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}

/** Serious and critical findings of axe on the page as it stands, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Run through the debugger's world: the page's own policy forbids foreign scripts, and stays as it is.
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } }).axe
    const result = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    return result.violations
      .filter(violation => violation.impact === 'serious' || violation.impact === 'critical')
      .flatMap(violation => violation.nodes.map(node => `${violation.id}: ${node.target.join(' ')} ${node.html.slice(0, 160)}`))
  })
}

type AxeResult = { violations: { id: string; impact: string; nodes: { target: string[]; html: string }[] }[] }
