// Owns the vocabulary of exports that run in the background, how many there may be, and when they end (D3 §9).
// Must never know which lists there are, nor read a clock.
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'

export const EXPORT_STATES = {
  queued: '排队中',
  running: '导出中',
  done: '已完成',
  failed: '导出失败',
  cancelled: '已取消',
} as const
export type ExportState = keyof typeof EXPORT_STATES
const UNFINISHED = ['queued', 'running'] as const satisfies ExportState[]
/** A running one of which nothing is heard is begun again. */
export const EXPORT_STEPS = {
  begin: { from: UNFINISHED, to: 'running', by: ['program'] },
  putBack: { from: ['running'], to: 'queued', by: ['program'] },
  finish: { from: ['running'], to: 'done', by: ['program'] },
  fail: { from: ['running'], to: 'failed', by: ['program'] },
  cancel: { from: UNFINISHED, to: 'cancelled', by: ['session'] },
} as const satisfies Machine<ExportState>

/** Exports of one account that have not ended. */
export const UNFINISHED_MAX = 3
/** Files and their rows are kept this long. */
export const KEPT_HOURS = setting({
  key: 'export-kept-hours',
  group: '保留期限',
  label: '导出的文件',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 168,
  hint: '之后文件被删除，须重新导出；文件含商户资料，不宜久留',
})
/** An export of which nothing was heard for so long is taken again, at most so often. */
export const SILENT_SECONDS = 60
export const ATTEMPTS_MAX = 3

export const REFUSALS = {
  EXPORT_UNKNOWN: '该列表不支持导出',
  TOO_MANY: `最多同时进行 ${UNFINISHED_MAX} 个导出任务，请等待完成或取消后再试`,
  ENDED: '该任务已结束',
  NOT_READY: '文件尚未生成，请稍后再试',
  FILE_GONE: '文件已过期或不存在，请重新导出',
} as const
export type Refusal = keyof typeof REFUSALS

/** What is told of an export that ended without its file. */
export const FAILURES = {
  account: '账号已停用',
  permission: '您没有操作权限!',
  interrupted: '导出多次中断，请重新导出',
  broken: '导出失败，请重新导出',
} as const

export function isUnfinished(state: ExportState): boolean {
  return nextState(EXPORT_STEPS, state, 'cancel') !== null
}

export function refuseStart(unfinished: number): Refusal | null {
  return unfinished >= UNFINISHED_MAX ? 'TOO_MANY' : null
}

export function refuseCancel(state: ExportState): Refusal | null {
  return isUnfinished(state) ? null : 'ENDED'
}

/** `expiresAt` and `now` are instants in ms. */
export function refuseFetch(state: ExportState, expiresAt: number | null, now: number): Refusal | null {
  if (isUnfinished(state)) return 'NOT_READY'
  return state !== 'done' || expiresAt === null || expiresAt <= now ? 'FILE_GONE' : null
}

/** Percent that is written, at most 99 before the end; null when nobody knows how much there will be. */
export function percentOf(job: {
  state: ExportState
  rowsWritten: number
  rowsExpected: number | null
}): number | null {
  if (job.state === 'done') return 100
  if (job.rowsExpected === null) return null
  if (job.rowsExpected === 0) return 99
  return Math.min(99, Math.floor((job.rowsWritten / job.rowsExpected) * 100))
}
