import assert from 'node:assert/strict'
import { PASSWORD } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { codeOf, makePasskey, makeTotp } from '#test/make-factors.ts'
import { soon } from '#test/walk.ts'
import { type Desk, type FeatureWalk, own } from '#test/walk-types.ts'

const NO_KEY = { token: 'unknown', response: {} }

const RESET = { newPassword: 'lanhai-4471', confirmation: 'lanhai-4471' }

export const walk: FeatureWalk = {
  ofAgency: ['signIn'],
  sessionOnly: [
    'signIn.logout',
    'signIn.sessions',
    'signIn.endSession',
    'signIn.endOtherSessions',
    'signIn.history',
    'signIn.changePassword',
  ],
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
    'signIn.history': [own(), own({ before: 999_999 })],
    'signIn.endOtherSessions': [own()],
    'signIn.changePassword': [
      {
        as: () => ({ oldPassword: 'wrong-1', newPassword: 'lanhai-4471', confirmation: 'lanhai-4471' }),
        expect: ['PASSWORD_WRONG'],
      },
    ],
    'signIn.sendResetCode': [{ as: ({ a }) => ({ loginName: a.loginName }), expect: ['CAPTCHA_REQUIRED'] }],
    'signIn.resetPassword': [
      {
        as: ({ a }) => ({ loginName: a.loginName, code: '000000', ...RESET }),
        expect: ['CODE_WRONG'],
      },
    ],
    'signIn.endSession': [{ as: ({ a }) => ({ id: a.sessionId }), expect: ['NOT_FOUND'] }],
  },
  scoped: [],
  changes: desk => ({
    'signIn.login': {
      accepted: async () => ({
        cookie: null,
        input: { loginName: desk.partner.loginName, password: PASSWORD },
        subject: desk.partner.loginName,
      }),
      refused: {
        input: () => ({ loginName: desk.partner.loginName, password: 'wrong-1' }),
        code: 'LOGIN_FAILED',
        logged: true,
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
        await desk.office.login(desk.partner.loginName, PASSWORD, 'another')
        const { rows } = await desk.mine().signIn.sessions()
        return desk.asPartner({ id: rows.find(row => !row.current)?.id }, '127.0.0.1')
      },
      refused: { input: () => ({ id: 9_999_999 }), code: 'NOT_FOUND' },
    },
    'signIn.endOtherSessions': {
      accepted: async () => {
        // Not the desk's own, whose session goes on.
        const { loginName, id, accountId } = await makeAgent(desk.office)
        await desk.office.login(loginName)
        return {
          cookie: await desk.office.login(loginName),
          input: {},
          subject: loginName,
          account: { loginName, id, accountId },
        }
      },
      refused: null,
    },
    'signIn.changePassword': {
      accepted: async () => {
        const { loginName, id, accountId } = await makeAgent(desk.office)
        return {
          cookie: await desk.office.login(loginName),
          input: { oldPassword: PASSWORD, ...RESET },
          subject: loginName,
          account: { loginName, id, accountId },
        }
      },
      refused: {
        input: () => ({ oldPassword: 'wrong-1', ...RESET }),
        code: 'PASSWORD_WRONG',
        logged: true,
      },
    },
    'signIn.resetPassword': {
      accepted: async () => {
        const { loginName, id, accountId } = await makeAgent(desk.office)
        // A phone is sent a few codes a day.
        const phone = `13${String(accountId).padStart(9, '0')}`
        await desk.office.owner.query('update accounts set mobile = $2 where id = $1', [accountId, phone])
        const captcha = await makePass(desk.office, 'reset', loginName)
        await desk.office.as(null).signIn.sendResetCode({ loginName, captcha })
        // It is sent after the answer, and what is begun here is not to end among what is looked at.
        const sent = `select from outbox_messages where kind = 'account-code' and agent_id = $1`
        assert.ok(await soon(async () => (await desk.office.owner.query(sent, [id])).rowCount === 1))
        const code = '271828'
        await desk.office.owner.query('update account_codes set code_hash = $2 where account_id = $1', [
          accountId,
          desk.office.app.services.secrets.digest(`account code ${loginName} ${code}`),
        ])
        return {
          cookie: null,
          input: { loginName, code, ...RESET },
          subject: loginName,
          account: { loginName, id, accountId },
        }
      },
      refused: {
        input: () => ({ loginName: 'nobody', code: '000000', ...RESET }),
        code: 'CODE_WRONG',
      },
    },
  }),
}

async function withAccount({ office }: Desk) {
  const account = await makeAgent(office)
  return { account, cookie: await office.login(account.loginName) }
}
