import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import { refuseUndo, SALES_TYPES, UNDO_DAYS, undoMessages } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { CancelDialog } from './CancelDialog.tsx'
import type { aftersales } from './contract.ts'
import { RecentActions } from './RecentActions.tsx'
import { TOOL_REFUSALS } from './rules.ts'
import { Found, Notes, ToolPage, ToolSearch, useToolSearch } from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')

type Order = Out<typeof aftersales.cancelFind>['rows'][number]

/** Cancel order (D3 §2): takes a paid version order back for its agent. */
export default function CancelOrderPage() {
  const [search, setSearch] = useToolSearch()
  const days = useLimit(UNDO_DAYS)
  const [cancelled, setCancelled] = useState<Order | null>(null)
  const found = useQuery({
    ...toolsApi.cancelFind.query({ search }),
    enabled: search !== '',
  })
  return (
    <ToolPage
      title="撤销订单"
      intro={`撤销已支付的版本订单：代币退回代理商，商户的版本和到期时间恢复。限支付后 ${days} 天内。`}
    >
      <ToolSearch
        label="订单"
        placeholder="订单号 / 商户ID / 账号 / 店铺名称"
        value={search}
        empty={TOOL_REFUSALS.ORDER_SEARCH_REQUIRED}
        query={found}
        onSearch={setSearch}
      />
      <Found query={found}>
        {({ rows, more }) =>
          rows.length === 0 ? (
            <p className={look.quiet}>没有匹配的已支付订单</p>
          ) : (
            <>
              <ul className={styles.toolRows} aria-label="已支付的版本订单">
                {rows.map(order => (
                  <OneOrder
                    key={order.orderNo}
                    order={order}
                    days={days}
                    onCancel={() => setCancelled(order)}
                  />
                ))}
              </ul>
              {more && <Notes notes={['仅显示最近的订单，请输入更完整的条件']} />}
            </>
          )
        }
      </Found>
      <RecentActions of="cancelActions" />
      {cancelled && <CancelDialog orderNo={cancelled.orderNo} onClose={() => setCancelled(null)} />}
    </ToolPage>
  )
}

type OneProps = { order: Order; days: number; onCancel: () => void }

function OneOrder({ order, days, onCancel }: OneProps) {
  const state = { isPaid: order.status === 'paid', isUndone: false, paidAt: order.paidAt }
  const code = refuseUndo(state, new Date().toISOString(), days)
  const refusal = code && undoMessages(days)[code]
  return (
    <li>
      <div>
        <b>{order.content}</b>
        <p className={look.quiet}>
          订单 <OrderLink orderNo={order.orderNo} className={look.inText} /> ·{' '}
          {order.merchantId !== null && `商户 ${order.merchantId} · `}
          {order.agentName}（{order.agentId}）
        </p>
        <p className={look.quiet}>
          {SALES_TYPES[order.salesType]} · 支付于 <Instant at={order.paidAt} />
        </p>
        {refusal && <p className={look.quiet}>{refusal}</p>}
      </div>
      <span className={`${look.number} ${styles.toolAmount}`}>{formatCents(order.totalCents)} 代币</span>
      <Button changes disabled={refusal} onClick={onCancel}>
        撤销订单
      </Button>
    </li>
  )
}
