// node bench/label-editor.ts [items]: frames of the label editor while what is on it is pulled, at a processor four times slower, as a
// share of those of a page that holds nothing.
import { randomUUID } from 'node:crypto'
import type { CDPSession, Page } from 'playwright-core'
import { emptyLabel } from '#kit/print/label.ts'
import { defaultsOf, LABEL_ITEMS } from '#kit/print/label-items.ts'
import { umOfMm } from '#kit/print/units.ts'
import { gone, openBrowserOffice, see } from '#test/e2e/browser.ts'

const ITEMS = Number(process.argv[2] ?? 200)
const SLOWDOWN = 4
const FRAMES = 180
const SIDE_MM = 200
const ACROSS = 10

type Point = { x: number; y: number }

/** Texts in rows, spread over the label. */
function crowded() {
  const texts = LABEL_ITEMS.filter(({ kind }) => kind === 1)
  const step = (SIDE_MM - 10) / ACROSS
  const down = (SIDE_MM - 10) / Math.ceil(ITEMS / ACROSS)
  const items = Array.from({ length: ITEMS }, (_, nth) => ({
    ...defaultsOf(texts[nth % texts.length] as (typeof texts)[number], randomUUID()),
    left: umOfMm(2 + (nth % ACROSS) * step),
    top: umOfMm(2 + Math.floor(nth / ACROSS) * down),
  }))
  return { ...emptyLabel(), width: umOfMm(SIDE_MM), height: umOfMm(SIDE_MM), items }
}

/**
 * Frames of a second while the held pointer goes round and round, and how many moves came by then. The browser is told of the moves
 * without Playwright, which runs a script in the page with each of them.
 */
async function framesOf(
  { page, session }: Told,
  { x, y }: Point,
): Promise<{ frames: number; moves: number }> {
  // A page that is slowed down keeps a processor busy even while it rests: never two of them at a time.
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  let going = true
  const frames = page
    .evaluate<number>(`new Promise(done => {
      let [frame, from] = [0, 0]
      const next = now => {
        if (frame++ === 0) from = now
        if (frame > ${FRAMES}) return done((1000 * ${FRAMES}) / (now - from))
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })`)
    .finally(() => {
      going = false
    })
  const held = { type: 'mouseMoved', button: 'left', buttons: 1 } as const
  let moves = 0
  for (; going; moves++) {
    const at = { x: x + 60 * Math.sin(moves / 9), y: y + 40 * Math.sin(moves / 7) }
    await session.send('Input.dispatchMouseEvent', { ...held, ...at })
  }
  const done = await frames
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { frames: done, moves }
}

type Told = { page: Page; session: CDPSession }

const told = async (page: Page): Promise<Told> => ({
  page,
  session: await page.context().newCDPSession(page),
})

const office = await openBrowserOffice()
try {
  const [made] = await office.sql<{ id: string }>(
    `insert into print_templates (kind, name, is_custom, content, created_by, created_by_name, created_at, updated_by_name, updated_at)
     select 'label', $1, false, $2, id, name, now(), name, now() from accounts where login_name = '10001' returning id`,
    [`${ITEMS} 项`, JSON.stringify(crowded())],
  )
  const page = await office.openAs('10001', `/admin/template/labelPrinting?id=${made?.id}`)
  await see(page.getByRole('tab', { name: `图层 ${ITEMS}`, exact: true }), page.locator('[data-item]'))
  // What is read back in the background keeps the other processor busy.
  await gone(page.getByText('正在检查…'))
  const empty = await office.open()
  await empty.goto('data:text/html,<title>.</title>')
  const [editor, nothing] = [await told(page), await told(empty)]
  const firstAt = async () => {
    const box = await page.locator('[data-item]').first().boundingBox()
    if (!box) throw new Error('nothing on the label')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  for (const pulled of [1, ITEMS]) {
    const at = await firstAt()
    await empty.bringToFront()
    const bare = await framesOf(nothing, at)
    await page.bringToFront()
    await page.mouse.click(at.x, at.y)
    if (pulled === ITEMS) await page.keyboard.press('Control+a')
    await page.mouse.move(at.x, at.y)
    await page.mouse.down()
    const { frames, moves } = await framesOf(editor, at)
    await page.mouse.up()
    const after = await firstAt()
    if (after.x === at.x && after.y === at.y) throw new Error('nothing was pulled')
    const what = `${pulled} of ${ITEMS} pulled, ${SLOWDOWN} times slower`
    const each = `${(moves / FRAMES).toFixed(2)} moves a frame`
    const ratio = (frames / bare.frames).toFixed(2)
    process.stdout.write(
      `label-editor: ${what}, ${each}: ${frames.toFixed(1)} frames/s, an empty page ${bare.frames.toFixed(1)}, ratio ${ratio}\n`,
    )
  }
} finally {
  await office.stop()
}
