import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import {
  ExportProgress,
  ExportStateWord,
  fileAddress,
  formatBytes,
  type Job,
  useCancelExport,
} from './ExportJobs.tsx'
import styles from './exports.module.css'
import { isUnfinished } from './rules.ts'

/** The latest exports: how far they are, and their files. */
export default function ExportPanel({ rows, onClose }: { rows: readonly Job[]; onClose: () => void }) {
  return (
    <Dialog
      title="导出任务"
      width={480}
      onClose={onClose}
      footer={
        <Link to="/admin/account/exports" className={buttonLook()} onClick={onClose}>
          查看全部
        </Link>
      }
    >
      <DialogText>文件保留 24 小时，请及时下载</DialogText>
      <ul className={styles.exportList}>
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
    <li className={styles.exportRow}>
      <div className={styles.exportRowMain}>
        <p>
          <b>{job.title}</b> <ExportStateWord job={job} />
        </p>
        {job.conditions !== '' && (
          <p className={styles.exportConditions} data-tip-cut>
            {job.conditions}
          </p>
        )}
        <p className={look.quiet}>
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
      {isUnfinished(job.state) && (
        <Button changes onClick={() => void cancel(job)}>
          取消
        </Button>
      )}
      {job.state === 'done' && (
        <FileLink kind="primary" href={fileAddress(job)} rows={job.rowsWritten}>
          下载
        </FileLink>
      )}
    </li>
  )
}
