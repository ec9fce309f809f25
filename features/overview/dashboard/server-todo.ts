// What waits for somebody today: each the rows of the list that it opens, through the indexes of that list.
import { and, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ApprovalKind } from '#features/care/approvals/rules.ts'
import { approvalRequests } from '#features/care/approvals/tables.ts'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { yearOfWindow } from '#features/care/renewals/server-due.ts'
import type { ThreadDesk } from '#features/care/threads/rules.ts'
import { threads } from '#features/care/threads/tables.ts'
import { wallet } from '#features/money/ledger/server.ts'
import { usualThresholds } from '#features/office/notices/server-alerts.ts'
import { noticeThresholds } from '#features/office/notices/tables.ts'
import { hardwareOrders } from '#features/sales/hardware/tables.ts'
import { paymentDifferences, paymentReconciliations } from '#features/sales/payments/tables.ts'
import { undoRequests } from '#features/sales/settlement/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { consultations } from '#features/support/consultations/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { addDays, endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import type { dashboard as contract } from './contract.ts'
import { concerns, DUTY_KEYS, type DutyKey, FAILED_DAYS } from './rules.ts'

type Item = Omit<Out<typeof contract.todo>['items'][number], 'key'>

export async function todoOfDay(ctx: Ctx): Promise<Out<typeof contract.todo>> {
  const today = formatDay(ctx.now)
  const { isVendorStaff, permissions } = ctx.actor
  const who = { isVendorStaff, holds: (permission: string) => permissions.has(permission) }
  const keys = DUTY_KEYS.filter(key => concerns(key, who))
  const waiting = await together(keys.map(key => WAITING[key](ctx, today)))
  const items = keys.flatMap((key, at) => (waiting[at] ? [{ key, ...waiting[at] }] : []))
  return { today, isFresh: items.length === 0 && (await hasNoShop(ctx)), items }
}

async function hasNoShop(ctx: Ctx): Promise<boolean> {
  const shops = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(ownRows(ctx, merchants.agentId))
    .limit(1)
  return shops.length === 0
}

const WAITING: Record<DutyKey, (ctx: Ctx, today: string) => Promise<Item | null>> = {
  async expiring(ctx) {
    const { count, cents } = await yearOfWindow(ctx, '7')
    return count === 0 ? null : { count, capped: false, cents, oldestAt: null }
  },
  tokensLow: ctx => ifLow(ctx, 'tokenCents'),
  smsLow: ctx => ifLow(ctx, 'sms'),
  resend: (ctx, today) =>
    rowsOf(ctx, {
      table: outboxMessages,
      where: [own(ctx, outboxMessages.agentId), failedUntil(today), isNull(outboxMessages.resentAs)],
    }),
  receive: ctx => hardware(ctx, 'shipped', hardwareOrders.shippedAt),
  ship: ctx => hardware(ctx, 'awaitingShipment', hardwareOrders.createdAt),
  approve: ctx =>
    rowsOf(ctx, {
      table: undoRequests,
      where: [own(ctx, undoRequests.agentId), is(undoRequests.state, 'pending')],
      since: undoRequests.requestedAt,
      cents: sql`${undoRequests.totalCents}`,
    }),
  signatures: ctx => approvals(ctx, 'signature'),
  shopNames: ctx => approvals(ctx, 'shopName'),
  memberTitles: ctx => approvals(ctx, 'memberTitle'),
  differences: ctx =>
    rowsOf(ctx, {
      table: paymentDifferences,
      where: [eq(paymentDifferences.resolution, sql.raw(`''`))],
      since: sql`(select ${paymentReconciliations.comparedAt} from ${paymentReconciliations}
        where ${eq(paymentReconciliations.id, paymentDifferences.reconciliationId)})`,
      cents: sql`abs(coalesce(${paymentDifferences.billFen}, 0) - coalesce(${paymentDifferences.ourFen}, 0))`,
    }),
  unanswered: ctx =>
    rowsOf(ctx, {
      table: outboxMessages,
      where: [is(outboxMessages.status, 'unknown')],
      since: outboxMessages.createdAt,
    }),
  failed: (ctx, today) => rowsOf(ctx, { table: outboxMessages, where: [failedUntil(today)] }),
  threads: ctx => waitingThreads(ctx, 'agent'),
  threadsPassed: ctx => waitingThreads(ctx, 'vendor'),
  feedback: ctx =>
    rowsOf(ctx, {
      table: feedbackMessages,
      where: [own(ctx, feedbackMessages.agentId), is(feedbackMessages.state, 'open')],
      since: feedbackMessages.createdAt,
    }),
  consultations: ctx =>
    rowsOf(ctx, {
      table: consultations,
      where: [eq(consultations.contacted, sql.raw('false'))],
      since: consultations.createdAt,
    }),
}

/** Words of few kinds are literals: a kept plan would not find the rare ones by their index. */
const is = (column: PgColumn, word: string): SQL => sql`${column} = ${sql.raw(`'${word}'`)}`
const own = (ctx: Ctx, agentId: PgColumn) => ownRows(ctx, agentId)

function failedUntil(today: string): SQL | undefined {
  return and(
    is(outboxMessages.status, 'failed'),
    gte(outboxMessages.createdAt, startOfDay(addDays(today, 1 - FAILED_DAYS)).toISOString()),
    lt(outboxMessages.createdAt, endOfDay(today).toISOString()),
  )
}

function hardware(ctx: Ctx, status: 'shipped' | 'awaitingShipment', since: PgColumn): Promise<Item | null> {
  return rowsOf(ctx, {
    table: hardwareOrders,
    where: [own(ctx, hardwareOrders.agentId), is(hardwareOrders.deliveryStatus, status)],
    since,
    cents: sql`${hardwareOrders.totalCents}`,
  })
}

function approvals(ctx: Ctx, kind: ApprovalKind): Promise<Item | null> {
  return rowsOf(ctx, {
    table: approvalRequests,
    where: [
      own(ctx, approvalRequests.agentId),
      is(approvalRequests.kind, kind),
      is(approvalRequests.state, 'pending'),
    ],
    since: approvalRequests.createdAt,
  })
}

/** Of shops: older feedback is counted by itself. */
function waitingThreads(ctx: Ctx, desk: ThreadDesk): Promise<Item | null> {
  return rowsOf(ctx, {
    table: threads,
    where: [
      own(ctx, threads.agentId),
      is(threads.desk, desk),
      is(threads.state, 'awaiting'),
      is(threads.kind, 'shop'),
    ],
    since: threads.waitingSince,
  })
}

type Rows = { table: PgTable; where: (SQL | undefined)[]; since?: PgColumn | SQL; cents?: SQL }

/** Counting stops at COUNT_CAP, as the list's total does. */
async function rowsOf(ctx: Ctx, { table, where, since, cents }: Rows): Promise<Item | null> {
  const few = ctx.db
    .select({
      at: sql`${since ?? sql`null::timestamptz`}`.as('at'),
      cents: sql`${cents ?? sql`null::bigint`}`.as('cents'),
    })
    .from(table)
    .where(and(...where))
    .limit(COUNT_CAP + 1)
    .as('few')
  const [row] = await ctx.db
    .select({
      count: sql<number>`count(*)`.mapWith(Number),
      cents: sql<number | null>`sum(${few.cents})`.mapWith(value => (value === null ? null : Number(value))),
      oldestAt: sql<string | null>`min(${few.at})`,
    })
    .from(few)
  if (!row || row.count === 0) return null
  const oldestAt = row.oldestAt === null ? null : new Date(row.oldestAt).toISOString()
  return { count: Math.min(row.count, COUNT_CAP), capped: row.count > COUNT_CAP, cents: row.cents, oldestAt }
}

/** What is left of a balance below what the account wants to be warned of. */
async function ifLow(ctx: Ctx, asset: 'tokenCents' | 'sms'): Promise<Item | null> {
  const { agentId, accountId } = ctx.actor
  const [kept] = await ctx.db
    .select({ tokenCents: noticeThresholds.tokenCents, sms: noticeThresholds.sms })
    .from(noticeThresholds)
    .where(and(eq(noticeThresholds.agentId, agentId), eq(noticeThresholds.accountId, accountId)))
  const threshold = (kept ?? (await usualThresholds(ctx)))[asset]
  if (threshold === null) return null
  const count = (await wallet(ctx))[asset]
  return count < threshold ? { count, capped: false, cents: null, oldestAt: null } : null
}
