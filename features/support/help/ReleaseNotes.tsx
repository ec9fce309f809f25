import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './help.module.css'
import { helpApi } from './helpApi.tsx'
import { HELP_PATH, TAB_NAMES } from './rules.ts'

const RichText = lazy(() => import('#web/rich/RichText.tsx'))

/** What changed in the product, the latest first; the first is unfolded. */
export default function ReleaseNotes() {
  const releases = useQuery({ ...helpApi.releases.query(), staleTime: 60_000 })
  if (releases.isError) return <LoadFailure error={releases.error} onRetry={() => void releases.refetch()} />
  if (!releases.data) return <LoadingLines lines={3} />
  if (releases.data.rows.length === 0) return <p className={look.quiet}>暂无更新日志</p>
  return (
    <div className={styles.releases}>
      {releases.data.rows.map((release, at) => (
        <details key={release.id} open={at === 0}>
          <summary>
            <b>
              {release.title}
              {release.isNew && <span className={styles.isNew}>新</span>}
            </b>
            <time className={look.number} dateTime={release.releasedOn}>
              {release.version} · {release.releasedOn}
            </time>
          </summary>
          <Suspense>
            <RichText html={release.body} />
          </Suspense>
        </details>
      ))}
      <p>
        <Link className={look.inText} to={HELP_PATH} search={{ activeName: TAB_NAMES.release }}>
          全部版本更新
        </Link>
      </p>
    </div>
  )
}
