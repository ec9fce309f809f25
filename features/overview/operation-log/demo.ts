// Demo rows of the operation log: what the rest of the demo tells, as those who did it left it in the log.
import { TOOL_KINDS } from '#features/sales/aftersales/rules.ts'
import { ago, type Demo } from '#server/demo.ts'

const tokens = (cents: string) => `to_char(${cents} / 100.0, 'FM999,999,990.00') || ' 代币'`
const change = (name: string, after: string) =>
  `jsonb_build_object('name', '${name}', 'before', null, 'after', ${after})`

const TOOL_TITLES = Object.entries(TOOL_KINDS)
  .map(([kind, title]) => `when '${kind}' then '${title}'`)
  .join(' ')

/** Who did what at which moment; `by` is an account. Each select names the same columns. */
const DEEDS = [
  // Shops that were sold, and what was bought for them later.
  `select o.paid_at as at, o.created_by as by, case when o.purchase_code is null then '/merchants add' else '/purchases confirm' end
     as operation, case when o.purchase_code is null then '新增商户' else '版本购买' end as title,
     m.shop_name || ' (' || m.id || ')' as subject, array['order:' || o.order_no, 'merchant:' || m.id] as objects,
     m.id as merchant_id, o.agent_id as about,
     jsonb_build_array(${change('订单号', 'o.order_no')}, ${change('结算', tokens('o.total_cents'))}) as changes
   from version_orders o join merchants m on m.id = o.merchant_id where o.paid_at is not null and o.batch_no is null`,
  `select o.undone_at, o.undone_by, '/orders undo', '撤销订单', m.shop_name || ' (' || m.id || ')',
     array['order:' || o.order_no, 'merchant:' || m.id], m.id, o.agent_id,
     jsonb_build_array(${change('订单号', 'o.order_no')}, ${change('退回', tokens('o.total_cents'))},
       ${change('撤销原因', 'o.undone_reason')})
   from version_orders o join merchants m on m.id = o.merchant_id where o.undone_at is not null`,
  `select o.paid_at, o.created_by, '/services buy', '购买增值服务', m.shop_name || ' (' || m.id || ')',
     array['order:' || o.order_no, 'merchant:' || m.id], m.id, o.agent_id,
     jsonb_build_array(${change('服务', 'o.service_name')}, ${change('结算', tokens('o.total_cents'))})
   from service_orders o join merchants m on m.id = o.merchant_id where o.paid_at is not null`,
  `select k.created_at, k.created_by, '/renewals mark', '续费跟进', m.shop_name || ' (' || m.id || ')', array['merchant:' || m.id],
     m.id, k.agent_id, jsonb_build_array(${change('备注', 'k.note')})
   from renewal_marks k join merchants m on m.id = k.merchant_id`,
  // Tokens for agents below.
  `select t.created_at, t.actor_id, '/settlement allocate', '下级划拨', g.company_name || ' (' || g.id || ')', array['agent:' || g.id],
     null, null, jsonb_build_array(${change('划拨', tokens('t.amount'))})
   from ledger_transfers t join ledger_accounts i on i.id = t.to_account_id join agents g on g.id = i.owner_id
   where t.kind = 'allocate'`,
  // Roles and the people who hold them, by the agent's own account.
  `select r.created_at, a.id, '/team/roles addRole', '新增角色', r.name, array['role:' || r.id], null, r.agent_id,
     jsonb_build_array(${change('角色名称', 'r.name')}, ${change('角色描述', 'r.remark')})
   from roles r join accounts a on a.agent_id = r.agent_id and a.is_owner`,
  `select s.created_at, a.id, '/team/staff addStaff', '新增员工', s.name || ' (' || s.login_name || ')', array['account:' || s.id], null,
     s.agent_id, jsonb_build_array(${change('姓名', 's.name')}, ${change('角色', 'r.name')})
   from accounts s join roles r on r.id = s.role_id join accounts a on a.agent_id = s.agent_id and a.is_owner`,
  // Keys for programs, and the one that was ended.
  `select k.created_at, k.account_id, '/api-keys add', '新建接口密钥', k.name || '（尾号 ' || k.token_end || '）', array['apiKey:' || k.id], null,
     k.agent_id, jsonb_build_array(${change('密钥名称', 'k.name')}, ${change('调用上限', "k.per_minute || ' 次/分钟'")})
   from api_keys k`,
  `select k.ended_at, k.account_id, '/api-keys/{id} end', '撤销接口密钥', k.name || '（尾号 ' || k.token_end || '）', array['apiKey:' || k.id], null,
     k.agent_id, jsonb_build_array(${change('状态', "'已撤销'")})
   from api_keys k where k.ended_at is not null`,
  `select t.created_at, t.created_by, '/tools', case t.kind ${TOOL_TITLES} else t.kind end, m.shop_name || ' (' || m.id || ')', array['merchant:' || m.id], m.id, t.agent_id,
     t.changes || jsonb_build_array(${change('操作原因', 't.reason')})
   from tool_actions t join merchants m on m.id = t.merchant_id`,
]

/** In the order of time, as each chain wants it. */
export async function afterwards(demo: Demo): Promise<void> {
  const { client } = demo
  await client.query('select make_operation_log_months($1)', [ago(demo, 900)])
  await client.query(`
    select log_operation_at(jsonb_build_object('agentId', a.agent_id, 'accountId', a.id, 'accountName', a.name,
      'operation', d.operation, 'title', d.title, 'subject', d.subject, 'objects', to_jsonb(d.objects),
      'merchantId', d.merchant_id, 'aboutAgentId', nullif(d.about, a.agent_id), 'outcome', 'done', 'changes', d.changes,
      'requestId', md5(d.title || d.subject || d.at)::uuid::text, 'ip', '183.14.28.' || a.id % 200 + 10, 'userAgent',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36'), d.at)
    from (select * from (${DEEDS.join(' union all ')}) as told order by at offset 0) as d join accounts a on a.id = d.by`)
}
