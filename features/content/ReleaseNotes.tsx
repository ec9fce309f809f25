import { formatDay } from '#kit/time.ts'
import { look } from '#web/look.ts'
import styles from './content.module.css'
import { ShownPart, useShown } from './Shown.tsx'

/** What changed in the product, the latest first; the first is unfolded. */
export default function ReleaseNotes() {
  const releases = useShown().data?.releases ?? []
  return (
    <ShownPart emptyText="暂无更新日志" isEmpty={releases.length === 0}>
      <div className={styles.releases}>
        {releases.map((release, i) => (
          <details key={release.id} open={i === 0}>
            <summary>
              <b>{release.title}</b>
              <time className={look.number} dateTime={release.publishedAt}>
                {formatDay(release.publishedAt)}
              </time>
            </summary>
            <p className={styles.articleBody}>{release.body}</p>
          </details>
        ))}
      </div>
    </ShownPart>
  )
}
