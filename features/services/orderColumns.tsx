// Columns that every list of orders has.
import { PAY_METHODS, type PayMethod } from '#features/ledger/rules.ts'
import { SHOWN_ORDER_CHARS } from '#features/orders/rules.ts'
import { Copyable, Count } from '#web/format.tsx'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { wordColumn } from '#web/list/listColumns.tsx'
import { look } from '#web/look.ts'

/** Its width and where it shows; also what it renders, where that is more than the field. */
type Look<Row> = Partial<Omit<ListColumn<Row>, 'key' | 'title'>>

/** The number's last characters (decisions.md); a click copies all of it. */
export function orderNoColumn<Row extends { orderNo: string }>(layout: Look<Row> = {}): ListColumn<Row> {
  return {
    key: 'orderNo',
    title: '订单号',
    width: 100,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'hidden',
    ...layout,
  }
}

export function indexColumn<Row extends { index: number }>(): ListColumn<Row> {
  return countColumn('index', '序号', { width: 48, copy: undefined })
}

/** A whole number, grouped; '—' where there is none. */
export function countColumn<Key extends string, Row extends Record<Key, number | null>>(
  key: Key,
  title: string,
  layout: Look<Row>,
): ListColumn<Row> {
  const shown = (value: number | null) => (value === null ? '—' : <Count value={value} />)
  const text = (value: number | null) => (value === null ? '' : String(value))
  return {
    key,
    title,
    align: 'right',
    copy: row => text(row[key]),
    render: row => shown(row[key]),
    ...layout,
  }
}

/** An id or a phone: digits that are not grouped. */
export function numberColumn<Key extends string, Row extends Record<Key, number | string | null>>(
  key: Key,
  title: string,
  layout: Look<Row>,
): ListColumn<Row> {
  const shown = (row: Row) => <span className={look.number}>{row[key] ?? '—'}</span>
  return { key, title, copy: row => String(row[key] ?? ''), render: shown, ...layout }
}

/** Of the agent's own orders and of quotes for new shops: none. */
export function merchantIdColumn<Row extends { merchantId: number | null }>(
  layout: Look<Row> = {},
): ListColumn<Row> {
  return numberColumn('merchantId', '商户ID', { width: 80, ...layout })
}

type OfShop = { merchantId: number | null; shopName: string | null }

/** `withoutShop`: what stands where the order is of no shop. */
export function shopNameColumn<Row extends OfShop>(width: number, withoutShop = '—'): ListColumn<Row> {
  return {
    key: 'shopName',
    title: '店铺名称',
    width,
    copy: row => row.shopName ?? '',
    render: row => row.shopName ?? <span className={look.quiet}>{absentShop(row, withoutShop)}</span>,
    card: 'title',
  }
}

/** Why an order has no shop to name: none is there, or it is another agent's by now. */
export function absentShop({ merchantId }: { merchantId: number | null }, withoutShop = '—'): string {
  return merchantId === null ? withoutShop : '已转至其他服务商'
}

export function payMethodColumn<Row extends { payMethod: PayMethod }>(
  layout: Look<Row> = {},
): ListColumn<Row> {
  return { ...wordColumn('payMethod', '支付方式', PAY_METHODS), width: 72, ...layout }
}

/** For vendor staff, who see all agents' orders. */
export function agentColumn<Row extends { agentId: number; agentName: string }>(
  layout: Look<Row> = {},
): ListColumn<Row> {
  const text = (row: Row) => `${row.agentName}（${row.agentId}）`
  return {
    key: 'agentName',
    title: '代理商',
    width: 244,
    copy: text,
    render: text,
    card: 'fact',
    ...layout,
  }
}
