// Factories of hardware: a product written directly, and an order through the router.
import type { Client, Office } from './app.ts'
import type { MadeAgent } from './make.ts'
import { writePrice } from './make-purchases.ts'

let made = 0

/** A product on sale: 100 tokens a piece, 50 in stock. */
export async function makeProduct(
  office: Office,
  columns: { name?: string; unitCents?: number; stock?: number; enabled?: boolean } = {},
): Promise<number> {
  const { rows } = await office.owner.query(
    `insert into hardware_products (name, model, stock, enabled, created_at)
     values ($1, 'X1', $2, $3, now()) returning id`,
    [columns.name ?? `打印机${++made}`, columns.stock ?? 50, columns.enabled ?? true],
  )
  const item = Number(rows[0].id)
  await writePrice((text, values) => office.owner.query(text, values), {
    book: 'hardware',
    item,
    part: 'unit',
    cents: columns.unitCents ?? 10_000,
  })
  return item
}

export const delivery = {
  contactName: '李四',
  contactPhone: '13800005678',
  districtCode: '440305',
  address: '科技园1号',
  remark: '',
}

/** The number of a paid order for `quantity` pieces of a fresh product, or of `productId`. */
export async function makeOrder(
  office: Office,
  client: Client,
  wanted: {
    productId?: number
    quantity?: number
    contactName?: string
    remark?: string
    merchantId?: number
  } = {},
): Promise<string> {
  const productId = wanted.productId ?? (await makeProduct(office))
  const quantity = wanted.quantity ?? 1
  const { rows } = await office.owner.query(`select price_at('hardware', $1, 'unit', now()) as cents`, [
    productId,
  ])
  const { orderNo } = await client.hardware.order({
    ...delivery,
    contactName: wanted.contactName ?? delivery.contactName,
    remark: wanted.remark ?? '',
    merchantId: wanted.merchantId ?? null,
    lines: [{ productId, quantity }],
    totalCents: Number(rows[0].cents) * quantity,
  })
  return orderNo
}

/** The number of an order of one piece that cost nothing, written directly. */
export async function writeOrder(
  office: Office,
  agent: MadeAgent,
  columns: { contactName: string; status: string },
): Promise<string> {
  const { rows } = await office.owner.query(
    `insert into hardware_orders (order_no, agent_id, contact_name, contact_phone, district_code, address, total_cents,
       delivery_status, remark, created_by, created_by_name, created_at, paid_at)
     values (next_order_no(), $1, $2, '13800005678', '440305', $2, 0, $3, $2, $4, $2, now(), now())
     returning id, order_no`,
    [agent.id, columns.contactName, columns.status, agent.accountId],
  )
  await office.owner.query(
    `insert into hardware_order_lines (order_id, agent_id, product_id, product_name, unit_cents, quantity, total_cents)
     values ($1, $2, $3, $4, 0, 1, 0)`,
    [rows[0].id, agent.id, await makeProduct(office), columns.contactName],
  )
  return rows[0].order_no
}
