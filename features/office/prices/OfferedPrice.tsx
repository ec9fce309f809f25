import { formatCents } from '#kit/money.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './prices.module.css'
import { type Conditions, priceLine } from './rules.ts'

type Props = {
  of: { unitCents: number; discountBasisPoints: number; conditions: Conditions }
  /** By which part of its book it is sold. */
  part?: string
  /** Stays beside the amount. */
  unit?: string
  strong?: boolean
}

/** The list price of one; where an offer applies, struck through beside what the buyer pays, with the offer's name. */
export function OfferedPrice({ of, part = 'unit', unit, strong = true }: Props) {
  const { unitCents, discountBasisPoints, conditions } = of
  const { offer, totalCents } = priceLine({ part, unitCents, count: 1 }, discountBasisPoints, conditions)
  const isOffered = offer !== undefined && totalCents < unitCents
  const Amount = strong ? 'b' : 'span'
  return (
    <>
      {isOffered && (
        <>
          <StatusTag tone="attention">{offer}</StatusTag>{' '}
          <s className={look.quiet}>{formatCents(unitCents)}</s>{' '}
        </>
      )}
      <span className={styles.amount}>
        <Amount className={look.number}>{formatCents(isOffered ? totalCents : unitCents)}</Amount>
        {unit !== undefined && ` ${unit}`}
      </span>
    </>
  )
}
