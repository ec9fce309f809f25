import type { KeyboardEvent } from 'react'
import { formatCount } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { IconMore } from '#web/controls/icons.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Menu } from '#web/controls/Menu.tsx'
import styles from './demands.module.css'
import { type DemandRow, formSearch, PriorityTag } from './demandsApi.tsx'
import { FORM_PATH, STATUS_KEYS, STATUSES, type Status, TYPES } from './rules.ts'

type Props = {
  row: DemandRow
  status: Status
  mayMove: boolean
  onMove: (to: Status) => void
}

/** One demand on the board. Shift with ← or → moves it to the next status. */
export function BoardCard({ row, status, mayMove, onMove }: Props) {
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const to = step && STATUS_KEYS[STATUS_KEYS.indexOf(status) + step]
    if (!event.shiftKey || !to || !mayMove) return
    event.preventDefault()
    onMove(to)
  }
  return (
    <article
      className={styles.card}
      draggable={mayMove}
      onDragStart={event => {
        event.dataTransfer.setData('text/plain', String(row.id))
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      <div className={styles.cardHead}>
        <Link
          className={styles.cardTitle}
          to={FORM_PATH}
          search={formSearch(row.id)}
          draggable={false}
          aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
          data-tip={mayMove ? 'Shift + ← / → 移动' : undefined}
          onKeyDown={press}
        >
          {row.title}
        </Link>
        {mayMove && (
          <Menu
            label={`移动：${row.title}`}
            className={`${buttonLook('quiet')} ${styles.cardMove}`}
            button={<IconMore />}
            align="end"
            items={STATUS_KEYS.map(key => ({
              key,
              label: STATUSES[key],
              checked: key === status,
              onClick: () => onMove(key),
            }))}
          />
        )}
      </div>
      <p className={styles.cardFacts}>
        <PriorityTag priority={row.priority} />
        <span>{TYPES[row.type]}</span>
      </p>
      <p className={styles.cardFacts}>
        <span>权重 {formatCount(row.weight)}</span>
        <span>{formatCount(row.shops)} 家店铺</span>
      </p>
      <p className={`${styles.cardFacts} ${look.quiet}`}>
        <span>#{row.id}</span>
        <span>{row.ownerName}</span>
        {row.deadline && <span>{formatDay(row.deadline)} 截止</span>}
      </p>
    </article>
  )
}
