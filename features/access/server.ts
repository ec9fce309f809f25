import { createHash, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { and, count, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { agentLevels, agents } from '#features/agents/tables.ts'
import type { In, Out } from '#kit/op.ts'
import { lastFour } from '#kit/phone.ts'
import type { Actor, Ctx, Services } from '#server/ctx.ts'
import { type Db, SYSTEM } from '#server/db.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { verifyPassword } from '#server/secrets.ts'
import { serve } from '#server/serve.ts'
import { access } from './contract.ts'
import { LOGIN_REFUSALS, LOGIN_WINDOW_MINUTES, menuOf, permissionsOf, refuseLogin } from './rules.ts'
import { accounts, loginFailures, permissionNodes, roles, sessions } from './tables.ts'

/** A hash that no password has, so that an unknown account takes as long as a wrong password. */
const NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** How often the use of a session is written down, at most. */
const SEEN_EVERY_MS = 60_000

export async function login(ctx: Ctx, input: In<typeof access.login>): Promise<Out<typeof access.login>> {
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
  await startSession(ctx, { accountId: id, agentId })
  ctx.note(loginName, [], { accountId: id, agentId, name })
  return { name }
}

/** One network of IPv6 (/64) is one caller: whoever has one address of it has them all. */
function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const { hostname } = new URL(`http://[${ip.split('%', 1)[0]}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  // An IPv4 address in IPv6 clothes.
  if (before === '' && after?.startsWith('ffff:')) return hostname
  const left = before.split(':').filter(Boolean)
  const right = after?.split(':').filter(Boolean) ?? []
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * Counts this attempt as a failure before its result is told, and answers the rows to take back when it was none. One
 * attempt at a time per subject, so that many at once cannot all pass below the limit; a limiter that cannot write refuses.
 */
async function countAttempt(ctx: Ctx, subjects: string[]): Promise<number[]> {
  for (const [kind, subject] of subjects.entries())
    await ctx.db.execute(sql`select pg_advisory_xact_lock(${kind + 1}::int, hashtext(${subject}))`)
  await refuseThrottled(ctx, subjects)
  const counted = await ctx.db
    .insert(loginFailures)
    .values(subjects.map(subject => ({ subject, createdAt: new Date().toISOString() })))
    .returning({ id: loginFailures.id })
  return counted.map(row => row.id)
}

async function refuseThrottled(ctx: Ctx, subjects: string[]): Promise<void> {
  for (const subject of subjects)
    if ((await recentFailures(ctx, subject)) >= ctx.services.env.loginFailuresMax)
      refuse('LOGIN_THROTTLED', LOGIN_REFUSALS)
}

async function recentFailures(ctx: Ctx, subject: string): Promise<number> {
  const [row] = await ctx.db
    .select({ failures: count() })
    .from(loginFailures)
    .where(
      and(
        eq(loginFailures.subject, subject),
        gt(loginFailures.createdAt, sql`now() - make_interval(mins => ${LOGIN_WINDOW_MINUTES})`),
      ),
    )
  return row?.failures ?? 0
}

async function startSession(ctx: Ctx, owner: { accountId: number; agentId: number }): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const now = new Date()
  await ctx.db.insert(sessions).values({
    tokenHash: hashToken(token),
    ...owner,
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent.slice(0, 300),
    createdAt: now.toISOString(),
    lastSeenAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + ctx.services.env.sessionMaxDays * 86_400_000).toISOString(),
  })
  await ctx.db
    .update(accounts)
    .set({ lastLoginAt: now.toISOString() })
    .where(eq(accounts.id, owner.accountId))
  ctx.request.setSession(token)
}

export async function logout(ctx: Ctx): Promise<Out<typeof access.logout>> {
  await ctx.db.delete(sessions).where(eq(sessions.id, ctx.actor.sessionId))
  ctx.request.setSession(null)
  ctx.note(ctx.actor.loginName)
  return { ended: true }
}

export async function current(ctx: Ctx): Promise<Out<typeof access.current>> {
  const { actor } = ctx
  const nodes = await ctx.db.select().from(permissionNodes)
  const [agent] = await ctx.db
    .select({
      accountFormat: agents.accountFormat,
      levelName: agentLevels.name,
      discountBasisPoints: agentLevels.discountBasisPoints,
    })
    .from(agents)
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .where(eq(agents.id, actor.agentId))
  return {
    ...found(agent),
    accountId: actor.accountId,
    agentId: actor.agentId,
    loginName: actor.loginName,
    name: actor.name,
    companyName: actor.companyName,
    phoneLastFour: lastFour(actor.mobile),
    userType: actor.isOwner ? 0 : 1,
    isOperator: actor.isOperator,
    isVendorStaff: actor.isVendorStaff,
    permissions: [...actor.permissions],
    menu: menuOf(nodes, actor, actor.permissions),
    demo: ctx.services.env.demo,
  }
}

export async function listSessions(ctx: Ctx): Promise<Out<typeof access.sessions>> {
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, ctx.actor.accountId),
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
  input: In<typeof access.endSession>,
): Promise<Out<typeof access.endSession>> {
  const [ended] = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, input.id), eq(sessions.accountId, ctx.actor.accountId)))
    .returning({ ip: sessions.ip })
  ctx.note(found(ended).ip)
  return { ended: true }
}

/** Who holds this token, with what the account may do now; null when the session ended or its account or agent is disabled. */
export async function readActor(
  services: Pick<Services, 'database' | 'env'>,
  token: string,
): Promise<Actor | null> {
  return services.database.read(SYSTEM, async ({ db }) => {
    const [row] = await db
      .select({ session: sessions, account: accounts, agent: agents, role: roles })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .innerJoin(agents, eq(agents.id, accounts.agentId))
      .leftJoin(roles, eq(roles.id, accounts.roleId))
      .where(and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, sql`now()`)))
    if (!row?.account.enabled || !row.agent.enabled) return null
    const idleMs = Date.now() - Date.parse(row.session.lastSeenAt)
    const idleLimitMs = services.env.sessionIdleMinutes * 60_000
    if (idleMs > idleLimitMs) return null
    if (idleMs > Math.min(SEEN_EVERY_MS, idleLimitMs / 4))
      await db
        .update(sessions)
        .set({ lastSeenAt: new Date().toISOString() })
        .where(eq(sessions.id, row.session.id))
    return { ...(await actorOf(db, row)), sessionId: row.session.id }
  })
}

/** Who acts where the account's work goes on without a session; null when the account or its agent is disabled. */
export async function readAccountActor(
  services: Pick<Services, 'database'>,
  accountId: number,
): Promise<Actor | null> {
  return services.database.read(SYSTEM, async ({ db }) => {
    const [row] = await db
      .select({ account: accounts, agent: agents, role: roles })
      .from(accounts)
      .innerJoin(agents, eq(agents.id, accounts.agentId))
      .leftJoin(roles, eq(roles.id, accounts.roleId))
      .where(eq(accounts.id, accountId))
    if (!row?.account.enabled || !row.agent.enabled) return null
    return { ...(await actorOf(db, row)), sessionId: 0 }
  })
}

type Standing = {
  account: typeof accounts.$inferSelect
  agent: typeof agents.$inferSelect
  role: typeof roles.$inferSelect | null
}

async function actorOf(db: Db, { account, agent, role }: Standing): Promise<Omit<Actor, 'sessionId'>> {
  const standing = {
    isOwner: account.isOwner,
    isOperator: agent.isOperator,
    isVendorStaff: agent.isVendorStaff,
    hasFullMenu: agent.hasFullMenu,
  }
  const nodes = await db.select().from(permissionNodes)
  return {
    ...standing,
    accountId: account.id,
    agentId: agent.id,
    loginName: account.loginName,
    name: account.name,
    mobile: account.mobile,
    companyName: agent.companyName,
    permissions: permissionsOf(nodes, standing, role?.enabled ? role.nodeIds : []),
  }
}

/** Opaque tokens are kept as their SHA-256 only. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export const accessRouter = serve(access, { login, logout, current, sessions: listSessions, endSession })
