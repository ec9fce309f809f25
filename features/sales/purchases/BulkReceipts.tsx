import { useRef, useState } from 'react'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import { BatchUndoDialog } from '#features/sales/orders/slots.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, Money } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import type { BulkReceipt } from './contract.ts'
import styles from './purchases.module.css'

type Line = BulkReceipt['receipts'][number]

/** What was paid for each shop, with its order number, and one way to take all of it back. */
export function BulkReceipts({ receipt, onUndone }: { receipt: BulkReceipt; onUndone: () => void }) {
  const [undoing, setUndoing] = useState(false)
  const undone = useRef(false)
  return (
    <div className={styles.bulk}>
      <div className={styles.bulkDone}>
        <p role="status">
          已续费 <b>{formatCount(receipt.paid)}</b> 家，共 <b>{formatCents(receipt.totalCents)}</b> 代币
          {receipt.refused > 0 && `；${formatCount(receipt.refused)} 家未续费`}。批次号{' '}
          <OrderLink orderNo={receipt.batchNo} />
        </p>
        <Permit permission="settlement.undo">
          <Button changes onClick={() => setUndoing(true)}>
            撤销本次续费
          </Button>
        </Permit>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <section className={styles.bulkScroll} tabIndex={0} aria-label="续费结果">
        <table className={styles.bulkTable}>
          <thead>
            <tr>
              <th scope="col">店铺</th>
              <th scope="col">订单号</th>
              <th scope="col">到期时间</th>
              <th scope="col" data-align="right">
                代币
              </th>
            </tr>
          </thead>
          <tbody>
            {receipt.receipts.map(line => (
              <ReceiptRow key={line.merchantId} line={line} />
            ))}
          </tbody>
        </table>
      </section>
      {undoing && (
        <BatchUndoDialog
          batchNo={receipt.batchNo}
          onDone={() => {
            undone.current = true
          }}
          onClose={() => {
            setUndoing(false)
            if (undone.current) onUndone()
          }}
        />
      )}
    </div>
  )
}

function ReceiptRow({ line }: { line: Line }) {
  return (
    <tr data-refused={line.refusal !== null || undefined}>
      <th scope="row">
        {line.shopName}
        <span className={look.quiet}>ID {line.merchantId}</span>
      </th>
      {line.refusal ? (
        <td colSpan={3} className={styles.bulkRefusal} data-label="未续费">
          {line.refusal.message}
        </td>
      ) : (
        <>
          <td data-label="订单号">{line.orderNo !== null && <OrderLink orderNo={line.orderNo} />}</td>
          <td data-label="到期时间">
            <Instant at={line.expiresAfter} none="永久" />
          </td>
          <td data-label="代币" data-align="right">
            <Money cents={line.totalCents} />
          </td>
        </>
      )}
    </tr>
  )
}
