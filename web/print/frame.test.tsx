// The browser's own printing of a PDF: over the page, and leaving nothing in it.
import { beforeEach, expect, test, vi } from 'vitest'
import { printInFrame } from './frame.ts'

const print = vi.fn()
let revoke = vi.fn()

beforeEach(() => {
  print.mockReset()
  revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined) as typeof revoke
  // No frame of these tests loads anything by itself.
  vi.spyOn(HTMLIFrameElement.prototype, 'src', 'set').mockImplementation(() => undefined)
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true, configurable: true })
})

const frames = () => [...document.querySelectorAll('iframe')]

/** Begins, and has the frame shown its PDF. */
async function start(href = 'about:blank#pdf') {
  const result = printInFrame(href)
  const frame = frames().at(-1) as HTMLIFrameElement
  const shown = Object.assign(new EventTarget(), { print })
  Object.defineProperty(frame, 'contentWindow', { value: shown })
  frame.onload?.(new Event('load'))
  return { isPrinted: await result, shown }
}

test('it prints once, and the frame goes with the first that is done in the page afterwards', async () => {
  expect((await start()).isPrinted).toBe(true)
  expect([print.mock.calls.length, frames().length]).toEqual([1, 1])
  dispatchEvent(new Event('pointerdown'))
  expect(frames()).toEqual([])
  expect(revoke).toHaveBeenCalledOnce()
})

test('it goes with the end that the browser tells, or with the next that is printed', async () => {
  const { shown } = await start()
  await start()
  expect(frames()).toHaveLength(1)
  const last = await start()
  shown.dispatchEvent(new Event('afterprint'))
  last.shown.dispatchEvent(new Event('afterprint'))
  expect(frames()).toEqual([])
})

test('where the browser keeps the frame from the page, or shows no PDF, it says so and leaves the address to another way', async () => {
  print.mockImplementation(() => {
    throw new DOMException('cross-origin', 'SecurityError')
  })
  expect((await start()).isPrinted).toBe(false)
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false, configurable: true })
  expect(await printInFrame('about:blank#pdf')).toBe(false)
  expect([frames(), revoke.mock.calls]).toEqual([[], []])
})
