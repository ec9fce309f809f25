// Who is let in and may do something: colleagues who are charged with what waits, and whether somebody else could decide.
import { and, asc, eq, isNull } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { Ctx } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { permissionsOf } from './rules.ts'
import { accounts, permissionNodes, roles } from './tables.ts'

type Holder = { id: number; name: string; seesOwnShops: boolean }

/** Those of the vendor's staff, or of an agency, who hold all of these permissions. */
export async function peopleHolding(
  ctx: Ctx,
  of: 'staff' | { agentId: number },
  keys: readonly string[],
): Promise<Holder[]> {
  const [nodes, people] = await together([
    ctx.db.select().from(permissionNodes),
    ctx.db
      .select({ account: accounts, agent: agents, role: roles })
      .from(accounts)
      .innerJoin(agents, eq(agents.id, accounts.agentId))
      .leftJoin(roles, eq(roles.id, accounts.roleId))
      .where(
        and(
          of === 'staff' ? eq(agents.isVendorStaff, true) : eq(accounts.agentId, of.agentId),
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
    if (!keys.every(key => held.has(key))) return []
    return [{ id: account.id, name: account.name, seesOwnShops: account.dataScope === 'own' }]
  })
}

/** Whether one of the vendor's staff other than the acting account could decide what asks for these permissions. */
export async function anotherMay(ctx: Ctx, keys: readonly string[]): Promise<boolean> {
  const people = await peopleHolding(ctx, 'staff', keys)
  return people.some(({ id }) => id !== ctx.actor.accountId)
}
