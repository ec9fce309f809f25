// Page after page within one loaded program, as whoever works with it goes: what the browser has compiled stays, and axe with it.
import type { Page, Request } from 'playwright-core'
import { eventually, see, steady } from './browser.ts'

/** Nothing more is asked for once nothing was for so long. */
const QUIET_MS = 100

export type Visit = (address: string, title: string) => Promise<void>

/** Of a page that stands in the shell: goes to an address and resolves when all that it asks for has come, and nothing moves. */
export function visitsIn(page: Page): Visit {
  const asked = new Set<Request>()
  let lastAt = 0
  page.on('request', request => {
    asked.add(request)
    lastAt = Date.now()
  })
  const answered = (request: Request) => {
    asked.delete(request)
    lastAt = Date.now()
  }
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  return async (address, title) => {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
    await eventually(() => page.title(), `${title} · 合作伙伴后台`)
    await see(page.getByRole('main').getByRole('heading', { level: 1 }))
    await eventually(async () => asked.size === 0 && Date.now() - lastAt > QUIET_MS, true)
    await steady(page)
  }
}
