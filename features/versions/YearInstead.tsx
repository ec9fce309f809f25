import { formatCents } from '#kit/money.ts'
import { Button } from '#web/Button.tsx'
import { type PricedVersion, type Term, yearInstead } from './rules.ts'
import styles from './versions.module.css'

type Props = {
  version: Pick<PricedVersion, 'priceYearCents' | 'priceMonthCents'>
  term: Term | null
  months: number
  onYear: () => void
}

/** Says where a year costs no more than the chosen months, and offers it. */
export function YearInstead({ version, term, months, onYear }: Props) {
  const better = yearInstead(version, term, months)
  if (!better) return null
  const gain = better.moreMonths === 0 ? '到期时间相同' : `还多用 ${better.moreMonths} 个月`
  return (
    <p className={styles.yearInstead} role="status">
      {months} 个月每店 {formatCents(better.monthsCents)} 代币，按年每店只需 {formatCents(better.yearCents)}{' '}
      代币，{gain}。
      <Button kind="link" onClick={onYear}>
        改为 1 年
      </Button>
    </p>
  )
}
