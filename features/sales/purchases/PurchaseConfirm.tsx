import { useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { BalanceLines, ConfirmLine, ConfirmLines, SaleConfirm } from '#features/sales/selling/SaleConfirm.tsx'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { Converted, Effects } from './Effects.tsx'
import type { Form, Offer, Shop } from './PurchaseDraft.tsx'
import { BranchesLeft, Forfeited } from './PurchaseLosses.tsx'
import type { Quote } from './PurchaseSale.tsx'

type Props = {
  quote: Quote
  shop: Shop
  offer: Offer | undefined
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
  return (
    <SaleConfirm
      title="确认购买"
      width={560}
      stale={props.stale}
      lost={props.lost}
      busy={props.busy}
      refusal={missing > 0 && '账户余额不足'}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <BranchesLeft shop={props.shop} offer={props.offer} />
      <Forfeited forfeit={quote.forfeit} />
      <ConfirmLines>
        <ConfirmLine label="店铺" text={`${props.shop.shopName}（ID ${props.shop.merchantId}）`} />
        <ConfirmLine label="购买内容" text={contentOf(quote.versionName, props.what)} />
        <ConfirmLine label="单价" text={`${formatCents(quote.unitCents)} / ${quote.unit}`} />
        <ConfirmLine label="数量" text={amountText(quote)} />
        {props.form.remark !== '' && <ConfirmLine label="备注" text={props.form.remark} />}
        <ConfirmLine label="订单号" text={quote.orderNo} />
      </ConfirmLines>
      <Effects effects={quote.effects} />
      <Converted remainingDays={quote.remainingDays} convertedDays={quote.convertedDays} />
      <ConfirmLines sum>
        <ConfirmLine label="原价" text={formatCents(quote.originalCents)} />
        <ConfirmLine label="折扣" text={formatDiscount(quote.discountBasisPoints)} />
        {quote.offer && <ConfirmLine label="优惠" text={quote.offer} />}
        <ConfirmLine label="合计（代币）" text={formatCents(quote.totalCents)} strong />
        <BalanceLines beforeCents={quote.balanceBeforeCents} missingCents={missing} />
      </ConfirmLines>
      <MissingPay
        asset="token"
        missing={missing}
        purpose="购买"
        onPaid={cents => setAdded({ orderNo: quote.orderNo, cents: addedCents + cents })}
        onEnough={props.onConfirm}
      />
    </SaleConfirm>
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
