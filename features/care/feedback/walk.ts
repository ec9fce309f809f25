import { byAgent, type FeatureWalk, own, search } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  ofAgency: ['feedback'],
  sessionOnly: ['feedback.submit', 'feedback.mine'],
  movesMoney: [],
  async scene({ office, cookieA }) {
    const { id } = await office.as(cookieA).feedback.submit({ content: '甲方专有' })
    return { feedback: id }
  },
  attempts: {
    'feedback.submit': [own({ content: '乙方反馈' })],
    'feedback.mine': [own()],
    'feedback.recent': [own()],
    'feedback.list': [own(), byAgent, search(() => '甲方')],
    'feedback.details': [{ as: ({ extra }) => ({ id: extra.feedback }), expect: ['NOT_FOUND'] }],
    'feedback.answer': [
      { as: ({ extra }) => ({ id: extra.feedback, answer: '回复' }), expect: ['NOT_FOUND'] },
    ],
  },
  scoped: ['feedback.recent', 'feedback.list', 'feedback.details', 'feedback.answer'],
  changes: desk => ({
    'feedback.submit': {
      accepted: async () => desk.asPartner({ content: '希望支持批量导入' }, '反馈 ('),
      refused: { input: () => ({ content: '  ' }), code: 'CONTENT_REQUIRED' },
    },
    'feedback.answer': {
      accepted: async () => {
        const { id } = await desk.mine().feedback.submit({ content: '希望支持批量导入' })
        return desk.asOperator({ id, answer: '已安排' }, `反馈 (${id})`)
      },
      refused: { input: () => ({ id: 99_999_999, answer: '已安排' }), code: 'NOT_FOUND' },
    },
  }),
  reads: desk => ({
    'feedback.details': () => desk.mine().feedback.submit({ content: '希望支持批量导入' }),
  }),
}
