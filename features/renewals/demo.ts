// Demo rows of the renewal desk.
import { DEMO_AGENTS, demoOwner } from '#features/access/demo.ts'
import type { Demo } from '#server/demo.ts'

/** What was agreed with shops that are due, and the reminders that wait to be sent. */
export async function demo(demo: Demo): Promise<void> {
  const { client } = demo
  const agentId = DEMO_AGENTS.first
  const { id: accountId } = await demoOwner(demo, agentId)
  await client.query(
    `insert into renewal_marks (agent_id, merchant_id, state, note, next_on, created_by, created_by_name, created_at)
     select agent_id, id, (array['contacted', 'promised', 'lost'])[1 + n % 3],
       (array['老板出差，月底再联系', '已同意续费，等财务付款', '店铺转让，不再续费'])[1 + n % 3],
       case n % 3 when 2 then null else current_date + (n % 5)::int end, $2, '演示账号', now() - n * interval '9 hours'
     from (select id, agent_id, row_number() over (order by expires_at) as n from merchants
       where agent_id = $1 and status = 'normal' and expires_at between now() - interval '30 days' and now() + interval '60 days'
       order by expires_at limit 6) as due`,
    [agentId, accountId],
  )
  await client.query(
    `insert into outbox_messages (agent_id, merchant_id, kind, phone, text, status, template, params, created_by, created_by_name, created_at)
     select agent_id, merchants.id, 'renewal-reminder', account,
       '尊敬的商户「' || shop_name || '」，您使用的' || versions.name || '已于 ' || shanghai_day(expires_at)
         || ' 到期，请及时联系服务商续费，以免影响使用。', 'queued', 'renewal-reminder',
       jsonb_build_object('shop', shop_name, 'version', versions.name, 'word', '已于', 'day', shanghai_day(expires_at)),
       $2, '演示账号', now() - interval '3 days'
     from merchants join versions on versions.id = version_id where agent_id = $1 and status = 'normal' and expires_at < now() order by expires_at desc limit 4`,
    [agentId, accountId],
  )
}
