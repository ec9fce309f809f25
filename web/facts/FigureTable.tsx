import type { ReactNode } from 'react'
import styles from './FigureTable.module.css'

type Props = {
  /** What the table is of. */
  label: string
  heads: readonly ReactNode[]
  /** Columns are as wide as each other, the first ones as a statement's. */
  even?: boolean
  /** Rows: <tbody> and <tfoot>; the first cell of each is a <th scope="row">. */
  children: ReactNode
}

/** Figures by rows and columns, which scroll inside themselves where there is no room. */
export function FigureTable({ label, heads, even, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone.
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <table className={styles.table} data-even={even || undefined}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: heads stand where they stand.
              <th key={at} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </section>
  )
}
