// What tests of the settlement centre share: shops that bought something, and orders and credit that grew old or were used.
import type { Client, Office } from './app.ts'

/** Renews a shop of the advanced version for a year; answers the order and what it cost, 1/100 token. */
export async function renewShop(
  me: Client,
  merchantId: number,
): Promise<{ orderNo: string; totalCents: number }> {
  const { orderNo, totalCents } = await me.purchases.quote({
    merchantId,
    versionId: 12,
    scope: 'head',
    branchIds: [],
    term: 'year',
    periods: 1,
    shops: 1,
    remark: '',
  })
  await me.purchases.confirm({ orderNo })
  return { orderNo, totalCents }
}

/** Moves the payment of an order into the past. */
export async function agePayment(
  office: Office,
  table: 'version_orders' | 'service_orders' | 'sms_orders',
  orderNo: string,
  days: number,
): Promise<void> {
  await office.owner.query(
    `update ${table} set paid_at = paid_at - make_interval(secs => $2) where order_no = $1`,
    [orderNo, days * 86_400],
  )
}

/** A shop uses SMS credit: its pieces go back to the supplier. */
export async function useSms(
  office: Office,
  agentId: number,
  merchantId: number,
  pieces: number,
): Promise<void> {
  await office.owner.query('select ledger_post($1::jsonb)', [
    JSON.stringify([
      {
        kind: 'sms-recall',
        asset: 'sms',
        amount: pieces,
        from: { kind: 'merchant', id: merchantId },
        to: { kind: 'vendor', book: 'sms-supplier' },
        document: `USED${merchantId}`,
        merchantId,
        payMethod: 'balance',
        agentId,
        actorId: 1,
        actorName: '测试',
        description: '已发送',
      },
    ]),
  ])
}
