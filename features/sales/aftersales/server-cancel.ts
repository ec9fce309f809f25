// Cancelling a paid version order for an agent: the undo of D3 §4 by staff, with its 15 days and its second person.
import { and, desc, eq } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { searchOrders } from '#features/sales/orders/server-search.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { requestOrUndo, tokensBackOf, undoPreview } from '#features/sales/settlement/server-undo.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { amountText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { equal, type ListSource, ownCondition, type PageIds, pageOfRows } from '#server/list.ts'
import { found, refuse, refuseBroken } from '#server/refuse.ts'
import type { aftersales as contract } from './contract.ts'
import { TOOL } from './fields.ts'
import { TOOL_REFUSALS } from './rules.ts'
import { recordAction } from './server-actions.ts'

const SHOWN = 20

export const findForCancel: Verb<typeof contract.cancelFind> = async (ctx, { search }) => {
  if (!search) refuse('ORDER_SEARCH_REQUIRED', TOOL_REFUSALS, { field: 'search' })
  const found = await searchOrders(ctx, search, versionOrders)
  const list: ListSource = {
    name: 'orders to cancel',
    table: versionOrders,
    conditions: [
      ...ownCondition(ctx, versionOrders.agentId),
      ...equal('status', versionOrders.status, 'paid'),
      ...found.conditions,
    ],
    sort: 'paidAt',
    order: [desc(versionOrders.paidAt), desc(versionOrders.id)],
  }
  const rows = await pageOfRows(ctx, list, { page: 1, size: SHOWN + 1 }, page => selectOrders(ctx, page))
  return { rows: rows.slice(0, SHOWN), more: rows.length > SHOWN || found.shopsCapped }
}

function selectOrders(ctx: Ctx, page: PageIds) {
  return ctx.db
    .with(page)
    .select({
      orderNo: versionOrders.orderNo,
      merchantId: versionOrders.merchantId,
      shopName: merchants.shopName,
      account: merchants.account,
      agentId: versionOrders.agentId,
      agentName: agents.companyName,
      content: versionOrders.content,
      salesType: versionOrders.salesType,
      status: versionOrders.status,
      totalCents: versionOrders.totalCents,
      paidAt: versionOrders.paidAt,
    })
    .from(page)
    .innerJoin(versionOrders, eq(versionOrders.id, page.id))
    .innerJoin(agents, eq(agents.id, versionOrders.agentId))
    .leftJoin(merchants, and(eq(merchants.id, versionOrders.merchantId), ownRows(ctx, merchants.agentId)))
    .orderBy(desc(versionOrders.paidAt), desc(versionOrders.id))
}

export const cancelPreview: Verb<typeof contract.cancelPreview> = async (ctx, { orderNo }) => {
  if (orderNo === undefined || !(await orderOf(ctx, orderNo))) return { preview: null }
  const { previews, ...facts } = await undoPreview(ctx, { kind: 'version', orderNo })
  return { preview: { lines: previews, ...facts } }
}

export const cancelOrder: Verb<typeof contract.cancel> = async (ctx, { orderNo, reason }) => {
  refuseBroken(TOOL, { reason })
  const order = found(await orderOf(ctx, orderNo))
  const { state, previews } = await requestOrUndo(ctx, { kind: 'version', orderNo, reason })
  const tokensBackCents = tokensBackOf(previews)
  const [line] = previews
  const shop = {
    id: line?.merchantId ?? order.merchantId ?? 0,
    agentId: order.agentId,
    shopName: line?.shopName ?? '',
  }
  const changes = [
    { name: '订单号', before: null, after: orderNo },
    { name: '订单状态', before: '已支付', after: state === 'undone' ? '已撤销' : '待审批' },
    { name: '退回', before: null, after: amountText(tokensBackCents, '代币') },
  ]
  await recordAction(ctx, 'cancel', shop, changes, reason)
  return { state, tokensBackCents }
}

async function orderOf(ctx: Ctx, orderNo: string) {
  const [order] = await ctx.db
    .select({ agentId: versionOrders.agentId, merchantId: versionOrders.merchantId })
    .from(versionOrders)
    .where(and(eq(versionOrders.orderNo, orderNo), ownRows(ctx, versionOrders.agentId)))
  return order ?? null
}
