// Tokens bought from outside as they open, and the payment from outside of any order.
import { and, asc, eq } from 'drizzle-orm'
import { DOCUMENT_FIELDS } from '#features/money/ledger/fields.ts'
import { type DetailsKind, fact, factsOf, tableOf } from '#features/money/ledger/server-details.ts'
import { amountText, formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import {
  ATTEMPT_STATUSES,
  CHANNEL_NAMES,
  INTENT_STATUSES,
  REFUND_REASONS,
  REFUND_STATUSES,
  TOKEN_ORDER_STATUSES,
} from './rules.ts'
import { paymentAttempts, paymentIntents, paymentRefunds, tokenOrders } from './tables.ts'

const TONES = { quoted: 'attention', paid: 'done', refunded: 'neutral' } as const

export const TOKEN_DETAILS: DetailsKind = {
  permissions: ['ledger.changes', 'paymentDesk.manage'],
  numbers: { number: tokenOrders.orderNo, agentId: tokenOrders.agentId },
  async find(ctx, orderNo) {
    const [order] = await ctx.db
      .select()
      .from(tokenOrders)
      .where(and(eq(tokenOrders.orderNo, orderNo), ownRows(ctx, tokenOrders.agentId)))
    if (!order) return null
    const tokens = amountText(order.tokenCents, '代币')
    return {
      kind: 'token',
      orderNo,
      agentId: order.agentId,
      merchantId: null,
      title: `代币充值 ${tokens}`,
      state: { text: TOKEN_ORDER_STATUSES[order.status], tone: TONES[order.status] },
      bought: [
        ...fact('充值内容', tokens),
        ...fact('其中赠送', order.bonusCents > 0 ? amountText(order.bonusCents, '代币') : null),
      ],
      amounts: [
        ...fact('优惠', order.offer),
        ...fact('支付金额', amountText(order.amountFen, '元')),
        ...factsOf(DOCUMENT_FIELDS, order, 'payMethod'),
      ],
      made: [
        ...fact(DOCUMENT_FIELDS.actorName.label, order.createdByName),
        ...fact('下单时间', formatInstant(order.createdAt)),
        ...fact('支付时间', order.paidAt && formatInstant(order.paidAt)),
      ],
      tables: [],
      remark: '',
      batchNo: null,
      undone: null,
      undoKind: null,
    }
  },
}

/** How an order was paid from outside: the payment, what its channels know of it, and what went back. */
export async function paymentTables(ctx: Ctx, orderNo: string) {
  const [intent] = await ctx.db
    .select()
    .from(paymentIntents)
    .where(and(eq(paymentIntents.orderNo, orderNo), ownRows(ctx, paymentIntents.agentId)))
  if (!intent) return []
  const [attempts, refunds] = await together([
    ctx.db
      .select()
      .from(paymentAttempts)
      .where(and(eq(paymentAttempts.intentId, intent.id), ownRows(ctx, paymentAttempts.agentId)))
      .orderBy(asc(paymentAttempts.id)),
    ctx.db
      .select({ refund: paymentRefunds })
      .from(paymentRefunds)
      .innerJoin(paymentAttempts, eq(paymentAttempts.id, paymentRefunds.attemptId))
      .where(and(eq(paymentAttempts.intentId, intent.id), ownRows(ctx, paymentRefunds.agentId)))
      .orderBy(asc(paymentRefunds.id)),
  ])
  return [
    ...tableOf(
      '支付单',
      ['支付单号', '#金额（元）', '状态', '支付渠道', '支付时间'],
      [
        {
          cells: [
            intent.id,
            formatCents(intent.amountFen),
            INTENT_STATUSES[intent.status],
            intent.paidBy ? CHANNEL_NAMES[intent.paidBy] : '—',
            intent.paidAt ? formatInstant(intent.paidAt) : '—',
          ],
        },
      ],
    ),
    ...tableOf(
      '渠道订单',
      ['渠道', '商户单号', '渠道单号', '状态', '支付时间'],
      attempts.map(attempt => ({
        cells: [
          CHANNEL_NAMES[attempt.channel],
          attempt.outTradeNo,
          attempt.transactionId ?? '—',
          ATTEMPT_STATUSES[attempt.status],
          attempt.paidAt ? formatInstant(attempt.paidAt) : '—',
        ],
      })),
    ),
    ...tableOf(
      '退款',
      ['退款单号', '#金额（元）', '状态', '原因', '时间', '操作人'],
      refunds.map(({ refund }) => ({
        cells: [
          refund.refundNo,
          formatCents(refund.amountFen),
          REFUND_STATUSES[refund.status],
          refund.remark
            ? `${REFUND_REASONS[refund.reason]}：${refund.remark}`
            : REFUND_REASONS[refund.reason],
          formatInstant(refund.doneAt ?? refund.createdAt),
          refund.createdByName,
        ],
      })),
    ),
  ]
}
