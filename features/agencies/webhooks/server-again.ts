// What is sent because somebody asks for it: a test, one delivery once more, everything since a time.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { webhooks as contract } from './contract.ts'
import { LIMITS, TEST_DATA, TEST_TOPIC, WEBHOOK_DELIVERY_STEPS, WEBHOOK_REFUSALS } from './rules.ts'
import { refuseNarrow, touched } from './server-touch.ts'
import { webhookDeliveries, webhookEndpoints } from './tables.ts'

const soon = (ctx: Ctx) => ctx.afterCommit(() => ctx.services.wake('webhooks'))

export const sendTest: Verb<typeof contract.sendTest> = async (ctx, { id }) => {
  const { enabled, agentId } = await touched(ctx, id)
  refuse(enabled ? null : 'ENDPOINT_OFF', WEBHOOK_REFUSALS)
  const now = sql`now()`
  const [row] = await ctx.db
    .insert(webhookDeliveries)
    .values({
      ...{ endpointId: id, agentId, topic: TEST_TOPIC, state: 'pending', at: now, queuedAt: now, dueAt: now },
      data: { agentId, ...TEST_DATA },
    })
    .returning({ id: webhookDeliveries.id })
  soon(ctx)
  return { deliveryId: found(row).id }
}

export const resend: Verb<typeof contract.resend> = async (ctx, { id }) => {
  refuseNarrow(ctx)
  const [row] = await ctx.db
    .select({ state: webhookDeliveries.state, seq: webhookDeliveries.seq, endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.agentId, ctx.actor.agentId)))
    .for('update', { of: webhookDeliveries })
  const { state, seq, endpoint } = found(row)
  ctx.object('webhook', endpoint.id)
  ctx.note(endpoint.url, [{ name: '变更序号', before: null, after: seq === null ? '测试' : String(seq) }])
  refuse(endpoint.enabled ? null : 'ENDPOINT_OFF', WEBHOOK_REFUSALS)
  refuse(state === 'pending' ? 'DELIVERY_WAITS' : null, WEBHOOK_REFUSALS)
  await ctx.db
    .update(webhookDeliveries)
    .set({
      state: WEBHOOK_DELIVERY_STEPS.again.to,
      ...{ attempts: 0, queuedAt: sql`now()`, dueAt: sql`now()`, leasedUntil: null },
    })
    .where(
      and(eq(webhookDeliveries.id, id), inArray(webhookDeliveries.state, WEBHOOK_DELIVERY_STEPS.again.from)),
    )
  soon(ctx)
  return { done: true }
}

/** What was never queued, as while the endpoint was off, and what was: once more, in the order of the changes. */
const REPLAY = `
  with wanted as (
    select c.* from shop_changes c where c.at >= $2::timestamptz and c.topic = any ($3::text[]) and (c.agent_id = $4::bigint or $5::boolean)
      and c.seq <= (select seq from webhook_cursor where id = 1)
    order by c.seq limit $6::int + 1),
  sent as (
    insert into webhook_deliveries as d (endpoint_id, agent_id, merchant_id, seq, topic, data, at, state, queued_at, due_at)
    select $1::bigint, $4::bigint, merchant_id, seq, topic, jsonb_build_object('agentId', agent_id) || data, at, 'pending', now(), now() from wanted order by seq
    on conflict (endpoint_id, seq) do update set state = 'pending', attempts = 0, queued_at = now(), due_at = now(), leased_until = null
      where d.state <> 'pending'
    returning id)
  select (select count(*)::int from wanted) as wanted, (select count(*)::int from sent) as queued`

export const replay: Verb<typeof contract.replay> = async (ctx, { id, since }) => {
  const { url, enabled, topics, agentId } = await touched(ctx, id)
  refuse(enabled ? null : 'ENDPOINT_OFF', WEBHOOK_REFUSALS)
  refuse(Date.parse(since) > ctx.now.getTime() ? 'SINCE_FUTURE' : null, WEBHOOK_REFUSALS, { field: 'since' })
  const seesAll = ctx.actor.isVendorStaff
  const { rows } = await ctx.client.query<{ wanted: number; queued: number }>({
    name: 'webhooks_replay',
    text: REPLAY,
    values: [id, since, topics, agentId, seesAll, LIMITS.replay],
  })
  const { wanted, queued } = found(rows[0])
  refuse(wanted > LIMITS.replay ? 'REPLAY_TOO_MANY' : null, WEBHOOK_REFUSALS, { field: 'since' })
  ctx.note(url, [
    { name: '重放起点', before: null, after: formatInstant(since) },
    { name: '条数', before: null, after: String(queued) },
  ])
  soon(ctx)
  return { queued }
}
