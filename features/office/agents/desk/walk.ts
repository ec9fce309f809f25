import { makeAgent } from '#test/make.ts'
import { makeTotp } from '#test/make-factors.ts'
import type { FeatureWalk } from '#test/walk-types.ts'

const CHECKED = '回拨登记的手机号'

export const walk: FeatureWalk = {
  ofAgency: [
    'agentDesk.owners',
    'agentDesk.resetOwnerFactors',
    'agentDesk.endOwnerSessions',
    'agentDesk.secondaryAgents',
    'agents.options',
  ],
  sessionOnly: [],
  movesMoney: [],
  scene: null,
  attempts: {
    'agentDesk.owners': [{ as: ({ a }) => ({ id: a.id }), expect: 'empty' }],
    'agentDesk.resetOwnerFactors': [
      { as: ({ a }) => ({ id: a.id, accountId: a.accountId, checked: CHECKED }), expect: ['NOT_FOUND'] },
    ],
    'agentDesk.endOwnerSessions': [
      { as: ({ a }) => ({ id: a.id, accountId: a.accountId }), expect: ['NOT_FOUND'] },
    ],
  },
  scoped: ['agentDesk.owners'],
  changes: desk => {
    const somebody = async () => {
      const agent = await makeAgent(desk.office)
      const cookie = await desk.office.login(agent.loginName)
      return { ...agent, cookie }
    }
    const unknown = { input: () => ({ id: 1, accountId: 99_999_999, checked: CHECKED }), code: 'NOT_FOUND' }
    return {
      'agentDesk.resetOwnerFactors': {
        async accepted() {
          const { id, accountId, loginName, cookie } = await somebody()
          await makeTotp(desk.office, cookie)
          return desk.asOperator({ id, accountId, checked: CHECKED }, loginName)
        },
        refused: unknown,
      },
      'agentDesk.endOwnerSessions': {
        async accepted() {
          const { id, accountId, loginName } = await somebody()
          return desk.asOperator({ id, accountId }, loginName)
        },
        refused: unknown,
      },
    }
  },
}
