import { makeAccount } from '#test/make.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  ofAgency: ['viewAs'],
  sessionOnly: ['viewAs.end'],
  movesMoney: [],
  scene: null,
  attempts: {
    'viewAs.agent': [{ as: ({ a }) => ({ id: a.id }), expect: ['NOT_FOUND'] }],
    'viewAs.staff': [
      { as: ({ a }) => ({ id: a.accountId }), expect: ['NOT_FOUND', 'VIEW_OWNER_ONLY'] },
      { as: ({ a }) => ({ id: a.sub.accountId }), expect: ['NOT_FOUND', 'VIEW_OWNER_ONLY'] },
    ],
    'viewAs.end': [own()],
  },
  scoped: ['viewAs.agent'],
  changes: desk => ({
    'viewAs.agent': {
      accepted: async () => desk.asOperator({ id: desk.partner.id }, desk.partner.loginName),
      refused: { input: () => ({ id: desk.operator.id }), code: 'VIEW_SELF' },
    },
    'viewAs.staff': {
      async accepted() {
        const { accountId, loginName } = await makeAccount(desk.office, desk.partner.id, { nodeIds: [] })
        return desk.asPartner({ id: accountId }, loginName)
      },
      refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
