// The operator's lists: payments, callbacks, refunds, comparisons with bills and what differs; one payment whole.
import { and, asc, desc, eq, getTableName, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { REFUND_REFUSALS, refuseRefund } from '#features/sales/payments/rules.ts'
import { staffOnly } from '#features/sales/payments/server-manage.ts'
import {
  paymentAttempts,
  paymentDifferences,
  paymentIntents,
  paymentReconciliations,
  paymentRefunds,
  providerEvents,
  tokenOrders,
} from '#features/sales/payments/tables.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  type Condition,
  filtered,
  type ListSource,
  type Order,
  ownCondition,
  type PageIds,
  pageOfRows,
  rowsAndTotal,
  skewedBy,
  sortedBy,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { found } from '#server/refuse.ts'
import type { paymentDesk as contract } from './contract.ts'
import {
  PAYMENT_BILLS,
  PAYMENT_DIFFERENCES,
  PAYMENT_EVENTS,
  PAYMENT_INTENTS,
  PAYMENT_REFUNDS,
} from './fields.ts'

/** The refund of what counted as the payment, or the last of its parts; that of a second payment is not it. */
const REFUND_STATUS = sql<Out<typeof contract.refunds>['rows'][number]['status'] | null>`(
  select r.status from payment_refunds r join payment_attempts a on a.id = r.attempt_id
  where a.intent_id = ${paymentIntents.id} and a.channel = ${paymentIntents.paidBy} and r.reason <> 'second'
  order by r.id desc limit 1)`

const INTENT = {
  id: paymentIntents.id,
  agentId: paymentIntents.agentId,
  agentName: agents.companyName,
  accountName: paymentIntents.accountName,
  asset: paymentIntents.asset,
  orderNo: paymentIntents.orderNo,
  subject: paymentIntents.subject,
  payeeName: sql<
    string | null
  >`(select p.company_name from agents p where p.id = ${paymentIntents.payeeAgentId})`,
  amountFen: paymentIntents.amountFen,
  status: paymentIntents.status,
  paidBy: paymentIntents.paidBy,
  refundStatus: REFUND_STATUS,
  createdAt: paymentIntents.createdAt,
  expiresAt: paymentIntents.expiresAt,
  paidAt: paymentIntents.paidAt,
}

const EVENT = {
  id: providerEvents.id,
  channel: providerEvents.channel,
  eventId: providerEvents.eventId,
  kind: sql<'payment' | 'refund'>`${providerEvents.content} ->> 'kind'`,
  outTradeNo: providerEvents.outTradeNo,
  intentId: paymentAttempts.intentId,
  amountFen: sql<number | null>`(${providerEvents.content} #>> '{fact,amountFen}')::bigint`.mapWith(toNumber),
  providerState: sql<string>`coalesce(${providerEvents.content} #>> '{fact,providerState}', '')`,
  status: providerEvents.status,
  problem: providerEvents.problem,
  times: providerEvents.times,
  receivedAt: providerEvents.receivedAt,
  processedAt: providerEvents.processedAt,
}

const REFUND = {
  id: paymentRefunds.id,
  intentId: paymentAttempts.intentId,
  agentId: paymentRefunds.agentId,
  agentName: agents.companyName,
  channel: paymentAttempts.channel,
  outTradeNo: paymentAttempts.outTradeNo,
  refundNo: paymentRefunds.refundNo,
  amountFen: paymentRefunds.amountFen,
  reason: paymentRefunds.reason,
  remark: paymentRefunds.remark,
  status: paymentRefunds.status,
  providerWords: paymentRefunds.providerWords,
  createdByName: paymentRefunds.createdByName,
  createdAt: paymentRefunds.createdAt,
  doneAt: paymentRefunds.doneAt,
}

function staffCondition(ctx: Ctx): Condition[] {
  const condition = staffOnly(ctx)
  return condition ? [{ key: 'own', sql: condition }] : []
}

function toNumber(value: unknown): number | null {
  return value === null ? null : Number(value)
}

function listOf(table: PgTable & { id: PgColumn }, conditions: Condition[], by: Order) {
  return { name: getTableName(table), table, conditions, ...by } satisfies ListSource
}

/** The rows whose ids the statement finds; it uses the placeholder `search`. */
function searched(id: PgColumn, search: string | undefined, found: SQL): Condition[] {
  if (!search) return []
  return [{ key: 'search', sql: sql`${id} = any(array(${found}))`, values: { search } }]
}

const SEARCH = sql.placeholder('search')

const paidOrder = (table: typeof tokenOrders | typeof smsOrders) =>
  sql`exists (select from ${table} where ${table.orderNo} = ${paymentIntents.orderNo} and ${table.status} = 'paid')`
/** Of tokens and of an agent's own SMS credit; what else is paid from outside is no order of the vendor's. */
const STANDS: Condition = { key: 'stands', sql: or(paidOrder(tokenOrders), paidOrder(smsOrders)) }

export const listIntents: Verb<typeof contract.intents> = async (ctx, input) => {
  const conditions = [
    ...ownCondition(ctx, paymentIntents.agentId),
    ...filtered(PAYMENT_INTENTS, input, {
      status: skewedBy('status', paymentIntents.status),
      asset: skewedBy('asset', paymentIntents.asset),
      stands: isAsked => (isAsked ? [STANDS] : []),
      channel: skewedBy('paidBy', paymentIntents.paidBy),
      created: paymentIntents.createdAt,
      agentId: paymentIntents.agentId,
    }),
    ...(await searchedIntents(ctx, input.search)),
  ]
  const list = listOf(paymentIntents, conditions, sortedBy(input, paymentIntents, paymentIntents.id))
  const rows = (page: PageIds) =>
    ctx.db
      .with(page)
      .select(INTENT)
      .from(page)
      .innerJoin(paymentIntents, eq(paymentIntents.id, page.id))
      .innerJoin(agents, eq(agents.id, paymentIntents.agentId))
      .orderBy(...list.order)
  const paidFen = sql`case when ${paymentIntents.status} = 'paid' and ${paymentIntents.payeeAgentId} is null then ${paymentIntents.amountFen} else 0 end`
  // A second payment that went back was none of these amounts.
  const refundedFen = sql`coalesce((select sum(r.amount_fen) from payment_attempts a join payment_refunds r on r.attempt_id = a.id
    where a.intent_id = payment_intents.id and a.settings_id is null and r.reason <> 'second' and r.status = 'done'), 0)`
  return rowsAndSums(ctx, list, input, rows, { paidFen, refundedFen })
}

const FOUND_MOST = 8

export const findPayments: Verb<typeof contract.find> = async (ctx, { number }) => {
  const conditions = [...ownCondition(ctx, paymentIntents.agentId), ...(await searchedIntents(ctx, number))]
  const latest = sortedBy({ sort: 'createdAt', order: 'desc' }, paymentIntents, paymentIntents.id)
  // Other columns than the list’s own: what is prepared is told apart by this name.
  const list = { ...listOf(paymentIntents, conditions, latest), name: 'payments found' }
  const { id, orderNo, subject, amountFen, status } = paymentIntents
  const rows = await pageOfRows(ctx, list, { page: 1, size: FOUND_MOST }, page =>
    ctx.db
      .with(page)
      .select({ id, orderNo, subject, amountFen, status })
      .from(page)
      .innerJoin(paymentIntents, eq(paymentIntents.id, page.id))
      .orderBy(...list.order),
  )
  return { rows }
}

/** The whole of one of the numbers that a payment is known by. */
async function searchedIntents(ctx: Ctx, search: string | undefined): Promise<Condition[]> {
  if (!search) return []
  const { rows } = await ctx.client.query<{ id: string }>(
    `select id from payment_intents where id = $1 or order_no = $1
     union select intent_id from payment_attempts where out_trade_no = $1 or transaction_id = $1
     union select a.intent_id from payment_refunds r join payment_attempts a on a.id = r.attempt_id where r.refund_no = $1
     limit 20`,
    [search],
  )
  const found = rows.map(row => row.id)
  return [
    {
      key: 'search',
      sql: sql`${paymentIntents.id} = any(${sql.placeholder('found')}::text[])`,
      values: { found },
    },
  ]
}

/** One payment with all that happened to it. */
export const readIntent: Verb<typeof contract.intent> = async (ctx, input) => {
  const [row] = await ctx.db
    .select(INTENT)
    .from(paymentIntents)
    .innerJoin(agents, eq(agents.id, paymentIntents.agentId))
    .where(and(eq(paymentIntents.id, input.id), ownRows(ctx, paymentIntents.agentId)))
  const intent = found(row)
  const attempts = await ctx.db
    .select()
    .from(paymentAttempts)
    .where(eq(paymentAttempts.intentId, intent.id))
    .orderBy(asc(paymentAttempts.id))
  const numbers = attempts.map(attempt => attempt.outTradeNo)
  const events = await ctx.db
    .select(EVENT)
    .from(providerEvents)
    .leftJoin(paymentAttempts, eq(paymentAttempts.outTradeNo, providerEvents.outTradeNo))
    .where(and(inArray(providerEvents.outTradeNo, numbers), staffOnly(ctx)))
    .orderBy(desc(providerEvents.receivedAt), desc(providerEvents.id))
    .limit(100)
  const refunds = await ctx.db
    .select(REFUND)
    .from(paymentRefunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, paymentRefunds.attemptId))
    .innerJoin(agents, eq(agents.id, paymentRefunds.agentId))
    .where(eq(paymentAttempts.intentId, intent.id))
    .orderBy(asc(paymentRefunds.id))
  const code = refuseRefund({
    status: intent.status,
    isRefunded: intent.refundStatus !== null,
    asset: intent.asset,
  })
  return {
    intent,
    attempts,
    events,
    refunds,
    refundRefusal: code && { code, message: REFUND_REFUSALS[code] },
  }
}

const EVERY_CHANNEL = sql.raw(PAY_CHANNELS.map(name => `'${name}'`).join(', '))

export const listEvents: Verb<typeof contract.events> = (ctx, input) => {
  const conditions: Condition[] = [
    ...staffCondition(ctx),
    ...filtered(PAYMENT_EVENTS, input, {
      status: skewedBy('status', providerEvents.status),
      channel: skewedBy('channel', providerEvents.channel),
      received: providerEvents.receivedAt,
    }),
    // Both sides have an index of their own.
    ...searched(
      providerEvents.id,
      input.search,
      sql`select id from provider_events where out_trade_no = ${SEARCH}
        union select id from provider_events where channel in (${EVERY_CHANNEL}) and event_id = ${SEARCH}`,
    ),
  ]
  const list = listOf(providerEvents, conditions, sortedBy(input, providerEvents, providerEvents.id))
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(EVENT)
      .from(page)
      .innerJoin(providerEvents, eq(providerEvents.id, page.id))
      .leftJoin(paymentAttempts, eq(paymentAttempts.outTradeNo, providerEvents.outTradeNo))
      .orderBy(...list.order),
  )
}

export const listRefunds: Verb<typeof contract.refunds> = (ctx, input) => {
  const conditions: Condition[] = [
    ...ownCondition(ctx, paymentRefunds.agentId),
    ...filtered(PAYMENT_REFUNDS, input, {
      status: skewedBy('status', paymentRefunds.status),
      reason: skewedBy('reason', paymentRefunds.reason),
      created: paymentRefunds.createdAt,
      agentId: paymentRefunds.agentId,
    }),
    ...searched(
      paymentRefunds.id,
      input.search,
      sql`select id from payment_refunds where refund_no = ${SEARCH}
        union select r.id from payment_refunds r join payment_attempts a on a.id = r.attempt_id
          where a.out_trade_no = ${SEARCH} or a.intent_id = ${SEARCH}`,
    ),
  ]
  const list = listOf(paymentRefunds, conditions, sortedBy(input, paymentRefunds, paymentRefunds.id))
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(REFUND)
      .from(page)
      .innerJoin(paymentRefunds, eq(paymentRefunds.id, page.id))
      .innerJoin(paymentAttempts, eq(paymentAttempts.id, paymentRefunds.attemptId))
      .innerJoin(agents, eq(agents.id, paymentRefunds.agentId))
      .orderBy(...list.order),
  )
}

const OPEN_DIFFERENCES =
  sql<number>`(select count(*) from payment_differences d where d.reconciliation_id = ${paymentReconciliations.id} and d.resolution = '')`.mapWith(
    Number,
  )

export const listReconciliations: Verb<typeof contract.reconciliations> = (ctx, input) => {
  const conditions: Condition[] = [
    ...staffCondition(ctx),
    ...filtered(PAYMENT_BILLS, input, {
      channel: skewedBy('channel', paymentReconciliations.channel),
      days: (from, to) => [...dayCondition('from', '>=', from), ...dayCondition('to', '<=', to)],
    }),
  ]
  const list = listOf(
    paymentReconciliations,
    conditions,
    sortedBy(input, paymentReconciliations, paymentReconciliations.id),
  )
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({ ...RECONCILIATION, openDifferences: OPEN_DIFFERENCES })
      .from(page)
      .innerJoin(paymentReconciliations, eq(paymentReconciliations.id, page.id))
      .orderBy(...list.order),
  )
}

const RECONCILIATION = {
  id: paymentReconciliations.id,
  channel: paymentReconciliations.channel,
  day: paymentReconciliations.day,
  status: paymentReconciliations.status,
  problem: paymentReconciliations.problem,
  billPayments: paymentReconciliations.billPayments,
  billFen: paymentReconciliations.billFen,
  ourPayments: paymentReconciliations.ourPayments,
  ourFen: paymentReconciliations.ourFen,
  billRefunds: paymentReconciliations.billRefunds,
  billRefundFen: paymentReconciliations.billRefundFen,
  ourRefunds: paymentReconciliations.ourRefunds,
  ourRefundFen: paymentReconciliations.ourRefundFen,
  differences: paymentReconciliations.differences,
  wantedAt: paymentReconciliations.wantedAt,
  comparedAt: paymentReconciliations.comparedAt,
}

function dayCondition(key: string, sign: '>=' | '<=', day: string | undefined): Condition[] {
  if (day === undefined) return []
  const condition = sql`${paymentReconciliations.day} ${sql.raw(sign)} ${sql.placeholder(key)}::date`
  return [{ key, sql: condition, values: { [key]: day } }]
}

const OPEN: Condition = { key: 'open', sql: sql`${paymentDifferences.resolution} = ''` }
const RESOLVED: Condition = { key: 'resolved', sql: sql`${paymentDifferences.resolution} <> ''` }

export const listDifferences: Verb<typeof contract.differences> = (ctx, input) => {
  const conditions: Condition[] = [
    ...staffCondition(ctx),
    ...filtered(PAYMENT_DIFFERENCES, input, {
      open: isOpen => [isOpen ? OPEN : RESOLVED],
      reconciliationId: paymentDifferences.reconciliationId,
    }),
  ]
  const list = listOf(paymentDifferences, conditions, {
    sort: 'id desc',
    order: [desc(paymentDifferences.id)],
  })
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: paymentDifferences.id,
        reconciliationId: paymentDifferences.reconciliationId,
        channel: paymentReconciliations.channel,
        day: paymentReconciliations.day,
        kind: paymentDifferences.kind,
        isRefund: paymentDifferences.isRefund,
        outTradeNo: paymentDifferences.outTradeNo,
        intentId: paymentAttempts.intentId,
        refundNo: paymentDifferences.refundNo,
        transactionId: paymentDifferences.transactionId,
        billFen: paymentDifferences.billFen,
        ourFen: paymentDifferences.ourFen,
        resolution: paymentDifferences.resolution,
        resolvedByName: paymentDifferences.resolvedByName,
        resolvedAt: paymentDifferences.resolvedAt,
      })
      .from(page)
      .innerJoin(paymentDifferences, eq(paymentDifferences.id, page.id))
      .innerJoin(paymentReconciliations, eq(paymentReconciliations.id, paymentDifferences.reconciliationId))
      .leftJoin(
        paymentAttempts,
        and(
          eq(paymentAttempts.outTradeNo, paymentDifferences.outTradeNo),
          eq(paymentAttempts.channel, paymentReconciliations.channel),
        ),
      )
      .orderBy(...list.order),
  )
}
