// What npm run seed writes beside shops: the orders of their life, services, SMS packages, marks, messages, days of SMS use.
// Set by set inside the database. Paid past the wallet (接口订单), since a chain of hashes for millions would take hours.
import type pg from 'pg'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'

/** Orders of a shop: its first version, then a renewal for each year until its term ends, at most so many. */
const ORDERS_MAX = 6
const SMS_DAYS_BACK = 30
const TRANSFERS_AT_ONCE = 500

/** What agents charge their shops: every third. */
const PRICES = `
  insert into selling_prices (agent_id, version_id, year_fen, month_fen, lifetime_fen, created_by, created_by_name, created_at)
  select a.id, v.id, 39800, 4980, 298000, owners.id, owners.name, now() - interval '400 days'
  from agents a cross join versions v
    join (select distinct on (agent_id) agent_id, id, name from accounts order by agent_id, id) as owners on owners.agent_id = a.id
  where a.id >= $1 and (a.id - $1) % 3 = 0`

const VERSION_ORDERS = `
  insert into version_orders (order_no, agent_id, merchant_id, sales_type, status, version_id, term, periods, shops, branches,
    unit, unit_cents, original_cents, discount_basis_points, total_cents, content, pay_method, remark, created_by, created_at, paid_at, selling_fen)
  select to_char(at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad(nextval('order_numbers')::text, 8, '0'),
    m.agent_id, m.id, case when n = 0 then 'new' when n % 4 = 3 then 'upgrade' else 'renew' end,
    case when (m.id + n) % 97 = 0 then 'recycled' else 'paid' end,
    m.version_id, case when m.expires_at is null then 'lifetime' else 'year' end, 1, m.shops_bought, 0,
    case when m.expires_at is null then '个店' else '年' end, unit_cents, unit_cents * m.shops_bought, share,
    (unit_cents * m.shops_bought * share + 5000) / 10000,
    case when n = 0 then '新增商户 ' when n % 4 = 3 then '升级 ' else '续费 ' end || m.shop_name || ' ' || v.name, 'interface', '',
    coalesce(m.manager_id, owners.id), at, at,
    case when m.expires_at is null then sold.lifetime_fen else sold.year_fen end * m.shops_bought
  from merchants m
    join (select id, name, coalesce(price_at('version', id, 'year', now()), price_at('version', id, 'lifetime', now()), 29800)
      as unit_cents from versions) as v on v.id = m.version_id
    join (select id, discount_at(id, level_id, 'version', now()) as share from agents) as a on a.id = m.agent_id
    join (select agent_id, min(id) as id from accounts group by agent_id) as owners on owners.agent_id = m.agent_id
    cross join lateral generate_series(0, least(${ORDERS_MAX - 1},
      case when m.expires_at is null then 1
        else greatest(0, extract(year from age(least(m.expires_at, now()), m.registered_at))::int + 2) end)) as n
    cross join lateral (select m.registered_at + n * interval '300 days' + (m.id % 86400) * interval '1 second' as at) as timed
    left join selling_prices sold on sold.agent_id = m.agent_id and sold.version_id = m.version_id and sold.merchant_id is null
      and sold.created_at <= at
  where m.agent_id >= $1 and at < now()
  order by m.registered_at`

const SERVICE_ORDERS = `
  insert into service_orders (order_no, agent_id, merchant_id, service_id, service_name, unit_cents, quantity, original_cents,
    discount_basis_points, total_cents, pay_method, state, quantity_before, created_by, created_by_name, created_at, paid_at)
  with offered as materialized (
    select id, name, price_at('service', id, 'unit', now()) as unit_cents from services where parent_id is not null)
  select to_char(at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad(nextval('order_numbers')::text, 8, '0'),
    m.agent_id, m.id, s.id, s.name, s.unit_cents, 1, s.unit_cents, 10000, s.unit_cents, 'interface',
    case when m.id % 53 = 0 then 'recalled' else 'completed' end, 0, owners.id, owners.name, at, at
  from merchants m
    join lateral (select * from offered where unit_cents is not null order by (m.id + id) % 7, id limit 1) as s on true
    join (select distinct on (agent_id) agent_id, id, name from accounts order by agent_id, id) as owners on owners.agent_id = m.agent_id
    cross join lateral (select m.registered_at + interval '20 days' as at) as timed
  where m.agent_id >= $1 and m.id % 4 = 0 and at < now() order by m.registered_at`

const SMS_ORDERS = `
  insert into sms_orders (order_no, agent_id, merchant_id, kind, package_id, name, pieces, original_cents,
    discount_basis_points, total_cents, pay_method, status, sms_before, sms_after, created_by, created_by_name, created_at, paid_at)
  with offered as materialized (select *, price_at('sms', id, 'pack', now()) as price_cents from sms_packages)
  select to_char(at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad(nextval('order_numbers')::text, 8, '0'),
    m.agent_id, m.id, 'package', p.id, p.name, p.pieces, p.price_cents, 10000, p.price_cents, 'interface',
    case when m.id % 61 = 0 then 'recycled' else 'paid' end, 0, p.pieces, owners.id, owners.name, at, at
  from merchants m
    join lateral (select * from offered where price_cents is not null order by (m.id + id) % 5, id limit 1) as p on true
    join (select distinct on (agent_id) agent_id, id, name from accounts order by agent_id, id) as owners on owners.agent_id = m.agent_id
    cross join lateral (select m.registered_at + interval '40 days' as at) as timed
  where m.agent_id >= $1 and m.id % 5 = 0 and at < now() order by m.registered_at`

const MARKS = `
  insert into renewal_marks (agent_id, merchant_id, state, note, next_on, created_by, created_by_name, created_at)
  select m.agent_id, m.id, (array['contacted', 'promised', 'lost'])[1 + m.id / 9 % 3], '电话沟通', current_date + (m.id % 20)::int,
    owners.id, owners.name, now() - (m.id % 60) * interval '1 day'
  from merchants m
    join (select distinct on (agent_id) agent_id, id, name from accounts order by agent_id, id) as owners on owners.agent_id = m.agent_id
  where m.agent_id >= $1 and m.id % 9 = 0 and m.expires_at between now() - interval '90 days' and now() + interval '90 days'`

/** Sent long ago and told as delivered: nothing of it is sent when the program starts. */
const MESSAGES = `
  insert into outbox_messages (agent_id, merchant_id, kind, phone, text, status, template, params, segments, fee, payer, provider,
    provider_id, submitted_at, reported_at, created_by, created_by_name, created_at)
  select m.agent_id, m.id, 'renewal-reminder', m.account, content, 'delivered', 'renewal-reminder',
    jsonb_build_object('shop', m.shop_name, 'version', v.name, 'word', '即将', 'day', day), used, used, 'vendor', 'aliyun', 'seed-' || m.id, at + interval '2 seconds',
    at + interval '9 seconds', owners.id, owners.name, at
  from merchants m
    join (select distinct on (agent_id) agent_id, id, name from accounts order by agent_id, id) as owners on owners.agent_id = m.agent_id
    join versions v on v.id = m.version_id
    cross join lateral (select to_char(shanghai_day(m.expires_at), 'YYYY-MM-DD') as day) as ending
    cross join lateral (select '尊敬的商户「' || m.shop_name || '」，您使用的' || v.name || '即将 ' || day
      || ' 到期，请及时联系服务商续费，以免影响使用。' as content, now() - (m.id % 300) * interval '1 hour' as at) as said
    cross join lateral (select case when length(content) <= 70 then 1 else ceil(length(content) / 67.0)::int end as used) as counted
  where m.agent_id >= $1 and m.id % 10 = 3 and m.expires_at is not null order by at`

/** What the latest renewals changed at their shops, so that they could be taken back. */
const EFFECTS = `
  insert into version_order_effects (order_id, agent_id, merchant_id, version_before, version_after, expires_before, expires_after,
    shops_before, shops_after)
  select o.id, o.agent_id, o.merchant_id, o.version_id, o.version_id, m.expires_at - interval '1 year', m.expires_at, o.shops, o.shops
  from version_orders o join merchants m on m.id = o.merchant_id
  where o.agent_id >= $1 and o.sales_type = 'renew' and o.id % 8 = 0`

const CHANNELS = PAY_CHANNELS.map(name => `'${name}'`).join(', ')

/** Tokens and SMS by QR, asked for and most of them paid. */
const INTENTS = `
  insert into payment_intents (id, agent_id, account_id, account_name, business_type, asset, order_no, amount_fen, subject, token,
    display_until, status, paid_by, created_at, expires_at, paid_at, asked_at)
  select to_char(at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad(nextval('order_numbers')::text, 8, '0'), m.agent_id, owners.id,
    owners.name, 10, 'token', to_char(at at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad(nextval('order_numbers')::text, 8, '0'),
    (1 + m.id % 90) * 10000, '代币充值', 'seed-' || m.id, at, case when m.id % 7 = 0 then 'expired' else 'paid' end,
    case when m.id % 7 > 0 then (array[${CHANNELS}])[1 + m.id % ${PAY_CHANNELS.length}] end, at, at + interval '10 minutes',
    case when m.id % 7 > 0 then at + interval '45 seconds' end, at
  from merchants m
    join (select distinct on (agent_id) agent_id, id, name from accounts order by agent_id, id) as owners on owners.agent_id = m.agent_id
    cross join lateral (select now() - (m.id % 8000) * interval '1 hour' as at) as timed
  where m.agent_id >= $1 and m.id % 10 = 5 order by at`

const ATTEMPTS = `
  insert into payment_attempts (intent_id, agent_id, channel, out_trade_no, amount_fen, status, transaction_id, paid_at, created_at, updated_at)
  select id, agent_id, coalesce(paid_by, (array[${CHANNELS}])[1]), id || 'W', amount_fen, case status when 'paid' then 'paid' else 'closed' end,
    case when status = 'paid' then '42' || id end, paid_at, created_at, coalesce(paid_at, expires_at)
  from payment_intents where agent_id >= $1`

/** Days of SMS use of agents and of one shop in twenty, as the sender would have counted them. */
const SMS_DAYS = `
  insert into sms_days (payer, payer_id, day, agent_id, messages, segments)
  select payer, payer_id, today - ago, agent_id, 1 + hash % most, 1 + hash % most + hash % (most / 4 + 1)
  from (
      select 'merchant' as payer, id as payer_id, agent_id, 9 as most from merchants where agent_id >= $1 and id % 20 = 7
      union all select 'agent', id, id, 60 from agents where id >= $1
    ) as payers
    cross join generate_series(0, ${SMS_DAYS_BACK} - 1) as ago
    cross join (select shanghai_day(now()) as today) as dated
    cross join lateral (select abs(hashint8(payer_id * 31 + ago)::bigint) as hash) as mixed`

const SETS = {
  selling_prices: PRICES,
  version_orders: VERSION_ORDERS,
  service_orders: SERVICE_ORDERS,
  sms_orders: SMS_ORDERS,
  renewal_marks: MARKS,
  outbox_messages: MESSAGES,
  version_order_effects: EFFECTS,
  payment_intents: INTENTS,
  payment_attempts: ATTEMPTS,
  sms_days: SMS_DAYS,
}

/** What triggers would have kept row by row. */
const ORDER_DAYS = `
  insert into order_days (agent_id, day, kind, orders, cents, fen)
  select agent_id, day, kind, count(*), sum(cents), 0 from (
    select agent_id, shanghai_day(paid_at) as day, 'version' as kind, total_cents as cents from version_orders
      where agent_id >= $1 and status = 'paid'
    union all select agent_id, shanghai_day(created_at), 'service', total_cents from service_orders
      where agent_id >= $1 and state = 'completed'
    union all select agent_id, shanghai_day(created_at), 'sms', total_cents from sms_orders
      where agent_id >= $1 and status = 'paid') as counted
  group by 1, 2, 3`

const SMS_AGENT_DAYS = `
  insert into sms_agent_days (agent_id, day, messages, segments)
  select agent_id, day, sum(messages), sum(segments) from sms_days where agent_id >= $1 group by 1, 2`

const SMS_USES = `
  insert into sms_uses (payer, payer_id, agent_id, used, counted_on)
  select payer, payer_id, agent_id, sum(segments), shanghai_day(now()) from sms_days
    where agent_id >= $1 and day > shanghai_day(now()) - 30 group by 1, 2, 3`

/** What those of the shops that send hold, as far as nothing else gave it to them. */
const SMS_CREDIT = `
  insert into ledger_accounts (owner_kind, owner_id, asset, agent_id, balance)
  select 'merchant', payer_id, 'sms', agent_id, 0 from sms_uses where agent_id >= $1 and payer = 'merchant'
    on conflict do nothing`

/** Credit that was given, hundreds of transfers in one call; larger agents had more. */
const CREDIT = `
  select ledger_post(jsonb_agg(jsonb_build_object('kind', 'credit', 'asset', 'token', 'amount', 1000 + n % 90 * 100,
    'from', jsonb_build_object('kind', 'vendor', 'book', 'issued'), 'to', jsonb_build_object('kind', 'agent', 'id', agent_id),
    'document', 'seed-' || $2::int || '-' || n, 'payMethod', 'gift', 'agentId', agent_id, 'actorId', actor_id, 'actorName', '运营中心',
    'description', '运营充值', 'remark', '')))
  from (select n, $1 + (least(n % 7, n % 3) * n / 11) % 200 as wanted from generate_series(1, ${TRANSFERS_AT_ONCE}) as n) as listed
    join (select agent_id, min(id) as actor_id from accounts group by agent_id) as owners on owners.agent_id = wanted`

/** Writes what the shops of the agents from `firstAgent` on have lived through; answers the rows by table. */
export async function loadOrders(owner: pg.Client, firstAgent: number): Promise<Record<string, number>> {
  const written: Record<string, number> = {}
  for (const [table, text] of Object.entries(SETS)) {
    const { rows: indexes } = await owner.query<{ name: string; create: string }>(
      `select indexname as name, indexdef as create from pg_indexes where schemaname = 'public' and tablename = $1
         and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
      [table],
    )
    for (const { name } of indexes) await owner.query(`drop index ${name}`)
    // Triggers of the owner's own, not those of foreign keys: millions of them would wait for the commit.
    await owner.query(`alter table ${table} disable trigger user`)
    const { rowCount } = await owner.query(text, [firstAgent])
    await owner.query(`alter table ${table} enable trigger user`)
    for (const { create } of indexes) await owner.query(create)
    written[table] = rowCount ?? 0
  }
  const sums = {
    order_days: ORDER_DAYS,
    sms_agent_days: SMS_AGENT_DAYS,
    sms_uses: SMS_USES,
    ledger_accounts: SMS_CREDIT,
  }
  for (const [table, text] of Object.entries(sums))
    written[table] = (await owner.query(text, [firstAgent])).rowCount ?? 0
  return written
}

/**
 * So many transfers of tokens to the agents from `firstAgent` on. Not within a transaction: each goes through all that the balances were
 * since it began.
 */
export async function loadTransfers(owner: pg.Client, firstAgent: number, count: number): Promise<void> {
  for (let at = 0; at < count / TRANSFERS_AT_ONCE; at++) await owner.query(CREDIT, [firstAgent, at])
}
