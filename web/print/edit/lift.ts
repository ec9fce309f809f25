import styles from './canvas.module.css'

/** What is pulled, taken off the paper for as long as it is. */
export type Lifted = { move: (right: number, down: number) => void; drop: () => void }

/**
 * Puts copies of some items, and of what frames them, on a layer of their own that is moved without being drawn again; meanwhile
 * the items themselves are not seen.
 */
export function lift(board: SVGSVGElement, place: HTMLElement, ids: ReadonlySet<string>): Lifted {
  const chosen = [...board.querySelectorAll<SVGGElement>('[data-item], [data-frames]')].filter(group => {
    const id = group.getAttribute('data-item')
    return id === null || ids.has(id)
  })
  const layer = document.createElement('div')
  layer.className = styles.layer ?? ''
  const drawing = board.cloneNode(false) as SVGSVGElement
  drawing.removeAttribute('class')
  layer.append(drawing)
  for (const group of chosen) {
    const copy = group.cloneNode(true) as SVGGElement
    copy.removeAttribute('data-item')
    copy.removeAttribute('data-frames')
    drawing.append(copy)
    group.setAttribute('data-away', '')
  }
  const shield = document.createElement('div')
  shield.className = styles.shield ?? ''
  place.append(layer, shield)
  return {
    move: (right, down) => {
      // Whole pixels of the screen: in between it would be blurred.
      const whole = (px: number) => Math.round(px * devicePixelRatio) / devicePixelRatio
      layer.style.transform = `translate(${whole(right)}px, ${whole(down)}px)`
    },
    drop: () => {
      place.replaceChildren()
      for (const group of chosen) group.removeAttribute('data-away')
    },
  }
}
