import type { FeatureWalk } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {},
  scoped: [],
  pos: {
    'printTemplates.templates': { as: ({ shop }) => ({ id: shop.id }), expect: ['NOT_FOUND'] },
  },
  changes: () => ({}),
}
