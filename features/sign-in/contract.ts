import { z } from 'zod'
import { Asked, Proof } from '#features/factors/contract.ts'
import { FACTOR_REFUSALS } from '#features/factors/rules.ts'
import { errorsOf, op } from '#kit/op.ts'
import { whole } from '#kit/page.ts'
import { LOGIN_REFUSALS } from './rules.ts'

const Session = z.object({
  id: z.number(),
  ip: z.string(),
  userAgent: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
})

/** Signed in, or asked for the second step, whose token is good for that alone. */
const SignedIn = z.object({ name: z.string(), step: Asked.extend({ token: z.string() }).nullable() })

export const signIn = {
  /** Starts a session: the answer sets an httpOnly cookie. At most 10 failures in 15 minutes by account and by address. */
  login: op(
    { permission: 'public', log: '登录' },
    { method: 'POST', path: '/session', summary: 'Log in with account and password' },
  )
    .errors(errorsOf(LOGIN_REFUSALS))
    .input(z.object({ loginName: z.string().max(64), password: z.string().max(128) }))
    .output(SignedIn),
  /** Answers the second step of a login with a code or a passkey. */
  prove: op(
    { permission: 'public', log: '登录' },
    { method: 'POST', path: '/session/proof', summary: 'Log in: the second step' },
  )
    .errors(errorsOf({ ...LOGIN_REFUSALS, ...FACTOR_REFUSALS }))
    .input(z.object({ token: z.string().max(64), proof: Proof }))
    .output(SignedIn),
  /** What a passkey is to sign for its owner to be let in without account and password. */
  passkeyOptions: op(
    { permission: 'public', ephemeral: true },
    { method: 'POST', path: '/session/passkey/options', summary: 'Log in with a passkey: what it signs' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .output(z.object({ token: z.string(), options: z.record(z.string(), z.unknown()) })),
  passkey: op(
    { permission: 'public', log: '登录' },
    { method: 'POST', path: '/session/passkey', summary: 'Log in with a passkey' },
  )
    .errors(errorsOf({ ...LOGIN_REFUSALS, ...FACTOR_REFUSALS }))
    .input(z.object({ token: z.string().max(64), response: z.record(z.string().max(40), z.unknown()) }))
    .output(SignedIn),
  logout: op(
    { permission: 'session', log: '退出登录', enrolment: true },
    { method: 'DELETE', path: '/session', summary: 'End the current session' },
  ).output(z.object({ ended: z.literal(true) })),
  sessions: op(
    { permission: 'session' },
    { method: 'GET', path: '/sessions', summary: 'Sessions of the signed-in account' },
  ).output(z.object({ rows: z.array(Session) })),
  endSession: op(
    { permission: 'session', log: '下线登录设备', stale: ['signIn'] },
    { method: 'DELETE', path: '/sessions/{id}', summary: 'End another session of the signed-in account' },
  )
    .input(z.object({ id: whole(1) }))
    .output(z.object({ ended: z.literal(true) })),
}
