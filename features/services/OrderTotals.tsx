// The totals above a list of orders.
import { SHOPS_CAPPED_TEXT } from '#features/orders/rules.ts'
import { formatCount } from '#kit/money.ts'
import styles from './order-lists.module.css'

/** `value` as it is written. */
export function Sum({ label, value, unit }: { label: string; value: string; unit: string }) {
  return (
    <span>
      {label} <b>{value}</b> {unit}
    </span>
  )
}

type Counted = { total: number; totalCapped: boolean; shopsCapped?: boolean }

export function RowCount({ totals, label = '笔数' }: { totals: Counted; label?: string }) {
  return (
    <span>
      {label} <b>{formatCount(totals.total)}</b>
      {totals.totalCapped && ' 以上'}
    </span>
  )
}

/** What the totals leave out. `summed`: the sums that stop with the count. */
export function CappedNotes({ totals, summed }: { totals: Counted; summed: string }) {
  return (
    <>
      {totals.totalCapped && (
        <span>
          {summed}按最近 {formatCount(totals.total)} 笔合计
        </span>
      )}
      {totals.shopsCapped && <span className={styles.ordersCapped}>{SHOPS_CAPPED_TEXT}</span>}
    </>
  )
}
