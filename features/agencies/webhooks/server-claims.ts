// Takes deliveries that are due, as many of each endpoint as may be under way at once; what one instance has taken no other sends.
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import type { webhookDeliveries } from './tables.ts'

/** Of one endpoint, over all instances. */
const AT_ONCE = 8
/** A delivery whose sender is gone is taken again after so long; longer than a request and what is written of it take. */
const LEASE_S = 20
/** Whoever comes to it later than that after taking it leaves it to the next. */
export const STALE_MS = 5_000

export type Claimed = Pick<
  typeof webhookDeliveries.$inferSelect,
  'id' | 'endpointId' | 'merchantId' | 'seq' | 'topic' | 'data' | 'at' | 'attempts'
> & {
  ageS: number
  url: string
  /** Sealed, the newest first. */
  secrets: Buffer[]
}

/**
 * Endpoints are locked while theirs is counted, so that two instances do not take twice as many. What has an earlier one of the
 * same shop before it, sent or not, waits; tests wait for nothing. What another took between this statement's look and its lock, or is
 * writing of just now, is left: who waited for several of them in an order of its own could wait for somebody who waits for it.
 */
const CLAIM = `
  with ready as materialized (
    select e.id, ${AT_ONCE} - (select count(*) from webhook_deliveries f
      where f.endpoint_id = e.id and f.state = 'pending' and f.leased_until > now()) as free
    from webhook_endpoints e
    where e.enabled and e.removed_at is null and exists (select from webhook_deliveries d
      where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= now() and (d.leased_until is null or d.leased_until <= now()))
    for no key update of e skip locked),
  due as (
    select one.id from ready, lateral (
      select d.id, d.due_at from webhook_deliveries d
      where d.endpoint_id = ready.id and d.state = 'pending' and d.due_at <= now() and (d.leased_until is null or d.leased_until <= now())
        and not exists (select from webhook_deliveries b where b.endpoint_id = d.endpoint_id and b.state = 'pending'
          and coalesce(b.merchant_id, 0) = coalesce(d.merchant_id, 0) and b.seq < d.seq)
      order by d.due_at, d.seq limit greatest(ready.free, 0)) as one
    order by one.due_at limit $1),
  taken as (
    select d.id from webhook_deliveries d join due on due.id = d.id
    where d.state = 'pending' and d.due_at <= now() and (d.leased_until is null or d.leased_until <= now())
    for no key update of d skip locked)
  update webhook_deliveries t set leased_until = now() + interval '${LEASE_S} seconds', attempts = t.attempts + 1
  from taken, webhook_endpoints e
  where t.id = taken.id and e.id = t.endpoint_id
  returning t.id::float8 as id, t.endpoint_id::float8 as "endpointId", t.merchant_id::float8 as "merchantId", t.seq::float8 as seq,
    t.topic, t.data, t.at, t.attempts, extract(epoch from now() - t.queued_at)::float8 as "ageS", e.url,
    array_remove(array[e.secret, case when e.previous_until > now() then e.previous_secret end], null) as secrets`

export function claimDeliveries(services: Services, most: number): Promise<Claimed[]> {
  return actAsSystem(services, 'webhooks claim', async ctx => {
    const { rows } = await ctx.client.query<Omit<Claimed, 'at'> & { at: Date }>({
      name: 'webhooks_claim',
      text: CLAIM,
      values: [most],
    })
    return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
  })
}
