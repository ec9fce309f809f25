import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { panelLook, TopPanelNone, TopPanelPart, TopPanelRow } from '#web/form/TopPanel.tsx'
import type { notices } from './contract.ts'
import { NOTICES_PATH, useReadNotices, useUnread } from './NoticeBell.tsx'
import styles from './notices.module.css'
import { linesOf, TOPICS } from './rules.ts'
import { useUnfolded } from './useUnfolded.tsx'

const noticesApi = api<typeof notices>('notices')

type Row = Out<typeof notices.list>['rows'][number]

/** Looked through for what is of one thing; as many lines as are seen at once are shown. */
const ASKED = 50
const LINES = 10

/** The newest notices, each opening what it is about, and the way to all of them. */
export function NoticeInbox({ onClose }: { onClose: () => void }) {
  const newest = useQuery({ ...noticesApi.list.query({ size: ASKED }) })
  const unread = useUnread().data?.count ?? 0
  const read = useReadNotices()
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const open = async ({ traceId, unread: isUnread, others, link }: Row) => {
    if (link) onClose()
    if (isUnread) await read({ traceId, ofThing: others > 0 })
    if (link) void navigate({ href: link })
  }
  const readAll = async () => {
    setBusy(true)
    await read({ traceId: null })
    setBusy(false)
  }
  return (
    <TopPanelPart
      foot={
        <>
          <Link className={buttonLook('link')} to={NOTICES_PATH} onClick={onClose}>
            查看更多
          </Link>
          {unread > 0 && (
            <Button kind="link" changes busy={busy} onClick={() => void readAll()}>
              全部标为已读
            </Button>
          )}
        </>
      }
    >
      <Rows newest={newest} onOpen={row => void open(row)} />
    </TopPanelPart>
  )
}

const NONE: ReadonlySet<number> = new Set()

type RowsProps = {
  newest: {
    data: Out<typeof notices.list> | undefined
    error: Error | null
    isPending: boolean
    refetch: () => unknown
  }
  onOpen: (row: Row) => void
}

function Rows({ newest, onOpen }: RowsProps) {
  const unfolded = useUnfolded()
  if (newest.error)
    return (
      <TopPanelNone>
        <p role="alert">{messageOf(newest.error)}</p>
        <Button onClick={() => void newest.refetch()}>重试</Button>
      </TopPanelNone>
    )
  const rows = newest.data?.rows ?? []
  const things = linesOf(rows, NONE).slice(0, LINES)
  const shown = new Set(things.map(({ id }) => id))
  const lines = linesOf(rows, unfolded.ids).filter(({ id, behind }) => shown.has(behind ?? id))
  if (rows.length === 0) return <TopPanelNone>{newest.isPending ? '加载中' : '没有消息'}</TopPanelNone>
  return (
    <ul aria-label="最近的消息">
      {lines.map(row => (
        <TopPanelRow key={row.traceId} action={unfolded.toggleOf(row)}>
          <button type="button" className={panelLook.opener} onClick={() => onOpen(row)}>
            <span className={styles.noticeShort}>
              <span
                className={styles.noticeTitle}
                data-unread={row.unread || undefined}
                data-behind={row.behind !== null || undefined}
              >
                {row.title}
                {row.unread && <span className={look.visuallyHidden}>（未读）</span>}
              </span>
              <small>
                <Instant at={row.createdAt} />
              </small>
            </span>
            <small className={styles.noticeShortBody}>{row.body || TOPICS[row.topic]}</small>
          </button>
        </TopPanelRow>
      ))}
    </ul>
  )
}
