import { newMerchantForm } from '#test/make.ts'
import type { Attempt, FeatureWalk } from '#test/walk-types.ts'
import { byAgent, own, search } from '#test/walk-types.ts'

const LISTS: Attempt[] = [
  own(),
  byAgent,
  search(({ a }) => a.shop.shopName),
  search(({ a }) => a.paidOrder),
  // The digits may stand in an account of B's.
  { as: ({ a }) => ({ search: a.paidOrder.slice(-8) }), expect: 'own' },
  search(({ a }) => a.shops[0]),
  { as: ({ a }) => ({ actorId: a.accountId }), expect: 'own' },
  own({ status: 'paid', paidFrom: '2017-01-01' }),
]

export const walk: FeatureWalk = {
  ofAgency: ['orders.actors'],
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'orders.list': LISTS,
    'orders.actors': [own(), byAgent],
    'orders.setRemark': [
      { as: ({ a }) => ({ orderNo: a.paidOrder, remark: '改' }), expect: ['NOT_FOUND'] },
      { as: ({ a }) => ({ orderNo: a.quotedOrder, remark: '改' }), expect: ['NOT_FOUND'] },
    ],
    'orders.discard': [
      { as: ({ a }) => ({ orderNo: a.paidOrder }), expect: ['NOT_FOUND'] },
      { as: ({ a }) => ({ orderNo: a.quotedOrder }), expect: ['NOT_FOUND'] },
    ],
    'orders.list (file)': LISTS,
  },
  scoped: ['orders.list', 'orders.actors', 'orders.setRemark', 'orders.list (file)'],
  changes: desk => ({
    'orders.setRemark': {
      accepted: async () => {
        const { orderNo } = await desk.mine().selling.quote(newMerchantForm())
        return desk.asPartner({ orderNo, remark: '备注' }, orderNo)
      },
      refused: { input: () => ({ orderNo: '1'.repeat(22), remark: '' }), code: 'REMARK_REQUIRED' },
    },
    'orders.discard': {
      accepted: async () => {
        const { orderNo } = await desk.mine().selling.quote(newMerchantForm())
        return desk.asPartner({ orderNo }, orderNo)
      },
      refused: { input: () => ({ orderNo: '1'.repeat(22) }), code: 'NOT_FOUND' },
    },
    'orders.list (file)': {
      accepted: async () => desk.asPartner({ status: 'paid' }, '版本订单'),
      refused: { input: () => ({ status: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
