import { formatCents } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { type PricedVersion, type Term, yearInstead } from './rules.ts'
import styles from './versions.module.css'

type Props = {
  /** What is bought for these months, one version or more. */
  versions: readonly (Pick<PricedVersion, 'priceYearCents' | 'priceMonthCents'> & { name: string })[]
  term: Term | null
  months: number
  onYear: () => void
}

/** Says of which versions a year costs no more than the chosen months, and offers it where that holds for all. */
export function YearInstead({ versions, term, months, onYear }: Props) {
  const better = versions.flatMap(version => {
    const year = yearInstead(version, term, months)
    return year ? [{ name: version.name, ...year }] : []
  })
  if (better.length === 0) return null
  return (
    <p className={styles.yearInstead} role="status">
      {better.map(({ name, monthsCents, yearCents, moreMonths }) => (
        <span key={name}>
          {versions.length > 1 && `${name}：`}
          {months} 个月每店 {formatCents(monthsCents)} 代币，按年每店只需 {formatCents(yearCents)} 代币，
          {moreMonths === 0 ? '到期时间相同' : `还多用 ${moreMonths} 个月`}。
        </span>
      ))}
      {better.length === versions.length && (
        <Button kind="link" onClick={onYear}>
          改为 1 年
        </Button>
      )}
    </p>
  )
}
