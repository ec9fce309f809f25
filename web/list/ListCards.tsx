import styles from './ListCards.module.css'
import type { ListColumn, RowAction } from './ListPage.tsx'
import listSelectionStyles from './ListSelection.module.css'
import { PageCheckbox, RowCheckbox } from './ListSelection.tsx'
import { RowMenu } from './RowMenu.tsx'
import type { ListSelection } from './useListSelection.ts'

type Props<Row> = {
  rows: readonly Row[]
  /** The place of the first one in the whole list. */
  first: number
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => RowAction[]
  selection?: ListSelection<Row>
}

/** Rows as cards on a phone: the title, the facts that matter, and a row menu. */
export function ListCards<Row>({ rows, first, columns, rowKey, onOpen, rowActions, selection }: Props<Row>) {
  const title = columns.find(column => column.card === 'title') ?? columns[0]
  const facts = columns.filter(column => column.card === 'fact')
  return (
    <ul data-part="cards" className={styles.listCards}>
      {selection && (
        <li className={listSelectionStyles.listCardsPick}>
          <PageCheckbox rows={rows} selection={selection} text="选择本页" />
        </li>
      )}
      {rows.map((row, index) => {
        const actions = rowActions?.(row) ?? []
        return (
          <li key={rowKey(row)} className={styles.listCard}>
            <div className={styles.listCardHead}>
              {selection && (
                <RowCheckbox
                  row={row}
                  name={title?.copy?.(row) ?? String(rowKey(row))}
                  selection={selection}
                />
              )}
              {onOpen ? (
                <button type="button" className={styles.listCardTitle} onClick={() => onOpen(row)}>
                  {title?.render(row, first + index)}
                </button>
              ) : (
                <div className={styles.listCardTitle}>{title?.render(row, first + index)}</div>
              )}
              {actions.length > 0 && <RowMenu actions={actions} />}
            </div>
            <dl className={styles.listCardFacts}>
              {facts.map(column => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{column.render(row, first + index)}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
