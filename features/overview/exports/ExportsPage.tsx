import { useEffect } from 'react'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { messageOf, saveFile } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { useMayAsk } from '#web/form/files/FileLink.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import {
  ExportProgress,
  ExportStateWord,
  exportsApi,
  fileAddress,
  formatBytes,
  type Job,
  useCancelExport,
  useLatestExports,
} from './ExportJobs.tsx'
import { EXPORTS } from './fields.ts'
import { isUnfinished, KEPT_HOURS, REFUSALS } from './rules.ts'

/** Every export of the account that is still kept. */
export default function ExportsPage() {
  const cancel = useCancelExport()
  const mayAsk = useMayAsk()
  useFollowed()
  const keptHours = useLimit(KEPT_HOURS)
  return (
    <List
      of={EXPORTS}
      from={exportsApi.list}
      cells={CELLS}
      summary={() => <span>文件保留 {keptHours} 小时，请及时下载</span>}
      actionsWidth={112}
      rowActions={job => actionsOf(job, cancel, mayAsk(job.rowsWritten))}
    />
  )
}

/** The rows here change when those of the header do. */
function useFollowed(): void {
  const { dataUpdatedAt, data } = useLatestExports()
  const states = data?.rows.map(job => `${job.id} ${job.state} ${job.rowsWritten}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is new is worth another look.
  useEffect(() => {
    if (dataUpdatedAt > 0) readAgain('exports.list')
  }, [states])
}

function actionsOf(job: Job, cancel: (job: Job) => Promise<void>, mayAsk: boolean): RowAction[] {
  if (isUnfinished(job.state)) return [{ key: 'cancel', label: '取消', onClick: () => void cancel(job) }]
  return [
    {
      key: 'fetch',
      label: '下载',
      disabled: job.state === 'done' ? null : job.error || REFUSALS.FILE_GONE,
      onClick: () => {
        if (mayAsk) saveFile(fileAddress(job)).catch(error => toast.error(messageOf(error)))
        else location.assign(fileAddress(job))
      },
    },
  ]
}

const CELLS = {
  state: (job: Job) => <ExportStateWord job={job} />,
  progress: { copy: undefined, render: (job: Job) => <ExportProgress job={job} /> },
  byteSize: {
    copy: undefined,
    render: (job: Job) => <span className={look.number}>{formatBytes(job.byteSize)}</span>,
  },
}
