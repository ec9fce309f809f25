// Agents below: what they hold, and prepaid tokens handed down to them.

import { and, asc, eq, ilike, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { balancesOf, type Movement, nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { amountText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import type { settlement as contract } from './contract.ts'
import { allocatedWords, refuseAllocation, refuseReceiver, SETTLEMENT_REFUSALS } from './rules.ts'

const parents = alias(agents, 'parents')

/** Agents below the acting one; for vendor staff all that have a parent. */
export const listSubAgents: Verb<typeof contract.subAgents> = async (ctx, input) => {
  const where = and(isNotNull(agents.parentId), below(ctx), matches(input.search))
  const rows = await ctx.db
    .select({
      id: agents.id,
      companyName: agents.companyName,
      contactName: agents.contactName,
      levelName: agentLevels.name,
      parentId: sql<number>`${agents.parentId}`.mapWith(Number),
      parentName: sql<string>`coalesce(${parents.companyName}, '')`,
      status: agents.status,
      createdAt: agents.createdAt,
    })
    .from(agents)
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .leftJoin(parents, eq(parents.id, agents.parentId))
    .where(where)
    .orderBy(asc(agents.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const [totals] = await ctx.db
    .select({ total: sql<number>`count(*)`.mapWith(Number) })
    .from(agents)
    .where(where)
  const held = await heldBelow(
    ctx,
    rows.map(row => row.id),
  )
  return {
    rows: rows.map(row => ({
      ...row,
      isChild: row.parentId === ctx.actor.agentId,
      tokenCents: held.get(row.id)?.tokenCents ?? 0,
      shops: held.get(row.id)?.shops ?? 0,
    })),
    total: totals?.total ?? 0,
    totalCapped: false,
  }
}

function below(ctx: Ctx): SQL | undefined {
  if (ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope) return undefined
  return eq(agents.parentId, ctx.actor.agentId)
}

function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const byText = or(ilike(agents.companyName, pattern), ilike(agents.contactName, pattern))
  return /^\d{1,15}$/.test(search) ? or(eq(agents.id, Number(search)), byText) : byText
}

/** Balances and numbers of shops of agents below: their own rows stay closed, a function of the database tells only these. */
async function heldBelow(
  ctx: Ctx,
  ids: number[],
): Promise<Map<number, { tokenCents: number; shops: number }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await ctx.client.query<{ agent_id: string; token_cents: string; shops: string }>({
    name: 'held_below',
    text: 'select agent_id, token_cents, shops from held_below($1::bigint[])',
    values: [ids],
  })
  return new Map(
    rows.map(row => [
      Number(row.agent_id),
      { tokenCents: Number(row.token_cents), shops: Number(row.shops) },
    ]),
  )
}

/** Hands tokens to an agent of one's own: out of the acting agent's account and into the other's, or neither. */
export const allocate: Verb<typeof contract.allocate> = async (ctx, input) => {
  const { agentId } = ctx.actor
  const broken = refuseAllocation(input)
  refuse(broken, SETTLEMENT_REFUSALS, {
    field: broken === 'ALLOCATE_REMARK_TOO_LONG' ? 'remark' : 'amount',
  })
  const [receiver] = await ctx.db
    .select({ name: agents.companyName, status: agents.status })
    .from(agents)
    .where(and(eq(agents.id, input.agentId), eq(agents.parentId, agentId)))
  refuse(
    refuseReceiver({ isChild: receiver !== undefined, status: receiver?.status ?? 'closed' }),
    SETTLEMENT_REFUSALS,
  )
  const name = receiver?.name ?? ''
  const documentNo = await nextDocumentNo(ctx)
  const remark = input.remark.trim()
  ctx.note(`${name} (${input.agentId})`, [
    { name: '划拨', before: null, after: amountText(input.amountCents, '代币') },
    { name: '备注', before: null, after: remark },
  ])
  const both = {
    kind: 'allocate',
    asset: 'token',
    amount: input.amountCents,
    document: documentNo,
    payMethod: 'balance',
    remark,
  } as const
  const clearing: Movement['from'] = { kind: 'vendor', book: 'payment-clearing' }
  await post(ctx, [
    {
      ...both,
      from: { kind: 'agent', id: agentId },
      to: clearing,
      agentId,
      description: `划拨给 ${name}`,
    },
    {
      ...both,
      from: clearing,
      to: { kind: 'agent', id: input.agentId },
      agentId: input.agentId,
      description: '上级划拨',
    },
  ])
  await notify(ctx, {
    ...allocatedWords(ctx.actor.companyName, input.amountCents, remark),
    agentId: input.agentId,
    holding: 'ledger.changes',
    topic: 'Credit_Notify',
    link: `/admin/order/${documentNo}`,
    args: { documentNo, asset: 'token', amount: input.amountCents },
  })
  const after = await balancesOf(ctx, agentId)
  return { documentNo, balanceAfterCents: after.tokenCents }
}
