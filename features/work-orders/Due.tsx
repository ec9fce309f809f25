import { Instant } from '#web/format.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import styles from './work-orders.module.css'

/** By when something that runs is to be done; marked once that is past. */
export function Due({ at }: { at: string }) {
  return (
    <span className={styles.due}>
      <Instant at={at} />
      {Date.parse(at) < Date.now() && <StatusTag tone="problem">已逾期</StatusTag>}
    </span>
  )
}
