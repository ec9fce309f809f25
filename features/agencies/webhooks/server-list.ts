// The endpoints of the acting agency, and what was sent to them.
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { ofAgency } from '#features/agencies/team/server-roles.ts'
import { TOPIC_KEYS, TOPICS } from '#features/shops/pos-changes/rules.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { type Condition, equal, filtered, type ListSource, rowsAndTotal } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { webhooks as contract } from './contract.ts'
import { DELIVERIES, ENDPOINTS } from './fields.ts'
import type { EndpointState } from './rules.ts'
import { bodyOf, messageIdOf } from './server-message.ts'
import { webhookDeliveries, webhookEndpoints } from './tables.ts'

const STATE = sql<EndpointState>`case when not ${webhookEndpoints.enabled}
    then case ${webhookEndpoints.offReason} when 'gone' then 'gone' when 'failing' then 'dead' else 'off' end
  when ${webhookEndpoints.failingSince} is not null then 'failing' else 'active' end`
const WAITING = sql<number>`(select count(*)::int from ${webhookDeliveries} d where d.endpoint_id = ${webhookEndpoints.id} and d.state = 'pending')`
const PREVIOUS = sql<
  string | null
>`case when ${webhookEndpoints.previousUntil} > now() then ${webhookEndpoints.previousUntil} end`.mapWith(
  webhookEndpoints.previousUntil,
)
const NEWEST = [desc(webhookEndpoints.id)]
const LATEST = [desc(webhookDeliveries.queuedAt), desc(webhookDeliveries.id)]

export function topicText(topics: readonly string[]): string {
  if (TOPIC_KEYS.every(key => topics.includes(key))) return '全部事件'
  return TOPIC_KEYS.filter(key => topics.includes(key))
    .map(key => TOPICS[key])
    .join('、')
}

/** An endpoint of the agency that is still there. */
export function visible(ctx: Ctx, id: number) {
  const { id: key, agentId, removedAt } = webhookEndpoints
  return and(eq(key, id), eq(agentId, ctx.actor.agentId), isNull(removedAt))
}

export const listEndpoints: Verb<typeof contract.list> = async (ctx, input) => {
  const list: ListSource = {
    name: 'webhook endpoints',
    table: webhookEndpoints,
    conditions: [
      ofAgency(ctx, webhookEndpoints.agentId),
      { key: 'there', sql: isNull(webhookEndpoints.removedAt) },
      ...filtered(
        ENDPOINTS,
        input,
        { state: state => [{ key: `state ${state}`, sql: sql`${STATE} = ${sql.raw(`'${state}'`)}` }] },
        webhookEndpoints,
      ),
    ],
    sort: 'newest',
    order: NEWEST,
  }
  const answer = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: webhookEndpoints.id,
        url: webhookEndpoints.url,
        topics: webhookEndpoints.topics,
        enabled: webhookEndpoints.enabled,
        state: STATE.as('state'),
        secretEnd: webhookEndpoints.secretEnd,
        previousUntil: PREVIOUS.as('previous_until'),
        waiting: WAITING.as('waiting'),
        lastDeliveredAt: webhookEndpoints.lastDeliveredAt,
        failingSince: webhookEndpoints.failingSince,
        offAt: webhookEndpoints.offAt,
        createdByName: webhookEndpoints.createdByName,
        createdAt: webhookEndpoints.createdAt,
      })
      .from(page)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, page.id))
      .orderBy(...NEWEST),
  )
  return { ...answer, rows: answer.rows.map(row => ({ ...row, topicText: topicText(row.topics) })) }
}

export const listOptions: Verb<typeof contract.options> = async ctx => {
  const rows = await ctx.db
    .select({ id: webhookEndpoints.id, name: webhookEndpoints.url })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.agentId, ctx.actor.agentId), isNull(webhookEndpoints.removedAt)))
    .orderBy(asc(webhookEndpoints.id))
  return { rows }
}

/** By the number of a shop or a change, the id that a receiver knows a message by, or a part of the address, of which an agency has few. */
function searched(ctx: Ctx, search: string | undefined): Condition[] {
  if (!search) return []
  const { id, seq, merchantId, endpointId } = webhookDeliveries
  const [, kind, digits] = /^(change_|test_)?(\d{1,15})$/.exec(search) ?? []
  const number = sql`${sql.placeholder('search')}::bigint`
  const values = { search: digits ?? search }
  if (kind === 'test_')
    return [{ key: 'search test', sql: sql`${id} = ${number} and ${seq} is null`, values }]
  if (kind) return [{ key: 'search change', sql: sql`${seq} = ${number}`, values }]
  if (digits)
    return [{ key: 'search number', sql: sql`(${merchantId} = ${number} or ${seq} = ${number})`, values }]
  const addressed = sql`${endpointId} in (select e.id from webhook_endpoints e
    where e.agent_id = ${sql.placeholder('searchedBy')}::bigint and position(lower(${sql.placeholder('search')}::text) in lower(e.url)) > 0)`
  return [{ key: 'search address', sql: addressed, values: { ...values, searchedBy: ctx.actor.agentId } }]
}

export const listDeliveries: Verb<typeof contract.deliveries> = async (ctx, input) => {
  const list: ListSource = {
    name: 'webhook deliveries',
    table: webhookDeliveries,
    conditions: [
      ofAgency(ctx, webhookDeliveries.agentId),
      ...searched(ctx, input.search),
      ...filtered(
        DELIVERIES,
        input,
        {
          endpointId: id => equal('endpointId', webhookDeliveries.endpointId, id),
          state: state => equal('state', webhookDeliveries.state, state),
          topic: topic => equal('topic', webhookDeliveries.topic, topic),
        },
        webhookDeliveries,
      ),
    ],
    sort: 'latest',
    order: LATEST,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: webhookDeliveries.id,
        url: webhookEndpoints.url,
        enabled: webhookEndpoints.enabled,
        topic: webhookDeliveries.topic,
        seq: webhookDeliveries.seq,
        merchantId: webhookDeliveries.merchantId,
        state: webhookDeliveries.state,
        attempts: webhookDeliveries.attempts,
        httpCode: webhookDeliveries.httpCode,
        problem: webhookDeliveries.problem,
        tookMs: webhookDeliveries.tookMs,
        at: webhookDeliveries.at,
        queuedAt: webhookDeliveries.queuedAt,
        triedAt: webhookDeliveries.triedAt,
        deliveredAt: webhookDeliveries.deliveredAt,
        dueAt: webhookDeliveries.dueAt,
      })
      .from(page)
      .innerJoin(webhookDeliveries, eq(webhookDeliveries.id, page.id))
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .orderBy(...LATEST),
  )
}

export const showDelivery: Verb<typeof contract.delivery> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.agentId, ctx.actor.agentId)))
  const delivery = found(row)
  return { messageId: messageIdOf(delivery), body: bodyOf(delivery), answer: delivery.answer }
}
