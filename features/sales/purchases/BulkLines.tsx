import { useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { ConfirmNote } from '#features/sales/selling/SaleConfirm.tsx'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { Instant, Money } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Choice } from '#web/form/Choice.tsx'
import type { BulkQuote } from './contract.ts'
import styles from './purchases.module.css'

type Line = BulkQuote['lines'][number]
type Shown = 'all' | 'payable' | 'refused'

type SumProps = {
  quote: BulkQuote
  /** The price of other terms is on its way. */
  turning: boolean
  stale: boolean
  lost: boolean
  /** In 1/100 token: what was topped up since the quote. */
  addedCents: number
  onPaid: (cents: number) => void
  /** What was missing has been paid. */
  onEnough: () => void
}

/** What all of it costs, what is left then, and how what is missing is paid. */
export function BulkSum({ quote, turning, stale, lost, addedCents, onPaid, onEnough }: SumProps) {
  const missing = -quote.balanceAfterCents - addedCents
  const offers = [...new Set(quote.lines.flatMap(({ offer }) => offer ?? []))]
  return (
    <div className={styles.bulk} aria-busy={turning}>
      <div className={styles.bulkNotes} aria-live="polite">
        {stale && <ConfirmNote>价格已变动，请重新确认</ConfirmNote>}
        {lost && <ConfirmNote>没有收到服务器的答复。请重试，同一批次不会重复扣款。</ConfirmNote>}
      </div>
      <dl className={styles.bulkSum}>
        <Sum label="合计（代币）" text={formatCents(quote.totalCents)} strong />
        <Sum label="原价" text={formatCents(quote.originalCents)} />
        <Sum label="折扣" text={formatDiscount(quote.discountBasisPoints)} />
        {offers.length > 0 && <Sum label="优惠" text={offers.join('、')} />}
        <Sum label="当前余额" text={formatCents(quote.balanceBeforeCents)} />
        {missing > 0 ? (
          <Sum label="账户余额不足，还差" text={formatCents(missing)} problem />
        ) : (
          <Sum label="续费后余额" text={formatCents(-missing)} />
        )}
      </dl>
      {!turning && (
        <MissingPay asset="token" missing={missing} purpose="续费" onPaid={onPaid} onEnough={onEnough} />
      )}
    </div>
  )
}

/** What each shop costs and until when it runs then, who cannot be renewed and why. */
export function BulkLines({ quote }: { quote: BulkQuote }) {
  const [shown, setShown] = useState<Shown>('all')
  const lines = quote.lines.filter(
    line => shown === 'all' || (line.refusal !== null) === (shown === 'refused'),
  )
  return (
    <div className={styles.bulk}>
      <div>
        <Choice
          id="bulk-shown"
          label="显示"
          options={[
            { value: 'all' as Shown, label: `全部 ${formatCount(quote.lines.length)}` },
            { value: 'payable' as Shown, label: `可续费 ${formatCount(quote.payable)}` },
            { value: 'refused' as Shown, label: `不能续费 ${formatCount(quote.refused)}` },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <section className={styles.bulkScroll} tabIndex={0} aria-label="续费明细">
        <table className={styles.bulkTable}>
          <thead>
            <tr>
              <th scope="col">店铺</th>
              <th scope="col">版本</th>
              <th scope="col">当前到期</th>
              <th scope="col">续费后到期</th>
              <th scope="col" data-align="right">
                原价
              </th>
              <th scope="col" data-align="right">
                折后（代币）
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(line => (
              <LineRow key={line.merchantId} line={line} />
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p className={styles.branchesNone}>没有这样的商户</p>}
      </section>
    </div>
  )
}

function LineRow({ line }: { line: Line }) {
  return (
    <tr data-refused={line.refusal !== null || undefined}>
      <th scope="row">
        {line.shopName === '' ? '未知商户' : line.shopName}
        <span className={look.quiet}>
          {[`ID ${line.merchantId}`, line.account].filter(Boolean).join(' · ')}
        </span>
      </th>
      <td data-label="版本">{line.versionName}</td>
      <td data-label="当前到期">
        <Instant at={line.expiresBefore} none={line.shopName === '' ? '—' : '永久'} />
      </td>
      {line.refusal ? (
        <td colSpan={3} className={styles.bulkRefusal} data-label="不能续费">
          {line.refusal.message}
        </td>
      ) : (
        <>
          <td data-label="续费后到期">
            <Instant at={line.expiresAfter} none="永久" />
          </td>
          <td data-label="原价" data-align="right">
            <Money cents={line.originalCents} />
          </td>
          <td data-label="折后（代币）" data-align="right">
            <span>
              {line.offer !== undefined && (
                <>
                  <StatusTag tone="attention">{line.offer}</StatusTag>{' '}
                </>
              )}
              <Money cents={line.totalCents} />
            </span>
          </td>
        </>
      )}
    </tr>
  )
}

type FigureProps = { label: string; text: string; strong?: boolean; problem?: boolean }

function Sum({ label, text, strong, problem }: FigureProps) {
  return (
    <div data-strong={strong || undefined} data-problem={problem || undefined}>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  )
}
