import { lazy, useState } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { Copyable } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { notices } from './contract.ts'
import { NOTICES } from './fields.ts'
import { useReadNotices, useUnread } from './NoticeBell.tsx'
import styles from './notices.module.css'
import { KEPT_DAYS, linesOf } from './rules.ts'
import { useUnfolded } from './useUnfolded.tsx'

const noticesApi = api<typeof notices>('notices')
const PreferencesDialog = lazy(() => import('./PreferencesDialog.tsx'))

type Row = Out<typeof notices.list>['rows'][number]

/** Every notice that is kept, read or not. */
export default function NoticesPage() {
  const [choosing, setChoosing] = useState(false)
  const read = useReadNotices()
  const keptDays = useLimit(KEPT_DAYS)
  const navigate = useNavigate()
  const unfolded = useUnfolded()
  const open = async (row: Row) => {
    if (row.unread) await read(whichOf(row))
    if (row.link) void navigate({ href: row.link })
  }
  return (
    <>
      <List
        of={NOTICES}
        from={noticesApi.list}
        cells={{
          title: titleCell,
          body: row => (
            <span className={styles.noticeBody}>
              <Copyable text={row.body} />
              {unfolded.toggleOf(row)}
            </span>
          ),
        }}
        shownOf={rows => linesOf(rows, unfolded.ids)}
        main={<ReadAll onRead={read} />}
        summary={() => (
          <span className={styles.noticeSummary}>
            消息保留 {keptDays} 天
            <Button kind="link" onClick={() => setChoosing(true)}>
              消息设置
            </Button>
          </span>
        )}
        onOpen={row => void open(row)}
        actionsWidth={136}
        rowActions={row => actionsOf(row, open, read)}
      />
      {choosing && (
        <Suspense>
          <PreferencesDialog onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  )
}

type Read = ReturnType<typeof useReadNotices>

function ReadAll({ onRead }: { onRead: Read }) {
  const unread = useUnread().data?.count ?? 0
  const [busy, setBusy] = useState(false)
  const readAll = async () => {
    setBusy(true)
    if (await onRead({ traceId: null })) toast.success('已全部标为已读')
    setBusy(false)
  }
  return (
    <Button
      changes
      disabled={unread === 0 ? '没有未读消息' : null}
      busy={busy}
      onClick={() => void readAll()}
    >
      全部标为已读
    </Button>
  )
}

function actionsOf(row: Row, open: (row: Row) => Promise<void>, read: Read): RowAction[] {
  return [
    {
      key: 'open',
      label: '查看',
      reads: true,
      disabled: row.link ? null : '该消息没有关联页面',
      onClick: () => void open(row),
    },
    {
      key: 'read',
      label: '标为已读',
      disabled: row.unread ? null : '该消息已读',
      onClick: () => void read(whichOf(row)),
    },
  ]
}

/** With the newest of a thing all that are folded behind it. */
const whichOf = ({ traceId, others }: Row) => ({ traceId, ofThing: others > 0 })

function titleCell(row: Row) {
  return (
    <span
      className={styles.noticeTitle}
      data-unread={row.unread || undefined}
      data-behind={row.behind !== null || undefined}
    >
      {row.title}
      {row.unread && <span className={look.visuallyHidden}>（未读）</span>}
    </span>
  )
}
