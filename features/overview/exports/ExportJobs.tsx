import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { look } from '#web/controls/look.ts'
import { StatusWord } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import type { exports } from './contract.ts'
import styles from './exports.module.css'
import { EXPORT_FIELDS } from './fields.ts'
import { EXPORT_STATES, isUnfinished, percentOf } from './rules.ts'

export const exportsApi = api<typeof exports>('exports')

export type Job = Out<typeof exports.list>['rows'][number]

const LATEST = ['exports', 'latest']
const AGAIN_AFTER_MS = 2_000

/** The latest exports, asked for again every 2 s while one of them is unfinished. */
export function useLatestExports(enabled = true) {
  return useQuery({
    queryKey: LATEST,
    queryFn: () => exportsApi.list({ page: 1, size: 10 }),
    enabled,
    staleTime: AGAIN_AFTER_MS,
    refetchInterval: ({ state }) =>
      state.data?.rows.some(job => isUnfinished(job.state)) ? AGAIN_AFTER_MS : false,
  })
}

export function useCancelExport(): (job: Job) => Promise<void> {
  return async ({ id }) => {
    try {
      await exportsApi.cancel({ id })
      toast.success('已取消导出')
    } catch (error) {
      toast.error(messageOf(error))
      readAgain('exports')
    }
    await reread()
  }
}

export function fileAddress({ id }: Pick<Job, 'id'>): string {
  return `/api/exports/${id}/file`
}

export function ExportStateWord({ job }: { job: Job }) {
  return (
    <StatusWord tone={EXPORT_FIELDS.state.tones[job.state]} tip={job.error || undefined}>
      {EXPORT_STATES[job.state]}
    </StatusWord>
  )
}

/** Rows that are written of those that are expected, as a bar and in figures. */
export function ExportProgress({ job }: { job: Job }) {
  const percent = percentOf(job)
  const written = formatCount(job.rowsWritten)
  const text =
    job.rowsExpected === null || job.state === 'done'
      ? `${written} 条`
      : `${written} / ${formatCount(job.rowsExpected)} 条`
  if (!isUnfinished(job.state)) return <span className={`${look.number} ${styles.exportAmount}`}>{text}</span>
  return (
    <span className={styles.exportProgress}>
      <progress max={100} value={percent ?? undefined} aria-label={`${job.title} 导出进度`} />
      <span className={`${look.number} ${styles.exportAmount}`}>{text}</span>
    </span>
  )
}

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return '—'
  const mega = bytes / 1_048_576
  return mega >= 1 ? `${mega.toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1_024))} KB`
}
