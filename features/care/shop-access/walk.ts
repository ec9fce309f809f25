import { freshCode } from '#test/make-codes.ts'
import { connectSms } from '#test/silent-sms.ts'
import { type FeatureWalk, theirShop } from '#test/walk-types.ts'

let phones = 0
const freshPhone = () => `139${String(++phones).padStart(8, '0')}`

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['shopAccess.sendHandOver'],
  scene: null,
  attempts: {
    'shopAccess.changePhone': [theirShop({ phone: '13900000001', code: '123456' })],
    'shopAccess.resetPassword': [theirShop({ password: 'abc123', notify: true })],
    'shopAccess.setRecoveryCode': [theirShop({ needsRecoveryCode: true })],
    'shopAccess.handOver': [theirShop()],
    'shopAccess.sendHandOver': [theirShop()],
  },
  scoped: [
    'shopAccess.changePhone',
    'shopAccess.resetPassword',
    'shopAccess.setRecoveryCode',
    'shopAccess.handOver',
    'shopAccess.sendHandOver',
  ],
  changes: desk => ({
    'shopAccess.changePhone': {
      accepted: async () => {
        const { input, subject } = await desk.onShop()
        const code = await freshCode(desk.office, desk.mine(), input.id as number)
        return desk.asPartner({ ...input, phone: freshPhone(), code }, subject)
      },
      refused: {
        input: async () => (await desk.onShop({ phone: freshPhone(), code: '' })).input,
        code: 'PHONE_CODE_REQUIRED',
      },
    },
    'shopAccess.resetPassword': {
      async accepted() {
        connectSms(desk.office)
        return desk.onShop({ password: 'abc123', notify: true })
      },
      refused: {
        input: async () => (await desk.onShop({ password: 'abc', notify: false })).input,
        code: 'PASSWORD_FORMAT',
      },
    },
    'shopAccess.setRecoveryCode': {
      accepted: () => desk.onShop({ needsRecoveryCode: true }),
      refused: {
        input: async () => (await desk.onShop({ needsRecoveryCode: true }, { status: 'disabled' })).input,
        code: 'MERCHANT_DISABLED',
      },
    },
    'shopAccess.sendHandOver': {
      async accepted() {
        connectSms(desk.office)
        return desk.onShop()
      },
      refused: {
        input: async () => (await desk.onShop({}, { account: '4321' })).input,
        code: 'PHONE_NOT_MOBILE',
      },
    },
  }),
}
