// Orders of SMS packages and of recalled credit (D2 §2, screen 11): the page's ids through an index, totals with sums.
import { and, desc, eq, sql } from 'drizzle-orm'
import { agents } from '#features/agents/tables.ts'
import { merchants } from '#features/merchants/tables.ts'
import { searchOrders } from '#features/orders/server-search.ts'
import type { In, Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import {
  type Condition,
  conditionOf,
  equal,
  type ListSource,
  ownCondition,
  type PageIds,
  skewed,
  valuesOf,
  within,
} from '#server/list.ts'
import { rowsAndSums } from '#server/list-sums.ts'
import type { sms as contract } from './contract.ts'
import { smsOrders } from './tables.ts'

export type Filters = Omit<In<typeof contract.orders>, 'page' | 'size'>

/** The shop's name only while the shop is still the order's agent's. */
const OF_SAME_AGENT = and(eq(merchants.id, smsOrders.merchantId), eq(merchants.agentId, smsOrders.agentId))

export const ROW = {
  id: smsOrders.id,
  orderNo: smsOrders.orderNo,
  agentId: smsOrders.agentId,
  agentName: agents.companyName,
  merchantId: smsOrders.merchantId,
  shopName: merchants.shopName,
  kind: smsOrders.kind,
  name: smsOrders.name,
  pieces: smsOrders.pieces,
  totalCents: smsOrders.totalCents,
  payMethod: smsOrders.payMethod,
  status: smsOrders.status,
  smsBefore: smsOrders.smsBefore,
  smsAfter: smsOrders.smsAfter,
  remark: smsOrders.remark,
  createdByName: smsOrders.createdByName,
  createdAt: smsOrders.createdAt,
  paidAt: smsOrders.paidAt,
  undoneAt: smsOrders.undoneAt,
}

const ORDER = [desc(smsOrders.createdAt), desc(smsOrders.id)]

const SUMS = {
  totalCents: sql`case when ${smsOrders.kind} = 'recharge' then 0 else ${smsOrders.totalCents} end`,
  paidFen: sql`case when ${smsOrders.kind} = 'recharge' and ${smsOrders.status} = 'paid' then ${smsOrders.totalCents} else 0 end`,
  totalPieces: sql`case when ${smsOrders.kind} <> 'recall' and ${smsOrders.status} <> 'quoted' then ${smsOrders.pieces} else 0 end`,
  recycledCents: sql`case when ${smsOrders.status} = 'recycled' then ${smsOrders.totalCents} else 0 end`,
  recycledPieces: sql`case when ${smsOrders.status} = 'recycled' then ${smsOrders.pieces} else 0 end`,
  recalledPieces: sql`case when ${smsOrders.kind} = 'recall' then ${smsOrders.pieces} else 0 end`,
}

export async function listSmsOrders(
  ctx: Ctx,
  input: In<typeof contract.orders>,
): Promise<Out<typeof contract.orders>> {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const list: ListSource = {
    name: 'sms_orders',
    table: smsOrders,
    id: smsOrders.id,
    conditions,
    sort: 'createdAt desc',
    order: ORDER,
  }
  const answer = await rowsAndSums(ctx, list, input, page => selectRows(ctx, page), SUMS)
  return { ...answer, shopsCapped }
}

function selectRows(ctx: Ctx, page: PageIds) {
  return ctx.db
    .with(page)
    .select(ROW)
    .from(page)
    .innerJoin(smsOrders, eq(smsOrders.id, page.id))
    .innerJoin(agents, eq(agents.id, smsOrders.agentId))
    .leftJoin(merchants, OF_SAME_AGENT)
    .orderBy(...ORDER)
}

/** Every row that is filtered, in the list's order, as a statement for a cursor. */
export async function selectForExport(ctx: Ctx, filters: Filters) {
  const { conditions } = await conditionsOf(ctx, filters)
  const statement = ctx.db
    .select(ROW)
    .from(smsOrders)
    .innerJoin(agents, eq(agents.id, smsOrders.agentId))
    .leftJoin(merchants, OF_SAME_AGENT)
    .where(conditionOf({ conditions }))
    .orderBy(...ORDER)
  return { statement, values: valuesOf(conditions) }
}

async function conditionsOf(ctx: Ctx, filters: Filters) {
  const searched = await searchOrders(ctx, filters.search, smsOrders, filters.agentId)
  const conditions: Condition[] = [
    ...ownCondition(ctx, smsOrders.agentId),
    ...equal('agentId', smsOrders.agentId, filters.agentId),
    ...equal('kind', smsOrders.kind, filters.kind),
    ...skewed(equal('status', smsOrders.status, filters.status)),
    ...equal('payMethod', smsOrders.payMethod, filters.payMethod),
    ...within('created', smsOrders.createdAt, filters.from, filters.to),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}
