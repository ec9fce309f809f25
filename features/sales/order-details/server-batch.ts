// A bulk renewal as it opens.
import { and, asc, eq, ne } from 'drizzle-orm'
import { type DetailsKind, fact, factsOf, tableOf } from '#features/money/ledger/server-details.ts'
import { accounts } from '#features/office/access/tables.ts'
import { ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import { contentBeside, ORDER_STATUSES } from '#features/sales/orders/rules.ts'
import { shopOf } from '#features/sales/orders/server-search.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { renewalBatches } from '#features/sales/purchases/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { durationText } from '#features/shops/versions/rules.ts'
import { amountText, countText, formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { BATCH_STATES, batchStateOf } from './rules.ts'

export const BATCH_DETAILS: DetailsKind = {
  permissions: ['orders.list', 'settlement.bills', 'ledger.changes'],
  numbers: { number: renewalBatches.batchNo, agentId: renewalBatches.agentId },
  async find(ctx, batchNo) {
    const rows = await ordersOf(ctx, batchNo)
    const [first] = rows
    if (!first) return null
    const { order } = first
    const standing = rows.filter(row => row.order.status === 'paid')
    const sumOf = (some: typeof rows) => some.reduce((sum, row) => sum + row.order.totalCents, 0)
    const state = batchStateOf(rows.length, rows.length - standing.length)
    const backCents = sumOf(rows) - sumOf(standing)
    return {
      kind: 'batch',
      orderNo: batchNo,
      agentId: order.agentId,
      merchantId: null,
      title: `批量续费 ${countText(rows.length, '家')}`,
      state: { text: BATCH_STATES[state], tone: state === 'paid' ? 'done' : 'neutral' },
      bought: [
        ...fact('商户', countText(rows.length, '家')),
        ...fact(ORDER_FIELDS.duration.label, durationText(order.term, order.periods)),
        ...fact(
          '其中已撤销',
          standing.length < rows.length ? countText(rows.length - standing.length, '家') : null,
        ),
      ],
      amounts: [
        ...fact(ORDER_FIELDS.totalCents.label, amountText(sumOf(rows), '代币')),
        ...fact('其中已退回', backCents > 0 ? amountText(backCents, '代币') : null),
        ...factsOf(ORDER_FIELDS, order, 'payMethod'),
      ],
      made: factsOf(ORDER_FIELDS, { ...order, actorName: first.actorName }, 'actorName', 'paidAt'),
      tables: tableOf(
        '商户订单',
        ['订单号', '商户', '版本', '#结算（代币）', '状态', '撤销'],
        rows.map(row => ({
          orderNo: row.order.orderNo,
          cells: [
            row.order.orderNo.slice(-8),
            row.shopName ? `${row.shopName}（${row.order.merchantId}）` : '已转至其他服务商',
            contentBeside(row.order.content, row.shopName),
            row.order.offer === ''
              ? formatCents(row.order.totalCents)
              : `${formatCents(row.order.totalCents)}（${row.order.offer}）`,
            ORDER_STATUSES[row.order.status],
            row.order.undoneAt ? `${row.order.undoneByName} ${formatInstant(row.order.undoneAt)}` : '—',
          ],
        })),
      ),
      remark: order.remark,
      batchNo: null,
      undone: null,
      undoKind: 'batch',
    }
  },
}

/** Those of a batch that were paid, undone ones too. */
function ordersOf(ctx: Ctx, batchNo: string) {
  return ctx.db
    .select({ order: versionOrders, shopName: merchants.shopName, actorName: accounts.name })
    .from(versionOrders)
    .leftJoin(merchants, shopOf(versionOrders))
    .leftJoin(accounts, eq(accounts.id, versionOrders.createdBy))
    .where(
      and(
        eq(versionOrders.batchNo, batchNo),
        ne(versionOrders.status, 'quoted'),
        ownRows(ctx, versionOrders.agentId),
      ),
    )
    .orderBy(asc(versionOrders.id))
}
