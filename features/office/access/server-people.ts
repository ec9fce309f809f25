// The rows of roles and accounts, written for the acting agency alone. Who may change whom is said by features/agencies/team.
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { found } from '#server/refuse.ts'
import { ACCESS_EVENT } from './rules.ts'
import { accounts, roles, sessions } from './tables.ts'

export type Account = typeof accounts.$inferSelect
export type Role = typeof roles.$inferSelect
type AccountValues = Omit<typeof accounts.$inferInsert, 'id' | 'agentId' | 'isOwner' | 'createdAt'>

/** Where the name is another's already. */
export type Taken = 'taken'

/** A role of the acting agency, locked. */
export async function lockRole(ctx: Ctx, id: number): Promise<Role> {
  const [role] = await ctx.db
    .select()
    .from(roles)
    .where(and(eq(roles.id, id), eq(roles.agentId, ctx.actor.agentId)))
    .for('update')
  return found(role)
}

export function insertRole(ctx: Ctx, values: Pick<Role, 'name' | 'remark' | 'nodeIds'>) {
  return unlessTaken(async () => {
    const row = { ...values, agentId: ctx.actor.agentId, createdAt: ctx.now.toISOString() }
    const [role] = await ctx.db.insert(roles).values(row).returning({ id: roles.id })
    return found(role).id
  })
}

export function updateRole(
  ctx: Ctx,
  id: number,
  values: Partial<Pick<Role, 'name' | 'remark' | 'enabled' | 'nodeIds'>>,
) {
  return unlessTaken(async () => {
    await ctx.db
      .update(roles)
      .set(values)
      .where(and(eq(roles.id, id), eq(roles.agentId, ctx.actor.agentId)))
    return id
  })
}

export async function deleteRole(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.delete(roles).where(and(eq(roles.id, id), eq(roles.agentId, ctx.actor.agentId)))
}

/** A person of the acting agency, locked; those who are deleted are not found. */
export async function lockAccount(ctx: Ctx, id: number): Promise<Account> {
  const [account] = await ctx.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), eq(accounts.agentId, ctx.actor.agentId), isNull(accounts.deletedAt)))
    .for('update')
  return found(account)
}

/** Those who own the acting agency and can sign in, locked in the order of their ids, so that two do not end each other. */
export async function lockOwners(ctx: Ctx): Promise<number[]> {
  const owners = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.agentId, ctx.actor.agentId), accounts.isOwner, accounts.enabled))
    .orderBy(asc(accounts.id))
    .for('update')
  return owners.map(({ id }) => id)
}

export function insertAccount(ctx: Ctx, values: AccountValues) {
  return unlessTaken(async () => {
    const row = {
      ...values,
      agentId: ctx.actor.agentId,
      isOwner: false,
      createdAt: ctx.now.toISOString(),
    }
    const [account] = await ctx.db.insert(accounts).values(row).returning({ id: accounts.id })
    return found(account).id
  })
}

/** An owner of an agency that another takes on; nobody can sign in with it before it is opened. */
export function insertOwner(
  ctx: Ctx,
  agentId: number,
  values: Pick<AccountValues, 'loginName' | 'name' | 'mobile'>,
) {
  return unlessTaken(async () => {
    const [account] = await ctx.db
      .insert(accounts)
      .values({
        ...values,
        agentId,
        isOwner: true,
        passwordHash: '',
        enabled: false,
        createdAt: ctx.now.toISOString(),
      })
      .returning({ id: accounts.id })
    return found(account).id
  })
}

/** Lets somebody in who was asked to come: the password is set by `setPassword`. */
export async function openAccount(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.update(accounts).set({ enabled: true }).where(eq(accounts.id, id))
}

export function updateAccount(ctx: Ctx, id: number, values: Partial<AccountValues>) {
  return unlessTaken(async () => {
    await ctx.db
      .update(accounts)
      .set(values)
      .where(and(eq(accounts.id, id), eq(accounts.agentId, ctx.actor.agentId)))
    return id
  })
}

/**
 * The row stays, since orders and logs name it; its login name is free again, its role can be deleted, and its password is none.
 * That it is disabled ends its sessions.
 */
export async function removeAccount(ctx: Ctx, id: number): Promise<void> {
  const deletedAt = ctx.now.toISOString()
  const nobody = { loginName: `deleted ${id}`, passwordHash: '', roleId: null, enabled: false }
  await updateAccount(ctx, id, { ...nobody, deletedAt })
}

/** Answers how many there were. */
export async function endSessionsOf(ctx: Ctx, accountId: number): Promise<number> {
  const ended = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), eq(sessions.agentId, ctx.actor.agentId)))
    .returning({ id: sessions.id })
  return ended.length
}

/** Whether any agency's account has this login name: only yes or no is told. */
export async function isLoginNameTaken(
  ctx: Ctx,
  loginName: string,
  exceptId: number | null,
): Promise<boolean> {
  const { rows } = await ctx.db.execute<{ taken: boolean }>(
    sql`select login_name_taken(${loginName}, ${exceptId}) as taken`,
  )
  return rows[0]?.taken === true
}

/** Once the change stands, the open pages of these accounts hear that what they may do changed. */
export function tellAccess(ctx: Ctx, accountIds: readonly number[]): void {
  ctx.afterCommit(() => {
    // They ask at once, and would be answered from memory where the database's own word comes later.
    ctx.services.forgetActors()
    ctx.services.push(accountIds, ACCESS_EVENT, {})
  })
}

async function unlessTaken(write: () => Promise<number>): Promise<number | Taken> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) === '23505') return 'taken'
    throw error
  }
}
