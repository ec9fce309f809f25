import { PASSWORD } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { codeOf, makePasskey, makeTotp } from '#test/make-factors.ts'
import { type Desk, type FeatureWalk, own } from '#test/walk-types.ts'

const NO_KEY = { token: 'unknown', response: {} }

export const walk: FeatureWalk = {
  sessionOnly: ['signIn.logout', 'signIn.sessions', 'signIn.endSession'],
  movesMoney: [],
  scene: null,
  attempts: {
    'signIn.login': [
      { as: ({ a }) => ({ loginName: a.loginName, password: 'wrong1' }), expect: ['LOGIN_FAILED'] },
    ],
    'signIn.prove': [
      { as: () => ({ token: 'unknown', proof: { code: '000000' } }), expect: ['FACTOR_EXPIRED'] },
    ],
    'signIn.passkeyOptions': [own()],
    'signIn.passkey': [{ as: () => NO_KEY, expect: ['FACTOR_EXPIRED'] }],
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
    'signIn.prove': {
      accepted: async () => {
        const { account, cookie } = await withAccount(desk)
        const { secret } = await makeTotp(desk.office, cookie)
        const { step } = await desk.office
          .as(null)
          .signIn.login({ loginName: account.loginName, password: PASSWORD })
        const input = { token: step?.token, proof: { code: codeOf(secret) } }
        return { cookie: null, account, input, subject: account.loginName }
      },
      refused: { input: () => ({ token: 'unknown', proof: { code: '000000' } }), code: 'FACTOR_EXPIRED' },
    },
    'signIn.passkey': {
      accepted: async () => {
        const { account, cookie } = await withAccount(desk)
        const { key } = await makePasskey(desk.office, cookie)
        const input = key.use(await desk.office.as(null).signIn.passkeyOptions())
        return { cookie: null, account, input, subject: account.loginName }
      },
      refused: { input: () => NO_KEY, code: 'FACTOR_EXPIRED' },
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

async function withAccount({ office }: Desk) {
  const account = await makeAgent(office)
  return { account, cookie: await office.login(account.loginName) }
}
