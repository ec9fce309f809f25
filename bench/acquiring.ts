// The board of shops on their way to being paid, at 100,000 applications: lists, board, counts and figures through the app's role and
// row-level security, for staff and for an agent, against the best SQL for the same rows as the owner.
// npm run bench -- acquiring [applications]; a database of its own under DATA_DIR.
import { ACQUIRER_HOURS } from '#features/acquiring/acquirer-onboardings/rules.ts'
import { promisedHours } from '#features/acquiring/acquiring-progress/rules.ts'
import { APPLICATION_HOURS } from '#features/acquiring/payment-applications/rules.ts'
import { CAP, FIRST_SHOP, measureLists, shopsOf } from './office.ts'

/** A tenth to be decided, a tenth sent back, a fifth with the service, the others open; a third of all had been refused. */
const APPLICATIONS_MADE = `
  insert into payment_applications (agent_id, merchant_id, state, review_state, pay_type, phone, email, bank_region, bank_name, branch_name,
      saved_by, saved_by_name, saved_at, submitted_by, submitted_by_name, submitted_at, handled_by_name, handled_at, reviewed_by_name, reviewed_at)
    select m.agent_id, m.id, s.state, s.review, (array['corporate', 'private'])[1 + m.id % 2], '13800138000', 'shop@example.com', '440305', '招商银行',
      '招商银行深圳科技园支行', 0, '王小明', s.at, 0, '王小明', s.at, case when s.state = 'pending' then '' else '审核员' || m.id % 12 end,
      case when s.state <> 'pending' then s.at + m.id % 48 * interval '1 hour' end,
      case when s.review in ('accepted', 'rejected') then '审核员' || m.id % 12 else '' end,
      case when s.review in ('accepted', 'rejected') then s.at + (48 + m.id % 400) * interval '1 hour' end
    from merchants m cross join lateral (select now() - (m.id - ${FIRST_SHOP}) * interval '7 minutes' as at,
      case when m.id % 10 = 0 then 'pending' when m.id % 10 = 1 then 'rejected' else 'approved' end as state,
      case when m.id % 10 < 2 then null when m.id % 10 < 4 then (array['waiting', 'accepting'])[m.id % 10 - 1] else 'accepted' end as review) s
    where m.id > ${FIRST_SHOP} and m.id <= ${FIRST_SHOP} + $1::bigint`

/** As they were kept when it happened. */
const REFUSED = [
  `insert into refusal_causes (field, label, cause, reason, refused_by, first_at, last_at)
    select 'licenceId', '营业执照', '测算' || n, '测算的原因' || n, 'staff', now(), now() from generate_series(1, 40) n on conflict do nothing`,
  `insert into application_refusals (agent_id, merchant_id, application_id, cause_id, field, refused_at, mended_at)
    select a.agent_id, a.merchant_id, a.id, c.ids[1 + a.id % cardinality(c.ids)], 'licenceId', a.submitted_at + interval '6 hours', a.submitted_at + interval '1 day'
    from payment_applications a cross join (select array_agg(id) as ids from refusal_causes where cause like '测算%') c
    where a.merchant_id > ${FIRST_SHOP} and a.id % 3 = 0`,
  `update acquiring_progress p set refused_at = r.refused_at from application_refusals r
    where p.kind = 'application' and p.source_id = r.application_id and p.merchant_id > ${FIRST_SHOP}`,
]

/** Rows and how many there are, as the list answers them. */
type Asked = {
  table: 'acquiring_progress' | 'payment_applications'
  where: string
  order: string
  offset?: number
}
const page = ({ table, where, order, offset = 0 }: Asked) => [
  `select r.*, m.shop_name, m.account, a.company_name${table === 'acquiring_progress' ? ', o.status' : ''}
    from (select * from ${table} where ${where} order by ${order} limit 10 offset ${offset}) r
    join merchants m on m.id = r.merchant_id join agents a on a.id = r.agent_id${table === 'acquiring_progress' ? ' left join outbox_messages o on o.id = r.reminder_id' : ''} order by ${order.replace(/\b(since|submitted_at|id)\b/g, 'r.$1')}`,
  `select count(*) from (select from ${table} where ${where} limit ${CAP}) counted`,
]
const counted = (table: Asked['table'], wheres: readonly string[]) =>
  wheres.map(where => `select count(*) from (select from ${table} where ${where} limit ${CAP}) counted`)

/** It waits longer than was promised, with the promises as a fresh office has them. */
const HOURS = promisedHours({ application: APPLICATION_HOURS.initial, acquirer: ACQUIRER_HOURS.initial })
const LATE = `since < now() - make_interval(hours => ('${JSON.stringify(HOURS)}'::jsonb ->> step)::int)`

type Case = {
  address: string
  best: (own: string, more: { shop: number; found: number[]; late: string }) => string[]
}

const board = (where: string, offset = 0) =>
  page({ table: 'acquiring_progress', where, order: 'since, id', offset })
const applied = (where: string, own: string) => [
  ...page({
    table: 'payment_applications',
    where: `${where} and ${own}`,
    order: 'submitted_at desc, id desc',
  }),
  ...counted(
    'payment_applications',
    ['pending', 'approved', 'rejected'].map(state => `state = '${state}' and ${own}`),
  ),
]
const WAITS = `turn <> 'none'`
const HANDED_IN = `state <> 'draft' and submitted_at is not null`

const CASES: readonly Case[] = [
  { address: '/api/acquiring-progress', best: own => board(`${WAITS} and ${own}`) },
  { address: '/api/acquiring-progress?page=200', best: own => board(`${WAITS} and ${own}`, 1_990) },
  { address: '/api/acquiring-progress?turn=staff', best: own => board(`turn = 'staff' and ${own}`) },
  { address: '/api/acquiring-progress?turn=none', best: own => board(`turn = 'none' and ${own}`) },
  {
    address: '/api/acquiring-progress?channel=service',
    best: own => board(`${WAITS} and channel = 'service' and ${own}`),
  },
  {
    address: '/api/acquiring-progress?reviewerName=审核员7',
    best: own => board(`${WAITS} and reviewer_name = '审核员7' and ${own}`),
  },
  {
    address: '/api/acquiring-progress?overdue=true',
    best: (own, { late }) => board(`${WAITS} and ${late} and ${own}`),
  },
  {
    address: '/api/acquiring-progress?search=SHOP',
    best: (own, { shop }) => [
      ...shopsOf(String(shop), own),
      ...board(`${WAITS} and merchant_id = ${shop} and ${own}`),
    ],
  },
  {
    address: '/api/acquiring-progress?search=鲜果餐厅77',
    best: (own, { found }) => [
      ...shopsOf('鲜果餐厅77', own),
      ...board(`${WAITS} and merchant_id = any (array[${found}]::bigint[]) and ${own}`),
    ],
  },
  {
    address: '/api/acquiring-progress/counts',
    best: (own, { late }) =>
      counted('acquiring_progress', [
        `${WAITS} and ${late} and ${own}`,
        ...['staff', 'agent', 'shop', 'provider'].map(turn => `turn = '${turn}' and ${own}`),
      ]),
  },
  { address: '/api/payment-applications', best: own => applied(HANDED_IN, own) },
  {
    address: '/api/payment-applications?state=pending',
    best: own => applied(`${HANDED_IN} and state = 'pending'`, own),
  },
  {
    address: '/api/payment-applications?search=SHOP',
    best: (own, { shop }) => [
      ...shopsOf(String(shop), own),
      ...applied(`${HANDED_IN} and merchant_id = ${shop}`, own),
    ],
  },
  { address: '/api/acquiring-progress/times', best: own => timesOf(own, 1) },
  {
    address: '/api/acquiring-progress/times?period=year&by=reviewer',
    best: own => timesOf(own, 12, 'reviewer_name'),
  },
]

/** Over the running period, as the figures sum it up. */
function timesOf(own: string, months: 1 | 12, key = 'channel'): string[] {
  const from = `(date_trunc('${months === 1 ? 'month' : 'year'}', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai')`
  const days = 'extract(epoch from opened_at - submitted_at)::float8 / 86400'
  return [
    `select ${key}, count(*), percentile_cont(array[0.5, 0.9]) within group (order by ${days}), count(paid_at) from acquiring_progress
      where opened_at >= ${from} and ${own} group by grouping sets ((), (${key}))`,
    `select ${key}, count(*), count(*) filter (where refused_at = least(refused_at, opened_at)) from acquiring_progress
      where least(refused_at, opened_at) >= ${from} and ${own} group by grouping sets ((), (${key}))`,
    `select c.id, c.label, c.reason, count(*) from acquiring_progress p
      join application_refusals r on r.application_id = p.source_id and r.refused_at = p.refused_at join refusal_causes c on c.id = r.cause_id
      where p.kind = 'application' and least(p.refused_at, p.opened_at) >= ${from} and ${own.replace('agent_id', 'p.agent_id')} group by c.id order by 4 desc limit 8`,
  ]
}

export function measureAcquiring(): Promise<void> {
  return measureLists('acquiring', {
    rows: [APPLICATIONS_MADE, ...REFUSED],
    async cases(owner, own) {
      const { rows } = await owner.query<{ id: string }>(
        `select id from merchants where id > $1 and ${own} and strpos(shop_name, '鲜果餐厅77') > 0`,
        [FIRST_SHOP],
      )
      const found = rows.map(({ id }) => Number(id))
      const more = { found, shop: found[0] ?? 0, late: LATE }
      return CASES.map(({ address, best }) => ({
        address: address.replace('SHOP', String(more.shop)),
        statements: best(own, more),
      }))
    },
  })
}
