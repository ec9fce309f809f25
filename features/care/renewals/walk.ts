import { byAgent, type FeatureWalk, own, search } from '#test/walk-types.ts'

const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: ['NOT_FOUND'],
})
const MARK = { state: 'contacted', note: '回访', nextOn: null }

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'renewals.desk': [
      own({ window: '90' }),
      own({ window: 'lapsed' }),
      byAgent,
      search(({ a }) => a.shops[0]),
    ],
    'renewals.counts': [own(), { as: ({ a }) => ({ agentId: a.id }), expect: 'own' }],
    'renewals.months': [own(), { as: ({ a }) => ({ agentId: a.id }), expect: 'own' }],
    'renewals.marks': [theirs()],
    'renewals.mark': [theirs(MARK)],
    'renewals.timeline': [theirs()],
  },
  scoped: ['renewals.marks', 'renewals.mark', 'renewals.timeline'],
  changes: desk => ({
    'renewals.mark': {
      accepted: async () => {
        const { input, subject } = await desk.onShop()
        return desk.asPartner({ merchantId: input.id, ...MARK }, subject)
      },
      refused: {
        input: async () => ({ merchantId: (await desk.onShop()).input.id, ...MARK, state: 'lost', note: '' }),
        code: 'LOST_WHY',
      },
    },
  }),
}
