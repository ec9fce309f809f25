import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OrderLink } from '#features/ledger/useOpenOrder.tsx'
import { refuseUndo, SALES_TYPES, UNDO_DAYS, UNDO_REFUSALS } from '#features/orders/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Instant } from '#web/format.tsx'
import { look } from '#web/look.ts'
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
  const [cancelled, setCancelled] = useState<Order | null>(null)
  const found = useQuery({
    ...toolsApi.cancelFind.query({ search }),
    enabled: search !== '',
  })
  return (
    <ToolPage
      title="撤销订单"
      intro={`撤销已支付的版本订单：代币退回代理商，商户的版本和到期时间恢复。限支付后 ${UNDO_DAYS} 天内。`}
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
                  <OneOrder key={order.orderNo} order={order} onCancel={() => setCancelled(order)} />
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

function OneOrder({ order, onCancel }: { order: Order; onCancel: () => void }) {
  const state = { isPaid: order.status === 'paid', isUndone: false, paidAt: order.paidAt }
  const code = refuseUndo(state, new Date().toISOString())
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
        {code && <p className={look.quiet}>{UNDO_REFUSALS[code]}</p>}
      </div>
      <span className={`${look.number} ${styles.toolAmount}`}>{formatCents(order.totalCents)} 代币</span>
      <Button kind="danger" disabled={code && UNDO_REFUSALS[code]} onClick={onCancel}>
        撤销订单
      </Button>
    </li>
  )
}
