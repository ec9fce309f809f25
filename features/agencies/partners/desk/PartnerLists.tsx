// The first of a partner's shops, orders and movements, and the way to the whole lists, filtered by it.
import { useQuery } from '@tanstack/react-query'
import type { ledger } from '#features/money/ledger/contract.ts'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import type { orders } from '#features/sales/orders/contract.ts'
import { ORDER_STATUSES, SALES_TYPES } from '#features/sales/orders/rules.ts'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { termLeft } from '#features/shops/merchants/rules.ts'
import { target } from '#kit/declare/pages.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Instant, Money } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { AllOf, Lines } from './Lines.tsx'
import styles from './partner-desk.module.css'
import { SHOWN } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')
const ordersApi = api<typeof orders>('orders')
const ledgerApi = api<typeof ledger>('ledger')

const asked = (agentId: number) => ({ agentId, page: 1, size: SHOWN })
const totalText = ({ total, totalCapped }: { total: number; totalCapped: boolean }) =>
  `全部 ${formatCount(total)}${totalCapped ? '+' : ''}`

export function ShopsTab({ id }: { id: number }) {
  const query = useQuery(merchantsApi.list.query(asked(id)))
  const { data } = query
  return (
    <Lines
      label="最近注册的商户"
      query={query}
      {...(data && {
        whole: { ...target('/admin/merchant/myMerchant', { agentId: id }), text: totalText(data) },
      })}
      empty="还没有商户"
      lines={data?.rows.map(shop => ({
        key: shop.id,
        title: (
          <Link to="/admin/merchant/merchantDetails" search={{ user_id: shop.id }}>
            {shop.shopName}
          </Link>
        ),
        note: `${shop.id} · ${shop.personName} ${shop.account}`,
        value: shop.versionName,
        aside: shop.expiresAt === null ? '永久' : termLeft(shop.expiresAt, new Date()).text,
      }))}
    />
  )
}

const OTHER_ORDERS = [
  ['/admin/order/appreciationOrder', '增值服务订单'],
  ['/admin/order/msgOrder', '短信订单'],
  ['/admin/detail/billingDetails', '账单明细'],
  ['/admin/detail/statement', '月度对账单'],
] as const

export function OrdersTab({ id }: { id: number }) {
  const query = useQuery(ordersApi.list.query(asked(id)))
  const { data } = query
  return (
    <>
      <Lines
        label="最近的版本订单"
        query={query}
        {...(data && {
          whole: { ...target('/admin/order/versionsOrder', { agentId: id }), text: totalText(data) },
        })}
        empty="还没有版本订单"
        lines={data?.rows.map(order => ({
          key: order.id,
          title: (
            <>
              <OrderLink orderNo={order.orderNo} /> {order.shopName}
            </>
          ),
          note: `${order.content} · ${SALES_TYPES[order.salesType]} · ${ORDER_STATUSES[order.status]}`,
          value: (
            <>
              <Money cents={order.totalCents} /> 代币
            </>
          ),
          aside: <Instant at={order.createdAt} />,
        }))}
      />
      <Others id={id} of={OTHER_ORDERS} />
    </>
  )
}

const OTHER_MOVEMENTS = [
  ['/admin/detail/merchantMsgChanges', '短信变动'],
  ['/admin/detail/statement', '月度对账单'],
] as const

export function LedgerTab({ id }: { id: number }) {
  const query = useQuery(ledgerApi.changes.query(asked(id)))
  const { data } = query
  return (
    <>
      <Lines
        label="最近的余额变动"
        query={query}
        {...(data && {
          whole: { ...target('/admin/detail/personalDetails', { agentId: id }), text: totalText(data) },
        })}
        empty="还没有余额变动"
        lines={data?.rows.map(row => ({
          key: row.id,
          title: row.description,
          note: (
            <>
              <OrderLink orderNo={row.orderNo} /> · {row.actorName}
              {row.remark && ` · ${row.remark}`}
            </>
          ),
          value: (
            <>
              <Money cents={row.amountCents} signed /> 代币
            </>
          ),
          aside: (
            <>
              余额 {formatCents(row.balanceAfterCents)} · <Instant at={row.createdAt} />
            </>
          ),
        }))}
      />
      <Others id={id} of={OTHER_MOVEMENTS} />
    </>
  )
}

function Others({ id, of }: { id: number; of: typeof OTHER_ORDERS | typeof OTHER_MOVEMENTS }) {
  return (
    <p className={styles.others}>
      {of.map(([path, text]) => (
        <AllOf key={path} {...target(path, { agentId: id })} text={text} />
      ))}
    </p>
  )
}
