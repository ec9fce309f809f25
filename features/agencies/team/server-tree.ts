// The permission tree as the acting person can grant it, and who of the agency holds what.
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { type DataScope, HOME_NODE_ID } from '#features/office/access/rules.ts'
import { accounts, permissionNodes, roles } from '#features/office/access/tables.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuseCommon } from '#server/refuse.ts'
import type { team as contract } from './contract.ts'
import { isBeyond, isRight, sentenceOf } from './rules.ts'

export type Node = typeof permissionNodes.$inferSelect

export function nodesOf(ctx: Ctx): Promise<Node[]> {
  return ctx.db.select().from(permissionNodes).orderBy(asc(permissionNodes.position), asc(permissionNodes.id))
}

type IsBeyond = (nodeIds: readonly number[] | null, dataScope?: DataScope) => boolean

/** Tells of a role's nodes, and of the shops that one sees, whether they are more than the acting person's. */
export async function beyondOf(ctx: Ctx): Promise<IsBeyond> {
  return beyondIn(ctx, await nodesOf(ctx))
}

/** The same, of a tree that was read. */
export function beyondIn(ctx: Ctx, nodes: readonly Node[]): IsBeyond {
  const rights = nodes.filter(isRight)
  return (nodeIds, dataScope) =>
    (dataScope === 'all' && ctx.actor.seesOwnShops) ||
    (nodeIds !== null && isBeyond(rights, nodeIds, ctx.actor.permissions))
}

export const showTree: Verb<typeof contract.tree> = async ctx => {
  const nodes = await nodesOf(ctx)
  const shown = new Set<number>()
  const byId = new Map(nodes.map(node => [node.id, node]))
  for (const node of nodes)
    if (isRight(node) && ctx.actor.permissions.has(node.key))
      for (let at: Node | undefined = node; at; at = byId.get(at.parentId ?? 0)) shown.add(at.id)
  return {
    nodes: nodes
      .filter(({ id }) => shown.has(id))
      .map(node => ({
        id: node.id,
        parentId: node.parentId,
        key: node.key,
        name: node.name,
        path: node.path,
        says: isRight(node) ? sentenceOf(node, ctx.services.deedsOf(node.key)) : '',
      })),
  }
}

export const whoCan: Verb<typeof contract.whoCan> = async (ctx, { id }) => {
  const node = (await nodesOf(ctx)).find(one => one.id === id)
  if (!node || !isRight(node) || !ctx.actor.permissions.has(node.key)) refuseCommon('NOT_FOUND')
  const everyRole = await ctx.db
    .select({ id: roles.id, name: roles.name, enabled: roles.enabled, nodeIds: roles.nodeIds })
    .from(roles)
    .where(eq(roles.agentId, ctx.actor.agentId))
    .orderBy(asc(roles.id))
  const holding = everyRole.filter(role => role.enabled && (id === HOME_NODE_ID || role.nodeIds.includes(id)))
  const people = await ctx.db
    .select({
      id: accounts.id,
      name: accounts.name,
      isOwner: accounts.isOwner,
      roleId: accounts.roleId,
    })
    .from(accounts)
    .where(and(eq(accounts.agentId, ctx.actor.agentId), accounts.enabled, isNull(accounts.deletedAt)))
    .orderBy(asc(accounts.id))
  const named = new Map(holding.map(role => [role.id, role.name]))
  return {
    people: people
      .filter(({ isOwner, roleId }) => isOwner || (roleId !== null && named.has(roleId)))
      .map(({ isOwner, roleId, ...person }) => ({
        ...person,
        roleName: isOwner ? null : (named.get(roleId ?? 0) ?? null),
      })),
    roles: holding.map(role => ({ id: role.id, name: role.name })),
  }
}

/** People who have this role, whether they can sign in or not. */
export function holdersOf(ctx: Ctx, roleId: number) {
  return ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(
      and(
        eq(accounts.agentId, ctx.actor.agentId),
        inArray(accounts.roleId, [roleId]),
        isNull(accounts.deletedAt),
      ),
    )
    .orderBy(asc(accounts.id))
}
