import { useState } from 'react'
import '#features/merchants/AddMerchantPage.css'
import { MissingPay } from '#features/payments/MissingPay.tsx'
import { formatDiscount } from '#features/versions/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { Converted, Effects } from './Effects.tsx'
import type { Form, Shop } from './PurchaseDraft.tsx'
import type { Quote } from './PurchaseSale.tsx'
import './purchases.css'

type Props = {
  quote: Quote
  shop: Shop
  /** The way of buying, in words. */
  what: string
  form: Form
  /** The price moved since the form was sent. */
  stale: boolean
  /** The answer to an earlier confirm never came. */
  lost: boolean
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** What a confirm will do to which shops, and what it takes from the balance, before any token moves. */
export function PurchaseConfirm(props: Props) {
  const { quote } = props
  // Topped up since the quote; a quote that was made afresh knows of it.
  const [added, setAdded] = useState({ orderNo: quote.orderNo, cents: 0 })
  const addedCents = added.orderNo === quote.orderNo ? added.cents : 0
  const missing = -quote.balanceAfterCents - addedCents
  const close = () => {
    if (!props.busy) props.onCancel()
  }
  return (
    <Dialog
      title="确认购买"
      width={560}
      onClose={close}
      footer={
        <>
          <Button disabled={props.busy} onClick={close}>
            取消
          </Button>
          <Button
            kind="primary"
            busy={props.busy}
            disabled={missing > 0 && '账户余额不足'}
            onClick={props.onConfirm}
          >
            {props.lost ? '重试' : '确认购买'}
          </Button>
        </>
      }
    >
      <div className="confirm-body">
        <div aria-live="polite">
          {props.stale && <p className="confirm-note">价格已变动，请重新确认</p>}
          {props.lost && <p className="confirm-note">没有收到服务器的答复。请重试，同一订单不会重复扣款。</p>}
        </div>
        <dl className="confirm-lines">
          <Line label="店铺" text={`${props.shop.shopName}（ID ${props.shop.merchantId}）`} />
          <Line label="购买内容" text={contentOf(quote.versionName, props.what)} />
          <Line label="单价" text={`${formatCents(quote.unitCents)} / ${quote.unit}`} />
          <Line label="数量" text={amountText(quote)} />
          {props.form.remark !== '' && <Line label="备注" text={props.form.remark} />}
          <Line label="订单号" text={quote.orderNo} />
        </dl>
        <Effects effects={quote.effects} />
        <Converted remainingDays={quote.remainingDays} convertedDays={quote.convertedDays} />
        <dl className="confirm-lines confirm-sum">
          <Line label="原价" text={formatCents(quote.originalCents)} />
          <Line label="折扣" text={formatDiscount(quote.discountBasisPoints)} />
          <Line label="合计（代币）" text={formatCents(quote.totalCents)} strong />
          <Line label="购买前余额" text={formatCents(quote.balanceBeforeCents)} />
          {missing > 0 ? (
            <Line label="账户余额不足，还差" text={formatCents(missing)} problem />
          ) : (
            <Line label="购买后余额" text={formatCents(-missing)} />
          )}
        </dl>
        <MissingPay
          asset="token"
          missing={missing}
          purpose="购买"
          onPaid={cents => setAdded({ orderNo: quote.orderNo, cents: addedCents + cents })}
          onEnough={props.onConfirm}
        />
      </div>
    </Dialog>
  )
}

type LineProps = { label: string; text: string; strong?: boolean; problem?: boolean }

function Line({ label, text, strong, problem }: LineProps) {
  return (
    <div data-strong={strong || undefined} data-problem={problem || undefined}>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  )
}

/** A way that names the version says all. */
function contentOf(versionName: string, what: string): string {
  return what.includes(versionName) ? what : `${versionName} · ${what}`
}

function amountText(quote: Quote): string {
  const shops = `${formatCount(quote.shops)} 家店`
  if (quote.unit === '个店') return `${shops}，永久`
  return `${quote.periods} ${quote.unit === '年' ? '年' : '个月'} × ${shops}`
}
