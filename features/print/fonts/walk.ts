import { type FeatureWalk, own } from '#test/walk-types.ts'

/** The font is everybody's. */
export const walk: FeatureWalk = {
  sessionOnly: ['fonts.glyphs'],
  movesMoney: [],
  scene: null,
  attempts: {
    'fonts.glyphs': [own({ characters: '茶' })],
  },
  scoped: [],
  reads: () => ({ 'fonts.glyphs': async () => ({ characters: '茶' }) }),
  changes: () => ({}),
}
