import type { FeatureWalk } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {},
  scoped: [],
  pos: { 'posChanges.changes': { as: () => ({ after: 0 }), expect: 'own' } },
  changes: () => ({}),
}
