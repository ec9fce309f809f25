import type { ReactNode } from 'react'
import { usePermission } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import type { Order } from './contract.ts'
import styles from './order-details.module.css'

type FactsProps = { title: string; facts: Order['bought']; children?: ReactNode }

export function Facts({ title, facts, children }: FactsProps) {
  if (facts.length === 0 && !children) return null
  return (
    <section className={styles.facts}>
      <h3>{title}</h3>
      <dl>
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {children}
      </dl>
    </section>
  )
}

/** The shop, and the way to it for who may open it. */
export function ShopLink({ merchantId, shopName }: { merchantId: number; shopName: string | null }) {
  const mayOpen = usePermission('merchants.details')
  if (shopName === null) return `已转至其他服务商（${merchantId}）`
  if (!mayOpen) return `${shopName}（${merchantId}）`
  return (
    <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchantId }}>
      {shopName}（{merchantId}）
    </Link>
  )
}

type Table = Order['tables'][number]
type TablesProps = { tables: readonly Table[]; onOrder: (orderNo: string) => void }

export function DetailTables({ tables, onOrder }: TablesProps) {
  return tables.map(table => (
    <section key={table.title} className={styles.facts}>
      <h3>{table.title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className={styles.tableBox} aria-label={table.title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {table.heads.map(({ label, isNumber }) => (
                <th key={label} scope="col" data-number={isNumber || undefined}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(row => (
              <tr key={row.orderNo ?? row.cells.join(' ')}>
                {table.heads.map(({ label, isNumber }, at) => (
                  <td key={label} data-head={label} data-number={isNumber || undefined}>
                    {at === 0 ? <FirstCell row={row} onOrder={onOrder} /> : row.cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  ))
}

/** Opens what the row is about. */
function FirstCell({ row, onOrder }: { row: Table['rows'][number]; onOrder: (orderNo: string) => void }) {
  const mayOpenShop = usePermission('merchants.details')
  const [text] = row.cells
  const { orderNo, merchantId } = row
  if (orderNo !== null)
    return (
      <button type="button" className={`${styles.link} ${look.number}`} onClick={() => onOrder(orderNo)}>
        {text}
      </button>
    )
  if (merchantId === null || !mayOpenShop) return text
  return (
    <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchantId }}>
      {text}
    </Link>
  )
}
