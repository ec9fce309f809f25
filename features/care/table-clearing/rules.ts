// Owns the emptying of one table of a shop's data at the point of sale: its states, who may take which step, and why not (D3 §2
// clearTable, §7 ClearTable; docs/decisions/0042). Must never read a clock or a database, and must never let a table be emptied whose
// backup is not known to be whole.
import type { Machine } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { formatCount } from '#kit/money.ts'
import { POS_REFUSALS } from '#kit/ports/pos-service.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/**
 * waiting: a second person is asked for. asked: the program begins at its next look. refused: the second person said no, or nobody
 * decided in time. cancelled: taken back before anything was emptied. failed: nothing was emptied. expired: the backup is kept no more.
 */
export const CLEARING_STATES = {
  waiting: '待第二人审批',
  asked: '已提交',
  backingUp: '备份中',
  backedUp: '已备份',
  emptying: '清空中',
  emptied: '已清空',
  restoring: '恢复中',
  restored: '已恢复',
  failed: '未清空',
  refused: '已驳回',
  cancelled: '已取消',
  expired: '备份已过期',
} as const
export type ClearingState = keyof typeof CLEARING_STATES

const clear = 'tableClearing.clear'
const approve = 'tableClearing.approve'
export const CLEARING_STEPS = {
  approve: { from: ['waiting'], to: 'asked', by: [approve] },
  reject: { from: ['waiting'], to: 'refused', by: [approve, 'program'] },
  cancel: { from: ['waiting', 'asked', 'backingUp', 'backedUp'], to: 'cancelled', by: [clear] },
  backUp: { from: ['asked'], to: 'backingUp', by: ['program'] },
  /** There are more rows than one person may empty, whatever was shown when it was asked for. */
  hold: { from: ['asked', 'backingUp'], to: 'waiting', by: ['program'] },
  /** The service says that the backup is complete, and its answer verifies. */
  keep: { from: ['backingUp'], to: 'backedUp', by: ['provider'] },
  empty: { from: ['backedUp'], to: 'emptying', by: ['program'] },
  /** The table has changed since its backup: another one is made first. */
  again: { from: ['emptying'], to: 'asked', by: ['provider'] },
  finish: { from: ['emptying'], to: 'emptied', by: ['provider'] },
  fail: { from: ['asked', 'backingUp', 'emptying'], to: 'failed', by: ['program', 'provider'] },
  restore: { from: ['emptied'], to: 'restoring', by: [clear] },
  bringBack: { from: ['restoring'], to: 'restored', by: ['provider'] },
  /** It was not brought back, and may be asked for again. */
  leave: { from: ['restoring'], to: 'emptied', by: ['provider'] },
  expire: { from: ['emptied', 'restoring'], to: 'expired', by: ['program', 'provider'] },
} as const satisfies Machine<ClearingState>
export type ClearingStep = keyof typeof CLEARING_STEPS

/** The program has something to do. */
export const AT_WORK = [
  'asked',
  'backingUp',
  'backedUp',
  'emptying',
  'restoring',
] as const satisfies ClearingState[]
/** Another of the same table has to wait. */
export const RUNNING = ['waiting', ...AT_WORK] as const satisfies ClearingState[]

export function isAtWork(state: ClearingState): boolean {
  return (AT_WORK as readonly ClearingState[]).includes(state)
}

export function isRunning(state: ClearingState): boolean {
  return (RUNNING as readonly ClearingState[]).includes(state)
}

/** One line of what happened to a clearing, in its order. */
export type ClearingEvent = { at: string; text: string; by: string }

export const LIMITS = {
  reason: 50,
  decision: 50,
  search: 50,
  /** The longest name and key of a table that a service may have. */
  name: 30,
  /** Backups made anew since the table had changed. */
  backups: 3,
  /** A backup is kept for so long, and brought back within it. */
  keptDays: 30,
} as const

/** Above so many rows a second person is asked for. */
export const SECOND_PERSON_ROWS = setting({
  key: 'table-clearing-second-person-rows',
  group: '售后工具',
  label: '清空数据须第二人审批，超过',
  unit: '行',
  initial: 1_000,
  min: 0,
  max: 100_000,
})
export const DECIDE_HOURS = setting({
  key: 'table-clearing-decide-hours',
  group: '售后工具',
  label: '清空数据审批期限',
  unit: '小时',
  initial: 72,
  min: 1,
  max: 720,
  hint: '逾期未审批的申请自动驳回',
})

export const CLEARING_REFUSALS = {
  ...POS_REFUSALS,
  SHOP_ID_REQUIRED: '请输入商户ID',
  TABLE_UNKNOWN: '收银系统中没有该数据表',
  TABLE_CHANGED: '数据表的行数已变化，请核对后重新提交',
  TABLE_EMPTY: '该数据表没有数据，无需清空',
  NAME_WRONG: '店铺名称不一致，请完整输入店铺名称',
  REASON_REQUIRED: '请输入操作原因',
  REASON_TOO_LONG: `操作原因不得超过${LIMITS.reason}字`,
  RUNNING_ALREADY: '该数据表正在清空或恢复，请等待完成',
  OWN_REQUEST: '不能审批自己提交的申请，请由另一位工作人员审批',
  DECISION_REQUIRED: '请输入驳回原因',
  DECISION_TOO_LONG: `驳回原因不得超过${LIMITS.decision}字`,
  STEP_NOT_NOW: '当前状态不能进行该操作，请刷新后查看',
  BACKUP_EXPIRED: `备份已超过${LIMITS.keptDays}天，不能恢复`,
} as const
export type ClearingRefusal = keyof typeof CLEARING_REFUSALS

export const UNDECIDED = '逾期未审批，自动驳回'

function refuseText(
  text: string,
  most: number,
  required: ClearingRefusal,
  tooLong: ClearingRefusal,
): ClearingRefusal | null {
  const length = lengthOf(text)
  if (length === 0) return required
  return length > most ? tooLong : null
}

export const refuseReason = (reason: string) =>
  refuseText(reason, LIMITS.reason, 'REASON_REQUIRED', 'REASON_TOO_LONG')
export const refuseDecision = (decision: string) =>
  refuseText(decision, LIMITS.decision, 'DECISION_REQUIRED', 'DECISION_TOO_LONG')

/** The name is typed as it stands, to the letter. */
export function refuseName(typed: string, shopName: string): ClearingRefusal | null {
  return typed === shopName ? null : 'NAME_WRONG'
}

/** Why this table cannot be emptied now, or null. */
export function refuseTable({ rows, isBusy }: { rows: number; isBusy: boolean }): ClearingRefusal | null {
  if (isBusy) return 'RUNNING_ALREADY'
  return rows === 0 ? 'TABLE_EMPTY' : null
}

/** What was shown is not what is there: whoever asked meant another table, or other rows. */
export function refuseShown(there: { rows: number } | undefined, shown: number): ClearingRefusal | null {
  if (!there) return 'TABLE_UNKNOWN'
  return there.rows === shown ? null : 'TABLE_CHANGED'
}

/** Both numbers, for whoever asked. */
export const changedText = (shown: number, rows: number): string =>
  `页面显示 ${formatCount(shown)} 行，收银系统中现有 ${formatCount(rows)} 行，请核对后重新提交`

export function refuseStep(state: ClearingState, step: ClearingStep): ClearingRefusal | null {
  const { from }: { from: readonly ClearingState[] } = CLEARING_STEPS[step]
  return from.includes(state) ? null : 'STEP_NOT_NOW'
}

type Asked = { state: ClearingState; askedBy: number }

/** Why this account cannot decide, or null: it waits, and somebody else asked for it. */
export function refuseDecider({ state, askedBy }: Asked, accountId: number): ClearingRefusal | null {
  return refuseStep(state, 'approve') ?? (askedBy === accountId ? 'OWN_REQUEST' : null)
}

export function refuseRestore(
  { state, expiresAt }: { state: ClearingState; expiresAt: string | null },
  now: string,
): ClearingRefusal | null {
  if (state === 'expired' || (expiresAt !== null && expiresAt <= now)) return 'BACKUP_EXPIRED'
  return refuseStep(state, 'restore')
}

/** Whether so many rows ask for a second person who has not been there yet. */
export function needsSecond(rows: number, most: number, decidedBy: number | null): boolean {
  return rows > most && decidedBy === null
}

/** Until when the emptied table can be brought back: as long as is promised, and no longer than the service keeps its backup. */
export function backupEnd(emptiedAt: string, keptUntil: string): string {
  const promised = new Date(Date.parse(emptiedAt) + LIMITS.keptDays * 86_400_000).toISOString()
  return keptUntil < promised ? keptUntil : promised
}

const AGAIN_S = { least: 2, most: 300 } as const

/** Seconds until a service that did not answer is asked again. */
export function secondsUntilAgain(silences: number): number {
  return Math.min(AGAIN_S.most, AGAIN_S.least * 2 ** Math.min(silences, 10))
}

/** Who is at it and since when, for whoever comes second. `since`: as people read it. */
export function runningText(of: { byName: string; state: ClearingState; since: string }): string {
  return `${of.byName}于 ${of.since} 已提交，${CLEARING_STATES[of.state]}，请等待完成`
}
