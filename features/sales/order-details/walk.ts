import { type Attempt, byAgent, type FeatureWalk, MARK, own } from '#test/walk-types.ts'

const theirs = (orderNo: Attempt['as']): Attempt => ({ as: orderNo, expect: ['ORDER_UNKNOWN'] })

export const walk: FeatureWalk = {
  ofAgency: ['orderDetails.find'],
  sessionOnly: ['orderDetails.find'],
  movesMoney: [],
  // Past the operation, which would drop the quote of another walk.
  scene: async ({ office, a }) => {
    await office.owner.query(
      `insert into renewal_batches (batch_no, agent_id, orders, total_cents, created_by, created_by_name, paid_at)
       values (next_order_no(), $1, 1, 100, $2, $3, now())`,
      [a.id, a.accountId, MARK],
    )
    return {}
  },
  attempts: {
    'orderDetails.find': [
      theirs(({ a }) => ({ orderNo: a.paidOrder })),
      theirs(({ a }) => ({ orderNo: a.quotedOrder })),
      theirs(({ a }) => ({ orderNo: a.paidOrder.slice(-8) })),
      theirs(({ extra }) => ({ orderNo: extra.hardwareOrder })),
      theirs(({ extra }) => ({ orderNo: extra.purchaseBatch })),
    ],
    'orderDetails.batches': [own(), byAgent],
  },
  scoped: ['orderDetails.find', 'orderDetails.batches'],
  reads: desk => ({
    'orderDetails.find': async () => {
      const { orderNo } = await desk.mine().sms.buy({
        merchantId: (await desk.onShop()).input.id as number,
        packageId: 1,
        totalCents: 2_000,
      })
      return { orderNo }
    },
  }),
  changes: () => ({}),
}
