import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { removeSession, startSession } from '#features/access/server-sessions.ts'
import { accounts, sessions } from '#features/access/tables.ts'
import { agents } from '#features/agents/tables.ts'
import { beginSecondStep } from '#features/factors/server-prove.ts'
import type { In, Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { verifyPassword } from '#server/secrets.ts'
import { serve } from '#server/serve.ts'
import { signIn } from './contract.ts'
import { LOGIN_REFUSALS, refuseLogin } from './rules.ts'
import { countAttempt, networkOf, refuseThrottled } from './server-limits.ts'
import { beginPasskey, signInByPasskey, signInByProof } from './server-second-step.ts'
import { loginFailures } from './tables.ts'

/** A hash that no password has, so that an unknown account takes as long as a wrong password. */
const NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function login(ctx: Ctx, input: In<typeof signIn.login>): Promise<Out<typeof signIn.login>> {
  refuse(refuseLogin(input), LOGIN_REFUSALS)
  const loginName = input.loginName.trim()
  const subjects = [`account ${loginName}`, `address ${networkOf(ctx.request.ip)}`]
  await refuseThrottled(ctx, subjects)
  const [account] = await ctx.db
    .select({ account: accounts, agentEnabled: agents.enabled })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(eq(accounts.loginName, loginName))
  const matches = await verifyPassword(input.password.trim(), account?.account.passwordHash ?? NOBODY)
  const attempts = await countAttempt(ctx, subjects)
  if (!account || !matches) throw new Refusal('LOGIN_FAILED', LOGIN_REFUSALS.LOGIN_FAILED, undefined, true)
  await ctx.db.delete(loginFailures).where(inArray(loginFailures.id, attempts))
  if (!account.account.enabled || !account.agentEnabled) refuse('ACCOUNT_DISABLED', LOGIN_REFUSALS)
  const { id, agentId, name } = account.account
  const step = await beginSecondStep(ctx, id)
  if (step) {
    ctx.nothingChanged()
    return { name, step }
  }
  await startSession(ctx, { accountId: id, agentId })
  ctx.note(loginName, [], { accountId: id, agentId, name })
  return { name, step: null }
}

export async function logout(ctx: Ctx): Promise<Out<typeof signIn.logout>> {
  const { accountId, sessionId, loginName } = ctx.actor
  await removeSession(ctx, { id: sessionId, accountId })
  ctx.request.setSession(null)
  ctx.note(loginName)
  return { ended: true }
}

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
    .orderBy(desc(sessions.lastSeenAt))
    .limit(100)
  return { rows: rows.map(row => ({ ...row, current: row.id === ctx.actor.sessionId })) }
}

export async function endSession(
  ctx: Ctx,
  input: In<typeof signIn.endSession>,
): Promise<Out<typeof signIn.endSession>> {
  const { ip } = found(await removeSession(ctx, { id: input.id, accountId: ctx.actor.accountId }))
  ctx.note(ip)
  return { ended: true }
}

export const signInRouter = serve(signIn, {
  login,
  prove: signInByProof,
  passkeyOptions: beginPasskey,
  passkey: signInByPasskey,
  logout,
  sessions: listSessions,
  endSession,
})
