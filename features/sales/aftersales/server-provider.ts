// Moving a shop and its branches to another agent (D2 §7 FindMerchantsByAccount, adjustmentService).

import { and, asc, desc, eq, gt, ilike, inArray, or, sql } from 'drizzle-orm'
import { balancesOf } from '#features/money/ledger/server.ts'
import { moveMerchantAccounts } from '#features/money/ledger/server-move.ts'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { holdAgent } from '#features/office/agents/server-operator.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { noticeTextsIn } from '#features/office/notices/server-texts.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { QUOTE_VALID_MS } from '#features/sales/orders/rules.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { moveServices } from '#features/sales/services/server-move.ts'
import { merchantServices } from '#features/sales/services/tables.ts'
import { lockGroup, moveToAgent } from '#features/shops/merchants/server-changes.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import type { aftersales as contract } from './contract.ts'
import { TOOL } from './fields.ts'
import { refuseMoved, refuseProvider, TOOL_REFUSALS, type ToolRefusal } from './rules.ts'
import { recordAction } from './server-actions.ts'
import { branchesOf, shopOf, shopWithId } from './server-shop.ts'

type Preview = Out<typeof contract.movePreview>
const OPEN_ORDERS_SHOWN = 20
const PROVIDERS_OFFERED = 20

export const findForMove: Verb<typeof contract.providerFind> = async (ctx, { search }) => {
  return { shop: await shopOf(ctx, search, 'SEARCH_REQUIRED') }
}

export const listProviders: Verb<typeof contract.providers> = async (ctx, { search }) => {
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const byId = search && /^\d{1,15}$/.test(search) ? eq(agents.id, Number(search)) : undefined
  const rows = await ctx.db
    .select({ id: agents.id, companyName: agents.companyName })
    .from(agents)
    .where(and(agents.enabled, ownRows(ctx, agents.id), or(byId, ilike(agents.companyName, pattern))))
    .orderBy(asc(agents.id))
    .limit(PROVIDERS_OFFERED)
  return { rows }
}

export async function movePreview(ctx: Ctx, input: In<typeof contract.movePreview>): Promise<Preview> {
  const shop = found(await shopWithId(ctx, input.id))
  const branches = await branchesOf(ctx, shop.id)
  const ids = [shop.id, ...branches.map(branch => branch.id)]
  const from = found(await providerOf(ctx, shop.agentId))
  const to = input.agentId === undefined ? null : await providerOf(ctx, input.agentId)
  const code = refuseMoved(shop) ?? refuseChosen(shop.agentId, input.agentId, to)
  return {
    shop,
    branches,
    from,
    to,
    smsBalance: await smsOf(ctx, ids),
    services: await ctx.db.$count(
      merchantServices,
      and(inArray(merchantServices.merchantId, ids), ownRows(ctx, merchantServices.agentId)),
    ),
    openOrders: await quotesOf(ctx, ids),
    refusal: code && { code, message: TOOL_REFUSALS[code] },
  }
}

export const moveShop: Verb<typeof contract.move> = async (ctx, input) => {
  refuseBroken(TOOL, { reason: input.reason })
  const { head, branches } = await lockGroup(ctx, input.id)
  if (head.revision !== input.revision) refuseCommon('STALE')
  refuse(refuseMoved(head), TOOL_REFUSALS)
  await holdAgent(ctx, input.agentId)
  const to = await providerOf(ctx, input.agentId)
  refuse(refuseChosen(head.agentId, input.agentId, to), TOOL_REFUSALS, { field: 'agentId' })
  const from = found(await providerOf(ctx, head.agentId))
  const ids = [head.id, ...branches.map(branch => branch.id)]
  await moveToAgent(ctx, ids, input.agentId)
  await moveServices(ctx, ids, input.agentId)
  const names = {
    name: '服务商',
    before: `${from.companyName} (${from.id})`,
    after: `${to?.companyName} (${input.agentId})`,
  }
  const along =
    branches.length > 0 ? [{ name: '随同分店', before: null, after: countText(branches.length, '家') }] : []
  await recordAction(ctx, 'provider', head, [names, ...along], input.reason)
  for (const id of ids) await moveMerchantAccounts(ctx, id)
  await tellBoth(ctx, head, { from, to: found(to) }, branches.length)
  return { id: head.id, agentId: input.agentId, moved: ids.length }
}

type Provider = { id: number; companyName: string }

async function tellBoth(
  ctx: Ctx,
  shop: { id: number; shopName: string },
  { from, to }: { from: Provider; to: Provider },
  branches: number,
): Promise<void> {
  const name = `${shop.shopName} (${shop.id})${branches > 0 ? `及 ${branches} 家分店` : ''}`
  const both = {
    holding: 'merchants.list',
    exceptActor: true,
    merchantId: shop.id,
    topic: 'ShopMoved_Notify',
    args: { merchantId: shop.id, from: from.id, to: to.id },
  } as const
  const textOf = await noticeTextsIn(ctx)
  await notify(ctx, {
    ...both,
    agentId: from.id,
    ...textOf('shop-moved-out', { shop: name, company: to.companyName }),
    link: '/admin/merchant/myMerchant',
  })
  await notify(ctx, {
    ...both,
    agentId: to.id,
    ...textOf('shop-moved-in', { shop: name, company: from.companyName }),
    link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
  })
}

/** An agent that is not there is refused differently from none chosen. */
function refuseChosen(
  agentId: number,
  chosen: number | undefined,
  provider: { id: number; enabled: boolean } | null,
): ToolRefusal | null {
  return chosen !== undefined && !provider ? 'AGENT_UNKNOWN' : refuseProvider(agentId, provider)
}

async function providerOf(ctx: Ctx, id: number): Promise<Preview['to']> {
  const [agent] = await ctx.db
    .select({
      id: agents.id,
      companyName: agents.companyName,
      levelName: agentLevels.name,
      discountBasisPoints: discountNow(),
      enabled: agents.enabled,
    })
    .from(agents)
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
  return agent ? { ...agent, ...(await balancesOf(ctx, id)) } : null
}

async function smsOf(ctx: Ctx, merchantIds: number[]): Promise<number> {
  const [held] = await ctx.db
    .select({ sms: sql<number>`coalesce(sum(${ledgerAccounts.balance}), 0)`.mapWith(Number) })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.ownerKind, 'merchant'),
        inArray(ledgerAccounts.ownerId, merchantIds),
        eq(ledgerAccounts.asset, 'sms'),
        ownRows(ctx, ledgerAccounts.agentId),
      ),
    )
  return held?.sms ?? 0
}

/** Quotes that could still be confirmed today; once the shop has moved its confirm is refused. */
function quotesOf(ctx: Ctx, merchantIds: number[]): Promise<Preview['openOrders']> {
  const since = new Date(ctx.now.getTime() - QUOTE_VALID_MS).toISOString()
  return ctx.db
    .select({
      orderNo: versionOrders.orderNo,
      content: versionOrders.content,
      totalCents: versionOrders.totalCents,
      createdAt: versionOrders.createdAt,
    })
    .from(versionOrders)
    .where(
      and(
        inArray(versionOrders.merchantId, merchantIds),
        eq(versionOrders.status, 'quoted'),
        gt(versionOrders.createdAt, since),
        ownRows(ctx, versionOrders.agentId),
      ),
    )
    .orderBy(desc(versionOrders.id))
    .limit(OPEN_ORDERS_SHOWN)
}
