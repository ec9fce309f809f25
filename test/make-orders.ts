// A version order written directly, in any state.
import type { Office } from './app.ts'

type Made = {
  agentId: number
  createdBy: number
  merchantId: number | null
  paidAt: string | null
  salesType?: 'new' | 'renew' | 'upgrade'
  status?: 'quoted' | 'paid' | 'recycled'
  versionId?: number
  payMethod?: string
  originalCents?: number
  totalCents?: number
}

const WORDS = { new: '新增商户', renew: '续费', upgrade: '升级' }

/** Answers the order number. Its money has not moved: `verifyLedger` finds a paid one of above 0. */
export async function makeOrder(office: Office, order: Made): Promise<string> {
  const { salesType = 'new', status = 'paid', versionId = 12, payMethod = 'balance', totalCents = 0 } = order
  const { rows } = await office.owner.query<{ order_no: string }>(
    `insert into version_orders (order_no, agent_id, merchant_id, sales_type, status, version_id, term, periods, shops,
       branches, unit, unit_cents, original_cents, discount_basis_points, total_cents, content, pay_method, created_by,
       created_at, paid_at)
     select next_order_no(), $1, $2, $3, $4, v.id, 'year', 1, 1, 0, '年', $6, $6, 10000, $7, $8 || ' ' || v.name, $9, $10,
       coalesce($11::timestamptz, now()), $11::timestamptz
     from versions v where v.id = $5 returning order_no`,
    [
      order.agentId,
      order.merchantId,
      salesType,
      status,
      versionId,
      order.originalCents ?? totalCents,
      totalCents,
      WORDS[salesType],
      payMethod,
      order.createdBy,
      order.paidAt,
    ],
  )
  return (rows[0] as { order_no: string }).order_no
}
