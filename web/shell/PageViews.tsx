import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { type ListParams, useListParams } from '../list/useListParams.ts'
import styles from './PageViews.module.css'

type View = { key: string; name: string; content: ReactNode }

/** Several lists of one page, chosen by `view` in the address; the first is the page's own. Give each list `ownParams={['view']}`. */
export function PageViews({ label, views }: { label: string; views: readonly View[] }) {
  const [{ view }] = useListParams<ListParams & { view?: string }>()
  const current = views.find(({ key }) => key === view) ?? views[0]
  const nav = useRef<HTMLElement>(null)
  const hidden = useHidden(nav)
  const key = current?.key
  // In the middle, so that it is seen what stands beside it.
  useEffect(() => {
    if (key)
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [key])
  return (
    <div className={styles.pageViews}>
      <nav
        aria-label={label}
        ref={nav}
        data-before={hidden.before || undefined}
        data-after={hidden.after || undefined}
      >
        {views.map(({ key, name }) => (
          // Filters of one list mean nothing to another, so the address keeps the view alone.
          <Link
            key={key}
            to="."
            search={key === views[0]?.key ? {} : { view: key }}
            // Otherwise the router takes the address without a view for a part of every other.
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={key === current?.key ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className={styles.pageViewsBody} key={current?.key}>
        {current?.content}
      </div>
    </div>
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
