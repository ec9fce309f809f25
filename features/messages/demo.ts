// Demo data of sending: shops that use up their SMS credit, and a greeting of an agent of which not all arrived.
import { DEMO_AGENTS, demoOwner } from '#features/access/demo.ts'
import { nextNo, postDemo } from '#features/ledger/demo.ts'
import type { Owner } from '#features/ledger/server.ts'
import type { Demo } from '#server/demo.ts'

const SHOPS = 9
const GREETED = 40

/** In the last 25 days; the first shops have the least left. */
const MEMBER_MESSAGES = `
  insert into outbox_messages (agent_id, merchant_id, kind, phone, text, status, template, params, segments, fee, payer, payer_id,
    charged, document_no, provider, provider_id, claimed_at, submitted_at, reported_at, created_by, created_by_name, created_at)
  select m.agent_id, m.id, 'member', (13700000000 + i * 7919 + m.id % 1000)::text, '尊敬的商户「' || m.shop_name || '」，会员日全场八折，欢迎光临',
    'delivered', 'custom-notice', jsonb_build_object('shop', m.shop_name, 'content', '会员日全场八折，欢迎光临'), 1, 1, 'merchant', m.id,
    1, $3, 'aliyun', 'demo-' || m.id || '-' || i, at, at, at + interval '6 seconds', $2, '演示账号', at
  from merchants m cross join generate_series(1, $4::int) i
    cross join lateral (select date_trunc('milliseconds', now() - (i % 25) * interval '1 day' - i * interval '7 minutes') as at) as timed
  where m.id = $1`

/** Most arrived, some numbers are out of service, and of a few the carrier never told. */
const GREETINGS = `
  insert into outbox_messages (agent_id, merchant_id, kind, phone, text, status, template, params, segments, fee, payer, payer_id,
    charged, document_no, provider, provider_id, claimed_at, submitted_at, reported_at, error_code, error_text, created_by,
    created_by_name, created_at)
  select agent_id, id, 'campaign', account, '尊敬的商户「' || shop_name || '」，值此国庆节来临之际，祝您生意兴隆、阖家安康！感谢您一直以来的支持。拒收请回复R',
    status, 'holiday-greeting', jsonb_build_object('shop', shop_name, 'holiday', '国庆节'), 1, case status when 'delivered' then 1 end,
    'agent', agent_id, case status when 'failed' then 0 else 1 end, $3, 'aliyun', 'demo-greeting-' || id, at,
    case status when 'unknown' then null else at end, case status when 'unknown' then null else at + interval '8 seconds' end,
    case status when 'failed' then 'MOBILE_NOT_ON_SERVICE' when 'unknown' then 'NO_ANSWER' else '' end,
    case status when 'failed' then '手机号停机、空号、关机或不在服务区' when 'unknown' then '短信服务商未应答，结果待确认' else '' end,
    $2, '演示账号', at
  from (select id, agent_id, shop_name, account, row_number() over (order by id) as n from merchants where agent_id = $1 and status = 'normal' order by id limit $4) m
    cross join lateral (select case when n % 11 = 5 then 'failed' when n % 17 = 9 then 'unknown' else 'delivered' end as status,
      date_trunc('milliseconds', now() - interval '5 days') as at) as told (status, at)`

const USED = `
  insert into sms_days (payer, payer_id, day, agent_id, messages, segments)
  select payer, payer_id, shanghai_day(submitted_at), agent_id, count(*), sum(coalesce(fee, segments))
  from outbox_messages where payer <> 'vendor' and status in ('submitted', 'delivered') group by 1, 2, 3, 4`

export async function demo(demo: Demo): Promise<void> {
  const { client } = demo
  const agentId = DEMO_AGENTS.first
  const { id: accountId } = await demoOwner(demo, agentId)
  const shops = await client.query<{ id: string }>(
    `select id from merchants where agent_id = $1 and status = 'normal' order by id limit $2`,
    [agentId, SHOPS],
  )
  for (const [n, { id }] of shops.rows.entries()) {
    const used = 90 - n * 6
    const merchant = { kind: 'merchant', id: Number(id) } as const
    await post(demo, agentId, 'sms-open', await nextNo(demo), {
      amount: 100 + n * 25,
      from: SUPPLIER,
      to: merchant,
    })
    const document = await nextNo(demo)
    await client.query(MEMBER_MESSAGES, [id, accountId, document, used])
    await post(demo, agentId, 'sms-send', document, { amount: used, from: merchant, to: SUPPLIER })
  }
  const document = await nextNo(demo)
  await client.query(GREETINGS, [agentId, accountId, document, GREETED])
  const { rows } = await client.query<{ sent: number; failed: number }>(
    `select count(*)::int as sent, (count(*) filter (where status = 'failed'))::int as failed
       from outbox_messages where document_no = $1`,
    [document],
  )
  const { sent, failed } = rows[0] as { sent: number; failed: number }
  const agent = { kind: 'agent', id: agentId } as const
  await post(demo, agentId, 'sms-send', document, { amount: sent, from: agent, to: SUPPLIER })
  await post(demo, agentId, 'sms-send-return', document, { amount: failed, from: SUPPLIER, to: agent })
  await client.query(USED)
}

const SUPPLIER = { kind: 'vendor', book: 'sms-supplier' } as const
const DESCRIPTIONS = { 'sms-open': '开店短信', 'sms-send': '短信发送', 'sms-send-return': '短信返还' }

async function post(
  demo: Demo,
  agentId: number,
  kind: keyof typeof DESCRIPTIONS,
  document: string,
  moved: { amount: number; from: Owner; to: Owner },
): Promise<void> {
  if (moved.amount === 0) return
  const payMethod = kind === 'sms-open' ? 'gift' : 'balance'
  const description = DESCRIPTIONS[kind]
  await postDemo(demo, [
    { ...moved, kind, asset: 'sms', document, payMethod, agentId, actorId: 1, description },
  ])
}
