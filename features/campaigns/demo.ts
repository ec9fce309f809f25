// Demo data of messages to many shops: the greeting that stands in the outbox, one that waits for its day, a draft, and two that came to nothing.
import { DEMO_AGENTS, demoOwner } from '#features/access/demo.ts'
import type { Demo } from '#server/demo.ts'

type Campaign = {
  name: string
  template: string
  params: Record<string, string>
  audience: Record<string, unknown>
  status: 'draft' | 'scheduled' | 'cancelled' | 'refused'
  /** Days from now; negative: ago. */
  createdDays: number
  scheduledDays: number | null
  problem?: string
}

const CAMPAIGNS: Campaign[] = [
  {
    name: '新版本上线通知',
    template: 'version-release',
    params: { feature: '扫码点餐' },
    audience: { industryId: 2 },
    status: 'scheduled',
    createdDays: -1,
    scheduledDays: 5,
  },
  {
    name: '年底续费优惠',
    template: 'renewal-offer',
    params: { offer: '买一年送一个月' },
    audience: {},
    status: 'draft',
    createdDays: -2,
    scheduledDays: null,
  },
  {
    name: '门店交流会邀请',
    template: 'activity-invitation',
    params: { activity: '门店经营交流会', time: '下周三14点', place: '科技园3号楼' },
    audience: { storeKind: 'head' },
    status: 'cancelled',
    createdDays: -12,
    scheduledDays: -9,
  },
  {
    name: '服务器维护通知',
    template: 'maintenance',
    params: { time: '今晚23点至次日2点' },
    audience: {},
    status: 'refused',
    createdDays: -20,
    scheduledDays: -19,
    problem: '短信余额不足，其余 {shops} 家商户未发送',
  },
]

/** The greeting belongs to the messages that the agent has already sent. */
const GREETING = `
  with sent as (
    select document_no, count(*) as shops, sum(segments) as segments, min(created_at) as at from outbox_messages
    where agent_id = $1 and kind = 'campaign' group by 1),
  made as (
    insert into campaigns (document_no, agent_id, name, template_key, params, audience, status, queued, skipped, expected_shops,
      expected_segments, created_by, created_by_name, created_at, sent_by, sent_by_name, started_at, finished_at)
    select document_no, $1, '国庆节问候', 'holiday-greeting', '{"holiday": "国庆节"}', '{}', 'done', shops, 3, shops, segments,
      $2, '演示账号', at - interval '20 minutes', $2, '演示账号', at, at + interval '1 minute' from sent
    returning id, document_no)
  update outbox_messages set campaign_id = made.id from made where outbox_messages.document_no = made.document_no`

const OTHERS = `
  insert into campaigns (document_no, agent_id, name, template_key, params, audience, status, scheduled_at, expected_shops,
    expected_segments, problem, created_by, created_by_name, created_at, sent_by, sent_by_name, started_at, finished_at)
  select next_order_no(), $1, $3, $4, $5, $6, $7, scheduled_at, case when $7 <> 'draft' then shops end,
    case when $7 <> 'draft' then shops end, replace($8, '{shops}', shops::text), $2, '演示账号', now() + make_interval(days => $9),
    case when $7 <> 'draft' then $2::bigint end, case when $7 <> 'draft' then '演示账号' end,
    case when $7 = 'refused' then scheduled_at end, case when $7 in ('refused', 'cancelled') then scheduled_at end
  from (select (date_trunc('day', now() at time zone 'Asia/Shanghai') + make_interval(days => $10::int, hours => 10))
      at time zone 'Asia/Shanghai' as scheduled_at) as timed,
    (select count(*) as shops from merchants where agent_id = $1 and status = 'normal'
      and ($6::jsonb->>'industryId' is null or industry_id = ($6::jsonb->>'industryId')::int)
      and ($6::jsonb->>'storeKind' is null or store_kind = $6::jsonb->>'storeKind')) as counted`

export async function demo(demo: Demo): Promise<void> {
  const { client } = demo
  const agentId = DEMO_AGENTS.first
  const { id: accountId } = await demoOwner(demo, agentId)
  await client.query(GREETING, [agentId, accountId])
  for (const { name, template, params, audience, status, problem, createdDays, scheduledDays } of CAMPAIGNS)
    await client.query(OTHERS, [
      agentId,
      accountId,
      name,
      template,
      JSON.stringify(params),
      JSON.stringify(audience),
      status,
      problem ?? '',
      createdDays,
      scheduledDays,
    ])
}
