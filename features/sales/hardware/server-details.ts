// An order of hardware as it opens: its goods, where it goes, how far it came.
import { and, asc, eq } from 'drizzle-orm'
import { type DetailsKind, fact, factsOf, stateOf, tableOf } from '#features/money/ledger/server-details.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { HARDWARE_ORDER_FIELDS } from './fields.ts'
import { hardwareOrderLines, hardwareOrders } from './tables.ts'

export const HARDWARE_DETAILS: DetailsKind = {
  permissions: ['hardware.orders', 'ledger.changes'],
  numbers: { number: hardwareOrders.orderNo, agentId: hardwareOrders.agentId },
  async find(ctx, orderNo) {
    const [order] = await ctx.db
      .select()
      .from(hardwareOrders)
      .where(and(eq(hardwareOrders.orderNo, orderNo), ownRows(ctx, hardwareOrders.agentId)))
    if (!order) return null
    const lines = await linesOf(ctx, order.id)
    const shown = {
      ...order,
      payMethod: 'balance',
      fullAddress: (await regionsOf(ctx)).formatAddress(order.districtCode, order.address),
    }
    const isCancelled = order.deliveryStatus === 'cancelled'
    return {
      kind: 'hardware',
      orderNo,
      agentId: order.agentId,
      merchantId: order.merchantId,
      title: lines.map(({ productName, quantity }) => `${productName} × ${quantity}`).join('，'),
      state: stateOf(HARDWARE_ORDER_FIELDS.deliveryStatus, order.deliveryStatus),
      bought: factsOf(
        HARDWARE_ORDER_FIELDS,
        shown,
        'contactName',
        'contactPhone',
        'fullAddress',
        'carrier',
        'trackingNo',
      ),
      amounts: factsOf(HARDWARE_ORDER_FIELDS, shown, 'totalCents', 'payMethod'),
      made: [
        ...fact('下单人', order.createdByName),
        ...factsOf(HARDWARE_ORDER_FIELDS, order, 'createdAt'),
        ...fact('支付时间', order.paidAt && formatInstant(order.paidAt)),
        ...factsOf(HARDWARE_ORDER_FIELDS, order, 'shippedAt'),
        ...fact('收货时间', order.receivedAt && formatInstant(order.receivedAt)),
        ...fact(isCancelled ? '取消时间' : '退货时间', order.returnedAt && formatInstant(order.returnedAt)),
        ...factsOf(HARDWARE_ORDER_FIELDS, order, 'finishedAt', 'returnCondition'),
        ...fact(isCancelled ? '取消原因' : '退货原因', order.returnReason),
      ],
      tables: tableOf(
        '商品',
        ['商品', '#单价（代币）', '#数量', '#小计（代币）'],
        lines.map(line => ({
          cells: [
            line.offer === '' ? line.productName : `${line.productName}（${line.offer}）`,
            formatCents(line.unitCents),
            formatCount(line.quantity),
            formatCents(line.totalCents),
          ],
        })),
      ),
      remark: order.remark,
      batchNo: null,
      undone: null,
      undoKind: null,
    }
  },
}

function linesOf(ctx: Ctx, orderId: number) {
  return ctx.db
    .select()
    .from(hardwareOrderLines)
    .where(and(eq(hardwareOrderLines.orderId, orderId), ownRows(ctx, hardwareOrderLines.agentId)))
    .orderBy(asc(hardwareOrderLines.id))
}
