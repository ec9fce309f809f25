import { z } from 'zod'
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

export const signIn = {
  /** Starts a session: the answer sets an httpOnly cookie. At most 10 failures in 15 minutes by account and by address. */
  login: op(
    { permission: 'public', log: '登录' },
    { method: 'POST', path: '/session', summary: 'Log in with account and password' },
  )
    .errors(errorsOf(LOGIN_REFUSALS))
    .input(z.object({ loginName: z.string().max(64), password: z.string().max(128) }))
    .output(z.object({ name: z.string() })),
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
