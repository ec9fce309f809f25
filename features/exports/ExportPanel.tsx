import { Link } from '@tanstack/react-router'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { Instant } from '#web/format.tsx'
import {
  ExportProgress,
  ExportStateTag,
  fileAddress,
  formatBytes,
  type Job,
  useCancelExport,
} from './ExportJobs.tsx'
import { isUnfinished } from './rules.ts'

/** The latest exports: how far they are, and their files. */
export default function ExportPanel({ rows, onClose }: { rows: readonly Job[]; onClose: () => void }) {
  return (
    <Dialog
      title="导出任务"
      width={480}
      onClose={onClose}
      footer={
        <Link to="/admin/account/exports" className="btn btn-plain" onClick={onClose}>
          查看全部
        </Link>
      }
    >
      <p className="dialog-text">文件保留 24 小时，请及时下载</p>
      <ul className="export-list">
        {rows.map(job => (
          <ExportRow key={job.id} job={job} />
        ))}
      </ul>
    </Dialog>
  )
}

function ExportRow({ job }: { job: Job }) {
  const cancel = useCancelExport()
  return (
    <li className="export-row">
      <div className="export-row-main">
        <p>
          <b>{job.title}</b> <ExportStateTag job={job} />
        </p>
        {job.conditions !== '' && (
          <p className="export-conditions" data-tip-cut>
            {job.conditions}
          </p>
        )}
        <p className="quiet-text">
          {job.error || (
            <>
              {isUnfinished(job.state) || job.state === 'done' ? <ExportProgress job={job} /> : null}
              {job.state === 'done' && <> · {formatBytes(job.byteSize)}</>}
              {!isUnfinished(job.state) && (
                <>
                  {job.state === 'done' && ' · '}
                  <Instant at={job.createdAt} />
                </>
              )}
            </>
          )}
        </p>
      </div>
      {isUnfinished(job.state) && <Button onClick={() => void cancel(job)}>取消</Button>}
      {job.state === 'done' && (
        <a className="btn btn-primary" href={fileAddress(job)} download>
          下载
        </a>
      )}
    </li>
  )
}
