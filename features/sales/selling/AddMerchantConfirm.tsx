import { useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { durationText, type Term } from '#features/shops/versions/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import type { selling } from './contract.ts'
import { BalanceLines, ConfirmLine, ConfirmLines, SaleConfirm } from './SaleConfirm.tsx'

export type Quote = Out<typeof selling.quote>

type Props = {
  quote: Quote
  shopName: string
  account: string
  term: Term
  /** The price moved since the form was sent. */
  stale: boolean
  /** The answer to an earlier confirm never came. */
  lost: boolean
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Shows what a confirm will do, line by line, before any token moves. */
export function AddMerchantConfirm(props: Props) {
  const { quote } = props
  // Topped up since the quote; a quote that was made afresh knows of it.
  const [toppedUp, setToppedUp] = useState({ orderNo: quote.orderNo, cents: 0, pieces: 0 })
  const added = toppedUp.orderNo === quote.orderNo ? toppedUp : { cents: 0, pieces: 0 }
  const add = (more: { cents?: number; pieces?: number }) =>
    setToppedUp({
      orderNo: quote.orderNo,
      cents: added.cents + (more.cents ?? 0),
      pieces: added.pieces + (more.pieces ?? 0),
    })
  const missing = -quote.balanceAfterCents - added.cents
  const smsMissing = quote.smsCount - quote.smsBefore - added.pieces
  const short = missing > 0 || smsMissing > 0
  const goOn = () => {
    if (!short) props.onConfirm()
  }
  return (
    <SaleConfirm
      title="确认新增商户"
      width={480}
      stale={props.stale}
      lost={props.lost}
      busy={props.busy}
      refusal={short && (missing > 0 ? '账户余额不足' : '短信余额不足')}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <ConfirmLines>
        <ConfirmLine label="店铺" text={props.shopName} />
        <ConfirmLine label="账号" text={props.account} />
        <ConfirmLine label="版本" text={`${quote.versionName}，${formatCount(quote.shops)} 家店`} />
        <ConfirmLine label="时限" text={durationText(props.term, quote.periods)} />
        <ConfirmLine
          label="到期时间"
          text={quote.expiresAt === null ? '永久' : formatInstant(quote.expiresAt)}
        />
        <ConfirmLine label="订单号" text={quote.orderNo} />
      </ConfirmLines>
      <ConfirmLines sum>
        <ConfirmLine label="合计（代币）" text={formatCents(quote.totalCents)} strong />
        <BalanceLines beforeCents={quote.balanceBeforeCents} missingCents={missing} />
        {quote.smsCount > 0 && <ConfirmLine label="划转短信" text={`${formatCount(quote.smsCount)} 条`} />}
        {quote.smsCount > 0 && smsMissing <= 0 && (
          <ConfirmLine label="划转后短信余额" text={`${formatCount(-smsMissing)} 条`} />
        )}
        {smsMissing > 0 && (
          <ConfirmLine label="短信余额不足，还差" text={`${formatCount(smsMissing)} 条`} problem />
        )}
      </ConfirmLines>
      <MissingPay
        asset="token"
        missing={missing}
        purpose="新增商户"
        onPaid={cents => add({ cents })}
        onEnough={goOn}
      />
      <MissingPay
        asset="sms"
        missing={smsMissing}
        purpose="新增商户"
        onPaid={pieces => add({ pieces })}
        onEnough={goOn}
      />
    </SaleConfirm>
  )
}
