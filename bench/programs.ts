// Mini programs at 100,000 applications: both lists through the app's role and row-level security, for staff and for an agent, against the
// best SQL for the same rows as the owner.
// npm run bench -- programs [applications]; a database of its own under DATA_DIR.
import { CAP, FIRST_SHOP, measureLists, shopsOf } from './office.ts'

/**
 * Of ten a draft, one that waits for staff, one that was sent back, and seven that are approved, a third of them there before; of these three are
 * released, the others on their way. One of fifty is deleted.
 */
const APPLICATIONS_MADE = `
  insert into program_applications (agent_id, merchant_id, kind, state, flow_status, flow_step, submit_status, company_name, company_code,
      legal_person_wechat_masked, legal_person_name, service_phone, program_name, program_type, intro, category_name, created_at, saved_by, saved_by_name,
      submitted_by_name, submitted_at, handled_by_name, handled_at, deleted_at, reason)
    select m.agent_id, m.id, s.kind, s.state, case when s.state <> 'approved' then 1 when s.kind = 'existing' then 9 when s.step = 2 then 1 else 2 end,
      case when s.state <> 'approved' then 1 when s.kind = 'existing' and s.step = 2 then 99 else s.step end, case when s.state = 'approved' and s.step = 6 then s.submit else 0 end,
      '测算餐饮有限公司' || m.id, '9144030071526726XG', 'zh***88', '张三', '0755-88886666', '测算点餐' || m.id,
      (array['scanOrder', 'scanBuy', 'shop', 'booking'])[1 + m.id % 4], '测算的小程序，点餐更方便', '餐饮 / 餐厅排队', s.at, 0, '王小明',
      case when s.state = 'draft' then '' else '王小明' end, case when s.state <> 'draft' then s.at + interval '1 hour' end,
      case when s.state in ('approved', 'rejected') then '审核员' || m.id % 12 else '' end,
      case when s.state in ('approved', 'rejected') then s.at + interval '1 day' end,
      case when m.id % 50 = 0 then s.at + interval '9 days' end, case when s.state = 'rejected' then '证件不清晰' else '' end
    from merchants m cross join lateral (select now() - (m.id - ${FIRST_SHOP}) * interval '7 minutes' as at,
      case m.id % 10 when 0 then 'draft' when 1 then 'pending' when 2 then 'rejected' else 'approved' end as state,
      case when m.id % 10 > 2 and m.id % 3 = 0 then 'existing' else 'registration' end as kind,
      (array[2, 5, 6, 6, 6])[1 + m.id / 10 % 5] as step, (array[1, 10, 11, 12, 12, 12])[1 + m.id / 50 % 6] as submit) s
    where m.id > ${FIRST_SHOP} and m.id <= ${FIRST_SHOP} + $1::bigint`

/** Whatever is beyond its creation has a flow. */
const FLOWS_MADE = `
  insert into program_flows (agent_id, merchant_id, application_id, state, message, appid, is_authorized, authorized_at, scopes, live_version,
      new_version, changed_at)
    select agent_id, merchant_id, id, case when flow_step = 5 then 'toAuthorize' when submit_status = 1 then 'profile'
        when submit_status = 11 then 'inAudit' when submit_status = 12 then 'released' else 'code' end,
      case when id % 11 = 0 then '测算的答复' else '' end, case when flow_step = 6 then 'wxbench' || id end, flow_step = 6,
      case when flow_step = 6 then handled_at end, '[17, 18, 30]', case when submit_status = 12 then '2.1.0 order' else '' end, '', handled_at
    from program_applications where merchant_id > ${FIRST_SHOP} and state = 'approved' and flow_step in (5, 6)`

type Case = { address: string; best: (own: string, shop: number) => string[] }

const LIVE = 'deleted_at is null'
const UNDER_WAY = `state in ('pending', 'approved')`
const counted = (where: string) =>
  `select count(*) from (select from program_applications where ${where} limit ${CAP}) counted`
const ordered = (asked: string) =>
  `(select * from program_applications where ${asked} order by created_at desc, id desc limit 10`

function listed(where: string, own: string, offset = 0): string[] {
  const all = `${where} and ${own}`
  return [
    `select r.*, m.shop_name, m.account, a.company_name from ${ordered(all)} offset ${offset}) r
      join merchants m on m.id = r.merchant_id join agents a on a.id = r.agent_id order by r.created_at desc, r.id desc`,
    counted(all),
    ...['draft', 'pending', 'approved', 'rejected'].map(state =>
      counted(`${LIVE} and state = '${state}' and ${own}`),
    ),
  ]
}

function underWay(where: string, own: string, offset = 0): string[] {
  const all = `${UNDER_WAY} and ${where} and ${own}`
  return [
    `select r.id, r.revision, r.merchant_id, r.kind, r.program_name, r.program_type, r.created_at, r.deleted_at, r.agent_id, r.flow_status, r.flow_step,
        r.submit_status, m.shop_name, m.account, a.company_name, f.state, f.message, f.appid, f.is_authorized, f.authorized_at, f.live_version,
        f.new_version, f.remark from ${ordered(all)} offset ${offset}) r
      join merchants m on m.id = r.merchant_id join agents a on a.id = r.agent_id left join program_flows f on f.application_id = r.id
      order by r.created_at desc, r.id desc`,
    counted(all),
  ]
}

const APPLIED = '/api/program-applications'
const FLOWS = '/api/program-flow'
const CASES: readonly Case[] = [
  { address: APPLIED, best: own => listed(LIVE, own) },
  { address: `${APPLIED}?page=200`, best: own => listed(LIVE, own, 1_990) },
  { address: `${APPLIED}?state=pending`, best: own => listed(`${LIVE} and state = 'pending'`, own) },
  { address: `${APPLIED}?state=approved`, best: own => listed(`${LIVE} and state = 'approved'`, own) },
  { address: `${APPLIED}?kind=existing`, best: own => listed(`${LIVE} and kind = 'existing'`, own) },
  {
    address: `${APPLIED}?programType=scanBuy`,
    best: own => listed(`${LIVE} and program_type = 'scanBuy'`, own),
  },
  { address: `${APPLIED}?deleted=true`, best: own => listed('deleted_at is not null', own) },
  {
    address: `${APPLIED}?search=SHOP`,
    best: (own, shop) => [...shopsOf(String(shop), own), ...listed(`${LIVE} and merchant_id = ${shop}`, own)],
  },
  { address: FLOWS, best: own => underWay(LIVE, own) },
  { address: `${FLOWS}?page=200`, best: own => underWay(LIVE, own, 1_990) },
  {
    address: `${FLOWS}?progress=completed`,
    best: own => underWay(`${LIVE} and submit_status = 12`, own),
  },
  { address: `${FLOWS}?progress=running`, best: own => underWay(`${LIVE} and submit_status <> 12`, own) },
  {
    address: `${FLOWS}?programType=scanBuy`,
    best: own => underWay(`${LIVE} and program_type = 'scanBuy'`, own),
  },
  { address: `${FLOWS}?deleted=true`, best: own => underWay('deleted_at is not null', own) },
  {
    address: `${FLOWS}?search=SHOP`,
    best: (own, shop) => [
      ...shopsOf(String(shop), own),
      ...underWay(`${LIVE} and merchant_id = ${shop}`, own),
    ],
  },
]

export function measurePrograms(): Promise<void> {
  return measureLists('programs', {
    rows: [APPLICATIONS_MADE, FLOWS_MADE],
    async cases(owner, own) {
      const { rows } = await owner.query<{ id: string }>(
        `select merchant_id as id from program_applications where merchant_id > $1 and state = 'approved' and ${LIVE} and ${own} limit 1`,
        [FIRST_SHOP],
      )
      const shop = Number(rows[0]?.id)
      return CASES.map(({ address, best }) => ({
        address: address.replace('SHOP', String(shop)),
        statements: best(own, shop),
      }))
    },
  })
}
