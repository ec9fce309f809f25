import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { roving } from '../keys/roving.ts'
import styles from './ViewStrip.module.css'

type Props = {
  label: string
  /** Key or path of the link that is marked: another one is moved into view. */
  current: string | undefined
  /** Links, the one that is shown marked by `aria-current`. */
  children: ReactNode
}

/** Names of what stands beside each other, in one line. */
export function ViewStrip({ label, current, children }: Props) {
  const nav = useRef<HTMLElement>(null)
  const hidden = useHidden(nav)
  // In the middle, so that it is seen what stands beside it.
  useEffect(() => {
    if (current)
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <nav
      {...roving}
      className={styles.strip}
      aria-label={label}
      ref={element => {
        nav.current = element
        return roving.ref(element)
      }}
      data-before={hidden.before || undefined}
      data-after={hidden.after || undefined}
    >
      {children}
    </nav>
  )
}

/** On a phone the names may be wider than the screen: whether some lie before or after what is seen. */
function useHidden(nav: RefObject<HTMLElement | null>): { before: boolean; after: boolean } {
  const [hidden, setHidden] = useState({ before: false, after: false })
  useEffect(() => {
    const element = nav.current
    if (!element) return
    const look = () => {
      const before = element.scrollLeft > 1
      const after = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
      setHidden(known => (known.before === before && known.after === after ? known : { before, after }))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [nav])
  return hidden
}
