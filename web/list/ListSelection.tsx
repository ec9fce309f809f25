import type { ReactNode } from 'react'
import { formatCount } from '#kit/money.ts'
import { Button } from '../controls/Button.tsx'
import styles from './ListSelection.module.css'
import type { ListSelection } from './useListSelection.ts'

/** Chooses one row, with Shift all from the last one; where the row cannot be chosen it stays focusable and says why. */
export function RowCheckbox<Row>({
  row,
  name,
  selection,
}: {
  row: Row
  name: string
  selection: ListSelection<Row>
}) {
  const refused = selection.refusal(row)
  return (
    <label className={styles.listCheck} data-tip={refused ?? undefined}>
      <input
        type="checkbox"
        aria-label={`选择 ${name}`}
        aria-disabled={refused !== null || undefined}
        checked={selection.has(row)}
        onChange={({ nativeEvent }) => {
          if (refused === null)
            selection.toggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }}
      />
    </label>
  )
}

/** Chooses all rows of the page that can be chosen. */
export function PageCheckbox<Row>({
  rows,
  selection,
  text,
}: {
  rows: readonly Row[]
  selection: ListSelection<Row>
  /** Shown beside the box. */
  text?: string
}) {
  const able = rows.filter(row => selection.refusal(row) === null)
  const count = able.filter(selection.has).length
  const all = able.length > 0 && count === able.length
  return (
    <label className={styles.listCheck} data-tip={able.length === 0 ? '本页没有可选择的记录' : undefined}>
      <input
        ref={box => {
          if (box) box.indeterminate = count > 0 && !all
        }}
        type="checkbox"
        aria-label="选择本页"
        aria-disabled={able.length === 0 || selection.turning || undefined}
        checked={all}
        onChange={() => {
          if (!selection.turning) selection.set(able, !all)
        }}
      />
      {text}
    </label>
  )
}

type BarProps<Row> = {
  selection: ListSelection<Row>
  bulk: (rows: readonly Row[], clear: () => void) => ReactNode
}

/** How many rows are chosen on all pages, and what can be done with them. */
export function SelectionBar<Row>({ selection, bulk }: BarProps<Row>) {
  const { rows, clear } = selection
  return (
    <section
      className={styles.listPicked}
      data-part="picked"
      aria-label="批量操作"
      hidden={rows.length === 0}
    >
      <p aria-live="polite">
        已选 <b>{formatCount(rows.length)}</b> 项
      </p>
      <Button kind="link" onClick={clear}>
        清空
      </Button>
      {rows.length > 0 && <div className={styles.listBulk}>{bulk(rows, clear)}</div>}
    </section>
  )
}
