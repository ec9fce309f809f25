import { type FeatureWalk, own } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  sessionOnly: ['dashboard.todo'],
  movesMoney: [],
  scene: null,
  attempts: {
    'dashboard.todo': [own()],
    'dashboard.figures': [own()],
    'dashboard.month': [own()],
    'dashboard.office': [own()],
    'dashboard.charts': [own()],
  },
  scoped: [],
  changes: () => ({}),
}
