// The operator's lists: payments, callbacks, refunds, comparisons with bills and what differs; one payment whole.
import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import type { In, Out } from '#kit/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import {
  type Condition,
  equal,
  ownCondition,
  type PageIds,
  rowsAndTotal,
  skewed,
  within,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import { found } from '#server/refuse.ts'
import type { payments as contract } from './contract.ts'
import { REFUND_REFUSALS, refuseRefund } from './rules.ts'
import {
  paymentAttempts,
  paymentDifferences,
  paymentIntents,
  paymentReconciliations,
  paymentRefunds,
  providerEvents,
} from './tables.ts'

/** The refund of what counted as the payment; that of a second payment is not it. */
const REFUND_STATUS = sql<Out<typeof contract.refunds>['rows'][number]['status'] | null>`(
  select r.status from payment_refunds r join payment_attempts a on a.id = r.attempt_id
  where a.intent_id = ${paymentIntents.id} and a.channel = ${paymentIntents.paidBy} and r.reason <> 'second')`

const INTENT = {
  id: paymentIntents.id,
  agentId: paymentIntents.agentId,
  agentName: agents.companyName,
  accountName: paymentIntents.accountName,
  asset: paymentIntents.asset,
  orderNo: paymentIntents.orderNo,
  subject: paymentIntents.subject,
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

/** First wall of what belongs to no agent: the vendor's staff alone may look at it. */
export function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

function staffCondition(ctx: Ctx): Condition[] {
  const condition = staffOnly(ctx)
  return condition ? [{ key: 'own', sql: condition }] : []
}

function toNumber(value: unknown): number | null {
  return value === null ? null : Number(value)
}

const INTENT_ORDER = [desc(paymentIntents.createdAt), desc(paymentIntents.id)]

export async function listIntents(
  ctx: Ctx,
  input: In<typeof contract.intents>,
): Promise<Out<typeof contract.intents>> {
  const conditions = [
    ...ownCondition(ctx, paymentIntents.agentId),
    ...skewed(equal('status', paymentIntents.status, input.status)),
    ...skewed(equal('asset', paymentIntents.asset, input.asset)),
    ...skewed(equal('paidBy', paymentIntents.paidBy, input.channel)),
    ...equal('agentId', paymentIntents.agentId, input.agentId),
    ...within('created', paymentIntents.createdAt, input.from, input.to),
    ...(await searched(ctx, input.search)),
  ]
  const list = {
    name: 'payment_intents',
    table: paymentIntents,
    id: paymentIntents.id,
    conditions,
    sort: 'createdAt desc',
    order: INTENT_ORDER,
  }
  const rows = (page: PageIds) =>
    ctx.db
      .with(page)
      .select(INTENT)
      .from(page)
      .innerJoin(paymentIntents, eq(paymentIntents.id, page.id))
      .innerJoin(agents, eq(agents.id, paymentIntents.agentId))
      .orderBy(...INTENT_ORDER)
  const paidFen = sql`case when ${paymentIntents.status} = 'paid' then ${paymentIntents.amountFen} else 0 end`
  return rowsAndSums(ctx, list, input, rows, { paidFen })
}

/** The whole of one of the numbers that a payment is known by. */
async function searched(ctx: Ctx, search: string | undefined): Promise<Condition[]> {
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
export async function readIntent(
  ctx: Ctx,
  input: In<typeof contract.intent>,
): Promise<Out<typeof contract.intent>> {
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
  const code = refuseRefund({ status: intent.status, isRefunded: intent.refundStatus !== null })
  return {
    intent,
    attempts,
    events,
    refunds,
    refundRefusal: code && { code, message: REFUND_REFUSALS[code] },
  }
}

const EVENT_ORDER = [desc(providerEvents.receivedAt), desc(providerEvents.id)]

export function listEvents(
  ctx: Ctx,
  input: In<typeof contract.events>,
): Promise<Out<typeof contract.events>> {
  const conditions: Condition[] = [
    ...staffCondition(ctx),
    ...skewed(equal('status', providerEvents.status, input.status)),
    ...skewed(equal('channel', providerEvents.channel, input.channel)),
    ...within('received', providerEvents.receivedAt, input.from, input.to),
  ]
  if (input.search)
    conditions.push({
      key: 'search',
      // Both sides have an index of their own.
      sql: sql`${providerEvents.id} = any(array(
        select id from provider_events where out_trade_no = ${sql.placeholder('search')}
        union select id from provider_events where channel in ('wechat', 'alipay') and event_id = ${sql.placeholder('search')}))`,
      values: { search: input.search },
    })
  const list = {
    name: 'provider_events',
    table: providerEvents,
    id: providerEvents.id,
    conditions,
    sort: 'receivedAt desc',
    order: EVENT_ORDER,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(EVENT)
      .from(page)
      .innerJoin(providerEvents, eq(providerEvents.id, page.id))
      .leftJoin(paymentAttempts, eq(paymentAttempts.outTradeNo, providerEvents.outTradeNo))
      .orderBy(...EVENT_ORDER),
  )
}

export function listRefunds(
  ctx: Ctx,
  input: In<typeof contract.refunds>,
): Promise<Out<typeof contract.refunds>> {
  const conditions: Condition[] = [
    ...ownCondition(ctx, paymentRefunds.agentId),
    ...skewed(equal('status', paymentRefunds.status, input.status)),
    ...skewed(equal('reason', paymentRefunds.reason, input.reason)),
    ...equal('agentId', paymentRefunds.agentId, input.agentId),
    ...within('created', paymentRefunds.createdAt, input.from, input.to),
  ]
  if (input.search)
    conditions.push({
      key: 'search',
      sql: sql`${paymentRefunds.id} = any(array(
        select id from payment_refunds where refund_no = ${sql.placeholder('search')}
        union select r.id from payment_refunds r join payment_attempts a on a.id = r.attempt_id
          where a.out_trade_no = ${sql.placeholder('search')} or a.intent_id = ${sql.placeholder('search')}))`,
      values: { search: input.search },
    })
  const list = {
    name: 'payment_refunds',
    table: paymentRefunds,
    id: paymentRefunds.id,
    conditions,
    sort: 'id desc',
    order: [desc(paymentRefunds.id)],
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(REFUND)
      .from(page)
      .innerJoin(paymentRefunds, eq(paymentRefunds.id, page.id))
      .innerJoin(paymentAttempts, eq(paymentAttempts.id, paymentRefunds.attemptId))
      .innerJoin(agents, eq(agents.id, paymentRefunds.agentId))
      .orderBy(desc(paymentRefunds.id)),
  )
}

const RECONCILIATION_ORDER = [desc(paymentReconciliations.day), desc(paymentReconciliations.id)]
const OPEN_DIFFERENCES =
  sql<number>`(select count(*) from payment_differences d where d.reconciliation_id = ${paymentReconciliations.id} and d.resolution = '')`.mapWith(
    Number,
  )

export function listReconciliations(
  ctx: Ctx,
  input: In<typeof contract.reconciliations>,
): Promise<Out<typeof contract.reconciliations>> {
  const conditions: Condition[] = [
    ...staffCondition(ctx),
    ...skewed(equal('channel', paymentReconciliations.channel, input.channel)),
    ...dayCondition('from', '>=', input.from),
    ...dayCondition('to', '<=', input.to),
  ]
  const list = {
    name: 'payment_reconciliations',
    table: paymentReconciliations,
    id: paymentReconciliations.id,
    conditions,
    sort: 'day desc',
    order: RECONCILIATION_ORDER,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({ ...RECONCILIATION, openDifferences: OPEN_DIFFERENCES })
      .from(page)
      .innerJoin(paymentReconciliations, eq(paymentReconciliations.id, page.id))
      .orderBy(...RECONCILIATION_ORDER),
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

export function listDifferences(
  ctx: Ctx,
  input: In<typeof contract.differences>,
): Promise<Out<typeof contract.differences>> {
  const conditions: Condition[] = [
    ...staffCondition(ctx),
    ...equal('reconciliation', paymentDifferences.reconciliationId, input.reconciliationId),
  ]
  if (input.open !== undefined)
    conditions.push({
      key: input.open ? 'open' : 'resolved',
      sql: sql`${paymentDifferences.resolution} ${sql.raw(input.open ? '=' : '<>')} ''`,
    })
  const list = {
    name: 'payment_differences',
    table: paymentDifferences,
    id: paymentDifferences.id,
    conditions,
    sort: 'id desc',
    order: [desc(paymentDifferences.id)],
  }
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
      .orderBy(desc(paymentDifferences.id)),
  )
}
