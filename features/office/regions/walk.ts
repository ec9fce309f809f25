import { type FeatureWalk, own } from '#test/walk-types.ts'

/** The divisions are everybody's. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: { 'regions.changes': [own()] },
  scoped: [],
  changes: () => ({}),
}
