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
 * Marks text that may be hard to read: what stands out too little against the nearest colours behind it, and what stands on a picture.
 * Answers how many there are: axe needs many times as long, and judges these alone.
 */
const MARK_DIM = (within: string) => `(() => {
  const parse = text => {
    const found = /^rgba?\\((\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?\\)$/.exec(text)
    return found && { rgb: found.slice(1, 4).map(Number), alpha: Number(found[4] ?? 1) }
  }
  const over = ({ rgb, alpha }, behind) => rgb.map((value, at) => value * alpha + behind[at] * (1 - alpha))
  const light = rgb => {
    const [r, g, b] = rgb.map(value => value / 255).map(one => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  /** Null where a picture is behind it. */
  const behind = (element, top = []) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at)
      const colour = parse(backgroundColor)
      if (backgroundImage !== 'none' || !colour) return null
      if (colour.alpha > 0) top.push(colour)
      if (colour.alpha === 1) break
    }
    return top.toReversed().reduce((below, colour) => over(colour, below), [255, 255, 255])
  }
  const isDim = element => {
    const style = getComputedStyle(element)
    const ground = behind(element)
    const ink = parse(style.color)
    if (!ground || !ink) return true
    let { alpha } = ink
    for (let at = element; at; at = at.parentElement) alpha *= Number(getComputedStyle(at).opacity)
    const [more, less] = [light(over({ rgb: ink.rgb, alpha }, ground)), light(ground)].sort((a, b) => b - a)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    return (more + 0.05) / (less + 0.05) < (isLarge ? 3 : 4.5)
  }
  const hasText = element => element.matches('input, select, textarea') ||
    [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '')
  let marked = 0
  for (const element of document.querySelectorAll(${JSON.stringify(`${within} *`)}))
    if (hasText(element) && element.checkVisibility({ visibilityProperty: true }) && isDim(element)) {
      element.dataset.dim = ''
      marked += 1
    }
  return marked
})()`

async function dimText(page: Page, within: string): Promise<string[]> {
  if ((await page.evaluate<number>(MARK_DIM(within))) === 0) return []
  const found = await axeFindings(page, { within: '[data-dim]', colours: true })
  await page.evaluate(`for (const one of document.querySelectorAll('[data-dim]')) delete one.dataset.dim`)
  return found
}

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
  told('wide, dark', await dimText(page, within))
  await page.setViewportSize(PHONE)
  await ready(page)
  // What is seen has been looked at, but for its size and place.
  const isSame = (await namesSeen(page, within)) === names
  told('phone, dark', await axeFindings(page, { within, places: isSame }))
  if (isSame) told('phone, dark', await dimText(page, within))
  await fit('phone')
  await page.setViewportSize(SMALL_PHONE)
  await fit('small phone')
  return found
}
