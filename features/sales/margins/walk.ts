import { makeOrder } from '#test/make-orders.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'

const PRICE = { versionId: 12, merchantId: null, yearFen: 30_000, monthFen: null, lifetimeFen: null }
let fen = 30_000

/** An agent's prices and margins are shown to nobody else: not even the walk without walls finds them. */
export const walk: FeatureWalk = {
  ofAgency: ['margins.prices'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const paidAt = new Date().toISOString()
    await office.owner.query(
      `insert into selling_prices (agent_id, version_id, year_fen, created_by, created_by_name, created_at)
       values ($1, 12, 30000, $2, '甲方专有', now() - interval '1 day')`,
      [a.id, a.accountId],
    )
    await makeOrder(office, {
      agentId: a.id,
      createdBy: a.accountId,
      merchantId: null,
      paidAt,
      content: '甲方专有',
    })
    return {}
  },
  attempts: {
    'margins.orders': [own()],
    'margins.orders (file)': [own()],
    'margins.prices': [own()],
    'margins.setPrice': [
      own(PRICE),
      { as: ({ a }) => ({ ...PRICE, merchantId: a.shops[0] }), expect: ['PRICE_SHOP'] },
    ],
  },
  scoped: [],
  changes: desk => ({
    'margins.setPrice': {
      accepted: async () => desk.asPartner({ ...PRICE, yearFen: ++fen }, '高级版'),
      refused: { input: () => ({ ...PRICE, yearFen: 0 }), code: 'PRICE_WRONG' },
    },
    'margins.orders (file)': {
      accepted: async () => desk.asPartner({ priced: true }, '毛利明细'),
      refused: { input: () => ({ paidFrom: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
