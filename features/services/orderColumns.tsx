// Columns that every list of orders has.
import { SHOWN_ORDER_CHARS } from '#features/orders/rules.ts'
import { Copyable, Count } from '#web/format.tsx'
import type { ListColumn } from '#web/ListPage.tsx'

/** The number's last characters (decisions.md); a click copies all of it. */
export function orderNoColumn<Row extends { orderNo: string }>(): ListColumn<Row> {
  return {
    key: 'orderNo',
    title: '订单号',
    width: 108,
    fixed: 'start',
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-SHOWN_ORDER_CHARS)} />,
    card: 'hidden',
  }
}

export function indexColumn<Row extends { index: number }>(): ListColumn<Row> {
  return {
    key: 'index',
    title: '序号',
    width: 52,
    align: 'right',
    render: row => <Count value={row.index} />,
    card: 'hidden',
  }
}

/** For vendor staff, who see all agents' orders. */
export function agentColumn<Row extends { agentId: number; agentName: string }>(): ListColumn<Row> {
  const text = (row: Row) => `${row.agentName}（${row.agentId}）`
  return { key: 'agentName', title: '代理商', width: 200, copy: text, render: text, card: 'fact' }
}
