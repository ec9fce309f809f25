// A version order written directly, in any state.
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PayMethod } from '#features/money/ledger/rules.ts'
import { orderRow } from '#features/sales/orders/rows.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import type { Office } from './app.ts'

type Made = {
  agentId: number
  createdBy: number
  merchantId: number | null
  paidAt: string | null
  salesType?: 'new' | 'renew' | 'upgrade'
  status?: 'quoted' | 'paid' | 'recycled'
  versionId?: number
  payMethod?: PayMethod
  originalCents?: number
  totalCents?: number
  content?: string
}

const WORDS = { new: '新增商户', renew: '续费', upgrade: '升级' }

/** Answers the order number. Its money has not moved: `verifyLedger` finds a paid one of above 0. */
export async function makeOrder(office: Pick<Office, 'owner'>, order: Made): Promise<string> {
  const { salesType = 'new', versionId = 12, paidAt } = order
  const { rows } = await office.owner.query<{ no: string; name: string }>(
    'select next_order_no() as no, name from versions where id = $1',
    [versionId],
  )
  const { no, name } = rows[0] as { no: string; name: string }
  const createdAt = paidAt ?? new Date().toISOString()
  await drizzle(office.owner)
    .insert(versionOrders)
    .values(orderRow({ orderNo: no, content: `${WORDS[salesType]} ${name}`, createdAt, ...order, paidAt }))
  return no
}
