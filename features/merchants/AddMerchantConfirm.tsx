import { useState } from 'react'
import { MissingPay } from '#features/payments/MissingPay.tsx'
import { TERM_NAMES, type Term } from '#features/versions/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import type { merchants } from './contract.ts'
import './AddMerchantPage.css'

export type Quote = Out<typeof merchants.quote>

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
  const close = () => {
    if (!props.busy) props.onCancel()
  }
  return (
    <Dialog
      title="确认新增商户"
      width={480}
      onClose={close}
      footer={
        <>
          <Button disabled={props.busy} onClick={close}>
            取消
          </Button>
          <Button
            kind="primary"
            busy={props.busy}
            disabled={short && (missing > 0 ? '账户余额不足' : '短信余额不足')}
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
          <Line label="店铺" text={props.shopName} />
          <Line label="账号" text={props.account} />
          <Line label="版本" text={`${quote.versionName}，${formatCount(quote.shops)} 家店`} />
          <Line label="时限" text={termText(quote, props.term)} />
          <Line label="到期时间" text={quote.expiresAt === null ? '永久' : formatInstant(quote.expiresAt)} />
          <Line label="订单号" text={quote.orderNo} />
        </dl>
        <dl className="confirm-lines confirm-sum">
          <Line label="合计（代币）" text={formatCents(quote.totalCents)} strong />
          <Line label="购买前余额" text={formatCents(quote.balanceBeforeCents)} />
          {missing > 0 ? (
            <Line label="账户余额不足，还差" text={formatCents(missing)} problem />
          ) : (
            <Line label="购买后余额" text={formatCents(-missing)} />
          )}
          {quote.smsCount > 0 && <Line label="划转短信" text={`${formatCount(quote.smsCount)} 条`} />}
          {quote.smsCount > 0 && smsMissing <= 0 && (
            <Line label="划转后短信余额" text={`${formatCount(-smsMissing)} 条`} />
          )}
          {smsMissing > 0 && (
            <Line label="短信余额不足，还差" text={`${formatCount(smsMissing)} 条`} problem />
          )}
        </dl>
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

function termText(quote: Quote, term: Term): string {
  if (term === 'lifetime') return TERM_NAMES.lifetime
  return term === 'year' ? `${quote.periods} 年` : `${quote.periods} 个月`
}
