import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import {
  removeDevice,
  removeOtherSessions,
  removeSession,
  SESSIONS_MAX,
  startSession,
} from '#features/office/access/server-sessions.ts'
import { accounts, sessions } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { beginSecondStep, markProven } from '#features/office/factors/server-prove.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { countText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { NOBODYS_HASH, verifyPassword } from '#server/secrets.ts'
import { serve } from '#server/serve.ts'
import { signIn } from './contract.ts'
import { deviceOf, HISTORY_PAGE, LOGIN_REFUSALS, placeOf, refuseLogin } from './rules.ts'
import { recordSignIn, rememberDevice, thisDevice, trustedDevice } from './server-devices.ts'
import { countTry, forgetTries, refuseThrottled, subjectsOf } from './server-limits.ts'
import { changePassword, resetPassword, sendResetCode } from './server-passwords.ts'
import { beginPasskey, signInByPasskey, signInByProof } from './server-second-step.ts'
import { signIns } from './tables.ts'

export async function login(ctx: Ctx, input: In<typeof signIn.login>): Promise<Out<typeof signIn.login>> {
  refuse(refuseLogin(input), LOGIN_REFUSALS)
  const loginName = input.loginName.trim()
  const puzzle = { loginName, token: input.captcha }
  const [row] = await ctx.db
    .select({ account: accounts, agentEnabled: agents.enabled })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(eq(accounts.loginName, loginName))
  const owner = row ? { accountId: row.account.id, agentId: row.account.agentId } : null
  const device = await trustedDevice(ctx, owner?.accountId ?? null)
  const subjects = subjectsOf(ctx, loginName, device)
  await refuseThrottled(ctx, subjects, puzzle)
  const matches = await verifyPassword(input.password.trim(), row?.account.passwordHash ?? NOBODYS_HASH)
  const tries = await countTry(ctx, subjects, puzzle)
  // Noted before it is refused, so that the agency's log has it; limits bound how many there are.
  if (row)
    ctx.note(loginName, [], {
      accountId: row.account.id,
      agentId: row.account.agentId,
      name: row.account.name,
    })
  if (!row || !owner || !matches) {
    await recordSignIn(ctx, owner, 'password')
    throw new Refusal('LOGIN_FAILED', LOGIN_REFUSALS.LOGIN_FAILED, undefined, true)
  }
  if (!row.account.enabled || !row.agentEnabled) {
    await recordSignIn(ctx, owner, 'disabled')
    throw new Refusal('ACCOUNT_DISABLED', LOGIN_REFUSALS.ACCOUNT_DISABLED, undefined, true)
  }
  await forgetTries(ctx, tries)
  const { name } = row.account
  const step = await beginSecondStep(ctx, owner.accountId)
  if (step) {
    ctx.nothingChanged()
    return { name, step }
  }
  const browser = thisDevice(ctx)
  await markProven(ctx, await startSession(ctx, { ...owner, deviceHash: browser.hash }), 'password')
  await rememberDevice(ctx, owner, browser)
  await recordSignIn(ctx, owner, 'done')
  return { name, step: null }
}

export async function logout(ctx: Ctx): Promise<Out<typeof signIn.logout>> {
  const { accountId, sessionId, loginName } = ctx.actor
  await removeSession(ctx, { id: sessionId, accountId })
  ctx.request.setSession(null)
  ctx.note(loginName)
  return { ended: true }
}

/** The devices on which one is signed in: of each, the session that is in use here or was last. */
export async function listSessions(ctx: Ctx): Promise<Out<typeof signIn.sessions>> {
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, ctx.actor.accountId),
        isNull(sessions.viewedBy),
        gt(sessions.expiresAt, sql`now()`),
        gt(
          sessions.lastSeenAt,
          sql`now() - make_interval(mins => ${ctx.services.env.sessionIdleMinutes}::int)`,
        ),
      ),
    )
    .orderBy(desc(eq(sessions.id, ctx.actor.sessionId)), desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(SESSIONS_MAX)
  const named = rows.map(row => ({
    ...row,
    device: deviceOf(row.userAgent),
    place: placeOf(row.ip),
    current: row.id === ctx.actor.sessionId,
  }))
  const keys = named.map(deviceKey)
  return { rows: named.filter((_, i) => keys.indexOf(keys[i] as string) === i) }
}

/** What one browser began is one device; what was begun before browsers were told apart, each its own. */
const deviceKey = ({ id, deviceHash }: { id: number; deviceHash: Buffer | null }) =>
  deviceHash?.toString('hex') ?? `session ${id}`

export async function endSession(
  ctx: Ctx,
  input: In<typeof signIn.endSession>,
): Promise<Out<typeof signIn.endSession>> {
  const { ip, userAgent } = found(await removeDevice(ctx, { id: input.id, accountId: ctx.actor.accountId }))
  ctx.note(ip, [{ name: '登录设备', before: deviceOf(userAgent), after: '已下线' }])
  return { ended: true }
}

export const endOtherSessions: Verb<typeof signIn.endOtherSessions> = async ctx => {
  const ended = await removeOtherSessions(ctx)
  if (ended === 0) ctx.nothingChanged()
  ctx.note(ctx.actor.loginName, [{ name: '下线的登录', before: null, after: countText(ended, '个') }])
  return { ended }
}

export const history: Verb<typeof signIn.history> = async (ctx, { before }) => {
  const rows = await ctx.db
    .select()
    .from(signIns)
    .where(
      and(
        eq(signIns.accountId, ctx.actor.accountId),
        before === undefined ? undefined : lt(signIns.id, before),
      ),
    )
    .orderBy(desc(signIns.id))
    .limit(HISTORY_PAGE + 1)
  return {
    rows: rows.slice(0, HISTORY_PAGE).map(row => ({ ...row, place: placeOf(row.ip) })),
    more: rows.length > HISTORY_PAGE,
  }
}

export const signInRouter = serve(signIn, {
  login,
  prove: signInByProof,
  passkeyOptions: beginPasskey,
  passkey: signInByPasskey,
  logout,
  sessions: listSessions,
  endSession,
  endOtherSessions,
  history,
  changePassword,
  sendResetCode,
  resetPassword,
})
