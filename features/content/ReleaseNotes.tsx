import { formatDay } from '#kit/time.ts'
import { ShownPart, useShown } from './Shown.tsx'

/** What changed in the product, the latest first; the first is unfolded. */
export default function ReleaseNotes() {
  const releases = useShown().data?.releases ?? []
  return (
    <ShownPart emptyText="暂无更新日志" isEmpty={releases.length === 0}>
      <div className="releases">
        {releases.map((release, i) => (
          <details key={release.id} open={i === 0}>
            <summary>
              <b>{release.title}</b>
              <time className="number" dateTime={release.publishedAt}>
                {formatDay(release.publishedAt)}
              </time>
            </summary>
            <p className="article-body">{release.body}</p>
          </details>
        ))}
      </div>
    </ShownPart>
  )
}
