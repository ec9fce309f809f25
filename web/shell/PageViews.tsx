import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ListParams, useListParams } from '../list/useListParams.ts'
import styles from './PageViews.module.css'
import { ViewStrip } from './ViewStrip.tsx'

type View = { key: string; name: string; content: ReactNode }

/** Several lists of one page, chosen by `view` in the address; the first is the page's own. Give each list `ownParams={['view']}`. */
export function PageViews({ label, views }: { label: string; views: readonly View[] }) {
  const [{ view }] = useListParams<ListParams & { view?: string }>()
  const current = views.find(({ key }) => key === view) ?? views[0]
  return (
    <div className={styles.pageViews}>
      <ViewStrip label={label} current={current?.key}>
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
      </ViewStrip>
      <div className={styles.pageViewsBody} key={current?.key}>
        {current?.content}
      </div>
    </div>
  )
}
