// Roles of the acting agency: its own alone, also where the vendor's staff act (D3 §3, §5, §6).
import { asc, eq, sql } from 'drizzle-orm'
import { HOME_NODE_ID } from '#features/office/access/rules.ts'
import {
  deleteRole as deleteRow,
  insertRole,
  lockRole,
  type Role,
  tellAccess,
  updateRole,
} from '#features/office/access/server-people.ts'
import { accounts, roles } from '#features/office/access/tables.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { type Condition, filtered, type ListSource, rowsAndTotal } from '#server/list.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { team as contract } from './contract.ts'
import { ROLE_FIELDS, ROLES } from './fields.ts'
import {
  brokenRole,
  closedNodes,
  isRight,
  type Me,
  ROLE_REFUSALS,
  type RoleForm,
  refuseRole,
} from './rules.ts'
import { beyondIn, holdersOf, type Node, nodesOf } from './server-tree.ts'

const DONE = { done: true } as const
const IN_ORDER = [asc(roles.id)]

/** The agency's own, whoever asks. */
export function ofAgency(ctx: Ctx, agentId: Parameters<typeof eq>[0]): Condition {
  return {
    key: 'agency',
    sql: sql`${agentId} = ${sql.placeholder('agency')}`,
    values: { agency: ctx.actor.agentId },
  }
}

/** Few rows of one agency: they are looked through, not indexed. */
export function holdingText(text: string | undefined, columns: ReturnType<typeof sql>): Condition[] {
  if (text === undefined || text === '') return []
  const found = sql`strpos(lower(${columns}), lower(${sql.placeholder('searched')}::text)) > 0`
  return [{ key: 'search', sql: found, values: { searched: text } }]
}

/** The acting person with the role it has. */
export async function meOf(ctx: Ctx): Promise<Me> {
  const [me] = await ctx.db
    .select({ roleId: accounts.roleId })
    .from(accounts)
    .where(eq(accounts.id, ctx.actor.accountId))
  return { accountId: ctx.actor.accountId, isOwner: ctx.actor.isOwner, roleId: me?.roleId ?? null }
}

export const listRoles: Verb<typeof contract.roles> = async (ctx, input) => {
  const list: ListSource = {
    name: 'roles',
    table: roles,
    conditions: [
      ofAgency(ctx, roles.agentId),
      ...holdingText(input.search, sql`${roles.name} || ' ' || ${roles.remark}`),
      ...filtered(ROLES, input, {}, roles),
    ],
    sort: 'id asc',
    order: IN_ORDER,
  }
  const answer = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: roles.id,
        name: roles.name,
        remark: roles.remark,
        enabled: roles.enabled,
        nodeIds: roles.nodeIds,
        holders: sql<number>`(select count(*) from ${accounts}
          where ${accounts.roleId} = ${roles.id} and ${accounts.deletedAt} is null)`
          .mapWith(Number)
          .as('holders'),
        createdAt: roles.createdAt,
      })
      .from(page)
      .innerJoin(roles, eq(roles.id, page.id))
      .orderBy(...IN_ORDER),
  )
  const me = await meOf(ctx)
  const nodes = await nodesOf(ctx)
  const isBeyondMe = beyondIn(ctx, nodes)
  const known = new Set(nodes.filter(isRight).map(({ id }) => id))
  return {
    ...answer,
    rows: answer.rows.map(({ nodeIds, ...row }) => ({
      ...row,
      rights: new Set([HOME_NODE_ID, ...nodeIds].filter(id => known.has(id))).size,
      isBeyond: isBeyondMe(nodeIds),
      isOwn: row.id === me.roleId,
    })),
  }
}

function refuseForm(form: RoleForm): void {
  const [broken] = brokenRole(form)
  if (broken) refuse(broken.code, ROLE_REFUSALS, { field: broken.field })
}

function refuseTaken(written: number | 'taken'): number {
  if (written === 'taken') refuse('ROLE_NAME_TAKEN', ROLE_REFUSALS, { field: 'name' })
  return written as number
}

/** The role, locked, where the acting person may change it. */
async function changeable(ctx: Ctx, id: number, ends: boolean, read?: readonly Node[]): Promise<Role> {
  const role = await lockRole(ctx, id)
  ctx.object('role', id)
  const isBeyondMe = beyondIn(ctx, read ?? (await nodesOf(ctx)))
  refuse(refuseRole(await meOf(ctx), { id, isBeyond: isBeyondMe(role.nodeIds) }, { ends }), ROLE_REFUSALS)
  return role
}

export const addRole: Verb<typeof contract.addRole> = async (ctx, form) => {
  refuseForm(form)
  const id = refuseTaken(await insertRole(ctx, { ...form, nodeIds: [HOME_NODE_ID] }))
  ctx.object('role', id)
  const empty = { name: null, remark: null } as Partial<Record<keyof RoleForm, unknown>>
  ctx.note(form.name, changesOf(empty, form, { name: ROLE_FIELDS.name, remark: ROLE_FIELDS.remark }))
  return { id }
}

export const editRole: Verb<typeof contract.editRole> = async (ctx, { id, ...form }) => {
  const role = await changeable(ctx, id, false)
  refuseForm(form)
  const changes = changesOf({ name: role.name, remark: role.remark }, form, ROLE_FIELDS)
  ctx.note(role.name, changes)
  if (changes.length === 0) ctx.nothingChanged()
  else refuseTaken(await updateRole(ctx, id, form))
  return DONE
}

export const switchRole: Verb<typeof contract.switchRole> = async (ctx, { id, enabled }) => {
  const role = await changeable(ctx, id, !enabled)
  ctx.note(role.name, changesOf({ enabled: role.enabled }, { enabled }, ROLE_FIELDS))
  if (role.enabled === enabled) ctx.nothingChanged()
  else await updateRole(ctx, id, { enabled })
  await tellHolders(ctx, id)
  return DONE
}

export const deleteRole: Verb<typeof contract.deleteRole> = async (ctx, { id }) => {
  const role = await changeable(ctx, id, true)
  const holders = await holdersOf(ctx, id)
  if (holders.length > 0) refuse('ROLE_HELD', ROLE_REFUSALS, { holders: holders.map(({ name }) => name) })
  const names = await namesOf(ctx, role.nodeIds)
  await deleteRow(ctx, id)
  ctx.note(role.name, [
    { name: ROLE_FIELDS.name.label, before: role.name, after: null },
    { name: '权限', before: names, after: null },
  ])
  return DONE
}

export const roleRights: Verb<typeof contract.roleRights> = async (ctx, { id }) => {
  const [role] = await ctx.db
    .select({ nodeIds: roles.nodeIds, agentId: roles.agentId })
    .from(roles)
    .where(eq(roles.id, id))
  if (role?.agentId !== ctx.actor.agentId) refuseCommon('NOT_FOUND')
  return { nodeIds: closedNodes(await nodesOf(ctx), role.nodeIds) }
}

export const setRights: Verb<typeof contract.setRights> = async (ctx, { id, nodeIds }) => {
  const nodes = await nodesOf(ctx)
  const role = await changeable(ctx, id, false, nodes)
  const before = new Set(closedNodes(nodes, role.nodeIds))
  const wanted = closedNodes(nodes, nodeIds)
  const after = new Set(wanted)
  const given = nodes.filter(node => after.has(node.id) && !before.has(node.id))
  const taken = nodes.filter(node => before.has(node.id) && !after.has(node.id))
  if (given.some(node => !ctx.actor.permissions.has(node.key))) refuse('GRANT_BEYOND', ROLE_REFUSALS)
  const named = (some: typeof nodes) => some.map(({ name }) => name).join('、')
  ctx.note(role.name, [
    ...(given.length > 0 ? [{ name: '新增权限', before: null, after: named(given) }] : []),
    ...(taken.length > 0 ? [{ name: '收回权限', before: named(taken), after: null }] : []),
  ])
  if (given.length + taken.length === 0) ctx.nothingChanged()
  else {
    await updateRole(ctx, id, { nodeIds: wanted })
    await tellHolders(ctx, id)
  }
  return { given: given.length, taken: taken.length }
}

async function namesOf(ctx: Ctx, nodeIds: readonly number[]): Promise<string> {
  const nodes = await nodesOf(ctx)
  const held = new Set(closedNodes(nodes, nodeIds))
  return nodes
    .filter(({ id }) => held.has(id))
    .map(({ name }) => name)
    .join('、')
}

async function tellHolders(ctx: Ctx, roleId: number): Promise<void> {
  const holders = await holdersOf(ctx, roleId)
  tellAccess(
    ctx,
    holders.map(({ id }) => id),
  )
}
