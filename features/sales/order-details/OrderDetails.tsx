import { useQuery } from '@tanstack/react-query'
import { DOCUMENT_KINDS, SHOWN_ORDER_CHARS } from '#features/money/ledger/rules.ts'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { formatInstant } from '#kit/time.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { copyText } from '#web/controls/copy.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { Order, orderDetails } from './contract.ts'
import { OrderActions } from './OrderActions.tsx'
import { DetailTables, Facts, ShopLink } from './OrderFacts.tsx'
import styles from './order-details.module.css'
import { ORDER_DETAILS_REFUSALS } from './rules.ts'

const orderDetailsApi = api<typeof orderDetails>('orderDetails')

type Props = { orderNo: string; onOrder: (orderNo: string) => void }

/** One order of any kind, whole: of its drawer, its page and its paper. */
export function OrderDetails({ orderNo, onOrder }: Props) {
  const details = useQuery(orderDetailsApi.find.query({ orderNo }))
  if (details.isError) {
    const refusal = refusalOf(details.error)
    if (refusal && refusal.code in ORDER_DETAILS_REFUSALS)
      return (
        <p className={styles.unknown} role="alert">
          {refusal.message}
        </p>
      )
    return <LoadFailure error={details.error} onRetry={() => void details.refetch()} />
  }
  if (!details.data) return <LoadingLines lines={12} />
  return <Whole order={details.data} onOrder={onOrder} />
}

function Whole({ order, onOrder }: { order: Order; onOrder: (orderNo: string) => void }) {
  const { batchNo, undone } = order
  return (
    <article className={styles.order} aria-label={`${DOCUMENT_KINDS[order.kind]} ${order.orderNo}`}>
      <header className={styles.heading}>
        <div>
          <h2>{order.title}</h2>
          <p className={look.quiet}>
            {DOCUMENT_KINDS[order.kind]} · <span className={look.number}>{order.orderNo}</span>{' '}
            <button type="button" className={styles.link} onClick={() => void copyText(order.orderNo)}>
              复制
            </button>
          </p>
        </div>
        <StatusTag tone={order.state.tone}>{order.state.text}</StatusTag>
        <OrderActions order={order} />
      </header>
      {undone && (
        <p className={styles.undone}>
          {undone.byName || '系统'} 于 <span className={look.number}>{formatInstant(undone.at)}</span> 撤销
          {undone.reason && `，原因：${undone.reason}`}
        </p>
      )}
      <Facts title="内容" facts={order.bought} />
      <Facts title="金额" facts={order.amounts} />
      <Facts title="经办" facts={order.made}>
        {order.merchantId !== null && (
          <div>
            <dt>商户</dt>
            <dd>
              <ShopLink merchantId={order.merchantId} shopName={order.shopName} />
            </dd>
          </div>
        )}
        <div>
          <dt>代理商</dt>
          <dd>
            <AgentLink id={order.agentId}>
              {order.agentName ? `${order.agentName}（${order.agentId}）` : order.agentId}
            </AgentLink>
          </dd>
        </div>
        {batchNo !== null && (
          <div>
            <dt>批量续费</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => onOrder(batchNo)}>
                批次 {batchNo.slice(-SHOWN_ORDER_CHARS)}
              </button>
            </dd>
          </div>
        )}
        {order.remark !== '' && (
          <div data-wide>
            <dt>备注</dt>
            <dd>{order.remark}</dd>
          </div>
        )}
      </Facts>
      <DetailTables
        tables={[...order.tables, ...order.payment, ...order.movements, ...order.requests]}
        onOrder={onOrder}
      />
    </article>
  )
}
