import { createHash } from 'node:crypto'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { lastReview } from '#features/office/prices/server-reviews.ts'
import type { Out } from '#kit/declare/op.ts'
import { lastFour } from '#kit/words/phone.ts'
import { type Actor, type Ctx, NO_FACTOR, type Services } from '#server/ctx.ts'
import { type Db, SYSTEM } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { access } from './contract.ts'
import { isAvailable, menuOf, permissionsOf } from './rules.ts'
import { accounts, permissionNodes, roles, sessions } from './tables.ts'

/** How often the use of a session is written down, at most. */
const SEEN_EVERY_MS = 60_000

export async function current(ctx: Ctx): Promise<Out<typeof access.current>> {
  const { actor } = ctx
  const nodes = await ctx.db.select().from(permissionNodes)
  const [agent] = await ctx.db
    .select({
      accountFormat: agents.accountFormat,
      logoId: agents.logoId,
      levelName: agentLevels.name,
      discountBasisPoints: discountNow(),
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
    factor: actor.factor,
    permissions: [...actor.permissions],
    menu: menuOf(nodes, actor, actor.permissions),
    viewedUntil: actor.viewer?.until ?? null,
    suspendedFor: actor.suspendedFor,
    mustChangePassword: actor.mustChangePassword,
    examplePrices: !ctx.services.env.demo && (await lastReview(ctx)) === null,
    demo: ctx.services.env.demo,
  }
}

export async function nameRights(ctx: Ctx): Promise<Out<typeof access.rights>> {
  const nodes = await ctx.db.select().from(permissionNodes)
  return { rows: nodes.filter(node => isAvailable(node, ctx.actor)).map(({ key, name }) => ({ key, name })) }
}

const KNOWN = 'select 1 from sessions where token_hash = $1 or former_hash = $1'

/** Who holds this token, with what the account may do now, its second factor aside; null when the session ended or its account or agent is disabled. */
export async function readActor(
  services: Pick<Services, 'database' | 'env' | 'clock'>,
  token: string,
): Promise<Actor | null> {
  const held = await services.database.read(SYSTEM, async ({ db, client }) => {
    const hash = hashToken(token)
    // What somebody made up costs no more than this.
    const known = await client.query({ name: 'session_known', text: KNOWN, values: [hash] })
    if (known.rowCount === 0) return null
    const heldBy = (by: SQL | undefined) =>
      db
        .select({ session: sessions, account: accounts, agent: agents, role: roles })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .innerJoin(agents, eq(agents.id, accounts.agentId))
        .leftJoin(roles, eq(roles.id, accounts.roleId))
        .where(and(by, gt(sessions.expiresAt, sql`now()`)))
    const former = and(eq(sessions.formerHash, hash), gt(sessions.formerUntil, sql`now()`))
    const [now] = await heldBy(eq(sessions.tokenHash, hash))
    const row = now ?? (await heldBy(former))[0]
    if (!row?.account.enabled || !row.agent.enabled) return null
    const seenAt = services.clock.now()
    const idleMs = seenAt.getTime() - Date.parse(row.session.lastSeenAt)
    const idleLimitMs = services.env.sessionIdleMinutes * 60_000
    if (idleMs > idleLimitMs) return null
    const { id, viewedBy, expiresAt } = row.session
    const viewer =
      viewedBy === null ? null : { accountId: viewedBy, until: new Date(expiresAt).toISOString() }
    const actor: Actor = { ...(await actorOf(db, row)), sessionId: id, viewer, key: null }
    return { actor, seenAt: idleMs > Math.min(SEEN_EVERY_MS, idleLimitMs / 4) ? seenAt : null }
  })
  const seenAt = held?.seenAt
  if (held && seenAt)
    await services.database.write(SYSTEM, ({ db }) =>
      db
        .update(sessions)
        .set({ lastSeenAt: seenAt.toISOString() })
        .where(eq(sessions.id, held.actor.sessionId)),
    )
  return held?.actor ?? null
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
    return { ...(await actorOf(db, row)), sessionId: 0, viewer: null, key: null }
  })
}

type Standing = {
  account: typeof accounts.$inferSelect
  agent: typeof agents.$inferSelect
  role: typeof roles.$inferSelect | null
}

async function actorOf(
  db: Db,
  { account, agent, role }: Standing,
): Promise<Omit<Actor, 'sessionId' | 'viewer' | 'key'>> {
  const standing = {
    isOwner: account.isOwner,
    isOperator: agent.isOperator,
    isVendorStaff: agent.isVendorStaff,
    hasFullMenu: agent.hasFullMenu,
    seesOwnShops: account.dataScope === 'own',
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
    suspendedFor: agent.status === 'suspended' ? agent.suspendedFor : null,
    mustChangePassword: account.mustChangePassword,
    permissions: permissionsOf(nodes, standing, role?.enabled ? role.nodeIds : []),
    factor: NO_FACTOR,
  }
}

/** Opaque tokens are kept as their SHA-256 only. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export const accessRouter = serve(access, { current, rights: nameRights })
