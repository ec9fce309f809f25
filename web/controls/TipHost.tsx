import { useEffect, useRef, useState } from 'react'
import styles from './TipHost.module.css'

const AFTER_MS = 250
const GAP_PX = 6

type Tip = { text: string; element: HTMLElement }

/** Shows `data-tip` of what is pointed at or focused, and the whole text of what is marked `data-tip-cut` and cut. */
export function TipHost() {
  const [tip, setTip] = useState<Tip | null>(null)
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      clearTimeout(timer)
      setTip(null)
    }
    const consider = (event: Event) => {
      hide()
      const found = tipOf(event.target)
      if (!found) return
      timer = setTimeout(
        () => found.element.isConnected && setTip(found),
        event.type === 'focusin' ? 0 : AFTER_MS,
      )
    }
    const onFocus = (event: FocusEvent) => {
      if ((event.target as Element).matches(':focus-visible')) consider(event)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    document.addEventListener('pointerover', consider)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', hide)
    document.addEventListener('scroll', hide, true)
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', consider)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('scroll', hide, true)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  useEffect(() => {
    if (!tip || !layer.current) return
    layer.current.showPopover()
    place(layer.current, tip.element)
  }, [tip])
  if (!tip) return null
  return (
    <div ref={layer} popover="manual" role="tooltip" className={styles.tip}>
      {tip.text}
    </div>
  )
}

function tipOf(target: EventTarget | null): Tip | null {
  if (!(target instanceof Element)) return null
  const element = target.closest<HTMLElement>('[data-tip]')
  if (element?.dataset.tip) return { element, text: element.dataset.tip }
  const box = target.closest<HTMLElement>('[data-tip-cut]')
  if (!box || box.querySelector('[title]')) return null
  const cut =
    box.scrollHeight > box.clientHeight + 1 ||
    [box, ...box.querySelectorAll<HTMLElement>('*')].some(
      part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
    )
  return cut ? { element: box, text: box.textContent } : null
}

function place(layer: HTMLElement, element: HTMLElement): void {
  const box = element.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = layer
  const above = box.top - GAP_PX - height
  if (element.dataset.tipAt === 'end') {
    layer.style.top = `${box.top + (box.height - height) / 2}px`
    layer.style.left = `${box.right + GAP_PX}px`
    return
  }
  layer.style.top = `${above < GAP_PX ? box.bottom + GAP_PX : above}px`
  layer.style.left = `${Math.min(Math.max(box.left + box.width / 2 - width / 2, GAP_PX), innerWidth - width - GAP_PX)}px`
}
