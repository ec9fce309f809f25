// Owns whose things are shown, how long one may be put off, and who may be charged with one (issue "one inbox").
// Must never read a clock or a database.
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** Whose things: what waits for whoever looks is what nobody else has taken. */
export const WHOSE = {
  waiting: '待我处理',
  mine: '我负责的',
  free: '无人负责',
  all: '全部',
  snoozed: '已推迟',
} as const
export type Whose = keyof typeof WHOSE
export const WHOSE_KEYS = Object.keys(WHOSE) as Whose[]
export const WHOSE_AT_FIRST = 'waiting' satisfies Whose

/** What was done is out of sight until it is asked for. */
export const DECIDED_WORD = '已办理'
/** Of each kind so many are looked back at, by when they came. */
export const DECIDED_LATEST = 200

/** What is at stake, the most first; as words they sort in this order. */
export const STAKES = { money: '涉及资金', promise: '已承诺', rest: '其他' } as const
export type Stake = keyof typeof STAKES
const STAKE_ORDER = Object.keys(STAKES) as Stake[]

/** Money first, then what was promised to somebody. */
export function stakeOf({ isMoney, within }: { isMoney?: true; within?: unknown }): Stake {
  return isMoney ? 'money' : within === undefined ? 'rest' : 'promise'
}

/** Its place among the stakes, from 0. */
export const rankOf = (stake: Stake): number => STAKE_ORDER.indexOf(stake)

/** So many alike are one line. */
export const FOLDED_FROM = 3

/** Which kinds are one line: so many alike, while no kind is chosen. */
export function isFolded(
  { folded }: { folded?: string },
  count: number,
  chosen: { kind?: string | undefined },
): boolean {
  return folded !== undefined && chosen.kind === undefined && count >= FOLDED_FROM
}

/** Which case follows the one at `at` that was done: what took its place, the last where none did; null: all are done. */
export function nextAfter<Row>(rows: readonly Row[], at: number): Row | null {
  return rows[Math.min(at, rows.length - 1)] ?? null
}

export const INBOX_LIMITS = {
  /** Of one assignment or put-off. */
  rows: 100,
  reason: 50,
  snoozeDays: 90,
} as const

/** The shell says no more than so many. */
export const SHELL_COUNTED = 100

export const INBOX_REFUSALS = {
  ITEM_GONE: '该事项已处理，不再等待',
  ASSIGNEE_MAY_NOT: '该同事没有处理这类事项的权限，请选择其他人',
  UNTIL_REQUIRED: '请选择推迟到什么时候',
  UNTIL_PAST: '请选择以后的时间',
  UNTIL_TOO_FAR: `最多推迟 ${INBOX_LIMITS.snoozeDays} 天`,
  REASON_TOO_LONG: `推迟原因不得超过${INBOX_LIMITS.reason}字`,
} as const
export type InboxRefusal = keyof typeof INBOX_REFUSALS

type Noted = {
  assigneeId: number | null
  assigneeName: string
  snoozedUntil: string | null
  snoozedByName: string
}
type Seen = Pick<Noted, 'assigneeId' | 'snoozedUntil'>

/** Who was first with what a colleague has taken or put off since it was seen; null: nobody was. */
export function firstText(
  now: Noted,
  seen: Seen,
  { meant, shown }: { meant: number | null; shown: (instant: string) => string },
): string | null {
  const { assigneeId, assigneeName, snoozedUntil, snoozedByName } = now
  if (assigneeId !== null && assigneeId !== seen.assigneeId && assigneeId !== meant)
    return `已由${assigneeName}负责`
  return snoozedUntil !== null && snoozedUntil !== seen.snoozedUntil
    ? `${snoozedByName}已推迟到 ${shown(snoozedUntil)}`
    : null
}

/** Why it cannot be put off until then. */
export function refuseUntil(until: string, now: Date): InboxRefusal | null {
  const at = Date.parse(until)
  if (Number.isNaN(at)) return 'UNTIL_REQUIRED'
  if (at <= now.getTime()) return 'UNTIL_PAST'
  return at > now.getTime() + INBOX_LIMITS.snoozeDays * 86_400_000 ? 'UNTIL_TOO_FAR' : null
}

export function refuseReason(reason: string): InboxRefusal | null {
  return lengthOf(reason) > INBOX_LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** When work begins. */
const MORNING_MS = 9 * 3_600_000

export function tomorrowMorning(now: Date): string {
  return morningOf(addDays(formatDay(now), 1))
}

/** Of the next Monday. */
export function nextWeek(now: Date): string {
  const today = formatDay(now)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return morningOf(addDays(today, (8 - weekday) % 7 || 7))
}

function morningOf(day: string): string {
  return new Date(startOfDay(day).getTime() + MORNING_MS).toISOString()
}

const HOUR_MS = 3_600_000

/** How long something waits, in the largest whole unit. */
export function waitedText(since: string, now: Date): string {
  const hours = Math.floor((now.getTime() - Date.parse(since)) / HOUR_MS)
  if (hours < 1) return '不到 1 小时'
  return hours < 24 ? `${hours} 小时` : `${Math.floor(hours / 24)} 天`
}

/** Until when an answer was promised. */
export function dueOf(since: string, hours: number): string {
  return new Date(Date.parse(since) + hours * HOUR_MS).toISOString()
}
