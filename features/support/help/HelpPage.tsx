import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FeedbackButton } from '#features/care/feedback/FeedbackButton.tsx'
import type { SearchOf } from '#kit/declare/pages.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import { ArticleView } from './ArticleView.tsx'
import styles from './help.module.css'
import { type HelpHome, type HelpLine, helpApi } from './helpApi.tsx'
import { Marked } from './Marked.tsx'
import { HELP_KIND_KEYS, HELP_KINDS, type HelpKind, TAB_NAMES, wordsOf } from './rules.ts'

/** The help centre: its four tabs, a search over all, and an article in their place (D3 §2). */
export default function HelpPage() {
  const [address, ask] = usePageSearch<'/admin/help/problem'>()
  const home = useQuery(helpApi.home.query())
  const search = address.search ?? ''
  const articleId = idOf(address.article)
  const go = (changed: SearchOf<'/admin/help/problem'>, replace = false) =>
    ask(changed, { replace, resetScroll: true })
  const open = (id: number) => go({ article: id })
  const shown = HELP_KIND_KEYS.find(kind => TAB_NAMES[kind] === address.activeName) ?? 'flow'
  const kindOf = home.data?.articles.find(({ id }) => id === articleId)?.kind
  return (
    <TouchControls>
      <div className={`${look.page} ${styles.page}`}>
        <header className={styles.head}>
          <h1 className={look.pageTitle}>帮助中心</h1>
          <ListSearch
            placeholder="搜索全部帮助"
            value={search}
            onChange={text => go({ search: text || undefined, article: undefined }, search !== '')}
          />
          <FeedbackButton />
        </header>
        {articleId !== null ? (
          <>
            <Button
              kind="link"
              onClick={() => go({ article: undefined, activeName: tabFor(kindOf ?? shown) })}
            >
              {search === '' ? `返回${HELP_KINDS[kindOf ?? shown]}` : '返回搜索结果'}
            </Button>
            <ArticleView id={articleId} onOpen={open} />
          </>
        ) : search !== '' ? (
          <Found search={search} onOpen={open} />
        ) : home.isError ? (
          <LoadFailure error={home.error} onRetry={() => void home.refetch()} />
        ) : home.data ? (
          <HelpTabs
            home={home.data}
            shown={shown}
            onTab={kind => go({ activeName: tabFor(kind) }, true)}
            onOpen={open}
          />
        ) : (
          <LoadingLines lines={12} />
        )}
      </div>
    </TouchControls>
  )
}

/** The first tab is the page's own address. */
const tabFor = (kind: HelpKind) => (kind === 'flow' ? undefined : TAB_NAMES[kind])

function idOf(text: string | number | undefined): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

type Opening = { onOpen: (id: number) => void }
type TabsProps = Opening & { home: HelpHome; shown: HelpKind; onTab: (kind: HelpKind) => void }

function HelpTabs({ home, shown, onTab, onOpen }: TabsProps) {
  const tabs = HELP_KIND_KEYS.map(kind => {
    const lines = home.articles.filter(line => line.kind === kind)
    const fresh = lines.filter(({ isNew }) => isNew).length
    return {
      key: kind,
      label: fresh > 0 ? `${HELP_KINDS[kind]}（${fresh} 条新）` : HELP_KINDS[kind],
      content:
        lines.length === 0 ? (
          <EmptyState title={`还没有${HELP_KINDS[kind]}的内容`}>
            <p>可以搜索其他栏目，或点「意见反馈」告诉我们您需要什么。</p>
          </EmptyState>
        ) : kind === 'release' ? (
          <Lines lines={lines} onOpen={onOpen} />
        ) : (
          <Grouped home={home} lines={lines} onOpen={onOpen} />
        ),
    }
  })
  return <Tabs tabs={tabs} shown={shown} onChange={key => onTab(key as HelpKind)} />
}

/** Under their categories, in the order that staff gave these. */
function Grouped({ home, lines, onOpen }: Opening & { home: HelpHome; lines: readonly HelpLine[] }) {
  return (
    <div className={styles.groups}>
      {home.categories.map(({ id, name }) => {
        const own = lines.filter(({ categoryId }) => categoryId === id)
        return own.length === 0 ? null : (
          <section key={id} aria-labelledby={`help-category-${id}`}>
            <h2 id={`help-category-${id}`} className={look.sectionTitle}>
              {name}
            </h2>
            <Lines lines={own} onOpen={onOpen} />
          </section>
        )
      })}
    </div>
  )
}

type LinesProps = Opening & { lines: readonly HelpLine[]; words?: readonly string[] }

function Lines({ lines, words = [], onOpen }: LinesProps) {
  return (
    <ul className={styles.lines}>
      {lines.map(line => (
        <li key={line.id}>
          <button type="button" className={styles.line} onClick={() => onOpen(line.id)}>
            <span className={styles.lineTitle}>
              <b>
                <Marked text={line.title} words={words} />
              </b>
              {line.isNew && <span className={styles.isNew}>新</span>}
              {line.hasVideo && <span className={styles.aside}>视频</span>}
              {line.version !== '' && <span className={styles.aside}>{line.version}</span>}
              {line.releasedOn !== null && <time className={styles.aside}>{line.releasedOn}</time>}
              {words.length > 0 && <span className={styles.aside}>{HELP_KINDS[line.kind]}</span>}
            </span>
            <small>
              <Marked text={line.summary} words={words} />
            </small>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Found({ search, onOpen }: Opening & { search: string }) {
  const found = useQuery({ ...helpApi.search.query({ search }), placeholderData: keepPreviousData })
  if (found.isError) return <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingLines lines={6} />
  const { rows } = found.data
  return (
    <section aria-label="搜索结果" aria-busy={found.isFetching}>
      <p className={look.quiet} role="status">
        {rows.length > 0 ? `找到 ${rows.length} 篇` : '没有找到'}
      </p>
      {rows.length > 0 ? (
        <Lines lines={rows} words={wordsOf(search)} onOpen={onOpen} />
      ) : (
        <EmptyState title={`没有找到与「${search}」有关的帮助`}>
          <p>换一个更短的词试试；仍然没有时，点右上角「意见反馈」写下您的问题，我们会回复您。</p>
        </EmptyState>
      )}
    </section>
  )
}
