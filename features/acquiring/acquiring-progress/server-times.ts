// How long it took from papers to being paid, and how many first tries were refused: one statement each, bounded by the period.
import { type SQL, sql } from 'drizzle-orm'
import { applicationRefusals, refusalCauses } from '#features/acquiring/refusals/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { comparedPeriods, type Range } from '#features/sales/settlement/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { refuseCommon } from '#server/refuse.ts'
import type { acquiringProgress as contract } from './contract.ts'
import { PROGRESS_CHANNELS, type ProgressChannel, TIMES_LIMITS, type TimesBy, timesByOf } from './rules.ts'
import { acquiringProgress as progress } from './tables.ts'

type Answer = Out<typeof contract.times>
type Counted = { [Key in keyof Answer['total']]: string | number | null } & {
  key: string | null
  name: string | null
}

export const times: Verb<typeof contract.times> = async (ctx, { period = 'month', month, by }) => {
  if (!timesByOf(ctx.actor.isVendorStaff).includes(by)) refuseCommon('INPUT_INVALID')
  const today = formatDay(ctx.now)
  const { now } = comparedPeriods(period, month ?? today.slice(0, 7), today)
  const [{ rows: counted }, { rows: causes }] = await together([
    ctx.db.execute<Counted>(timesOf(ctx, now, by)),
    ctx.db.execute<{ cause_id: string | null; label: string; reason: string; times: string }>(
      causesOf(ctx, now),
    ),
  ])
  const [total, ...groups] = counted
  return {
    now,
    total: total ? numbersOf(total) : NONE,
    rows: groups.slice(0, TIMES_LIMITS.rows).map(row => ({
      ...numbersOf(row),
      key: row.key ?? '',
      name: nameOf(by, row),
    })),
    rowsCapped: groups.length > TIMES_LIMITS.rows,
    causes: causes.map(({ cause_id, label, reason, times: counts }) => ({
      causeId: cause_id === null ? null : Number(cause_id),
      ...{ label, reason, times: Number(counts) },
    })),
  }
}

const NONE: Answer['total'] = {
  ...{ opened: 0, medianDays: null, p90Days: null },
  ...{ paid: 0, paidMedianDays: null, decided: 0, refused: 0 },
}

const numbersOf = (row: Counted): Answer['total'] =>
  Object.fromEntries(
    Object.keys(NONE).map(key => {
      const value = row[key as keyof Answer['total']]
      return [key, value === null ? null : Number(value)]
    }),
  ) as Answer['total']

function nameOf(by: TimesBy, { key, name }: Counted): string {
  if (by === 'channel') return PROGRESS_CHANNELS[key as ProgressChannel]
  return by === 'agent' ? (name ?? '') : key || '未经审核'
}

const KEYS: Readonly<Record<TimesBy, SQL>> = {
  channel: sql`${progress.channel}`,
  reviewer: sql`${progress.reviewerName}`,
  agent: sql`${progress.agentId}::text`,
}

/** When it was first known whether what was handed in is taken, as the index has it. */
const FIRST_RESULT = sql`least(${progress.refusedAt}, ${progress.openedAt})`

/** The days of a range as a condition on an instant, which an index answers. */
const within = (at: SQL, { from, to }: Range): SQL =>
  sql`(${at} >= ${startOfDay(from).toISOString()}::timestamptz and ${at} < ${endOfDay(to).toISOString()}::timestamptz)`

const daysTo = (at: SQL): SQL => sql`extract(epoch from ${at} - ${progress.submittedAt})::float8 / 86400`

/** The whole first, then by key. What stands without its first papers was never handed in to us, and is not counted. */
function timesOf(ctx: Ctx, range: Range, by: TimesBy): SQL {
  const key = KEYS[by]
  const isOpened = within(sql`${progress.openedAt}`, range)
  const isDecided = within(FIRST_RESULT, range)
  const days = daysTo(sql`${progress.openedAt}`)
  const paidDays = daysTo(sql`${progress.paidAt}`)
  const counted = sql`select ${key} as key, grouping(${key}) as whole,
      count(*) filter (where ${isOpened}) as opened,
      percentile_cont(0.5) within group (order by ${days}) filter (where ${isOpened}) as "medianDays",
      percentile_cont(0.9) within group (order by ${days}) filter (where ${isOpened}) as "p90Days",
      count(${progress.paidAt}) filter (where ${isOpened}) as paid,
      percentile_cont(0.5) within group (order by ${paidDays}) filter (where ${isOpened}) as "paidMedianDays",
      count(*) filter (where ${isDecided}) as decided,
      count(*) filter (where ${isDecided} and ${progress.refusedAt} = ${FIRST_RESULT}) as refused
    from ${progress}
    where (${isOpened} or ${isDecided}) and ${progress.submittedAt} is not null and ${ownRows(ctx, progress.agentId) ?? sql`true`}
    group by grouping sets ((), (${key}))
    order by whole desc, count(*) desc, key limit ${TIMES_LIMITS.rows + 2}`
  if (by !== 'agent') return sql`select *, null as name from (${counted}) counted`
  return sql`select counted.*, ${agents.companyName} as name from (${counted}) counted
    left join ${agents} on ${agents.id} = counted.key::bigint
    order by counted.whole desc, counted.opened + counted.decided desc, counted.key`
}

/** Of those refused first in the range: staff by cause, others by what was refused. */
function causesOf(ctx: Ctx, range: Range): SQL {
  const told = ctx.actor.isVendorStaff
    ? sql`${refusalCauses.id} as cause_id, ${refusalCauses.label} as label, ${refusalCauses.reason} as reason`
    : sql`null as cause_id, ${refusalCauses.label} as label, '' as reason`
  return sql`select ${told}, count(distinct ${progress.id}) as times
    from ${progress}
    join ${applicationRefusals} on ${applicationRefusals.applicationId} = ${progress.sourceId} and ${applicationRefusals.refusedAt} = ${progress.refusedAt}
    join ${refusalCauses} on ${refusalCauses.id} = ${applicationRefusals.causeId}
    where ${progress.kind} = 'application' and ${within(FIRST_RESULT, range)} and ${progress.refusedAt} = ${FIRST_RESULT}
      and ${progress.submittedAt} is not null and ${ownRows(ctx, progress.agentId) ?? sql`true`}
    group by 1, 2, 3 order by times desc, label limit ${TIMES_LIMITS.causes}`
}
