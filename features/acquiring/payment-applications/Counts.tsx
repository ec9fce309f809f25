import { COUNT_CAP } from '#kit/declare/page.ts'
import { formatCount } from '#kit/money.ts'
import styles from './applications.module.css'

type Props<K extends string> = {
  label: string
  words: Readonly<Record<NoInfer<K>, string>>
  counts: Readonly<Record<K, number>>
  chosen: string | undefined
  onChoose: (key: NoInfer<K> | undefined) => void
}

/** How many there are of each state; a press shows them, another takes it out. */
export function Counts<K extends string>({ label, words, counts, chosen, onChoose }: Props<K>) {
  return (
    <ul className={styles.counts} aria-label={label}>
      {(Object.keys(counts) as K[]).map(key => (
        <li key={key}>
          <button
            type="button"
            aria-pressed={chosen === key}
            onClick={() => onChoose(chosen === key ? undefined : key)}
          >
            <span>{words[key]}</span>
            <b>{counts[key] >= COUNT_CAP ? `${formatCount(COUNT_CAP)}+` : formatCount(counts[key])}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}
