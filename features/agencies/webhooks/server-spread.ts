// From changes to deliveries: each change once for each endpoint that wants its topic and may see it.
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'

const SPREAD_AT_ONCE = 2_000

/** Whoever holds the row writes; others go on. */
const CURSOR = 'select seq::float8 as seq from webhook_cursor where id = 1 for update skip locked'
const NEWEST = `select max(seq)::float8 as seq from (select seq from shop_changes where seq > $1 order by seq limit ${SPREAD_AT_ONCE}) as batch`
/** What is sent says whose shop it is: an endpoint of the vendor's hears of all agencies. */
const WRITE = `
  insert into webhook_deliveries (endpoint_id, agent_id, merchant_id, seq, topic, data, at, state, queued_at, due_at)
  select e.id, e.agent_id, c.merchant_id, c.seq, c.topic, jsonb_build_object('agentId', c.agent_id) || c.data, c.at, 'pending', now(), now()
  from shop_changes c join webhook_endpoints e on c.topic = any (e.topics) join agents a on a.id = e.agent_id
  where c.seq > $1 and c.seq <= $2 and e.enabled and e.removed_at is null and a.enabled and (a.is_vendor_staff or e.agent_id = c.agent_id)
  order by c.seq
  on conflict do nothing`

/** Answers whether more waits. */
export function spreadChanges(services: Services): Promise<boolean> {
  return actAsSystem(services, 'webhooks spread', async ctx => {
    const { rows: cursors } = await ctx.client.query<{ seq: number }>({
      name: 'webhooks_cursor',
      text: CURSOR,
    })
    const cursor = cursors[0]
    if (!cursor) return false
    const { rows } = await ctx.client.query<{ seq: number | null }>({
      name: 'webhooks_newest',
      text: NEWEST,
      values: [cursor.seq],
    })
    const newest = rows[0]?.seq ?? null
    if (newest === null) return false
    await ctx.client.query({ name: 'webhooks_spread', text: WRITE, values: [cursor.seq, newest] })
    await ctx.client.query({
      name: 'webhooks_spread_to',
      text: 'update webhook_cursor set seq = $1 where id = 1',
      values: [newest],
    })
    return newest - cursor.seq >= SPREAD_AT_ONCE
  })
}
