import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { Asked, Proof } from '#features/office/factors/contract.ts'
import { FACTOR_REFUSALS } from '#features/office/factors/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { accountText, codeText, madeText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { LOGIN_REFUSALS, OUTCOME_KEYS, PASSWORD_REFUSALS, RESET_REFUSALS } from './rules.ts'

const Session = z.object({
  id: z.number(),
  ip: z.string(),
  place: z.string(),
  /** In words. */
  device: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
})

/** Signed in, or asked for the second step, whose token is good for that alone. */
const SignedIn = z.object({ name: z.string(), step: Asked.extend({ token: z.string() }).nullable() })
export const SignIn = z.object({
  id: z.number(),
  outcome: z.enum(OUTCOME_KEYS),
  ip: z.string(),
  place: z.string(),
  device: z.string(),
  createdAt: z.string(),
})

const loginName = accountText.max(64)
const password = secretText.max(128)

export const signIn = {
  /** Starts a session: the answer sets an httpOnly cookie. At most 10 failures in 15 minutes by known device, or by account and network. */
  login: op(
    { unshown: 'the page loads afresh', permission: 'public', log: '登录' },
    { method: 'POST', path: '/session', summary: 'Log in with account and password' },
  )
    .errors(errorsOf({ ...LOGIN_REFUSALS, ...PASS_REFUSALS }))
    .input(
      z.object({
        loginName: accountText.max(64),
        password,
        /** A pass of the scene `login` for this name, once CAPTCHA_REQUIRED was answered. */
        captcha: passToken,
      }),
    )
    .output(SignedIn),
  /** Answers the second step of a login with a code or a passkey. */
  prove: op(
    { unshown: 'the page loads afresh', permission: 'public', log: '登录' },
    { method: 'POST', path: '/session/proof', summary: 'Log in: the second step' },
  )
    .errors(errorsOf({ ...LOGIN_REFUSALS, ...FACTOR_REFUSALS }))
    .input(z.object({ token: madeText.max(64), proof: Proof }))
    .output(SignedIn),
  /** What a passkey is to sign for its owner to be let in without account and password. */
  passkeyOptions: op(
    { permission: 'public', ephemeral: true },
    { method: 'POST', path: '/session/passkey/options', summary: 'Log in with a passkey: what it signs' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .output(z.object({ token: z.string(), options: z.record(z.string(), z.unknown()) })),
  passkey: op(
    { unshown: 'the page loads afresh', permission: 'public', log: '登录' },
    { method: 'POST', path: '/session/passkey', summary: 'Log in with a passkey' },
  )
    .errors(errorsOf({ ...LOGIN_REFUSALS, ...FACTOR_REFUSALS }))
    .input(z.object({ token: madeText.max(64), response: z.record(z.string().max(40), z.unknown()) }))
    .output(SignedIn),
  logout: op(
    {
      unshown: 'the page loads afresh',
      permission: 'session',
      log: '退出登录',
      enrolment: true,
      beforePassword: true,
      whileSuspended: true,
    },
    { method: 'DELETE', path: '/session', summary: 'End the current session' },
  ).output(z.object({ ended: z.literal(true) })),
  sessions: op(
    { permission: 'session' },
    { method: 'GET', path: '/sessions', summary: 'Sessions of the signed-in account' },
  ).output(z.object({ rows: z.array(Session) })),
  endSession: op(
    { permission: 'session', log: '下线登录设备', stepUp: 'always', stale: ['signIn'], whileSuspended: true },
    { method: 'DELETE', path: '/sessions/{id}', summary: 'End another session of the signed-in account' },
  )
    .input(z.object({ id: whole(1) }))
    .output(z.object({ ended: z.literal(true) })),
  endOtherSessions: op(
    {
      permission: 'session',
      log: '下线其他登录设备',
      stepUp: 'always',
      stale: ['signIn'],
      whileSuspended: true,
    },
    { method: 'DELETE', path: '/sessions', summary: 'End all other sessions of the signed-in account' },
  ).output(z.object({ ended: z.number() })),
  /** Who came to the door of this account, the last first. */
  history: op(
    { permission: 'session' },
    { method: 'GET', path: '/sign-ins', summary: 'Sign-ins of the signed-in account and failed tries at it' },
  )
    .input(z.object({ before: whole(1).optional() }))
    .output(z.object({ rows: z.array(SignIn), more: z.boolean() })),
  changePassword: op(
    {
      permission: 'session',
      log: '修改密码',
      enrolment: true,
      beforePassword: true,
      stale: ['signIn'],
      whileSuspended: true,
    },
    { method: 'PUT', path: '/password', summary: 'Change the password; ends all other sessions' },
  )
    .errors(errorsOf({ ...PASSWORD_REFUSALS, ...LOGIN_REFUSALS }))
    .input(z.object({ oldPassword: password, newPassword: password, confirmation: password }))
    .output(z.object({ changed: z.literal(true) })),
  /** The answer is the same for a name that no account has. */
  sendResetCode: op(
    { permission: 'public', ephemeral: true },
    { method: 'POST', path: '/password/codes', summary: 'Send a code to the phone of an account' },
  )
    .errors(errorsOf({ ...RESET_REFUSALS, ...PASS_REFUSALS }))
    .input(z.object({ loginName, captcha: passToken }))
    .output(
      z.object({
        /** Until another code may be sent. */
        secondsLeft: z.number(),
        /** Where it can be read, while SMS is simulated; else null. */
        inboxUrl: z.string().nullable(),
      }),
    ),
  resetPassword: op(
    { unshown: 'the page has nobody signed in', permission: 'public', log: '短信重设密码' },
    { method: 'POST', path: '/password/resets', summary: 'A new password with a code; ends all sessions' },
  )
    .errors(errorsOf({ ...RESET_REFUSALS, ...PASSWORD_REFUSALS }))
    .input(z.object({ loginName, code: codeText.max(16), newPassword: password, confirmation: password }))
    .output(z.object({ changed: z.literal(true) })),
}
