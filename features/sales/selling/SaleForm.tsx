import type { ReactNode } from 'react'
import type { Price } from '#features/shops/versions/rules.ts'
import { formatCents } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { SectionTitle } from '#web/form/Field.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import styles from './SaleForm.module.css'

type FormProps = {
  title: string
  fields: ReactNode
  onSubmit: () => void
  /** The price beside the fields, and the confirm over both. */
  children: ReactNode
}

// No fields: it draws what the pages of a sale hold.
/** A form that sells a version: what is wanted, its price beside it, and then its confirm. */
export function SaleForm({ title, fields, onSubmit, children }: FormProps) {
  return (
    <FormElement className={styles.addMerchant} onSubmit={onSubmit}>
      <div>
        <h1 className={styles.addMerchantTitle}>{title}</h1>
        {fields}
      </div>
      {children}
    </FormElement>
  )
}

type PriceProps = {
  price: Price | null
  busy: boolean
  /** How it comes about. */
  children: ReactNode
}

/** The price and the next step. */
export function PriceColumn({ price, busy, children }: PriceProps) {
  return (
    <aside className={styles.addMerchantPrice} aria-label="价格">
      <SectionTitle>价格（代币）</SectionTitle>
      {children}
      <SaleBar totalCents={price?.totalCents}>
        <Button kind="primary" type="submit" busy={busy}>
          下一步
        </Button>
      </SaleBar>
    </aside>
  )
}

/** The step from a price on; on a phone it stays at the bottom with the total. */
export function SaleBar({ totalCents, children }: { totalCents: number | undefined; children: ReactNode }) {
  return (
    <div className={styles.addMerchantBar}>
      <span className={styles.addMerchantBarTotal}>
        合计 <b>{totalCents === undefined ? '—' : formatCents(totalCents)}</b> 代币
      </span>
      {children}
    </div>
  )
}
