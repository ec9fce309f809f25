// Demo rows of renewals that can still be undone.
import { DEMO_AGENTS, demoOwner } from '#features/access/demo.ts'
import { nextNo, postDemo } from '#features/ledger/demo.ts'
import { orderRow } from '#features/orders/rows.ts'
import { versionOrders } from '#features/orders/tables.ts'
import { discounted } from '#kit/money.ts'
import { ago, type Demo } from '#server/demo.ts'

const RENEWALS = 8

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

/** Renewals of the last days, paid from the wallet, so that there is something to look at and to undo. */
export async function demo(demo: Demo): Promise<void> {
  const agentId = DEMO_AGENTS.first
  const { id: accountId } = await demoOwner(demo, agentId)
  const { rows } = await demo.client.query<Sold>(
    `select m.id, m.shop_name, m.account, m.version_id, v.name as version_name, m.shops_bought, m.expires_at,
       v.price_year_cents as unit_cents, l.discount_basis_points as discount
     from merchants m join versions v on v.id = m.version_id join agents a on a.id = m.agent_id
       join agent_levels l on l.id = a.level_id
     where m.agent_id = $1 and m.store_kind = 'head' and m.status = 'normal' and m.version_id = 12
       and m.expires_at between now() - interval '60 days' and now() + interval '200 days'
     order by m.id desc limit $2`,
    [agentId, RENEWALS],
  )
  for (const [i, shop] of rows.entries())
    await renew(demo, { agentId, accountId, shop, paidAt: ago(demo, i * 2 + 1) })
}

async function renew(
  demo: Demo,
  { agentId, accountId, shop, paidAt }: { agentId: number; accountId: number; shop: Sold; paidAt: string },
): Promise<void> {
  const { client, db } = demo
  const unitCents = Number(shop.unit_cents)
  const originalCents = unitCents * shop.shops_bought
  const totalCents = discounted(originalCents, shop.discount)
  const content = `续费 ${shop.shop_name} ${shop.version_name}`
  const orderNo = await nextNo(demo)
  const [order] = await db
    .insert(versionOrders)
    .values(
      orderRow({
        orderNo,
        agentId,
        merchantId: Number(shop.id),
        salesType: 'renew',
        versionId: shop.version_id,
        shops: shop.shops_bought,
        unitCents,
        originalCents,
        discountBasisPoints: shop.discount,
        totalCents,
        content,
        purchaseCode: 1,
        createdBy: accountId,
        createdAt: paidAt,
      }),
    )
    .returning({ id: versionOrders.id })
  await client.query(
    `with changed as (
       update merchants set expires_at = greatest(expires_at, $3::timestamptz) + interval '1 year' where id = $2
       returning version_id, expires_at, shops_bought)
     insert into version_order_effects (order_id, agent_id, merchant_id, version_before, version_after, expires_before,
       expires_after, shops_before, shops_after)
     select $1, $4, $2, version_id, version_id, $5, expires_at, shops_bought, shops_bought from changed`,
    [order?.id, shop.id, paidAt, agentId, shop.expires_at.toISOString()],
  )
  await postDemo(demo, [
    {
      kind: 'version-renew',
      asset: 'token',
      amount: totalCents,
      from: { kind: 'agent', id: agentId },
      to: { kind: 'vendor', book: 'revenue' },
      document: orderNo,
      merchantId: Number(shop.id),
      payMethod: 'balance',
      agentId,
      actorId: accountId,
      description: content,
    },
  ])
}
