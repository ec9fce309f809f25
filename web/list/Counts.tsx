import type { ReactNode } from 'react'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { formatCount } from '#kit/money.ts'
import { roving } from '../keys/roving.ts'
import styles from './Counts.module.css'

/** As it is written: what is not counted further has a plus. */
export const cappedText = (count: number) =>
  count >= COUNT_CAP ? `${formatCount(COUNT_CAP)}+` : formatCount(count)

type Props<K extends string> = {
  label: string
  /** In the order in which they are shown; what is not counted is left out. */
  words: Readonly<Record<NoInfer<K>, string>>
  counts: Readonly<Record<K, number>>
  chosen: string | undefined
  onChoose: (key: NoInfer<K> | undefined) => void
}

/** How many rows there are of each kind; a press shows them, another takes it out. */
export function Counts<K extends string>({ label, words, counts, chosen, onChoose }: Props<K>) {
  return (
    <ul {...roving} className={styles.counts} aria-label={label}>
      {(Object.keys(words) as K[])
        .filter(key => key in counts)
        .map(key => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={chosen === key}
              data-none={counts[key] === 0 || undefined}
              onClick={() => onChoose(chosen === key ? undefined : key)}
            >
              <span>{words[key]}</span>
              <b>{cappedText(counts[key])}</b>
            </button>
          </li>
        ))}
    </ul>
  )
}

/** Counts above a list, with what else is said of its rows. */
export function CountsBar({ children }: { children: ReactNode }) {
  return (
    <div {...roving} className={styles.bar}>
      {children}
    </div>
  )
}
