// The totals above a list.
import { formatCount } from '#kit/money.ts'
import styles from './ListTotals.module.css'

/** `value` as it is written. */
export function Sum({ label, value, unit }: { label: string; value: string; unit: string }) {
  return (
    <span>
      {label} <b>{value}</b> {unit}
    </span>
  )
}

type Counted = { total: number; totalCapped: boolean }

export function RowCount({ totals, label = '笔数' }: { totals: Counted; label?: string }) {
  return (
    <span>
      {label} <b>{formatCount(totals.total)}</b>
      {totals.totalCapped && ' 以上'}
    </span>
  )
}

type NotesProps = {
  totals: Counted
  /** The sums that stop with the count. */
  summed: string
  /** What the rows leave out, if anything. */
  missing?: string | false
}

/** What the totals leave out. */
export function CappedNotes({ totals, summed, missing }: NotesProps) {
  return (
    <>
      {totals.totalCapped && (
        <span>
          {summed}按最近 {formatCount(totals.total)} 笔合计
        </span>
      )}
      {missing && <span className={styles.missing}>{missing}</span>}
    </>
  )
}
