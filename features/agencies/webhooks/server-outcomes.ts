// What came of a try: written at the delivery, at its endpoint, and told to the agency where the endpoint ends.
import { notify } from '#features/office/notices/server-notify.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { FAILING_HOURS, isDelivered, isGone, type OffReason, retryAfterS, type Tried } from './rules.ts'
import type { Claimed } from './server-claims.ts'

const DELIVERED = `
  update webhook_deliveries set state = 'delivered', http_code = $2, answer = $3, problem = '', took_ms = $4, tried_at = now(),
    delivered_at = now(), leased_until = null where id = $1 and state = 'pending'`
/** Seldom while all is well: many deliveries of an endpoint end at the same time. */
const ARRIVED = `
  update webhook_endpoints set failing_since = null, last_delivered_at = now()
  where id = $1 and (failing_since is not null or last_delivered_at is null or last_delivered_at < now() - interval '10 seconds')`
const RETRY = `
  update webhook_deliveries set http_code = $2, answer = $3, problem = $5, took_ms = $4, tried_at = now(), leased_until = null,
    due_at = now() + make_interval(secs => $6::int) where id = $1 and state = 'pending'`
const GIVEN_UP = `
  update webhook_deliveries set state = 'failed', http_code = $2, answer = $3, problem = $5, took_ms = $4, tried_at = now(),
    leased_until = null where id = $1 and state = 'pending'`
/** What it holds back is not looked at before it is due again. */
const HELD = `
  update webhook_deliveries set due_at = now() + make_interval(secs => $4::int)
  where endpoint_id = $1 and state = 'pending' and coalesce(merchant_id, 0) = coalesce($2::bigint, 0) and seq > $3
    and due_at < now() + make_interval(secs => $4::int)`
const MISSED = `
  update webhook_endpoints set failing_since = coalesce(failing_since, now()) where id = $1
  returning agent_id::float8 as "agentId", url, enabled and failing_since < now() - make_interval(hours => ${FAILING_HOURS}) as "isDead"`
const OFF = `
  update webhook_endpoints set enabled = false, off_reason = $2, off_at = now() where id = $1 and enabled returning id`
/** It was not sent, or nobody knows: the next may have it at once. */
const RELEASED = `
  update webhook_deliveries set attempts = attempts - 1, leased_until = null, due_at = now() where id = $1 and state = 'pending'`

export function recordTry(services: Services, delivery: Claimed, tried: Tried): Promise<void> {
  return actAsSystem(services, 'webhooks record', async ctx => {
    const { id, endpointId, merchantId, seq, attempts, ageS } = delivery
    const { httpCode, answer, problem, tookMs } = tried
    if (isDelivered(tried)) {
      await ctx.client.query({
        name: 'webhooks_delivered',
        text: DELIVERED,
        values: [id, httpCode, answer, tookMs],
      })
      await ctx.client.query({ name: 'webhooks_arrived', text: ARRIVED, values: [endpointId] })
      return
    }
    // The endpoint before its deliveries, as those do who take some.
    await judge(ctx, endpointId, tried)
    const waitS = retryAfterS(attempts, ageS)
    const values = [id, httpCode, answer, tookMs, problem]
    if (waitS === null) {
      await ctx.client.query({ name: 'webhooks_given_up', text: GIVEN_UP, values })
      return
    }
    await ctx.client.query({ name: 'webhooks_retry', text: RETRY, values: [...values, waitS] })
    if (seq !== null)
      await ctx.client.query({
        name: 'webhooks_held',
        text: HELD,
        values: [endpointId, merchantId, seq, waitS],
      })
  })
}

/** An endpoint whose receiver wants no more, or that has heard nothing for a day, is switched off. */
async function judge(ctx: Ctx, endpointId: number, tried: Tried): Promise<void> {
  const { rows } = await ctx.client.query<{ agentId: number; url: string; isDead: boolean }>({
    name: 'webhooks_missed',
    text: MISSED,
    values: [endpointId],
  })
  const endpoint = rows[0]
  const reason: OffReason | null = isGone(tried) ? 'gone' : endpoint?.isDead ? 'failing' : null
  if (!endpoint || reason === null) return
  const { rowCount } = await ctx.client.query({
    name: 'webhooks_off',
    text: OFF,
    values: [endpointId, reason],
  })
  if (rowCount === 0) return
  const why = reason === 'gone' ? '对方已表示不再接收（410）' : `连续 ${FAILING_HOURS} 小时没有一次成功`
  await notify(ctx, {
    agentId: endpoint.agentId,
    holding: 'webhooks.edit',
    topic: 'Webhook_Notify',
    title: '回调通知已停用',
    body: `${endpoint.url} ${why}，已停止投递。修好后请重新启用，并重放停用期间的变更。`,
    link: '/admin/account/webhooks',
  })
}

export function releaseDelivery(services: Services, { id }: Claimed): Promise<void> {
  return actAsSystem(services, 'webhooks release', async ctx => {
    await ctx.client.query({ name: 'webhooks_released', text: RELEASED, values: [id] })
  })
}
