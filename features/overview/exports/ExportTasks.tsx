import { lazy, useEffect, useRef, useState } from 'react'
import { DotButton } from '#web/controls/DotButton.tsx'
import { IconDownload } from '#web/controls/icons.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { useMayAsk } from '#web/form/files/FileLink.tsx'
import { fileAddress, type Job, useLatestExports } from './ExportJobs.tsx'
import { isUnfinished } from './rules.ts'

const ExportPanel = lazy(() => import('./ExportPanel.tsx'))

/** The header's sign of exports of the last day; says when one is ready. Absent where there are none. */
export default function ExportTasks() {
  const { data } = useLatestExports()
  const [open, setOpen] = useState(false)
  const rows = data?.rows ?? []
  useNotices(data?.rows, useMayAsk())
  const running = rows.filter(job => isUnfinished(job.state)).length
  if (rows.length === 0) return null
  const label = running > 0 ? `导出任务，${running} 个进行中` : '导出任务'
  return (
    <>
      <DotButton label={label} icon={<IconDownload />} marked={running > 0} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <ExportPanel rows={rows} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** A message when an export ends that was seen unfinished. */
function useNotices(rows: readonly Job[] | undefined, mayAsk: (rows: number) => boolean): void {
  const awaited = useRef(new Set<number>())
  useEffect(() => {
    for (const job of rows ?? []) {
      if (isUnfinished(job.state)) awaited.current.add(job.id)
      else if (awaited.current.delete(job.id)) tell(job, mayAsk(job.rowsWritten))
    }
  }, [rows, mayAsk])
}

function tell(job: Job, mayAsk: boolean): void {
  // A file that may ask for the factor is fetched from the list of exports, which can.
  if (job.state === 'done' && mayAsk) toast.success(`${job.title}已导出，请在导出任务中下载`)
  else if (job.state === 'done')
    toast.file(`${job.title}已导出`, { text: '下载文件', href: fileAddress(job) })
  if (job.state === 'failed') toast.error(`${job.title}导出失败：${job.error}`)
}
