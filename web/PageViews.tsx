import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import './PageViews.css'
import { type ListParams, useListParams } from './useListParams.ts'

type View = { key: string; name: string; content: ReactNode }

/** Several lists of one page, chosen by `view` in the address; the first is the page's own. Give each list `ownParams={['view']}`. */
export function PageViews({ label, views }: { label: string; views: readonly View[] }) {
  const [{ view }] = useListParams<ListParams & { view?: string }>()
  const current = views.find(({ key }) => key === view) ?? views[0]
  const nav = useRef<HTMLElement>(null)
  const key = current?.key
  // On a phone the names are wider than the screen.
  useEffect(() => {
    if (key)
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [key])
  return (
    <div className="page-views">
      <nav aria-label={label} ref={nav}>
        {views.map(({ key, name }) => (
          // Filters of one list mean nothing to another, so the address keeps the view alone.
          <Link
            key={key}
            to="."
            search={(key === views[0]?.key ? {} : { view: key }) as never}
            // Otherwise the router takes the address without a view for a part of every other.
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={key === current?.key ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="page-views-body" key={current?.key}>
        {current?.content}
      </div>
    </div>
  )
}
