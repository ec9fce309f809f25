import { usePageSearch } from '#web/client/navigation.ts'
import { Menu } from '#web/controls/Menu.tsx'
import { roving } from '#web/keys/roving.ts'
import { INBOX_FIELDS } from './fields.ts'
import styles from './inbox.module.css'
import { DECIDED_WORD, WHOSE, WHOSE_AT_FIRST, WHOSE_KEYS, type Whose } from './rules.ts'

type KindCount = { label: string; count: number; capped: boolean }

function Kind({ label, count, capped }: KindCount) {
  return (
    <>
      {label}{' '}
      <b>
        {count}
        {capped && '+'}
      </b>
    </>
  )
}

/** More do not fit beside the menu. */
const KINDS_IN_LINE = 6

type Props = {
  /** Null: what was done is shown. */
  whose: Whose | null
  kinds: readonly KindCount[]
  kind: string | undefined
  onKind: (kind: string | undefined) => void
}

/** Whose things, or what was done, and of which kind, each with how many there are. */
export function Choices({ whose, kinds, kind, onKind }: Props) {
  const shown = kinds.filter(({ label, count }) => count > 0 || label === kind)
  const choose = (label: string) => onKind(label === kind ? undefined : label)
  // The one that is chosen stays in sight.
  const inLine = shown.filter(({ label }, at) => at < KINDS_IN_LINE || label === kind)
  const more = shown.filter(one => !inLine.includes(one))
  return (
    <div className={styles.choices}>
      <Ranges whose={whose} />
      {shown.length > 1 && (
        <fieldset {...roving} className={styles.kinds} aria-label={INBOX_FIELDS.kind.label}>
          {inLine.map(one => (
            <button
              key={one.label}
              type="button"
              aria-pressed={one.label === kind}
              onClick={() => choose(one.label)}
            >
              <Kind {...one} />
            </button>
          ))}
        </fieldset>
      )}
      {more.length > 0 && (
        <Menu
          label={`更多 ${more.length} 类事项`}
          button={`更多 ${more.length} 类`}
          className={styles.more}
          align="end"
          items={more.map(one => ({
            key: one.label,
            label: <Kind {...one} />,
            onClick: () => choose(one.label),
          }))}
        />
      )}
    </div>
  )
}

function Ranges({ whose }: Pick<Props, 'whose'>) {
  const [, ask] = usePageSearch<'/admin/inbox'>()
  return (
    <fieldset {...roving} className={styles.whose} aria-label="范围">
      {WHOSE_KEYS.map(key => (
        <button
          key={key}
          type="button"
          aria-pressed={key === whose}
          onClick={() =>
            ask({
              ...{ view: undefined, page: undefined, whose: key === WHOSE_AT_FIRST ? undefined : key },
              // What was done is of other kinds.
              ...(whose === null && { kind: undefined }),
            })
          }
        >
          {WHOSE[key]}
        </button>
      ))}
      <button
        type="button"
        aria-pressed={whose === null}
        onClick={() => ask({ view: 'decided', page: undefined, whose: undefined, kind: undefined })}
      >
        {DECIDED_WORD}
      </button>
    </fieldset>
  )
}
