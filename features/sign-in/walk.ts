import { type FeatureWalk, own } from '#test/walk-types.ts'

export const walk: FeatureWalk = {
  sessionOnly: ['signIn.logout', 'signIn.sessions', 'signIn.endSession'],
  movesMoney: [],
  scene: null,
  attempts: {
    'signIn.login': [
      { as: ({ a }) => ({ loginName: a.loginName, password: 'wrong1' }), expect: ['LOGIN_FAILED'] },
    ],
    'signIn.logout': [own()],
    'signIn.sessions': [own()],
    'signIn.endSession': [{ as: ({ a }) => ({ id: a.sessionId }), expect: ['NOT_FOUND'] }],
  },
  scoped: [],
  changes: desk => ({
    'signIn.login': {
      accepted: async () => ({
        cookie: null,
        input: { loginName: desk.partner.loginName, password: 'secret-2026' },
        subject: desk.partner.loginName,
      }),
      refused: {
        input: () => ({ loginName: desk.partner.loginName, password: 'wrong-1' }),
        code: 'LOGIN_FAILED',
      },
    },
    'signIn.logout': {
      accepted: async () => ({
        cookie: await desk.office.login(desk.partner.loginName),
        input: {},
        subject: desk.partner.loginName,
      }),
      refused: null,
    },
    'signIn.endSession': {
      accepted: async () => {
        await desk.office.login(desk.partner.loginName)
        const { rows } = await desk.mine().signIn.sessions()
        return desk.asPartner({ id: rows.find(row => !row.current)?.id }, '127.0.0.1')
      },
      refused: { input: () => ({ id: 9_999_999 }), code: 'NOT_FOUND' },
    },
  }),
}
