import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { textOf } from '#kit/field-text.ts'
import { headOf } from '#kit/fields.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button, buttonLook } from '#web/Button.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useChips } from '#web/list/useChips.ts'
import { useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
import type { orders } from './contract.ts'
import { ORDER_FIELDS, VERSION_ORDERS } from './fields.ts'
import { ORDER_OPTIONS, shopText } from './orderCells.tsx'
import styles from './orders-print.module.css'
import { SHOPS_CAPPED_TEXT } from './rules.ts'

const ordersApi = api<typeof orders>('orders')

type Printed = Out<typeof orders.printable>
type Row = Printed['rows'][number]
type Printable = keyof Row & keyof typeof ORDER_FIELDS

/** The columns on paper, with heads of their own where the list's are too long. */
const PRINTED: readonly (readonly [key: Printable, head?: string])[] = [
  ['orderNo'],
  ['shopName', '商户'],
  ['account'],
  ['content'],
  ['duration'],
  ['salesType', '类型'],
  ['status', '状态'],
  ['payMethod'],
  ['originalCents'],
  ['totalCents'],
  ['actorName'],
  ['paidAt'],
  ['agentName'],
  ['remark'],
]

/** What is filtered in the list, laid out for paper (D3 §7 PTGetOrderList_Printing). */
export default function VersionOrdersPrintPage() {
  const [{ page: _page, size: _size, ...filters }] = useListParams(VERSION_ORDERS)
  const printed = useQuery({
    ...ordersApi.printable.query(filters),
    // The paper shows one moment.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const chips = useChips(VERSION_ORDERS.filters, ORDER_OPTIONS, filters)
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
  const shown = PRINTED.filter(([key]) => isVendorStaff || key !== 'agentName')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className={styles.orderPrintScroll} tabIndex={0} aria-label="订单明细">
      <table>
        <thead>
          <tr>
            {shown.map(([key, head]) => (
              <th key={key} scope="col" data-align={ORDER_FIELDS[key].kind === 'money' ? 'right' : undefined}>
                {head ?? headOf(ORDER_FIELDS[key])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              {shown.map(([key]) => (
                <PaperCell key={key} row={row} name={key} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function PaperCell({ row, name }: { row: Row; name: Printable }) {
  const field = ORDER_FIELDS[name]
  if (name === 'shopName')
    return (
      <td>
        {shopText(row)}
        {row.merchantId !== null && <span className={look.number}> {row.merchantId}</span>}
      </td>
    )
  const isNumber = name === 'orderNo' || ['digits', 'phone', 'money', 'instant'].includes(field.kind)
  return (
    <td
      className={isNumber ? `${look.number} ${styles.orderPrintNumber}` : undefined}
      data-align={field.kind === 'money' ? 'right' : undefined}
      data-whole={field.kind === 'word' || undefined}
    >
      {row[name] === null ? '—' : textOf(field, row[name])}
    </td>
  )
}
