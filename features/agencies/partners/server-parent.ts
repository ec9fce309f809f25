// Under whom a partner stands: what another parent would change, and the change, told to all whom it concerns.
import { and, eq, inArray } from 'drizzle-orm'
import {
  type Agent,
  depthBelow,
  lockAgent,
  lockTree,
  moveUnder,
  parentOf,
} from '#features/office/agents/server-operator.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { merchantCounts } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { partners as contract } from './contract.ts'
import { effectsOfMove, MOVE_REFUSALS, PARTNER_REFUSALS, refuseMoving, refuseParent } from './rules.ts'
import { refuseField } from './server-take-on.ts'

const VENDOR = '厂商直属'

export const previewParent: Verb<typeof contract.previewParent> = async (ctx, { id, parentId }) => {
  const [row] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
  const agent = found(row)
  const wanted = parentId ?? null
  const parent = agent.parentId === null ? null : ((await parentOf(ctx, agent.parentId)) ?? null)
  const next = wanted === null ? undefined : await parentOf(ctx, wanted)
  const stays = refuseMoving(agent, wanted)
  const code = wanted === null ? null : refuseParent(next, { id, depthBelow: await depthBelow(ctx, id) })
  return {
    companyName: agent.companyName,
    parent: parent && { id: parent.id, companyName: parent.companyName },
    refusal: stays ? MOVE_REFUSALS[stays] : code && PARTNER_REFUSALS[code],
    effects: effectsOfMove({
      companyName: agent.companyName,
      before: parent?.companyName ?? null,
      after: next?.companyName ?? null,
      shops: await shopsOf(ctx, id),
      children: await countBelow(ctx, id),
    }),
  }
}

async function shopsOf(ctx: Ctx, id: number): Promise<number> {
  const [row] = await ctx.db
    .select({ total: merchantCounts.total })
    .from(merchantCounts)
    .where(eq(merchantCounts.agentId, id))
  return row?.total ?? 0
}

/** Those right below, and those below them. */
async function countBelow(ctx: Ctx, id: number): Promise<number> {
  const children = ctx.db.select({ id: agents.id }).from(agents).where(eq(agents.parentId, id))
  const direct = await ctx.db.$count(agents, eq(agents.parentId, id))
  return direct === 0 ? 0 : direct + (await ctx.db.$count(agents, inArray(agents.parentId, children)))
}

export const changeParent: Verb<typeof contract.changeParent> = async (ctx, { id, parentId, seen }) => {
  await lockTree(ctx)
  const agent = await lockAgent(ctx, id)
  if (agent.parentId !== seen) refuseCommon('STALE')
  refuse(refuseMoving(agent, parentId), MOVE_REFUSALS, { field: 'parentId' })
  const next = parentId === null ? undefined : await parentOf(ctx, parentId)
  if (parentId !== null)
    refuseField(refuseParent(next, { id, depthBelow: await depthBelow(ctx, id) }), 'parentId')
  const before = agent.parentId === null ? undefined : await parentOf(ctx, agent.parentId)
  await moveUnder(ctx, id, parentId)
  await tellOfParent(ctx, agent, parentId)
  ctx.about(id)
  ctx.object('agent', ...[id, agent.parentId, parentId].filter(one => one !== null))
  ctx.note(`${agent.companyName} (${id})`, [
    { name: '上级', before: before?.companyName ?? VENDOR, after: next?.companyName ?? VENDOR },
  ])
  return { id }
}

/** Those above it, before and now, and its own people. */
export async function tellOfParent(ctx: Ctx, agent: Agent, parentId: number | null): Promise<void> {
  const { id, companyName } = agent
  const next = parentId === null ? undefined : await parentOf(ctx, parentId)
  const above = {
    topic: 'Partner_Notify',
    holding: 'settlement.subAgents',
    link: '/admin/detail/subAgents',
  } as const
  if (agent.parentId !== null)
    await notify(ctx, {
      ...above,
      agentId: agent.parentId,
      title: '下级代理已调整',
      body: `${companyName}不再是贵公司的下级代理，其商户和余额不再显示。`,
      args: { agentId: id },
    })
  if (parentId !== null)
    await notify(ctx, {
      ...above,
      agentId: parentId,
      title: '新增下级代理',
      body: `${companyName}已成为贵公司的下级代理，可以查看其商户并划拨代币。`,
      args: { agentId: id },
    })
  await notify(ctx, {
    agentId: id,
    topic: 'Partner_Notify',
    title: '上级已调整',
    body: next
      ? `贵公司的上级调整为${next.companyName}。等级、价格、余额和商户不变。`
      : '贵公司调整为厂商直属。等级、价格、余额和商户不变。',
    link: '/admin/index',
  })
}
