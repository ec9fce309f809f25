// The rows of sessions: how one begins and ends. Who may begin one is said by features/agencies/sign-in.
import { randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { hashToken } from './server.ts'
import { accounts, sessions } from './tables.ts'

/** More sessions than these of one account: those that were not used for longest end. */
export const SESSIONS_MAX = 100

type Begun = { accountId: number; agentId: number; deviceHash: Buffer }

/** Begins a session in place of the one that this browser held, and gives it its token; answers its id. */
export async function startSession(ctx: Ctx, owner: Begun): Promise<number> {
  const token = randomBytes(32).toString('base64url')
  const { now } = ctx
  const former = ctx.request.isViewing ? undefined : ctx.request.sessionToken
  if (former !== undefined) await ctx.db.delete(sessions).where(eq(sessions.tokenHash, hashToken(former)))
  const older = ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.accountId, owner.accountId), isNull(sessions.viewedBy)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .offset(SESSIONS_MAX - 1)
  await ctx.db.delete(sessions).where(inArray(sessions.id, older))
  const [started] = await ctx.db
    .insert(sessions)
    .values({
      tokenHash: hashToken(token),
      ...owner,
      ip: ctx.request.ip,
      userAgent: ctx.request.userAgent.slice(0, 300),
      createdAt: now.toISOString(),
      lastSeenAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + ctx.services.env.sessionMaxDays * 86_400_000).toISOString(),
    })
    .returning({ id: sessions.id })
  await ctx.db
    .update(accounts)
    .set({ lastLoginAt: now.toISOString() })
    .where(eq(accounts.id, owner.accountId))
  ctx.request.setSession(token)
  return found(started).id
}

/** How long the former token is still taken, of requests that were under way. */
export const FORMER_SECONDS = 15

/** Gives the acting session another token, after somebody has shown again who they are; the former ends. */
export async function renewToken(ctx: Ctx): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await ctx.db
    .update(sessions)
    .set({
      tokenHash: hashToken(token),
      formerHash: sessions.tokenHash,
      formerUntil: sql`now() + make_interval(secs => ${FORMER_SECONDS})`,
    })
    .where(eq(sessions.id, ctx.actor.sessionId))
  ctx.request.setSession(token)
}

/** Begins the acting account's look through another: a session of its own that ends with the one it began in, or before. */
export async function startView(
  ctx: Ctx,
  viewed: { accountId: number; agentId: number },
  until: Date,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.now.toISOString()
  await ctx.db.insert(sessions).values({
    tokenHash: hashToken(token),
    ...viewed,
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent.slice(0, 300),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: until.toISOString(),
    viewedBy: ctx.actor.accountId,
    viewedFrom: ctx.actor.sessionId,
  })
  ctx.request.setView(token)
}

/** Ends what the browser of this session began in the account; answers where it was, or nothing where there is none. */
export async function removeDevice(
  ctx: Ctx,
  session: { id: number; accountId: number },
): Promise<{ ip: string; userAgent: string } | undefined> {
  const { id, accountId, deviceHash, ip, userAgent } = sessions
  const mine = eq(accountId, session.accountId)
  const [which] = await ctx.db
    .select({ deviceHash, ip, userAgent })
    .from(sessions)
    .where(and(eq(id, session.id), mine))
  if (!which) return undefined
  const sameDevice = which.deviceHash === null ? undefined : eq(deviceHash, which.deviceHash)
  await ctx.db.delete(sessions).where(and(mine, or(eq(id, session.id), sameDevice)))
  return which
}

/** Ends a session of this account; answers where it was begun, or nothing where there is none. */
export async function removeSession(
  ctx: Ctx,
  session: { id: number; accountId: number },
): Promise<{ ip: string } | undefined> {
  const [ended] = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, session.id), eq(sessions.accountId, session.accountId)))
    .returning({ ip: sessions.ip })
  return ended
}

/** Ends all sessions of an account. */
export async function endSessions(ctx: Ctx, accountId: number): Promise<void> {
  await ctx.db.delete(sessions).where(eq(sessions.accountId, accountId))
}

/** Ends all sessions of the acting account but its own; answers how many there were. */
export async function removeOtherSessions(ctx: Ctx): Promise<number> {
  const { accountId, sessionId } = ctx.actor
  const ended = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), ne(sessions.id, sessionId)))
    .returning({ id: sessions.id })
  return ended.length
}
