import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { formatDay } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { PageSteps } from '#web/list/PageSteps.tsx'
import styles from './content.module.css'
import { contentApi, ShownPart, useShown } from './Shown.tsx'

const Article = lazy(() => import('./Article.tsx'))
const SIZE = 10

/** System notices, the first page (D1 §2) with the way to the others; each opens in whole. */
export default function NoticeList() {
  const shown = useShown()
  const [page, setPage] = useState(1)
  const [read, setRead] = useState<{ id: number; title: string } | null>(null)
  const later = useQuery({
    ...contentApi.notices.query({ page, size: SIZE }),
    enabled: page > 1,
    placeholderData: keepPreviousData,
  })
  const answer = page === 1 ? shown.data?.notices : (later.data ?? shown.data?.notices)
  const rows = answer?.rows ?? []
  return (
    <ShownPart emptyText="暂无系统公告" isEmpty={rows.length === 0}>
      <ul className={styles.noticeLines} aria-busy={later.isFetching}>
        {rows.map(row => (
          <li key={row.id}>
            <button type="button" className={styles.noticeLine} onClick={() => setRead(row)}>
              <span>
                <b>{row.title}</b>
                <small>{row.summary}</small>
              </span>
              <time className={look.number} dateTime={row.publishedAt}>
                {formatDay(row.publishedAt)}
              </time>
            </button>
          </li>
        ))}
      </ul>
      <PageSteps
        page={page}
        total={answer?.total ?? 0}
        size={SIZE}
        onPage={setPage}
        label="系统公告分页"
        className={styles.noticePages}
      />
      {read && (
        <Suspense>
          <Article id={read.id} title={read.title} onClose={() => setRead(null)} />
        </Suspense>
      )}
    </ShownPart>
  )
}
