import { makeAuthenticator } from '#test/authenticator.ts'
import { makeAccount, makeAgent } from '#test/make.ts'
import { codeOf, makePasskey, makeTotp, originOf } from '#test/make-factors.ts'
import { type Desk, type FeatureWalk, own } from '#test/walk-types.ts'

const NOTHING = { token: 'unknown', response: {} }
const rule = (kind: string) => ({ rules: [{ kind, required: true, graceDays: 30 }] })

export const walk: FeatureWalk = {
  ofAgency: ['factors'],
  sessionOnly: [
    'factors.standing',
    'factors.startTotp',
    'factors.addTotp',
    'factors.removeTotp',
    'factors.startPasskey',
    'factors.addPasskey',
    'factors.renamePasskey',
    'factors.removePasskey',
    'factors.renewRecoveryCodes',
    'factors.challenge',
    'factors.prove',
  ],
  movesMoney: [],
  async scene({ office, a }) {
    const { loginName } = await makeAccount(office, a.id)
    const cookie = await office.login(loginName)
    await makePasskey(office, cookie, '甲方专有')
    const { passkeys } = await office.as(cookie).factors.standing()
    return { passkey: passkeys[0]?.id }
  },
  attempts: {
    'factors.standing': [own()],
    'factors.startTotp': [own()],
    'factors.addTotp': [{ as: () => ({ token: 'unknown', code: '000000' }), expect: ['FACTOR_EXPIRED'] }],
    'factors.removeTotp': [{ as: () => ({}), expect: ['NOT_FOUND'] }],
    'factors.startPasskey': [own()],
    'factors.addPasskey': [{ as: () => ({ ...NOTHING, name: '钥匙' }), expect: ['FACTOR_EXPIRED'] }],
    'factors.renamePasskey': [
      { as: ({ extra }) => ({ id: extra.passkey, name: '乙方' }), expect: ['NOT_FOUND'] },
    ],
    'factors.removePasskey': [{ as: ({ extra }) => ({ id: extra.passkey }), expect: ['NOT_FOUND'] }],
    'factors.renewRecoveryCodes': [{ as: () => ({}), expect: ['NO_FACTOR'] }],
    'factors.challenge': [own()],
    'factors.prove': [{ as: () => ({ code: '000000' }), expect: ['CODE_WRONG'] }],
    'factors.rules': [own()],
    'factors.setRules': [{ as: () => rule('owners'), expect: ['RULE_FOREIGN'] }],
  },
  scoped: [],
  changes: desk => {
    const withApp = async (input: (secret: string) => Record<string, unknown> = () => ({})) => {
      const who = await fresh(desk)
      const { secret } = await makeTotp(desk.office, who.cookie)
      return { ...who, input: input(secret) }
    }
    const withoutApps = async () => {
      await desk.office.owner.query('delete from factor_totps')
      return {}
    }
    return {
      'factors.addTotp': {
        accepted: async () => {
          const who = await fresh(desk)
          const { token, secret } = await desk.office.as(who.cookie).factors.startTotp()
          return { ...who, input: { token, code: codeOf(secret) } }
        },
        refused: { input: () => ({ token: 'unknown', code: '000000' }), code: 'FACTOR_EXPIRED' },
      },
      'factors.removeTotp': {
        accepted: () => withApp(),
        refused: { input: withoutApps, code: 'NOT_FOUND' },
      },
      'factors.addPasskey': {
        accepted: async () => {
          const who = await fresh(desk)
          const key = makeAuthenticator(await originOf(desk.office, who.cookie))
          const asked = await desk.office.as(who.cookie).factors.startPasskey()
          return { ...who, subject: '钥匙', input: { ...key.make(asked), name: '钥匙' } }
        },
        refused: { input: () => ({ ...NOTHING, name: ' ' }), code: 'NAME_REQUIRED' },
      },
      'factors.renamePasskey': {
        accepted: async () => {
          const who = await fresh(desk)
          await makePasskey(desk.office, who.cookie, '手机')
          const { passkeys } = await desk.office.as(who.cookie).factors.standing()
          return { ...who, subject: '手机', input: { id: passkeys[0]?.id, name: '新手机' } }
        },
        refused: { input: () => ({ id: 1, name: ' ' }), code: 'NAME_REQUIRED' },
      },
      'factors.removePasskey': {
        accepted: async () => {
          const who = await fresh(desk)
          await makePasskey(desk.office, who.cookie, '手机')
          const { passkeys } = await desk.office.as(who.cookie).factors.standing()
          return { ...who, subject: '手机', input: { id: passkeys[0]?.id } }
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'factors.renewRecoveryCodes': {
        accepted: () => withApp(),
        refused: { input: withoutApps, code: 'NO_FACTOR' },
      },
      'factors.prove': {
        accepted: () => withApp(secret => ({ code: codeOf(secret) })),
        refused: { input: () => ({ code: '000000' }), code: 'CODE_WRONG', logged: true },
      },
      'factors.setRules': {
        accepted: async () => ({ ...(await fresh(desk)), subject: '二次验证', input: rule('ownStaff') }),
        refused: { input: () => rule('owners'), code: 'RULE_FOREIGN' },
      },
    }
  },
}

/** Factors change how their account signs in: each change has an account of its own. */
async function fresh({ office }: Desk) {
  const account = await makeAgent(office)
  const cookie = await office.login(account.loginName)
  return { cookie, account, subject: account.loginName, input: {} }
}
