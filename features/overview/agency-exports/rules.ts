// Owns how everything of one agency is taken along: its states, how long the archive is kept, and why it cannot be made (docs/decisions/0090).
// Must never read a clock, nor know what an archive holds.
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

export const AGENCY_EXPORT_STATES = {
  queued: '排队中',
  making: '生成中',
  done: '可下载',
  failed: '未完成',
  deleted: '文件已删除',
} as const
export type AgencyExportState = keyof typeof AGENCY_EXPORT_STATES
const UNFINISHED = ['queued', 'making'] as const satisfies AgencyExportState[]
/** One that is being made and of which nothing is heard is begun again. */
export const AGENCY_EXPORT_STEPS = {
  begin: { from: UNFINISHED, to: 'making', by: ['program'] },
  putBack: { from: ['making'], to: 'queued', by: ['program'] },
  finish: { from: ['making'], to: 'done', by: ['program'] },
  fail: { from: ['making'], to: 'failed', by: ['program'] },
  retry: { from: ['failed'], to: 'queued', by: ['agencyExports.manage'] },
  delete: { from: ['done'], to: 'deleted', by: ['program'] },
} as const satisfies Machine<AgencyExportState>

export const KEPT_DAYS = setting({
  key: 'agency-export-kept-days',
  group: '保留期限',
  label: '数据移交的文件',
  unit: '天',
  initial: 14,
  min: 1,
  max: 90,
  hint: '之后文件连同密钥被删除，须重新生成；移交记录和证明保留',
})
export const LIMITS = { reason: 100 } as const
export const SILENT_SECONDS = 60
export const ATTEMPTS_MAX = 3
/** What stands in the row of one that was made by the command. */
export const BY_COMMAND = '命令行'

export const AGENCY_EXPORT_REFUSALS = {
  AGENCY_REQUIRED: '请选择代理商',
  AGENCY_VENDOR: '厂商自己的数据不能移交',
  EXPORTING_ALREADY: '该代理商的数据正在生成，请等待完成',
  REASON_REQUIRED: '请输入移交原因',
  REASON_TOO_LONG: `移交原因不得超过${LIMITS.reason}字`,
  NOT_READY: '文件尚未生成，请稍后再试',
  FILE_GONE: '文件已删除，请重新生成',
  NOT_FAILED: '只有未完成的移交可以重试，请刷新后查看',
  CERTIFICATE_MISSING: '证明在文件生成后才有',
} as const
export type AgencyExportRefusal = keyof typeof AGENCY_EXPORT_REFUSALS

/** What is told of one whose archive went before its time. */
export const FORGOTTEN = '因个人信息删除'

/** What is told of one that ended without its archive. */
export const FAILURES = {
  interrupted: '生成多次中断，请重试',
  full: '服务器存储空间不足，请清理后重试',
  broken: '生成失败，请重试；仍不成功时请查看服务器日志',
} as const

export function isUnfinished(state: AgencyExportState): boolean {
  return nextState(AGENCY_EXPORT_STEPS, state, 'begin') !== null
}

export function refuseReason(reason: string): AgencyExportRefusal | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > LIMITS.reason ? 'REASON_TOO_LONG' : null
}

export function refuseStart(agent: { isVendor: boolean }, unfinished: number): AgencyExportRefusal | null {
  if (agent.isVendor) return 'AGENCY_VENDOR'
  return unfinished > 0 ? 'EXPORTING_ALREADY' : null
}

export function refuseRetry(state: AgencyExportState): AgencyExportRefusal | null {
  return nextState(AGENCY_EXPORT_STEPS, state, 'retry') === null ? 'NOT_FAILED' : null
}

/** `expiresAt` and `now` are instants in ms. */
export function refuseFetch(
  state: AgencyExportState,
  expiresAt: number | null,
  now: number,
): AgencyExportRefusal | null {
  if (isUnfinished(state) || state === 'failed') return 'NOT_READY'
  return state !== 'done' || expiresAt === null || expiresAt <= now ? 'FILE_GONE' : null
}

/** Percent that is written, at most 99 before the end; null when nobody knows how much there will be. */
export function percentOf(row: {
  state: AgencyExportState
  rowsWritten: number
  rowsExpected: number | null
}): number | null {
  if (row.state === 'done' || row.state === 'deleted') return 100
  if (row.rowsExpected === null) return null
  return Math.min(99, Math.floor((row.rowsWritten / Math.max(1, row.rowsExpected)) * 100))
}

/** The number of the certificate: of the day in Shanghai and the row. */
export function exportNo(id: number, day: string): string {
  return `SJ${day.replaceAll('-', '')}${String(id).padStart(6, '0')}`
}
