// Demo data of what partners do with their shops: a chain, an agent under an agent, fresh renewals, agreements, reminders.
import type pg from 'pg'

const DAY_MS = 86_400_000

type Sold = {
  id: string
  shop_name: string
  account: string
  version_id: number
  version_name: string
  shops_bought: number
  expires_at: Date
  unit_cents: string
  discount: number
}

/** Branches of the agent's oldest chain head that is in use, taken from its plain shops of the same age. */
export async function createChain(client: pg.Client, agentId: number): Promise<void> {
  await client.query(
    `with head as (
       select id, shop_name, version_id, expires_at from merchants
       where agent_id = $1 and version_id = 3 and status = 'normal' and expires_at > now() + interval '40 days'
         and shops_bought >= 4 order by id limit 1),
     branches as (
       select m.id, row_number() over (order by m.id) as n from merchants m
       where m.agent_id = $1 and m.version_id = 12 and m.status = 'normal' order by m.id limit 3)
     update merchants set store_kind = 'branch', head_id = head.id, version_id = head.version_id,
       shop_name = left(head.shop_name, 24) || (array['东门分店', '南山分店', '宝安分店'])[branches.n],
       expires_at = head.expires_at - branches.n * interval '20 days'
     from head, branches where merchants.id = branches.id`,
    [agentId],
  )
}

/** Renewals of the last days, paid from the wallet, so that there is something to look at and to undo. */
export async function createRenewals(
  client: pg.Client,
  sale: { agentId: number; accountId: number; count: number; now: Date },
): Promise<void> {
  const { rows } = await client.query<Sold>(
    `select m.id, m.shop_name, m.account, m.version_id, v.name as version_name, m.shops_bought, m.expires_at,
       v.price_year_cents as unit_cents, l.discount_basis_points as discount
     from merchants m join versions v on v.id = m.version_id join agents a on a.id = m.agent_id
       join agent_levels l on l.id = a.level_id
     where m.agent_id = $1 and m.store_kind = 'head' and m.status = 'normal' and m.version_id = 12
       and m.expires_at between now() - interval '60 days' and now() + interval '200 days'
     order by m.id desc limit $2`,
    [sale.agentId, sale.count],
  )
  for (const [i, shop] of rows.entries())
    await renew(client, { ...sale, shop, paidAt: new Date(sale.now.getTime() - (i * 2 + 1) * DAY_MS) })
}

async function renew(
  client: pg.Client,
  { agentId, accountId, shop, paidAt }: { agentId: number; accountId: number; shop: Sold; paidAt: Date },
): Promise<void> {
  const original = Number(shop.unit_cents) * shop.shops_bought
  const total = Math.floor((original * shop.discount + 5_000) / 10_000)
  const content = `续费 ${shop.shop_name} ${shop.version_name}`
  const { rows } = await client.query<{ id: string; order_no: string }>(
    `insert into version_orders (order_no, agent_id, merchant_id, sales_type, status, version_id, term, periods, shops,
       branches, unit, unit_cents, original_cents, discount_basis_points, total_cents, content, pay_method, purchase_code,
       created_by, created_at, paid_at)
     values (next_order_no(), $1, $2, 'renew', 'paid', $3, 'year', 1, $4, 0, '年', $5, $6, $7, $8, $9, 'balance', 1, $10, $11, $11)
     returning id, order_no`,
    [
      agentId,
      shop.id,
      shop.version_id,
      shop.shops_bought,
      shop.unit_cents,
      original,
      shop.discount,
      total,
      content,
      accountId,
      paidAt.toISOString(),
    ],
  )
  const order = rows[0] as { id: string; order_no: string }
  await client.query(
    `with changed as (
       update merchants set expires_at = greatest(expires_at, $3::timestamptz) + interval '1 year' where id = $2
       returning version_id, expires_at, shops_bought)
     insert into version_order_effects (order_id, agent_id, merchant_id, version_before, version_after, expires_before,
       expires_after, shops_before, shops_after)
     select $1, $4, $2, version_id, version_id, $5, expires_at, shops_bought, shops_bought from changed`,
    [order.id, shop.id, paidAt.toISOString(), agentId, shop.expires_at.toISOString()],
  )
  await client.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'version-renew',
        asset: 'token',
        amount: total,
        from: { kind: 'agent', id: agentId },
        to: { kind: 'vendor', book: 'revenue' },
        document: order.order_no,
        merchantId: Number(shop.id),
        payMethod: 'balance',
        agentId,
        actorId: accountId,
        actorName: '演示账号',
        description: content,
        remark: '',
      },
    ]),
  ])
}

/** What was agreed with shops that are due, and the reminders that wait to be sent. */
export async function createAgreements(client: pg.Client, agentId: number, accountId: number): Promise<void> {
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
