import type { Office } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import type { FeatureWalk } from '#test/walk-types.ts'
import type { ClosingState } from './rules.ts'

/** A closing as it stands in some state, of a partner of its own. */
export async function makeClosing(
  office: Office,
  state: ClosingState,
): Promise<{ id: number; agentId: number }> {
  const [partner, taker] = [await makeAgent(office), await makeAgent(office)]
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into partner_closings (agent_id, taker_id, balances, reason, state, shops, created_by, created_by_name, created_at)
     values ($1, $2, 'refund', '甲方专有', $3, 3, $4, '运营', now()) returning id`,
    [partner.id, taker.id, state, taker.accountId],
  )
  return { id: Number(rows[0]?.id), agentId: partner.id }
}

const NOT_FOUND = ['NOT_FOUND']

/** Whoever ends partners sees them all; nobody else holds the permission. */
export const walk: FeatureWalk = {
  // The vendor's.
  ofAgency: ['partnerClosing'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office }) {
    return { closing: (await makeClosing(office, 'done')).id }
  },
  attempts: {
    'partnerClosing.rehearse': [{ as: ({ a }) => ({ agentId: a.id }), expect: NOT_FOUND }],
    'partnerClosing.start': [
      {
        as: ({ a, b }) => ({ agentId: a.id, takerId: b.id, balances: 'move', reason: '试' }),
        expect: NOT_FOUND,
      },
    ],
    'partnerClosing.list': [{ as: () => ({}), expect: 'empty' }],
    'partnerClosing.details': [{ as: ({ extra }) => ({ id: extra.closing }), expect: NOT_FOUND }],
    'partnerClosing.pause': [{ as: ({ extra }) => ({ id: extra.closing }), expect: NOT_FOUND }],
    'partnerClosing.resume': [{ as: ({ extra }) => ({ id: extra.closing }), expect: NOT_FOUND }],
    'partnerClosing.retry': [{ as: ({ extra }) => ({ id: extra.closing }), expect: NOT_FOUND }],
  },
  scoped: ['partnerClosing.list', 'partnerClosing.details'],
  reads: desk => ({
    'partnerClosing.rehearse': async () => ({ agentId: (await makeAgent(desk.office)).id }),
    'partnerClosing.details': async () => ({ id: (await makeClosing(desk.office, 'done')).id }),
  }),
  changes: desk => {
    const stepped = (state: ClosingState, wrong: ClosingState) => ({
      async accepted() {
        const { id, agentId } = await makeClosing(desk.office, state)
        return desk.asOperator({ id }, `(${agentId})`)
      },
      refused: {
        input: async () => ({ id: (await makeClosing(desk.office, wrong)).id }),
        code: 'STEP_NOT_NOW',
      },
    })
    return {
      'partnerClosing.start': {
        async accepted() {
          const [partner, taker] = [await makeAgent(desk.office), await makeAgent(desk.office)]
          const input = { agentId: partner.id, takerId: taker.id, balances: 'refund', reason: '合同到期' }
          return desk.asOperator(input, `(${partner.id})`)
        },
        refused: {
          input: async () => {
            const partner = await makeAgent(desk.office)
            return { agentId: partner.id, takerId: partner.id, balances: 'refund', reason: '合同到期' }
          },
          code: 'TAKER_SAME',
        },
      },
      'partnerClosing.pause': stepped('running', 'done'),
      'partnerClosing.resume': stepped('paused', 'done'),
      'partnerClosing.retry': stepped('stuck', 'done'),
    }
  },
}
