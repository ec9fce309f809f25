import { byAgent, type FeatureWalk, own, search } from '#test/walk-types.ts'

/** B's own rows of what B searched for name what A has; those about shops do not. */
const ABOUT_SHOPS = own({ objectKind: 'merchant' })

/** What A did stands in no answer to B. */
export const walk: FeatureWalk = {
  // What colleagues looked for and exported is the agency's; its rows about shops are asked for by `operationLog.history`.
  ofAgency: ['operationLog.list', 'operationLog.list (file)', 'operationLog.people'],
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'operationLog.list': [
      ABOUT_SHOPS,
      byAgent,
      search(() => '甲方专有'),
      { as: ({ a }) => ({ accountId: a.accountId }), expect: 'empty' },
    ],
    'operationLog.history': [
      { as: ({ a }) => ({ kind: 'account', id: String(a.accountId) }), expect: 'empty' },
      { as: ({ a }) => ({ kind: 'merchant', id: String(a.shops[0]) }), expect: 'empty' },
    ],
    'operationLog.people': [own()],
    'operationLog.list (file)': [ABOUT_SHOPS, byAgent],
  },
  scoped: ['operationLog.list', 'operationLog.list (file)'],
  reads: () => ({ 'operationLog.history': async () => ({ kind: 'merchant', id: '1' }) }),
  changes: desk => ({
    'operationLog.list (file)': {
      accepted: async () => desk.asPartner({ module: 'merchants' }, '操作日志'),
      refused: { input: () => ({ module: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
