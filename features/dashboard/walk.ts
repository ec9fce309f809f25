import { type FeatureWalk, own } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'dashboard.figures': [own()],
    'dashboard.charts': [own()],
  },
  scoped: [],
  changes: () => ({}),
}
