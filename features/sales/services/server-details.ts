// An order of a value-added service as it opens.
import { and, eq } from 'drizzle-orm'
import {
  type DetailsKind,
  fact,
  factsOf,
  stateOf,
  tableOf,
  undoneOf,
} from '#features/money/ledger/server-details.ts'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { amountText, countText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { ownRows } from '#server/ctx.ts'
import { SERVICE_ORDER_FIELDS } from './fields.ts'
import { SERVICE_UNITS } from './rules.ts'
import { serviceOrders, services } from './tables.ts'

export const SERVICE_DETAILS: DetailsKind = {
  permissions: ['services.orders', 'ledger.changes'],
  numbers: { number: serviceOrders.orderNo, agentId: serviceOrders.agentId },
  async find(ctx, orderNo) {
    const [found] = await ctx.db
      .select({ order: serviceOrders, unit: services.unit })
      .from(serviceOrders)
      .innerJoin(services, eq(services.id, serviceOrders.serviceId))
      .where(and(eq(serviceOrders.orderNo, orderNo), ownRows(ctx, serviceOrders.agentId)))
    if (!found) return null
    const { order, unit } = found
    const quantity = countText(order.quantity, SERVICE_UNITS[unit])
    return {
      kind: 'service',
      orderNo,
      agentId: order.agentId,
      merchantId: order.merchantId,
      title: `${order.serviceName} ${quantity}`,
      state: stateOf(SERVICE_ORDER_FIELDS.state, order.state),
      bought: [
        ...factsOf(SERVICE_ORDER_FIELDS, order, 'serviceName'),
        ...fact(unit === 'year' ? '时限' : '数量', quantity),
        ...fact('单价', `${amountText(order.unitCents, '代币')} / ${SERVICE_UNITS[unit]}`),
      ],
      amounts: [
        ...fact('原价', amountText(order.originalCents, '代币')),
        ...fact('折扣', formatDiscount(order.discountBasisPoints)),
        ...fact('优惠', order.offer),
        ...factsOf(SERVICE_ORDER_FIELDS, order, 'totalCents', 'payMethod'),
      ],
      made: factsOf(SERVICE_ORDER_FIELDS, order, 'createdByName', 'createdAt', 'paidAt'),
      tables: tableOf(
        '服务变化',
        unit === 'year' ? ['服务', '原到期时间', '新到期时间'] : ['服务', '#原数量', '#新数量'],
        [
          {
            cells:
              unit === 'year'
                ? [order.serviceName, endText(order.expiresBefore), endText(order.expiresAfter)]
                : [
                    order.serviceName,
                    countText(order.quantityBefore, '个'),
                    countText(order.quantityBefore + order.quantity, '个'),
                  ],
          },
        ],
      ),
      remark: order.remark,
      batchNo: null,
      undone: undoneOf(order),
      undoKind: 'service',
    }
  },
}

function endText(at: string | null): string {
  return at === null ? '—' : formatInstant(at)
}
