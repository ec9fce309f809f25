// A version order as it opens: what was bought, for how much, and what it changed at each shop.
import { and, asc, eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import {
  type DetailsKind,
  fact,
  factsOf,
  stateOf,
  tableOf,
  undoneOf,
} from '#features/money/ledger/server-details.ts'
import { accounts } from '#features/office/access/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { durationText, formatDiscount } from '#features/shops/versions/rules.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { amountText, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { ORDER_FIELDS } from './fields.ts'
import { versionOrderEffects, versionOrders } from './tables.ts'

const before = alias(versions, 'version_before')
const after = alias(versions, 'version_after')

export const VERSION_DETAILS: DetailsKind = {
  permissions: ['orders.list', 'settlement.bills', 'ledger.changes'],
  numbers: { number: versionOrders.orderNo, agentId: versionOrders.agentId },
  async find(ctx, orderNo) {
    const [found] = await ctx.db
      .select({ order: versionOrders, versionName: versions.name, actorName: accounts.name })
      .from(versionOrders)
      .innerJoin(versions, eq(versions.id, versionOrders.versionId))
      .leftJoin(accounts, eq(accounts.id, versionOrders.createdBy))
      .where(and(eq(versionOrders.orderNo, orderNo), ownRows(ctx, versionOrders.agentId)))
    if (!found) return null
    const { order, versionName, actorName } = found
    const duration = durationText(order.term, order.periods)
    return {
      kind: 'version',
      orderNo,
      agentId: order.agentId,
      merchantId: order.merchantId,
      title: order.content,
      state: stateOf(ORDER_FIELDS.status, order.status),
      bought: [
        ...factsOf(ORDER_FIELDS, { ...order, versionName, duration }, 'versionName', 'salesType', 'duration'),
        ...fact('店铺数', `${formatCount(order.branches > 0 ? order.branches + 1 : order.shops)} 家`),
        ...fact('单价', `${amountText(order.unitCents, '代币')} / ${order.unit}`),
      ],
      amounts: [
        ...factsOf(ORDER_FIELDS, order, 'originalCents'),
        ...fact('折扣', formatDiscount(order.discountBasisPoints)),
        ...fact('优惠', order.offer),
        ...factsOf(ORDER_FIELDS, order, 'totalCents', 'payMethod'),
      ],
      made: factsOf(ORDER_FIELDS, { ...order, actorName }, 'actorName', 'createdAt', 'paidAt'),
      tables: await effectsTable(ctx, order.id),
      remark: order.remark,
      batchNo: order.batchNo,
      undone: undoneOf(order),
      undoKind: 'version',
    }
  },
}

/** Version, end and shops of each shop before the order and after it; an order that opened a shop has none. */
async function effectsTable(ctx: Ctx, orderId: number) {
  const rows = await ctx.db
    .select({
      effect: versionOrderEffects,
      shopName: merchants.shopName,
      before: before.name,
      after: after.name,
    })
    .from(versionOrderEffects)
    .innerJoin(before, eq(before.id, versionOrderEffects.versionBefore))
    .innerJoin(after, eq(after.id, versionOrderEffects.versionAfter))
    .leftJoin(
      merchants,
      and(eq(merchants.id, versionOrderEffects.merchantId), ownRows(ctx, merchants.agentId)),
    )
    .where(and(eq(versionOrderEffects.orderId, orderId), ownRows(ctx, versionOrderEffects.agentId)))
    .orderBy(asc(versionOrderEffects.id))
  return tableOf(
    '商户变化',
    ['商户', '版本', '原到期时间', '新到期时间', '#店铺数'],
    rows.map(({ effect, shopName, ...versionNames }) => ({
      merchantId: shopName === null ? null : effect.merchantId,
      cells: [
        shopName === null
          ? `已转至其他服务商（${effect.merchantId}）`
          : `${shopName}（${effect.merchantId}）`,
        changed(versionNames.before, versionNames.after),
        endText(effect.expiresBefore),
        endText(effect.expiresAfter),
        changed(formatCount(effect.shopsBefore), formatCount(effect.shopsAfter)),
      ],
    })),
  )
}

function changed(from: string, to: string): string {
  return from === to ? to : `${from} → ${to}`
}

function endText(at: string | null): string {
  return at === null ? '永久' : formatInstant(at)
}
