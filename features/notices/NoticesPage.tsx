import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Copyable, Instant } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage, type RowAction } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { toast } from '#web/toast.ts'
import type { notices } from './contract.ts'
import { useReadNotices, useUnread } from './NoticeBell.tsx'
import styles from './notices.module.css'
import { KEPT_DAYS, TOPICS, type Topic } from './rules.ts'

const noticesApi = api<typeof notices>('notices')
const NoticeFilters = lazy(() => import('./NoticeFilters.tsx'))
const PreferencesDialog = lazy(() => import('./PreferencesDialog.tsx'))

type Row = Out<typeof notices.list>['rows'][number]

export type NoticeParams = ListParams & { topic?: Topic; unread?: 'true' }

/** Every notice that is kept, read or not. */
export default function NoticesPage() {
  const [params, setParams] = useListParams<NoticeParams>()
  const [choosing, setChoosing] = useState(false)
  const read = useReadNotices()
  const navigate = useNavigate()
  const open = async (row: Row) => {
    if (row.readAt === null) await read({ traceId: row.traceId })
    if (row.link) void navigate({ to: row.link })
  }
  return (
    <>
      <ListPage<Row, NoticeParams>
        title="消息中心"
        listKey="notices.list"
        main={<ReadAll onRead={read} />}
        queryKey={['notices', 'list']}
        fetchPage={({ sort: _sort, order: _order, search: _search, unread, ...wanted }) =>
          noticesApi.list({ ...wanted, ...(unread ? { unread: true } : {}) })
        }
        rowKey={row => row.id}
        columns={COLUMNS}
        filters={<NoticeFilters params={params} onChange={setParams} />}
        activeFilters={useChips()}
        summary={() => (
          <span className={styles.noticeSummary}>
            消息保留 {KEPT_DAYS} 天
            <Button kind="link" onClick={() => setChoosing(true)}>
              消息设置
            </Button>
          </span>
        )}
        emptyText="没有消息；支付结果、余额和商户到期等提醒会显示在这里"
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
    <Button disabled={unread === 0 ? '没有未读消息' : null} busy={busy} onClick={() => void readAll()}>
      全部标为已读
    </Button>
  )
}

function actionsOf(row: Row, open: (row: Row) => Promise<void>, read: Read): RowAction[] {
  return [
    {
      key: 'open',
      label: '查看',
      disabled: row.link ? null : '该消息没有关联页面',
      onClick: () => void open(row),
    },
    {
      key: 'read',
      label: '标为已读',
      disabled: row.readAt === null ? null : '该消息已读',
      onClick: () => void read({ traceId: row.traceId }),
    },
  ]
}

const COLUMNS: readonly ListColumn<Row>[] = [
  {
    key: 'title',
    title: '标题',
    width: 200,
    fixed: 'start',
    opens: true,
    copy: row => row.title,
    render: row => (
      <span className={styles.noticeTitle} data-unread={row.readAt === null || undefined}>
        {row.title}
        {row.readAt === null && <span className={look.visuallyHidden}>（未读）</span>}
      </span>
    ),
    card: 'title',
  },
  {
    key: 'body',
    title: '内容',
    width: 440,
    copy: row => row.body,
    render: row => <Copyable text={row.body} />,
    card: 'fact',
  },
  {
    key: 'topic',
    title: '类型',
    width: 128,
    render: row => TOPICS[row.topic],
    card: 'fact',
  },
  {
    key: 'createdAt',
    title: '时间',
    width: 176,
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
]

/** What is filtered, in words. */
function useChips(): ActiveFilter[] {
  const [{ topic, unread }] = useListParams<NoticeParams>()
  return [
    ...(topic ? [{ key: 'topic', label: '类型', text: TOPICS[topic] ?? topic }] : []),
    ...(unread ? [{ key: 'unread', label: '状态', text: '未读' }] : []),
  ]
}
