// Solves a slide puzzle in the browser as a hand does: the place of the piece is looked up in the database.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type BrowserOffice, gone, see } from './e2e/browser.ts'

/** Where the piece of the puzzle that waits belongs, in pixels of the picture. */
export async function placeOfPiece(office: BrowserOffice): Promise<number> {
  const [puzzle] = await office.sql<{ x: number }>(
    'select x from captcha_challenges where answered_at is null order by created_at desc limit 1',
  )
  return puzzle?.x ?? assert.fail('no puzzle waits')
}

const WIDTH = 320
const PIECE = 64
const STEPS = 24

/** Drags the slider until the piece stands at `x` of the picture: quickly first, then slowly, never quite straight. */
export async function dragPiece(page: Page, x: number): Promise<void> {
  const handle = page.getByRole('slider', { name: '拼图滑块' })
  const rail = await page.locator('[data-part=rail]').boundingBox()
  const grip = await handle.boundingBox()
  assert.ok(rail && grip)
  // The rail has a border on each side.
  const distance = (x / (WIDTH - PIECE)) * (rail.width - 2 - grip.width)
  const [startX, startY] = [grip.x + grip.width / 2, grip.y + grip.height / 2]
  await page.mouse.move(startX, startY)
  await page.mouse.down()
  for (let i = 1; i <= STEPS; i++) {
    const share = 1 - (1 - i / STEPS) ** 3
    await page.mouse.move(startX + distance * share, startY + Math.sin(i) * 3)
    await page.waitForTimeout(12 + ((i * 7) % 11))
  }
  await page.mouse.up()
}

/** Solves the puzzle that has opened, and waits until it is gone. */
export async function solvePuzzle(office: BrowserOffice, page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '安全验证' })
  await see(dialog.getByRole('slider', { name: '拼图滑块' }), dialog.getByAltText('有缺口的图片'))
  await dragPiece(page, await placeOfPiece(office))
  await gone(dialog)
}
