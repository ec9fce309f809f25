import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { pictureAddress } from '#kit/picture.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { TalkTitle } from '#web/talk/TalkTitle.tsx'
import { ALL_THREADS, THREADS } from './fields.ts'
import styles from './threads.module.css'
import { type ThreadRow, threadsApi } from './threadsApi.tsx'

const ThreadDrawer = lazy(() => import('./ThreadDrawer.tsx'))

/** Threads with what was said last; `?thread=` in the address opens one over the list. */
export function ThreadList({ which }: { which: 'own' | 'all' }) {
  const opened = useOpened()
  const shared = {
    onOpen: opened.open,
    openKey: opened.id,
    rowActions: (row: ThreadRow) => [
      {
        key: 'details',
        label: row.state === 'awaiting' ? '回复' : '查看',
        reads: true,
        onClick: () => opened.open(row),
      },
    ],
    actionsWidth: 72,
  }
  return (
    <>
      {which === 'own' ? (
        <List
          of={THREADS}
          from={threadsApi.list}
          cells={CELLS}
          options={{ assigneeId: PEOPLE_OPTIONS }}
          {...shared}
        />
      ) : (
        <List
          of={ALL_THREADS}
          from={threadsApi.all}
          cells={{ ...CELLS, agentName: AGENT_CELL }}
          options={{ assigneeId: PEOPLE_OPTIONS, agentId: AGENT_OPTIONS }}
          {...shared}
        />
      )}
      {opened.id !== null && (
        <Suspense>
          <ThreadDrawer key={opened.id} id={opened.id} onClose={opened.close} />
        </Suspense>
      )}
    </>
  )
}

/** Which thread is open over the list, as the address says. */
function useOpened() {
  const [asked, ask] = usePageSearch<'/admin/help/feedback' | '/admin/help/feedbackList'>()
  const go = (row: { id: number } | null) => ask({ thread: row?.id })
  const id = Number(asked.thread)
  return { id: Number.isSafeInteger(id) && id > 0 ? id : null, open: go, close: () => go(null) }
}

const PEOPLE_OPTIONS = {
  useRows: (enabled: boolean) => useQuery({ ...threadsApi.people.query(), enabled }).data?.rows,
}

const CELLS = {
  picture: {
    copy: undefined,
    render: ({ pictureId }: ThreadRow) =>
      pictureId && (
        <img className={styles.thumb} src={pictureAddress(pictureId)} alt="反馈图片" loading="lazy" />
      ),
  },
  title: ({ title, unread }: ThreadRow) => <TalkTitle title={title} unread={unread} />,
  assigneeName: ({ kind, assigneeName }: ThreadRow) =>
    kind === 'older' ? '—' : assigneeName || <span className={look.quiet}>未分配</span>,
  shopName: ({ shopName, createdByName }: ThreadRow) => shopName || createdByName,
}
