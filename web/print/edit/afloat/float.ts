import type { Marks } from '#kit/print/edit/snap.ts'
import type { FromAfloat, Pulled, Seen, ToAfloat } from './messages.ts'

export type Afloat = {
  show: (seen: Seen) => void
  /** `groups` are what is drawn of it on the board, which is not seen once it is drawn over it. */
  pull: (what: Omit<Pulled, 'nth'>, groups: readonly Element[]) => void
  drop: () => void
  end: () => void
}

/** Begins the thread that draws, with a canvas in `host` as large as what can be seen of `scroller`. */
export function floatOver(host: HTMLElement, scroller: HTMLElement): Afloat {
  const canvas = document.createElement('canvas')
  host.replaceChildren(canvas)
  const worker = new Worker(new URL('./afloat-worker.ts', import.meta.url), { type: 'module' })
  const tell = (told: ToAfloat, given: Transferable[] = []) => worker.postMessage(told, given)
  const drawn = canvas.transferControlToOffscreen()
  tell({ does: 'begin', canvas: drawn }, [drawn])
  const sized = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = scroller
    canvas.style.width = `${width}px`
    canvas.style.height = `${height}px`
    tell({ does: 'fit', room: { width, height, ratio: devicePixelRatio } })
  })
  sized.observe(scroller)

  let nth = 0
  let pulled: { groups: readonly Element[] } | null = null
  let isShown = false
  worker.addEventListener('message', ({ data }: MessageEvent<FromAfloat>) => {
    if (pulled && data.pulled === nth) away(scroller, pulled.groups, true)
  })
  const drop = () => {
    if (!pulled) return
    away(scroller, pulled.groups, false)
    pulled = null
    const dropped = nth
    // Not before the page has drawn it in its new place.
    requestAnimationFrame(() => requestAnimationFrame(() => tell({ does: 'drop', nth: dropped })))
  }
  return {
    show: seen => {
      const shows = pulled !== null || hasMarks(seen.marks)
      if (shows || isShown) tell({ does: 'show', seen })
      isShown = shows
      // Nothing can be read from what a thread has drawn: tests look here. No style hangs on it.
      const gaps = String(seen.marks.gaps.length)
      if (canvas.dataset.gaps !== gaps) canvas.dataset.gaps = gaps
    },
    pull: (what, groups) => {
      drop()
      pulled = { groups }
      nth += 1
      const style = getComputedStyle(scroller)
      const look = { family: style.fontFamily, accent: style.getPropertyValue('--accent') }
      tell({ does: 'pull', pulled: { ...what, nth }, look })
    },
    drop,
    end: () => {
      drop()
      sized.disconnect()
      worker.terminate()
      canvas.remove()
    },
  }
}

const hasMarks = ({ guides, gaps }: Marks) => guides.length + gaps.length > 0

/** What is pulled is not seen where it stood, nor what frames it. */
function away(scroller: HTMLElement, groups: readonly Element[], isAway: boolean): void {
  scroller.toggleAttribute('data-pulling', isAway)
  for (const group of groups) group.toggleAttribute('data-away', isAway)
}
