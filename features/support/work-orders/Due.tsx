import { formatInstant } from '#kit/time.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import styles from './work-orders.module.css'

/** By when something that runs is to be done; marked once that is past. */
export function Due({ at }: { at: string }) {
  return (
    <span className={styles.due}>
      <Instant at={at} />
      {isPast(at) && <StatusTag tone="problem">已逾期</StatusTag>}
    </span>
  )
}

/** The same in a cell of two lines: of what is past the day, and the time in its tooltip. */
export function DueCell({ at }: { at: string | null }) {
  if (at === null || !isPast(at)) return <Instant at={at} />
  const text = formatInstant(at)
  return (
    <span className={styles.late} data-tip={text}>
      <time className={look.number} dateTime={at}>
        {text.split(' ')[0]}
      </time>{' '}
      <StatusTag tone="problem">已逾期</StatusTag>
    </span>
  )
}

const isPast = (at: string) => Date.parse(at) < Date.now()
