import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Instant } from '#web/format.tsx'
import { type ListColumn, ListPage, type RowAction } from '#web/list/ListPage.tsx'
import { look } from '#web/look.ts'
import {
  ExportProgress,
  ExportStateTag,
  exportsApi,
  fileAddress,
  formatBytes,
  type Job,
  useCancelExport,
  useLatestExports,
} from './ExportJobs.tsx'
import { isUnfinished, KEPT_HOURS, REFUSALS } from './rules.ts'

/** Every export of the account that is still kept. */
export default function ExportsPage() {
  const cancel = useCancelExport()
  useFollowed()
  return (
    <ListPage<Job>
      title="导出任务"
      listKey="exports.list"
      queryKey={['exports', 'list']}
      fetchPage={({ page, size }) => exportsApi.list({ page, size })}
      rowKey={job => job.id}
      columns={COLUMNS}
      summary={() => <span>文件保留 {KEPT_HOURS} 小时，请及时下载</span>}
      emptyText="没有导出任务；列表记录较多时，导出会在后台进行并显示在这里"
      actionsWidth={112}
      rowActions={job => actionsOf(job, cancel)}
    />
  )
}

/** The rows here change when those of the header do. */
function useFollowed(): void {
  const { dataUpdatedAt, data } = useLatestExports()
  const queries = useQueryClient()
  const states = data?.rows.map(job => `${job.id} ${job.state} ${job.rowsWritten}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is new is worth another look.
  useEffect(() => {
    if (dataUpdatedAt > 0) void queries.invalidateQueries({ queryKey: ['exports', 'list'] })
  }, [states])
}

function actionsOf(job: Job, cancel: (job: Job) => Promise<void>): RowAction[] {
  if (isUnfinished(job.state)) return [{ key: 'cancel', label: '取消', onClick: () => void cancel(job) }]
  return [
    {
      key: 'fetch',
      label: '下载',
      disabled: job.state === 'done' ? null : job.error || REFUSALS.FILE_GONE,
      onClick: () => location.assign(fileAddress(job)),
    },
  ]
}

const COLUMNS: ListColumn<Job>[] = [
  {
    key: 'title',
    title: '内容',
    width: 128,
    fixed: 'start',
    copy: job => job.title,
    render: job => job.title,
    card: 'title',
  },
  {
    key: 'conditions',
    title: '筛选条件',
    width: 240,
    copy: job => job.conditions,
    render: job => job.conditions || '—',
    card: 'fact',
  },
  {
    key: 'state',
    title: '状态',
    width: 104,
    render: job => <ExportStateTag job={job} />,
    card: 'fact',
  },
  {
    key: 'progress',
    title: '进度',
    width: 208,
    render: job => <ExportProgress job={job} />,
    card: 'fact',
  },
  {
    key: 'byteSize',
    title: '文件大小',
    width: 104,
    align: 'right',
    render: job => <span className={look.number}>{formatBytes(job.byteSize)}</span>,
    card: 'hidden',
  },
  {
    key: 'createdAt',
    title: '发起时间',
    width: 176,
    render: job => <Instant at={job.createdAt} />,
    card: 'fact',
  },
  {
    key: 'expiresAt',
    title: '保留至',
    width: 176,
    render: job => <Instant at={job.expiresAt} />,
    card: 'hidden',
  },
]
