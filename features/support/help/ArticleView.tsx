import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useEffect } from 'react'
import { formatDay } from '#kit/time.ts'
import { readAgain } from '#web/client/reread.ts'
import { useViewOnly } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './help.module.css'
import { type HelpArticle, helpApi } from './helpApi.tsx'
import { UsefulVote } from './UsefulVote.tsx'

const RichText = lazy(() => import('#web/rich/RichText.tsx'))

type Props = {
  id: number
  /** Opens another article in its place. */
  onOpen: (id: number) => void
  /** Under the text. */
  children?: ReactNode
}

/** An article in whole: its text and video, whether it was useful, and what belongs to it. */
export function ArticleView({ id, onOpen, children }: Props) {
  const asked = useQuery(helpApi.article.query({ id }))
  useOpened(id, asked.data?.state === 'published')
  if (asked.isError) return <LoadFailure error={asked.error} onRetry={() => void asked.refetch()} />
  if (!asked.data) return <LoadingLines lines={10} />
  const article = asked.data
  return (
    <article className={styles.article} aria-labelledby="help-article-title">
      <h2 id="help-article-title" className={styles.articleTitle} tabIndex={-1}>
        {article.title}
      </h2>
      <p className={look.quiet}>
        {article.state === 'draft' && <StatusTag tone="attention">草稿，尚未发布</StatusTag>}{' '}
        {article.version !== '' && `版本 ${article.version} · `}
        {article.releasedOn !== null && `${article.releasedOn} 更新 · `}
        {article.categoryName !== '' && `${article.categoryName} · `}
        最后修改 <time dateTime={article.updatedAt}>{formatDay(article.updatedAt)}</time> · 阅读{' '}
        {article.views} 次
      </p>
      <Video article={article} />
      {article.body !== '' && (
        <Suspense fallback={<LoadingLines lines={6} />}>
          <RichText html={article.body} />
        </Suspense>
      )}
      {article.state === 'published' && <UsefulVote key={article.id} article={article} />}
      {article.related.length > 0 && (
        <nav className={styles.related} aria-label="相关文章">
          <h3>相关文章</h3>
          <ul>
            {article.related.map(other => (
              <li key={other.id}>
                <button type="button" className={styles.linkButton} onClick={() => onOpen(other.id)}>
                  {other.title}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {children}
    </article>
  )
}

/** Says once that it is read; who looks through another's account reads it for nobody. */
function useOpened(id: number, isShown: boolean): void {
  const viewOnly = useViewOnly()
  useEffect(() => {
    if (!isShown || viewOnly) return
    // Whether it is counted does not concern the reader.
    helpApi
      .opened({ id })
      .then(() => readAgain('help.home', 'help.releases'))
      .catch(() => undefined)
  }, [id, isShown, viewOnly])
}

function Video({ article: { videoId, videoUrl, title } }: { article: HelpArticle }) {
  if (videoId !== null)
    return (
      // biome-ignore lint/a11y/useMediaCaption: what is said in it stands in the text below.
      <video
        className={styles.video}
        controls
        preload="metadata"
        src={`/api/large-files/${videoId}`}
        aria-label={`视频：${title}`}
      />
    )
  if (videoUrl === '') return null
  return (
    <p>
      <a className={look.inText} href={videoUrl} target="_blank" rel="noopener noreferrer">
        打开视频（新窗口）
      </a>
    </p>
  )
}
