// How a page or a layer is looked at: wide in the light and in the dark, and on two phones.
import type { Page } from 'playwright-core'
import { axeFindings, DESKTOP, PHONE, ready, SMALL_PHONE, sidewaysScroll } from './browser.ts'

export type Size = 'wide' | 'phone' | 'small phone'

/** Wide and in the light, as `flaws` begins. */
export async function lookWide(page: Page): Promise<void> {
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** What can be seen, by the names of its elements: where it is the same on a phone, so is what is said of it. */
const namesSeen = (page: Page, within: string) =>
  page.evaluate<string>(
    `[...document.querySelectorAll(${JSON.stringify(`${within} *`)})].filter(one => one.checkVisibility()).map(one => one.tagName).join()`,
  )

/**
 * What is wrong with it, a line each; `within` is what of the page has not been looked at elsewhere, `more` finds what else may be
 * wrong at a size.
 */
export async function flaws(
  page: Page,
  within: string,
  more: (size: Size) => Promise<string[]> = async () => [],
): Promise<string[]> {
  const found: string[] = []
  const told = (at: string, findings: readonly string[]) => {
    for (const finding of findings) found.push(`${at}: ${finding}`)
  }
  const fit = async (size: Size) => {
    const pixels = await sidewaysScroll(page)
    if (pixels > 0) told(size, [`scrolls ${pixels} pixels sideways`])
    told(size, await more(size))
  }
  await lookWide(page)
  told('wide', await axeFindings(page, { within }))
  await fit('wide')
  const names = await namesSeen(page, within)
  await page.emulateMedia({ colorScheme: 'dark' })
  told('wide, dark', await axeFindings(page, { within, colours: true }))
  await page.setViewportSize(PHONE)
  await ready(page)
  // What is seen has been looked at, but for its size and place.
  const isSame = (await namesSeen(page, within)) === names
  told('phone, dark', await axeFindings(page, { within, places: isSame }))
  if (isSame) told('phone, dark', await axeFindings(page, { within, colours: true }))
  await fit('phone')
  await page.setViewportSize(SMALL_PHONE)
  await fit('small phone')
  return found
}
