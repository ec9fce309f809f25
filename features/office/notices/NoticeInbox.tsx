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
import { TOPICS } from './rules.ts'

const noticesApi = api<typeof notices>('notices')

type Row = Out<typeof notices.list>['rows'][number]

/** The newest notices, each opening what it is about, and the way to all of them. */
export function NoticeInbox({ onClose }: { onClose: () => void }) {
  const newest = useQuery({ ...noticesApi.list.query({}) })
  const unread = useUnread().data?.count ?? 0
  const read = useReadNotices()
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const open = async ({ traceId, readAt, link }: Row) => {
    if (link) onClose()
    if (readAt === null) await read({ traceId })
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
  if (newest.error)
    return (
      <TopPanelNone>
        <p role="alert">{messageOf(newest.error)}</p>
        <Button onClick={() => void newest.refetch()}>重试</Button>
      </TopPanelNone>
    )
  const rows = newest.data?.rows ?? []
  if (rows.length === 0) return <TopPanelNone>{newest.isPending ? '加载中' : '没有消息'}</TopPanelNone>
  return (
    <ul aria-label="最近的消息">
      {rows.map(row => (
        <TopPanelRow key={row.traceId}>
          <button type="button" className={panelLook.opener} onClick={() => onOpen(row)}>
            <span className={styles.noticeShort}>
              <span className={styles.noticeTitle} data-unread={row.readAt === null || undefined}>
                {row.title}
                {row.readAt === null && <span className={look.visuallyHidden}>（未读）</span>}
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
