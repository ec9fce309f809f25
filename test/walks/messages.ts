import { makeAgent, makeMerchant } from '../make.ts'
import { type FeatureWalk, own, search } from '../walk-types.ts'

export const walk: FeatureWalk = {
  sessionOnly: ['messages.sendCode'],
  movesMoney: [],
  async scene({ office, a, cookieA }) {
    // A is below another agent, so that A's shops would show in a list of sub-agents' shops that anyone may read.
    const parent = await makeAgent(office)
    await office.owner.query('update agents set parent_id = $2 where id = $1', [a.id, parent.id])
    await office.as(cookieA).messages.sendCode({ merchantId: a.shops[0] as number, purpose: 'phone' })
    return {}
  },
  attempts: {
    'messages.sendCode': [
      { as: ({ a }) => ({ merchantId: a.shops[2], purpose: 'phone' }), expect: ['NOT_FOUND'] },
      { as: ({ a }) => ({ merchantId: a.shops[2], purpose: 'recovery' }), expect: ['NOT_FOUND'] },
    ],
    'messages.remind': [
      { as: ({ a }) => ({ merchantIds: [a.shops[0]] }), expect: ['NOT_FOUND'] },
      { as: ({ a, b }) => ({ merchantIds: [b.shop, a.shops[0]] }), expect: ['NOT_FOUND'] },
    ],
    'messages.outbox': [
      own(),
      own({ kind: 'phone-code' }),
      search(({ a }) => a.shop.account),
      search(({ a }) => a.shops[0]),
    ],
  },
  scoped: ['messages.sendCode', 'messages.remind', 'messages.outbox'],
  changes: desk => ({
    'messages.sendCode': {
      async accepted() {
        const { input, subject } = await desk.onShop()
        return desk.asPartner({ merchantId: input.id, purpose: 'phone' }, subject)
      },
      refused: {
        async input() {
          const { input } = await desk.onShop({}, { status: 'disabled' })
          return { merchantId: input.id, purpose: 'phone' }
        },
        code: 'MERCHANT_DISABLED',
      },
    },
    'messages.remind': {
      async accepted() {
        const id = await makeMerchant(desk.office, desk.partner.id)
        return desk.asOperator({ merchantIds: [id] }, `测试店铺 (${id})`)
      },
      refused: { input: () => ({ merchantIds: [99_999_999] }), code: 'NOT_FOUND' },
    },
  }),
}
