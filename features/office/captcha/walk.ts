import { type FeatureWalk, own } from '#test/walk-types.ts'

/** Its operations are public and leave nothing that lasts: no agent's rows, no row of the log. */
export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'captcha.challenge': [own({ scene: 'consultation', subject: '13700000001' })],
    'captcha.solve': [
      { as: () => ({ id: 'unknown', x: 1, durationMs: 1, trail: [] }), expect: ['CAPTCHA_EXPIRED'] },
    ],
    'captcha.prove': [{ as: () => ({ id: 'unknown', proof: {} }), expect: ['CAPTCHA_EXPIRED'] }],
  },
  scoped: [],
  changes: () => ({}),
}
