// The board as people see it: its rows, how many wait for whom, and its file.
import { and, eq, inArray, isNull, lte, max, type SQL, sql } from 'drizzle-orm'
import { ACQUIRER_HOURS } from '#features/acquiring/acquirer-onboardings/rules.ts'
import { ownerPapers } from '#features/acquiring/owner-papers/tables.ts'
import { APPLICATION_HOURS } from '#features/acquiring/payment-applications/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  countUpTo,
  filtered,
  type ListSource,
  type Order,
  ownColumns,
  ownCondition,
  type PageIds,
  rowsAndTotal,
  skewedBy,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { isWord } from '#server/office/inbox.ts'
import { settingOf } from '#server/office/settings.ts'
import { type acquiringProgress as contract, progressDownloads } from './contract.ts'
import { PROGRESS_FIELDS as FIELDS, PROGRESS } from './fields.ts'
import {
  type PromisedHours,
  promisedHours,
  REFUSALS,
  refuseReminder,
  WAITING_TURNS,
  waitText,
} from './rules.ts'
import { acquiringProgress as progress } from './tables.ts'

type Filters = Omit<In<typeof contract.list>, 'page' | 'size'>

const { reminderStatus: _m, shopName: _s, account: _a, agentName: _g, ...KEPT } = FIELDS
const ROW = {
  ...ownColumns(progress, keysIn(KEPT, 'row')),
  shopName: merchants.shopName,
  account: merchants.account,
  agentName: agents.companyName,
  reminderStatus: outboxMessages.status,
}

/** Literal, as the indexes of what waits have it. */
const waits = sql`${progress.turn} <> 'none'`

export async function hoursOf(ctx: Ctx): Promise<PromisedHours> {
  const [application, acquirer] = await together([
    settingOf(ctx, APPLICATION_HOURS),
    settingOf(ctx, ACQUIRER_HOURS),
  ])
  return promisedHours({ application, acquirer })
}

/** It stands so longer than was promised. `now` an instant, `hours` the promised ones as JSON; nothing promised is never past. */
const isPast = (now: unknown, hours: unknown): SQL =>
  sql`${progress.since} < ${now}::timestamptz - make_interval(hours => (${hours}::jsonb ->> ${progress.step})::int)`

function overdue(ctx: Ctx, hours: PromisedHours): Condition {
  return {
    key: 'overdue',
    sql: and(waits, isPast(sql.placeholder('overdueNow'), sql.placeholder('overdueHours'))),
    values: { overdueNow: ctx.now.toISOString(), overdueHours: JSON.stringify(hours) },
  }
}

const orderOf = (input: Pick<Filters, 'sort' | 'order'>) =>
  sortedBy(input, { since: progress.since }, progress.id)

function select(ctx: Ctx, { order }: Order, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(progress)
    .innerJoin(merchants, eq(merchants.id, progress.merchantId))
    .innerJoin(agents, eq(agents.id, progress.agentId))
    .leftJoin(outboxMessages, eq(outboxMessages.id, progress.reminderId))
    .orderBy(...order)
    .$dynamic()
}

async function conditionsOf(
  ctx: Ctx,
  filters: Filters,
  hours: PromisedHours,
): Promise<{ conditions: Condition[]; shopsCapped: boolean }> {
  const searched = await searchShops(ctx, filters, progress.merchantId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, progress.agentId),
    ...(filters.turn === undefined ? [{ key: 'waits', sql: waits }] : []),
    ...filtered(PROGRESS, filters, {
      turn: skewedBy('turn', progress.turn),
      channel: skewedBy('channel', progress.channel),
      overdue: isAsked => (isAsked ? [overdue(ctx, hours)] : []),
      reviewerName: skewedBy('reviewerName', progress.reviewerName),
      agentId: progress.agentId,
    }),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

export const list: Verb<typeof contract.list> = async (ctx, input) => {
  const hours = await hoursOf(ctx)
  const { conditions, shopsCapped } = await conditionsOf(ctx, input, hours)
  const source: ListSource = {
    ...{ name: 'acquiring progress', table: progress, conditions },
    ...orderOf(input),
  }
  const { rows, ...total } = await rowsAndTotal(ctx, source, input, page =>
    select(ctx, source, page).innerJoin(page, eq(page.id, progress.id)),
  )
  const hasSms = ctx.services.providers.sms !== null
  const withOwner = rows.flatMap(({ step, merchantId }) => (step === 'ownerFilling' ? [merchantId] : []))
  const [expired, sent] = await together([expiredLinks(ctx, withOwner), linksSent(ctx, withOwner)])
  return {
    ...total,
    shopsCapped,
    rows: rows.map(row => {
      const promised = hours[row.step] ?? null
      const remindedAt = laterOf(row.remindedAt, sent.get(row.merchantId))
      const refusal = refuseReminder({ turn: row.turn, remindedAt }, ctx.now)
      return {
        ...row,
        hours: promised,
        isOverdue: waitText(row.since, promised, ctx.now).isOverdue,
        remindRefusal:
          row.turn === 'shop' && !hasSms
            ? REFUSALS.SMS_NONE
            : refusal === 'REMINDED_JUST_NOW'
              ? REFUSALS[refusal]
              : null,
        isLinkExpired: row.step === 'ownerFilling' && expired.has(row.merchantId),
      }
    }),
  }
}

/** Of these shops, those whose owner cannot open the link any more. */
async function expiredLinks(ctx: Ctx, shops: readonly number[]): Promise<ReadonlySet<number>> {
  if (shops.length === 0) return new Set()
  const rows = await ctx.db
    .select({ merchantId: ownerPapers.merchantId })
    .from(ownerPapers)
    .where(
      and(
        inArray(ownerPapers.merchantId, [...shops]),
        isNull(ownerPapers.endedAt),
        inArray(ownerPapers.state, ['draft', 'returned']),
        lte(ownerPapers.expiresAt, ctx.now.toISOString()),
        ownRows(ctx, ownerPapers.agentId),
      ),
    )
  return new Set(rows.map(({ merchantId }) => merchantId))
}

/** When the owners of these shops were last sent a link by SMS: it is remembered although a link that is called off has no row here. */
export async function linksSent(ctx: Ctx, shops: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (shops.length === 0) return new Map()
  const rows = await ctx.db
    .select({ merchantId: outboxMessages.merchantId, at: max(outboxMessages.createdAt) })
    .from(outboxMessages)
    .where(
      and(
        inArray(outboxMessages.merchantId, [...shops]),
        eq(outboxMessages.kind, 'owner-link'),
        ownRows(ctx, outboxMessages.agentId),
      ),
    )
    .groupBy(outboxMessages.merchantId)
  return new Map(rows.flatMap(({ merchantId, at }) => (merchantId && at ? [[merchantId, at]] : [])))
}

/** Of two instants; null: neither is there. */
export const laterOf = (one: string | null, other: string | null | undefined): string | null =>
  one !== null && other ? (Date.parse(one) > Date.parse(other) ? one : other) : (one ?? other ?? null)

export const counts: Verb<typeof contract.counts> = async ctx => {
  const counted = async (where: SQL | undefined) =>
    Math.min(await countUpTo(ctx, progress, and(where, ownRows(ctx, progress.agentId))), COUNT_CAP)
  const hours = await hoursOf(ctx)
  const past = isPast(ctx.now.toISOString(), JSON.stringify(hours))
  const [late = 0, staff = 0, agent = 0, shop = 0, provider = 0] = await together([
    counted(and(waits, past)),
    ...WAITING_TURNS.map(turn => counted(isWord(progress.turn, turn))),
  ])
  return { staff, agent, shop, provider, overdue: late }
}

export const listDownload = serveDownload(progressDownloads.list, async (ctx, { columns, ...filters }) => {
  const { conditions } = await conditionsOf(ctx, filters, await hoursOf(ctx))
  const statement = select(ctx, orderOf(filters)).where(conditionOf({ conditions }))
  return { statement, values: valuesOf(conditions), ...fileColumns(PROGRESS, ROW, columns) }
})
