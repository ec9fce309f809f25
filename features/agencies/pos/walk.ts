import { PASSWORD } from '#test/app.ts'
import type { FeatureWalk, PosAttempt } from '#test/walk-types.ts'

const onShop = (more: object = {}): PosAttempt => ({
  as: ({ shop }) => ({ id: shop.id, ...more }),
  expect: ['NOT_FOUND'],
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {},
  scoped: [],
  pos: {
    'pos.choices': { as: () => ({}), expect: 'own' },
    'pos.districts': { as: () => ({ under: '44' }), expect: 'own' },
    'pos.shops': { as: () => ({}), expect: 'own' },
    'pos.findShop': { as: ({ shop }) => ({ account: shop.account }), expect: ['NOT_FOUND'] },
    'pos.shop': onShop(),
    'pos.paymentSecrets': onShop(),
    'pos.signIn': {
      as: ({ shop }) => ({ account: shop.account, password: PASSWORD, ip: '198.51.100.7' }),
      expect: ['LOGIN_FAILED'],
    },
    'pos.register': {
      as: ({ freeAccount }) => ({
        ...{ source: 'app', versionId: 12, shortName: '新店', shopName: '自己注册的店', personName: '李四' },
        ...{ account: freeAccount(), password: PASSWORD, districtCode: '440305', industryId: 2 },
      }),
      expect: 'own',
    },
    'pos.setContact': {
      as: ({ shop }) => ({
        ...{ id: shop.id, revision: shop.revision, shopPhone: '0755-12345678' },
        ...{ districtCode: '440305', address: '新址1号' },
      }),
      expect: ['NOT_FOUND'],
    },
    'pos.messageTemplates': { as: () => ({}), expect: 'own' },
    'pos.sendMessages': onShop({
      template: 'member-notice',
      messages: [{ phone: '13800000001', params: { content: '积分翻倍' } }],
    }),
  },
  changes: () => ({}),
}
