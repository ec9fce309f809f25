// Who may be charged with what waits: colleagues who are let in, hold what it takes, and see the shop.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { permissionsOf } from '#features/office/access/rules.ts'
import { accounts, permissionNodes, roles } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { together } from '#server/db.ts'

export type Colleague = { id: number; name: string; seesOwnShops: boolean }

/** All who may do things of each of these kinds. */
export async function peopleFor(ctx: Ctx, sources: readonly InboxSource[]): Promise<Colleague[]> {
  const { actor } = ctx
  const isShared = actor.isVendorStaff && !sources.some(({ ofAgency }) => ofAgency)
  const [nodes, people] = await together([
    ctx.db.select().from(permissionNodes),
    ctx.db
      .select({ account: accounts, agent: agents, role: roles })
      .from(accounts)
      .innerJoin(agents, eq(agents.id, accounts.agentId))
      .leftJoin(roles, eq(roles.id, accounts.roleId))
      .where(
        and(
          isShared ? eq(agents.isVendorStaff, true) : eq(accounts.agentId, actor.agentId),
          eq(agents.enabled, true),
          eq(accounts.enabled, true),
          isNull(accounts.deletedAt),
        ),
      )
      .orderBy(asc(accounts.agentId), asc(accounts.id)),
  ])
  return people.flatMap(({ account, agent, role }) => {
    const standing = { ...agent, isOwner: account.isOwner }
    const held = permissionsOf(nodes, standing, role?.enabled ? role.nodeIds : [])
    const may = sources.every(
      ({ permission, decides = permission }) => held.has(permission) && held.has(decides),
    )
    return may ? [{ id: account.id, name: account.name, seesOwnShops: account.dataScope === 'own' }] : []
  })
}

/** Whether whoever sees their own shops alone sees all of these. */
export async function looksAfterAll(
  ctx: Ctx,
  accountId: number,
  merchantIds: readonly number[],
): Promise<boolean> {
  if (merchantIds.length === 0) return true
  const rows = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(inArray(merchants.id, [...merchantIds]), eq(merchants.managerId, accountId)))
  return rows.length === new Set(merchantIds).size
}
