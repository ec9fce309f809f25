import { useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { ConfirmLine, ConfirmLines, SaleConfirm } from '#features/sales/selling/SaleConfirm.tsx'
import { formatCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { discountText } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { LIMITS, SERVICE_REFUSALS, SERVICE_UNITS } from './rules.ts'
import type { Line, OfferPage, Pending, Sum } from './ServiceSale.tsx'
import styles from './services.module.css'

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
  return (
    <SaleConfirm
      title="确认购买增值服务"
      width={520}
      stale={pending.stale}
      lost={pending.lost}
      busy={busy}
      refusal={sum.missingCents > 0 && SERVICE_REFUSALS.INSUFFICIENT}
      onConfirm={() => onConfirm(remark.trim())}
      onCancel={onCancel}
    >
      <ConfirmLines>
        <ConfirmLine label="店铺" text={`${page.merchant.shopName}（ID ${page.merchant.id}）`} />
      </ConfirmLines>
      <ConfirmLines>
        {sum.lines.map(line => (
          <ConfirmLine key={line.offer.id} label={wanted(line)} text={outcome(line)} />
        ))}
      </ConfirmLines>
      <ConfirmLines sum>
        <ConfirmLine label="原价" text={formatCents(sum.originalCents)} />
        <ConfirmLine label="折扣" text={discountText(page.discountBasisPoints)} />
        {sum.offers !== '' && <ConfirmLine label="优惠" text={sum.offers} />}
        <ConfirmLine label="合计（代币）" text={formatCents(sum.totalCents)} strong />
        <ConfirmLine label="购买前余额" text={formatCents(page.balanceCents)} />
        {sum.missingCents > 0 ? (
          <ConfirmLine label="余额不足，还差" text={formatCents(sum.missingCents)} problem />
        ) : (
          <ConfirmLine label="购买后余额" text={formatCents(page.balanceCents - sum.totalCents)} />
        )}
      </ConfirmLines>
      <MissingPay
        asset="token"
        missing={sum.missingCents}
        purpose="购买"
        onEnough={() => onConfirm(remark.trim())}
      />
      <label className={styles.confirmRemark}>
        备注（选填，最多 {LIMITS.remark} 字）
        <input
          className={look.input}
          maxLength={LIMITS.remark}
          value={remark}
          disabled={busy || pending.lost}
          onChange={event => setRemark(event.target.value)}
        />
      </label>
    </SaleConfirm>
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
