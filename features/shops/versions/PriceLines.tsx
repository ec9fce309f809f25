import type { ReactNode } from 'react'
import styles from './versions.module.css'

/** What a price is made of, line by line. */
export function PriceLines({ children }: { children: ReactNode }) {
  return <dl className={styles.priceLines}>{children}</dl>
}

type LineProps = {
  label: ReactNode
  /** `item` is one of the things bought, `total` stands below a rule, `missing` is not covered by the balance. */
  kind?: 'item' | 'total' | 'missing'
  children: ReactNode
}

export function PriceLine({ label, kind, children }: LineProps) {
  return (
    <div data-kind={kind}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
