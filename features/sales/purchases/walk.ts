import { makeMerchant } from '#test/make.ts'
import type { FeatureWalk } from '#test/walk-types.ts'

const form = (merchantId: unknown, changes: Record<string, unknown> = {}) => ({
  ...{ merchantId, versionId: 12, scope: 'head' as const, branchIds: [] as number[], term: 'year' as const },
  ...{ periods: 1, shops: 1, remark: '' },
  ...changes,
})
const bulkForm = (merchantIds: number[]) => ({ merchantIds, term: 'year' as const, periods: 1, remark: '' })
const UNKNOWN = '1'.repeat(22)

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['purchases.confirm', 'purchases.bulkConfirm'],
  scene: async ({ office, a, cookieA }) => {
    const me = office.as(cookieA)
    const [shop] = a.shops as [number]
    const { orderNo } = await me.purchases.quote({ ...form(shop), merchantId: shop })
    const { batchNo } = await me.purchases.bulkQuote(bulkForm([shop]))
    return { purchaseOrder: orderNo, purchaseBatch: batchNo }
  },
  attempts: {
    'purchases.offers': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: ['NOT_FOUND'] }],
    'purchases.branches': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: ['NOT_FOUND'] }],
    'purchases.quote': [
      { as: ({ a }) => form(a.shops[0]), expect: ['NOT_FOUND'] },
      {
        as: ({ a, b }) => form(b.shop, { scope: 'branches', branchIds: [a.shops[0]] }),
        expect: ['BRANCH_UNKNOWN'],
      },
    ],
    'purchases.confirm': [
      { as: ({ extra }) => ({ orderNo: extra.purchaseOrder }), expect: ['QUOTE_UNKNOWN'] },
      { as: ({ a }) => ({ orderNo: a.paidOrder }), expect: ['QUOTE_UNKNOWN'] },
    ],
    'purchases.bulkQuote': [{ as: ({ a }) => bulkForm(a.shops), expect: ['SHOP_UNKNOWN'] }],
    'purchases.bulkConfirm': [
      { as: ({ extra }) => ({ batchNo: extra.purchaseBatch }), expect: ['QUOTE_UNKNOWN'] },
    ],
  },
  scoped: ['purchases.offers', 'purchases.branches', 'purchases.quote', 'purchases.bulkQuote'],
  changes: desk => {
    const shopOf = (columns?: Record<string, unknown>) =>
      makeMerchant(desk.office, desk.partner.id, columns ?? {})
    return {
      'purchases.quote': {
        accepted: async () => {
          const id = await shopOf()
          return desk.asPartner(form(id), `测试店铺 (${id})`)
        },
        refused: {
          input: async () => form(await shopOf({ status: 'disabled' })),
          code: 'MERCHANT_DISABLED',
        },
      },
      'purchases.confirm': {
        accepted: async () => {
          const id = await shopOf()
          const { orderNo } = await desk.mine().purchases.quote({ ...form(id), merchantId: id })
          return desk.asPartner({ orderNo }, `测试店铺 (${id})`)
        },
        refused: { input: () => ({ orderNo: UNKNOWN }), code: 'QUOTE_UNKNOWN' },
      },
      'purchases.bulkQuote': {
        accepted: async () => desk.asPartner(bulkForm([await shopOf(), await shopOf()]), '2家商户'),
        refused: { input: () => bulkForm([]), code: 'SHOPS_REQUIRED' },
      },
      'purchases.bulkConfirm': {
        accepted: async () => {
          const ids = [await shopOf(), await shopOf()]
          const { batchNo } = await desk.mine().purchases.bulkQuote(bulkForm(ids))
          return desk.asPartner({ batchNo }, `2家商户 (${batchNo})`)
        },
        refused: { input: () => ({ batchNo: UNKNOWN }), code: 'QUOTE_UNKNOWN' },
      },
    }
  },
}
