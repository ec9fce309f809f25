// The keys of the acting agency: all for its owner, one's own for everybody else.
import { and, desc, eq, sql } from 'drizzle-orm'
import { closedNodes, isRight } from '#features/agencies/team/rules.ts'
import { holdingText, ofAgency } from '#features/agencies/team/server-roles.ts'
import { type Node, nodesOf } from '#features/agencies/team/server-tree.ts'
import { accounts, permissionNodes } from '#features/office/access/tables.ts'
import { formatDay } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { type Condition, filtered, type ListSource, rowsAndTotal } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { apiKeys as contract } from './contract.ts'
import { KEYS } from './fields.ts'
import { type KeyState, reachText, SOON_DAYS } from './rules.ts'
import { apiKeys, apiKeyUses } from './tables.ts'

const STATE = sql<KeyState>`case ${apiKeys.endedBy} when 'hand' then 'ended' when 'maker' then 'orphaned' when 'agency' then 'suspended'
  else case when ${apiKeys.expiresAt} <= now() then 'expired'
    when ${apiKeys.expiresAt} <= now() + make_interval(days => ${sql.raw(String(SOON_DAYS))}) then 'expiring' else 'active' end end`

const ORDER = [sql`${apiKeys.endedAt} is not null`, desc(apiKeys.id)]

/** The last day on which it works. */
export const lastDayOf = (expiresAt: string) => formatDay(new Date(Date.parse(expiresAt) - 1))

export const addressText = (addresses: readonly string[]) =>
  addresses.length === 0 ? '不限' : addresses.join('、')

function mine(ctx: Ctx): Condition[] {
  if (ctx.actor.isOwner) return []
  const condition = sql`${apiKeys.accountId} = ${sql.placeholder('maker')}`
  return [{ key: 'mine', sql: condition, values: { maker: ctx.actor.accountId } }]
}

/** Of a key of the agency that the acting account sees. */
export function visible(ctx: Ctx, id: number) {
  const { agentId, accountId, isOwner } = ctx.actor
  const own = isOwner ? undefined : eq(apiKeys.accountId, accountId)
  return and(eq(apiKeys.id, id), eq(apiKeys.agentId, agentId), own)
}

export const listKeys: Verb<typeof contract.list> = async (ctx, input) => {
  const maker = sql`(select a.name from ${accounts} a where a.id = ${apiKeys.accountId})`
  const list: ListSource = {
    name: 'api keys',
    table: apiKeys,
    conditions: [
      ofAgency(ctx, apiKeys.agentId),
      ...mine(ctx),
      ...holdingText(input.search, sql`${apiKeys.name} || ' ' || ${apiKeys.tokenEnd} || ' ' || ${maker}`),
      ...filtered(
        KEYS,
        input,
        { state: state => [{ key: `state ${state}`, sql: sql`${STATE} = ${sql.raw(`'${state}'`)}` }] },
        apiKeys,
      ),
    ],
    sort: 'working first',
    order: ORDER,
  }
  const answer = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        tokenEnd: apiKeys.tokenEnd,
        makerId: apiKeys.accountId,
        makerName: accounts.name,
        nodeIds: apiKeys.nodeIds,
        addresses: apiKeys.addresses,
        perMinute: apiKeys.perMinute,
        expiresAt: apiKeys.expiresAt,
        state: STATE.as('state'),
        lastUsedAt: apiKeyUses.lastUsedAt,
        lastIp: apiKeyUses.lastIp,
        calls: apiKeyUses.calls,
        previousUntil: sql<
          string | null
        >`case when ${apiKeys.previousUntil} > now() and ${apiKeys.endedAt} is null then ${apiKeys.previousUntil} end`
          .mapWith(apiKeys.previousUntil)
          .as('previous_until'),
        previousUsedAt: apiKeyUses.previousUsedAt,
        createdAt: apiKeys.createdAt,
      })
      .from(page)
      .innerJoin(apiKeys, eq(apiKeys.id, page.id))
      .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
      .innerJoin(apiKeyUses, eq(apiKeyUses.keyId, apiKeys.id))
      .orderBy(...ORDER),
  )
  return {
    ...answer,
    rows: answer.rows.map(({ nodeIds, addresses, expiresAt, makerId, ...row }) => ({
      ...row,
      verbs: nodeIds.length,
      addressText: addressText(addresses),
      expiresOn: lastDayOf(expiresAt),
      isOwn: makerId === ctx.actor.accountId,
    })),
  }
}

export const showKey: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({ nodeIds: apiKeys.nodeIds, addresses: apiKeys.addresses, makerId: apiKeys.accountId })
    .from(apiKeys)
    .where(visible(ctx, id))
  const { nodeIds, addresses, makerId } = found(row)
  const isMine = makerId === ctx.actor.accountId
  const nodes = await ctx.db.select().from(permissionNodes)
  const lost = nodes.filter(
    node => isMine && nodeIds.includes(node.id) && !ctx.actor.permissions.has(node.key),
  )
  return { nodeIds, addresses, lost: lost.map(({ name }) => name) }
}

/** The tree as keys have it: what a person alone can do stands in it as a group of what a program can. */
export async function nodesForKeys(ctx: Ctx): Promise<(Node & { says: string; isPersons: boolean })[]> {
  return (await nodesOf(ctx)).map(node => {
    const says = isRight(node) ? reachText(ctx.services.reachOfKeys(node.key)) : ''
    return { ...node, says, path: says === '' ? '' : node.path, isPersons: isRight(node) && says === '' }
  })
}

/** What these ticks give a key: the pages of its verbs with them, and no groups. */
export function verbsOf(nodes: readonly Node[], ticked: readonly number[]): Node[] {
  const held = new Set(closedNodes(nodes, ticked))
  return nodes.filter(node => isRight(node) && held.has(node.id))
}

export const showTree: Verb<typeof contract.tree> = async ctx => {
  const nodes = await nodesForKeys(ctx)
  const byId = new Map(nodes.map(node => [node.id, node]))
  const shown = new Set<number>()
  for (const node of nodes)
    if (isRight(node) && ctx.actor.permissions.has(node.key))
      for (let at: Node | undefined = node; at; at = byId.get(at.parentId ?? 0)) shown.add(at.id)
  return {
    nodes: nodes
      .filter(({ id }) => shown.has(id))
      .map(({ id, parentId, key, name, says, path }) => ({ id, parentId, key, name, says, path })),
  }
}
