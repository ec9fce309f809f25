import { useSession } from '#web/client/session.ts'
import styles from './prices.module.css'

/** Says on every page of a partner that nobody has looked the prices through yet. */
export function ExamplePricesBanner() {
  const { examplePrices, isVendorStaff } = useSession()
  if (!examplePrices || isVendorStaff) return null
  return (
    <aside className={styles.examples} aria-label="示例价格">
      示例价格：厂商还没有核对价格，现在看到的都是示例，请以厂商告知的为准。
    </aside>
  )
}
