import { look } from '../../controls/look.ts'
import styles from './sheet.module.css'

type Props<Key extends string> = {
  /** Of the file, with some of what stands below them. */
  heads: readonly { name: string; samples: readonly string[] }[]
  /** What each of them is; null: none of ours. */
  values: readonly (Key | null)[]
  options: readonly { key: Key; label: string }[]
  /** What becomes of a column that is none of ours. */
  none: string
  /** What is said at each of them. */
  hints?: readonly string[]
  disabled?: boolean
  onChange: (values: (Key | null)[]) => void
}

/** Columns of a file at the left, what each of them is to us at the right. */
export function MatchedColumns<Key extends string>(props: Props<Key>) {
  const { heads, values, options, none, hints, disabled, onChange } = props
  const match = (at: number, text: string) => {
    const key = options.find(option => option.key === text)?.key ?? null
    onChange(values.map((value, i) => (i === at ? key : value)))
  }
  return (
    <ul className={styles.heads}>
      {heads.map(({ name, samples }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file have no other name.
        <li key={at}>
          <span className={styles.headName}>
            {name}
            <span className={look.quiet} data-tip-cut>
              {samples.join('、') || '（空）'}
            </span>
            {hints?.[at] && <span className={styles.hint}>{hints[at]}</span>}
          </span>
          <select
            className={look.select}
            aria-label={`「${name}」是`}
            value={values[at] ?? ''}
            disabled={disabled}
            onChange={({ target }) => match(at, target.value)}
          >
            <option value="">{none}</option>
            {options.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  )
}
