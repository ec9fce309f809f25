import styles from './CountMark.module.css'

const SHOWN_MOST = 99

type Props = {
  count: number
  /** Red for what is overdue; the accent for what only happens. */
  tone?: 'danger' | 'accent'
}

/** How much waits behind an icon, at its corner; nothing at 0. Only to be looked at: what it marks says the number in words. */
export function CountMark({ count, tone = 'danger' }: Props) {
  if (count === 0) return null
  return (
    <span className={styles.mark} data-tone={tone} aria-hidden="true">
      {count > SHOWN_MOST ? `${SHOWN_MOST}+` : count}
    </span>
  )
}
