import type { ReactNode } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { roving } from '#web/keys/roving.ts'
import styles from './period.module.css'
import {
  monthAfter,
  PERIOD_KEYS,
  PERIOD_MONTHS,
  PERIODS,
  type Period,
  periodText,
  type Range,
} from './rules.ts'

type Props = {
  period: Period
  /** YYYY-MM, in the period. */
  month: string
  /** YYYY-MM-DD. */
  today: string
  /** What is shown now, which may still be what was asked for before. */
  shown: { period: Period; now: Range }
  onChange: (asked: { period?: Period | undefined; month?: string }) => void
  children: ReactNode
}

/** Which period is told of; steps to the one before and after. */
export function PeriodBar({ period, month, today, shown, onChange, children }: Props) {
  const step = PERIOD_MONTHS[period]
  return (
    <div {...roving} className={styles.periodBar}>
      <fieldset className={styles.periods} aria-label="周期">
        {PERIOD_KEYS.map(key => (
          <Button
            key={key}
            changes={false}
            aria-pressed={key === period}
            onClick={() => onChange({ period: key === 'month' ? undefined : key })}
          >
            {PERIODS[key]}
          </Button>
        ))}
      </fieldset>
      <div className={styles.stepper}>
        <Button aria-label="上一期" onClick={() => onChange({ month: monthAfter(month, -step) })}>
          ‹
        </Button>
        <b>{periodText(shown.period, shown.now.from)}</b>
        <Button
          aria-label="下一期"
          disabled={shown.now.to >= today ? '之后还没有数据' : null}
          onClick={() => onChange({ month: monthAfter(month, step) })}
        >
          ›
        </Button>
      </div>
      <span className={look.quiet}>{children}</span>
    </div>
  )
}
