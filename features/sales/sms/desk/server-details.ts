// An order of SMS as it opens: a package, a gift, a recall, or an agent's own recharge.
import { and, eq } from 'drizzle-orm'
import {
  type DetailsKind,
  fact,
  factsOf,
  stateOf,
  tableOf,
  undoneOf,
} from '#features/money/ledger/server-details.ts'
import { hasUndo } from '#features/sales/sms/rules.ts'
import { smsOrders } from '#features/sales/sms/tables.ts'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { amountText, countText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { ownRows } from '#server/ctx.ts'
import { SMS_ORDER_FIELDS } from './fields.ts'
import { SHOWN_STATUS } from './server-list.ts'

const AMOUNTS: readonly string[] = ['package', 'recharge']

export const SMS_DETAILS: DetailsKind = {
  permissions: ['smsDesk.orders', 'smsDesk.changes', 'smsDesk.merchantChanges', 'ledger.changes'],
  numbers: { number: smsOrders.orderNo, agentId: smsOrders.agentId },
  async find(ctx, orderNo) {
    const [found] = await ctx.db
      .select({ order: smsOrders, shown: SHOWN_STATUS })
      .from(smsOrders)
      .where(and(eq(smsOrders.orderNo, orderNo), ownRows(ctx, smsOrders.agentId)))
    if (!found) return null
    const { order, shown } = found
    const unit = order.kind === 'recharge' ? '元' : '代币'
    return {
      kind: 'sms',
      orderNo,
      agentId: order.agentId,
      merchantId: order.merchantId,
      title: `${order.name} ${countText(order.pieces, '条')}`,
      state: stateOf(SMS_ORDER_FIELDS.status, shown),
      bought: [
        ...factsOf(SMS_ORDER_FIELDS, order, 'kind', 'name'),
        ...fact(SMS_ORDER_FIELDS.pieces.label, countText(order.pieces, '条')),
        ...fact('其中赠送', order.bonusPieces > 0 ? countText(order.bonusPieces, '条') : null),
      ],
      amounts: AMOUNTS.includes(order.kind)
        ? [
            ...fact('原价', amountText(order.originalCents, unit)),
            ...fact('折扣', formatDiscount(order.discountBasisPoints)),
            ...fact('优惠', order.offer),
            ...fact('金额', amountText(order.totalCents, unit)),
            ...factsOf(SMS_ORDER_FIELDS, order, 'payMethod'),
          ]
        : factsOf(SMS_ORDER_FIELDS, order, 'payMethod'),
      made: factsOf(
        { ...SMS_ORDER_FIELDS, createdAt: { ...SMS_ORDER_FIELDS.createdAt, label: '下单时间' } },
        order,
        'createdByName',
        'createdAt',
        'paidAt',
      ),
      tables: tableOf(
        '短信变化',
        ['时间', '原因', '#操作前条数', '#操作后条数'],
        [
          [order.paidAt, SMS_ORDER_FIELDS.kind.words[order.kind], order.smsBefore, order.smsAfter] as const,
          [
            order.kind === 'recall' ? null : order.changedAt,
            order.kind === 'recharge' ? '退款' : '撤销',
            order.changeBefore,
            order.changeAfter,
          ] as const,
        ].flatMap(([at, why, before, after]) =>
          at === null || before === null || after === null
            ? []
            : [{ cells: [formatInstant(at), why, countText(before, '条'), countText(after, '条')] }],
        ),
      ),
      remark: order.remark,
      batchNo: null,
      undone: undoneOf(order),
      undoKind: hasUndo(order.kind) ? 'sms' : null,
    }
  },
}
