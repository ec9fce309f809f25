import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { PAID_FROM } from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { CHANNEL_NAMES } from '#kit/ports/channels.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import type { shopPages } from './contract.ts'
import { POLL_MS } from './rules.ts'
import styles from './shop.module.css'

const shopPagesApi = api<typeof shopPages>('shopPages')

type Renewal = Out<typeof shopPages.page>['renewal']
type Offer = Renewal['offers'][number]
type Order = { orderNo: string; payUrl: string; amountFen: number }

type Props = { code: string; renewal: Renewal; onChanged: () => void }

/** Renewing online: what is offered, paying by QR, and what becomes of it. The order that is paid outlives a reload of the page. */
export function ShopRenewal({ code, renewal: { offers, owed }, onChanged }: Props) {
  const [order, setOrder] = useKeptOrder(code)
  return (
    <>
      {owed
        .filter(({ orderNo }) => orderNo !== order?.orderNo)
        .map(({ orderNo, paidAt }) => (
          <Waiting key={orderNo} orderNo={orderNo} paidAt={paidAt} />
        ))}
      {order ? (
        <Paying code={code} order={order} onChanged={onChanged} onEnd={() => setOrder(null)} />
      ) : (
        offers.length > 0 && <Choosing code={code} offers={offers} onOrdered={setOrder} onStale={onChanged} />
      )}
    </>
  )
}

function useKeptOrder(code: string) {
  const key = `shop-order ${code.slice(0, 8)}`
  const [order, setOrder] = useState<Order | null>(() => {
    const kept = sessionStorage.getItem(key)
    return kept === null ? null : (JSON.parse(kept) as Order)
  })
  const keep = (next: Order | null) => {
    if (next) sessionStorage.setItem(key, JSON.stringify(next))
    else sessionStorage.removeItem(key)
    setOrder(next)
  }
  return [order, keep] as const
}

function Waiting({ orderNo, paidAt }: { orderNo: string; paidAt: string | null }) {
  return (
    <section className={styles.banner} role="status">
      <h2>已付款，等待代理商开通</h2>
      <p>
        续费订单 {orderNo.slice(-8)}
        {paidAt && `，支付于 ${formatInstant(paidAt)}`}。开通后有效期会自动更新，如有疑问请联系您的服务商。
      </p>
    </section>
  )
}

type ChoosingProps = {
  code: string
  offers: readonly Offer[]
  onOrdered: (order: Order) => void
  onStale: () => void
}

function Choosing({ code, offers, onOrdered, onStale }: ChoosingProps) {
  const [years, setYears] = useState(offers[0]?.years)
  const chosen = offers.find(offer => offer.years === years) ?? offers[0]
  const ordering = useMutation({
    mutationFn: ({ versionId, years, amountFen }: Offer) =>
      shopPagesApi.renew({ code, versionId, years, amountFen }),
    onSuccess: onOrdered,
    // Prices that have changed are shown at once.
    onError: error => {
      if (refusalOf(error)?.code !== 'RENEWALS_TOO_MANY') onStale()
    },
  })
  if (!chosen) return null
  return (
    <section className={styles.card} aria-labelledby="renew-title">
      <h2 id="renew-title">在线续费</h2>
      <fieldset className={styles.offers}>
        <legend className={look.visuallyHidden}>续费年数</legend>
        {offers.map(offer => (
          <label key={offer.years} className={styles.offer}>
            <input
              type="radio"
              name="years"
              checked={offer === chosen}
              onChange={() => setYears(offer.years)}
            />
            <span>
              {offer.versionName} {offer.years} 年
              {offer.expiresAfter && <small>续费后有效期至 {formatDay(offer.expiresAfter)}</small>}
              {offer.shops > 1 && (
                <small>
                  含{offer.branches > 0 && `总店及 ${offer.branches} 家分店，共`} {offer.shops} 家店铺
                </small>
              )}
              {offer.branchesLeft > 0 && <small>不含 {offer.branchesLeft} 家分店</small>}
            </span>
            <b className={look.number}>¥{formatCents(offer.amountFen)}</b>
          </label>
        ))}
      </fieldset>
      <p className={styles.problem} role="alert">
        {ordering.isError ? messageOf(ordering.error) : ''}
      </p>
      <Button kind="primary" busy={ordering.isPending} onClick={() => ordering.mutate(chosen)}>
        立即续费 ¥{formatCents(chosen.amountFen)}
      </Button>
    </section>
  )
}

type PayingProps = { code: string; order: Order; onChanged: () => void; onEnd: () => void }

function Paying({ code, order, onChanged, onEnd }: PayingProps) {
  const asked = useQuery({
    queryKey: ['shop-renewal', code, order.orderNo],
    queryFn: () => shopPagesApi.renewal({ code, orderNo: order.orderNo }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'waiting' || data?.state === 'paid') return POLL_MS.paying
      return data?.state === 'short' || data?.state === 'stuck' ? POLL_MS.waiting : false
    },
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  const state = asked.data?.state
  const tell = useEffectEvent(() => {
    if (state !== undefined && state !== 'waiting') onChanged()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each state that it comes to.
  useEffect(() => tell(), [state])
  if (asked.isError)
    return (
      <section className={styles.card} role="status">
        <h2>无法查询支付结果</h2>
        <p>{messageOf(asked.error)}</p>
        <Button onClick={onEnd}>返回</Button>
      </section>
    )
  switch (state) {
    case 'renewed':
      return (
        <section className={styles.done} role="status">
          <h2>续费成功</h2>
          <p>
            {asked.data?.versionName} {asked.data?.years} 年
            {asked.data?.expiresAt && `，有效期至 ${formatDay(asked.data.expiresAt)}`}
          </p>
          <Button onClick={onEnd}>知道了</Button>
        </section>
      )
    case 'paid':
    case 'short':
    case 'stuck':
      return (
        <section className={styles.banner} role="status">
          <h2>{state === 'paid' ? '支付成功，正在开通' : '已付款，等待代理商开通'}</h2>
          <p>
            已支付 ¥{formatCents(order.amountFen)}，订单 {order.orderNo.slice(-8)}。
            {state === 'paid' ? '请稍候。' : '开通后有效期会自动更新，可以关闭此页面。'}
          </p>
        </section>
      )
    case 'refunded':
    case 'expired':
      return (
        <section className={styles.card} role="status">
          <h2>{state === 'refunded' ? '已退款' : '订单已失效'}</h2>
          <p>{state === 'refunded' ? '款项将原路退回' : '该订单已过期，请重新下单'}</p>
          <Button onClick={onEnd}>返回</Button>
        </section>
      )
    default:
      return <Payable order={order} onEnd={onEnd} />
  }
}

function Payable({ order, onEnd }: { order: Order; onEnd: () => void }) {
  return (
    <section className={styles.card} aria-labelledby="pay-title">
      <h2 id="pay-title">待支付 ¥{formatCents(order.amountFen)}</h2>
      <div className={styles.pay}>
        <div className={styles.payCode}>
          <QrCode text={order.payUrl} label="付款码" />
          <p>用手机{Object.values(CHANNEL_NAMES).join('或')}扫码付款</p>
        </div>
        <a
          className={buttonLook('primary')}
          href={order.payUrl}
          onClick={() => sessionStorage.setItem(PAID_FROM, location.pathname)}
        >
          去支付
        </a>
        <p>支付完成后回到本页，会自动显示结果</p>
      </div>
      <Button kind="quiet" onClick={onEnd}>
        取消
      </Button>
    </section>
  )
}
