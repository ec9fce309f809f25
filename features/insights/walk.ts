import { type FeatureWalk, own } from '#test/walk-types.ts'

/** What the vendor looks at: an agency is refused before anything is asked for. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'insights.partners': [own()],
    'insights.partners (file)': [own()],
    'insights.levels': [own()],
    'insights.funds': [own()],
  },
  scoped: [],
  changes: desk => ({
    'insights.partners (file)': {
      accepted: async () => desk.asOperator({ period: 'year' }, '代理商排行'),
      refused: { input: () => ({ levelId: 'nonsense' }), code: 'INPUT_INVALID' },
    },
  }),
}
