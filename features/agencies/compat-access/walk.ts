import { createHash } from 'node:crypto'
import { PASSWORD } from '#test/app.ts'
import { type Desk, type FeatureWalk, own } from '#test/walk-types.ts'

/** One's own door alone: no operation names another's. */
export const walk: FeatureWalk = {
  sessionOnly: ['compatAccess.standing', 'compatAccess.close'],
  ofAgency: ['compatAccess'],
  movesMoney: [],
  async scene({ a, office }) {
    await used(office, a, 'PTGetUserList')
    return {}
  },
  attempts: {
    'compatAccess.standing': [own()],
    'compatAccess.open': [
      { as: () => ({ password: 'wrong-2026', days: 'd30' }), expect: ['PASSWORD_WRONG', 'COMPAT_OFF'] },
    ],
    'compatAccess.close': [{ as: () => ({}), expect: ['NOT_OPEN'] }],
    'compatAccess.enter': [
      { as: ({ a }) => request(a.loginName, 'wrong-2026'), expect: ['LOGIN_FAILED', 'COMPAT_OFF'] },
    ],
    'compatAccess.uses': [own()],
    'compatAccess.setCall': [
      { as: () => ({ call: 'PTGetUserList', closed: true }), expect: ['CALL_UNKNOWN', 'FORBIDDEN'] },
    ],
  },
  scoped: [],
  changes: desk => ({
    'compatAccess.open': {
      accepted: async () => {
        await shut(desk)
        return desk.asPartner({ password: PASSWORD, days: 'd30' }, desk.partner.loginName)
      },
      refused: {
        input: async () => {
          await shut(desk)
          return { password: 'wrong-2026', days: 'd30' }
        },
        code: 'PASSWORD_WRONG',
        logged: true,
      },
    },
    'compatAccess.close': {
      accepted: async () => {
        await shut(desk)
        await desk.mine().compatAccess.open({ password: PASSWORD, days: 'd30' })
        return desk.asPartner({}, desk.partner.loginName)
      },
      refused: {
        input: async () => {
          await shut(desk)
          return {}
        },
        code: 'NOT_OPEN',
      },
    },
    'compatAccess.enter': {
      accepted: async () => {
        await shut(desk)
        await desk.mine().compatAccess.open({ password: PASSWORD, days: 'd30' })
        const { loginName } = desk.partner
        return { ...desk.asPartner(request(loginName, PASSWORD), loginName), cookie: null }
      },
      refused: {
        input: () => request(desk.partner.loginName, 'wrong-2026'),
        code: 'LOGIN_FAILED',
        logged: true,
      },
    },
    'compatAccess.setCall': {
      accepted: async () => {
        await used(desk.office, desk.partner, 'PTGetUserList')
        return desk.asOperator({ call: 'PTGetUserList', closed: true }, 'PTGetUserList')
      },
      refused: { input: () => ({ call: 'NoSuchCall', closed: true }), code: 'CALL_UNKNOWN' },
    },
  }),
}

let nonces = 0

function request(userName: string, password: string) {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const [timestamp, nonce] = [String(Date.now()), `walk-${++nonces}`]
  return {
    userName,
    timestamp,
    nonce,
    signature: md5([md5(password), timestamp, nonce].toSorted().join('')).toUpperCase(),
  }
}

type Of = { id: number; accountId: number }
async function used(office: Desk['office'], { id, accountId }: Of, call: string): Promise<void> {
  await office.owner.query(
    `insert into compat_uses (agent_id, account_id, call, calls, last_used_at, last_ip) values ($1, $2, $3, 1, now(), '192.0.2.1')
      on conflict do nothing`,
    [id, accountId, call],
  )
  await office.owner.query('delete from compat_closed_calls')
}

async function shut({ office }: Desk): Promise<void> {
  Object.assign(office.app.services.env, { compat: true })
  await office.owner.query('delete from compat_tokens')
  await office.owner.query('delete from compat_accesses')
  await office.owner.query(`update api_keys set ended_at = now(), ended_by = 'hand' where ended_at is null`)
}
