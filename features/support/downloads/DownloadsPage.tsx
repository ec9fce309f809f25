import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './downloads.module.css'
import { downloadsApi, fileAddress, type ShownFile } from './downloadsApi.tsx'
import { SYSTEM_KEYS, SYSTEMS, type System, sizeWords } from './rules.ts'

/** Software by system, manuals and materials: the latest of each first, the older ones folded below (D3 §2). */
export default function DownloadsPage() {
  const shown = useQuery(downloadsApi.shown.query())
  return (
    <div className={`${look.page} ${styles.page}`}>
      <h1 className={look.pageTitle}>下载中心</h1>
      {shown.isError ? (
        <LoadFailure error={shown.error} onRetry={() => void shown.refetch()} />
      ) : !shown.data ? (
        <LoadingLines lines={10} />
      ) : shown.data.rows.length === 0 ? (
        <EmptyState title="还没有可以下载的文件">
          <p>厂商上传后会显示在这里；急需安装包时请联系您的服务经理。</p>
        </EmptyState>
      ) : (
        SYSTEM_KEYS.map(system => (
          <Group
            key={system}
            system={system}
            files={shown.data.rows.filter(file => file.system === system)}
          />
        ))
      )}
    </div>
  )
}

function Group({ system, files }: { system: System; files: readonly ShownFile[] }) {
  if (files.length === 0) return null
  const older = files.filter(({ isLatest }) => !isLatest)
  return (
    <section className={styles.group} aria-labelledby={`downloads-${system}`}>
      <h2 id={`downloads-${system}`} className={look.sectionTitle}>
        {SYSTEMS[system]}
      </h2>
      <ul>{files.flatMap(file => (file.isLatest ? [<File key={file.id} file={file} />] : []))}</ul>
      {older.length > 0 && (
        <details className={styles.older}>
          <summary>历史版本（{older.length}）</summary>
          <ul>
            {older.map(file => (
              <File key={file.id} file={file} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function File({ file }: { file: ShownFile }) {
  const name = `${file.name} ${file.version}`
  return (
    <li className={styles.file}>
      <div className={styles.what}>
        <p className={styles.name}>
          <b>{file.name}</b> <span className={look.number}>{file.version}</span>{' '}
          {file.isLatest && <StatusTag tone="done">最新</StatusTag>}
        </p>
        <p className={look.quiet}>
          {file.link === ''
            ? `${sizeWords(file.byteSize)} · 下载 ${formatCount(file.downloads)} 次 · `
            : '外部链接 · '}
          {formatDay(file.createdAt)} 发布
        </p>
        {file.notes !== '' && <p className={styles.notes}>{file.notes}</p>}
        {file.sha256 !== '' && (
          <details className={styles.sum}>
            <summary>SHA-256 校验值</summary>
            <button
              type="button"
              onClick={() => void copyText(file.sha256)}
              aria-label={`复制 ${name} 的校验值`}
            >
              <code>{file.sha256}</code>
            </button>
          </details>
        )}
      </div>
      {file.link === '' ? (
        <FileLink href={fileAddress(file.id)} rows={0}>
          下载<span className={look.visuallyHidden}> {name}</span>
        </FileLink>
      ) : (
        <a className={buttonLook()} href={file.link} target="_blank" rel="noopener noreferrer">
          前往下载<span className={look.visuallyHidden}> {name}（新窗口）</span>
        </a>
      )}
    </li>
  )
}
