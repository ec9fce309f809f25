import { type FeatureWalk, own } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  ofAgency: ['setup'],
  sessionOnly: ['setup.list', 'setup.putOff'],
  movesMoney: [],
  scene: null,
  attempts: {
    'setup.list': [own()],
    'setup.putOff': [own({ key: 'notices.alerts', isPutOff: true })],
  },
  scoped: [],
  changes: desk => {
    let isPutOff = false
    return {
      'setup.putOff': {
        accepted: async () => {
          // What stands already is no change.
          isPutOff = !isPutOff
          return desk.asPartner({ key: 'notices.alerts', isPutOff }, '提醒')
        },
        refused: { input: () => ({ key: 'selling.ownShop', isPutOff: true }), code: 'STEP_NECESSARY' },
      },
    }
  },
}
