import { useState } from 'react'
import { MissingPay } from '#features/payments/MissingPay.tsx'
import '#features/merchants/AddMerchantPage.css'
import { formatCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { discountText } from '#web/format.tsx'
import { LIMITS, SERVICE_REFUSALS, SERVICE_UNITS } from './rules.ts'
import type { Line, OfferPage, Pending, Sum } from './ServiceSale.tsx'

type Props = {
  page: OfferPage
  sum: Sum
  pending: Pending
  busy: boolean
  onConfirm: (remark: string) => void
  onCancel: () => void
}

/** What will be bought, what the shop has afterwards, and what it takes from the balance. */
export default function ServiceConfirm({ page, sum, pending, busy, onConfirm, onCancel }: Props) {
  const [remark, setRemark] = useState('')
  const close = () => {
    if (!busy) onCancel()
  }
  return (
    <Dialog
      title="确认购买增值服务"
      width={520}
      onClose={close}
      footer={
        <>
          <Button disabled={busy} onClick={close}>
            取消
          </Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={sum.missingCents > 0 && SERVICE_REFUSALS.INSUFFICIENT}
            onClick={() => onConfirm(remark.trim())}
          >
            {pending.lost ? '重试' : '确认购买'}
          </Button>
        </>
      }
    >
      <div className="confirm-body">
        <div aria-live="polite">
          {pending.stale && <p className="confirm-note">{SERVICE_REFUSALS.PRICE_CHANGED}</p>}
          {pending.lost && (
            <p className="confirm-note">没有收到服务器的答复。请重试，同一订单不会重复扣款。</p>
          )}
        </div>
        <dl className="confirm-lines">
          <Row label="店铺" text={`${page.merchant.shopName}（ID ${page.merchant.id}）`} />
        </dl>
        <dl className="confirm-lines confirm-services">
          {sum.lines.map(line => (
            <Row key={line.offer.id} label={wanted(line)} text={outcome(line)} />
          ))}
        </dl>
        <dl className="confirm-lines confirm-sum">
          <Row label="原价" text={formatCents(sum.originalCents)} />
          <Row label="折扣" text={discountText(page.discountBasisPoints)} />
          <Row label="合计（代币）" text={formatCents(sum.totalCents)} strong />
          <Row label="购买前余额" text={formatCents(page.balanceCents)} />
          {sum.missingCents > 0 ? (
            <Row label="余额不足，还差" text={formatCents(sum.missingCents)} problem />
          ) : (
            <Row label="购买后余额" text={formatCents(page.balanceCents - sum.totalCents)} />
          )}
        </dl>
        <MissingPay
          asset="token"
          missing={sum.missingCents}
          purpose="购买"
          onEnough={() => onConfirm(remark.trim())}
        />
        <label className="confirm-remark">
          备注（选填，最多 {LIMITS.remark} 字）
          <input
            className="input"
            maxLength={LIMITS.remark}
            value={remark}
            disabled={busy || pending.lost}
            onChange={event => setRemark(event.target.value)}
          />
        </label>
      </div>
    </Dialog>
  )
}

function wanted({ offer, price }: Line): string {
  return `${offer.name} ${price.count} ${SERVICE_UNITS[offer.unit]}`
}

function outcome({ offer, after, price }: Line): string {
  const held =
    offer.unit === 'piece'
      ? `购买后共 ${after.quantity} 个`
      : `有效期至 ${after.expiresAt === null ? '长期' : formatDay(after.expiresAt)}`
  return `${held} · ${formatCents(price.totalCents)}`
}

type RowProps = { label: string; text: string; strong?: boolean; problem?: boolean }

function Row({ label, text, strong, problem }: RowProps) {
  return (
    <div data-strong={strong || undefined} data-problem={problem || undefined}>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  )
}
