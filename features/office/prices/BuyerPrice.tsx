import { formatCents } from '#kit/money.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './prices.module.css'
import { type Conditions, priceLine } from './rules.ts'

type Shown = {
  /** Stays beside the amount. */
  unit?: string
  strong?: boolean
}

type Props = Shown & {
  of: { unitCents: number; discountBasisPoints: number; conditions: Conditions }
  /** By which part of its book it is sold. */
  part?: string
}

/** What the buyer pays for one of an item. */
export function BuyerPrice({ of, part = 'unit', ...shown }: Props) {
  const { unitCents, discountBasisPoints, conditions } = of
  const { offer, totalCents } = priceLine({ part, unitCents, count: 1 }, discountBasisPoints, conditions)
  return <PaidPrice {...shown} listCents={unitCents} paidCents={totalCents} offer={offer} />
}

type PaidProps = Shown & { listCents: number; paidCents: number; offer: string | undefined }

/** What is paid; where that is less, beside the list price, struck through, and with the name of the offer that made it so. */
export function PaidPrice({ listCents, paidCents, offer, unit, strong = true }: PaidProps) {
  const isLess = paidCents < listCents
  const Amount = strong ? 'b' : 'span'
  return (
    <>
      {isLess && (
        <>
          {offer !== undefined && <StatusTag tone="attention">{offer}</StatusTag>}{' '}
          <s className={look.quiet}>{formatCents(listCents)}</s>{' '}
        </>
      )}
      <span className={styles.amount}>
        <Amount className={look.number}>{formatCents(paidCents)}</Amount>
        {unit !== undefined && ` ${unit}`}
      </span>
    </>
  )
}
