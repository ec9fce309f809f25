import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button, buttonLook } from '#web/Button.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
import type { orders } from './contract.ts'
import { type OrderParams, useActiveFilters } from './OrderChips.tsx'
import { shopText } from './orderColumns.tsx'
import styles from './orders-print.module.css'
import { ORDER_STATUSES, SALES_TYPES, SHOPS_CAPPED_TEXT } from './rules.ts'

const ordersApi = api<typeof orders>('orders')

type Printed = Out<typeof orders.printable>

/** What is filtered in the list, laid out for paper (D3 §7 PTGetOrderList_Printing). */
export default function VersionOrdersPrintPage() {
  const [{ page: _page, size: _size, sort: _sort, order: _order, ...filters }] = useListParams<OrderParams>()
  const printed = useQuery({
    queryKey: ['orders', 'printable', filters],
    queryFn: () => ordersApi.printable(filters),
    // The paper shows one moment.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const chips = useActiveFilters()
  const conditions = [
    ...(filters.search ? [`搜索：${filters.search}`] : []),
    ...chips.map(chip => `${chip.label}：${chip.text}`),
  ]
  return (
    <section className={styles.orderPrint} aria-labelledby="order-print-title">
      <header className={styles.orderPrintBar}>
        <Link className={buttonLook()} to="/admin/order/versionsOrder" search={filters as never}>
          返回列表
        </Link>
        <Button kind="primary" disabled={!printed.data} onClick={() => print()}>
          打印
        </Button>
      </header>
      <h1 id="order-print-title">版本订单</h1>
      {printed.isError ? (
        <LoadFailure error={printed.error} onRetry={() => void printed.refetch()} />
      ) : printed.data ? (
        <Paper printed={printed.data} conditions={conditions} />
      ) : (
        <LoadingLines />
      )}
    </section>
  )
}

function Paper({ printed, conditions }: { printed: Printed; conditions: string[] }) {
  const { rows, total, totalCapped } = printed
  const isCut = total > rows.length
  return (
    <>
      <p className={styles.orderPrintFacts}>
        <span>{printed.companyName}</span>
        <span>打印人：{printed.printedBy}</span>
        <span>打印时间：{formatInstant(printed.printedAt)}</span>
        <span>条件：{conditions.length > 0 ? conditions.join('；') : '全部'}</span>
      </p>
      <p className={styles.orderPrintFacts}>
        <span>
          共 {formatCount(total)} 笔{totalCapped && '以上'}
        </span>
        <span>已支付结算 {formatCents(printed.settledCents)} 代币</span>
      </p>
      {isCut && (
        <p className={styles.orderPrintCut} role="status">
          仅打印最近 {formatCount(rows.length)} 笔，其余未列出；请缩小筛选范围，或导出全部
        </p>
      )}
      {printed.shopsCapped && <p className={styles.orderPrintCut}>{SHOPS_CAPPED_TEXT}</p>}
      {rows.length === 0 ? (
        <p className={styles.orderPrintNone}>没有符合条件的订单</p>
      ) : (
        <PaperTable rows={rows} />
      )}
    </>
  )
}

function PaperTable({ rows }: { rows: Printed['rows'] }) {
  const { isVendorStaff } = useSession()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.orderPrintScroll} tabIndex={0} aria-label="订单明细">
      <table>
        <thead>
          <tr>
            <th scope="col">订单号</th>
            <th scope="col">商户</th>
            <th scope="col">账号</th>
            <th scope="col">订单内容</th>
            <th scope="col">类型</th>
            <th scope="col">状态</th>
            <th scope="col">支付方式</th>
            <th scope="col" data-align="right">
              原价（代币）
            </th>
            <th scope="col" data-align="right">
              结算（代币）
            </th>
            <th scope="col">操作人</th>
            <th scope="col">支付时间</th>
            {isVendorStaff && <th scope="col">代理商</th>}
            <th scope="col">备注</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              <td className={`${look.number} ${styles.orderPrintNumber}`}>{row.orderNo}</td>
              <td>
                {shopText(row, row.shopName)}
                {row.merchantId !== null && <span className={look.number}> {row.merchantId}</span>}
              </td>
              <td className={`${look.number} ${styles.orderPrintNumber}`}>{row.account ?? '—'}</td>
              <td>{row.content}</td>
              <td data-whole>{SALES_TYPES[row.salesType]}</td>
              <td data-whole>{ORDER_STATUSES[row.status]}</td>
              <td data-whole>{PAY_METHODS[row.payMethod]}</td>
              <td className={`${look.number} ${styles.orderPrintNumber}`} data-align="right">
                {formatCents(row.originalCents)}
              </td>
              <td className={`${look.number} ${styles.orderPrintNumber}`} data-align="right">
                {formatCents(row.totalCents)}
              </td>
              <td>{row.actorName ?? '—'}</td>
              <td className={`${look.number} ${styles.orderPrintNumber}`}>
                {row.paidAt === null ? '—' : formatInstant(row.paidAt)}
              </td>
              {isVendorStaff && <td>{row.agentName}</td>}
              <td>{row.remark}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
