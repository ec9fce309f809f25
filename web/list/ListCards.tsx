import { Pressable } from '../controls/Button.tsx'
import { look } from '../controls/look.ts'
import { WithinPressed } from '../facts/plain.ts'
import styles from './ListCards.module.css'
import listSelectionStyles from './ListSelection.module.css'
import { PageCheckbox, RowCheckbox } from './ListSelection.tsx'
import type { ListColumn, RowAction } from './list-props.ts'
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

/** Rows as cards on a phone: the title with its state and amount, what stands below it, the facts that matter, a call and a row menu. */
export function ListCards<Row>({ rows, first, columns, rowKey, onOpen, rowActions, selection }: Props<Row>) {
  const title = columns.find(column => column.card === 'title') ?? columns[0]
  const amount = columns.find(column => column.card === 'amount')
  const line = columns.filter(({ card }) => card === 'line')
  const facts = columns.filter(({ card }) => card === 'fact' || card === 'whole')
  const state = facts.find(column => column.isState)
  const isTime = (column: ListColumn<Row>) => column.lines === 'two' && !column.below
  const isPair = (column: ListColumn<Row>) => column.title.includes(' / ')
  // A time is as short as an id, beside which it stands.
  const others = facts.filter(column => column !== state).toSorted((a, b) => +isTime(b) - +isTime(a))
  return (
    <ul data-part="cards" className={styles.listCards}>
      {selection && (
        <li className={listSelectionStyles.listCardsPick}>
          <PageCheckbox rows={rows} selection={selection} text="选择本页" />
        </li>
      )}
      {rows.map((row, index) => {
        const place = first + index
        const actions = rowActions?.(row) ?? []
        const quick = actions.filter(action => action.icon)
        const looks =
          line.length > 0
            ? styles.listCardOfLine
            : quick.length > 1
              ? styles.listCardOfActions
              : styles.listCard
        return (
          <li key={rowKey(row)} className={looks}>
            {selection && (
              <RowCheckbox row={row} name={title?.copy?.(row) ?? String(rowKey(row))} selection={selection} />
            )}
            <div className={styles.listCardBody}>
              <div className={styles.listCardHead}>
                {onOpen ? (
                  <button type="button" className={styles.listCardTitle} onClick={() => onOpen(row)}>
                    <WithinPressed value>{title?.render(row, place)}</WithinPressed>
                  </button>
                ) : (
                  <div className={styles.listCardTitle}>{title?.render(row, place)}</div>
                )}
                {state?.render(row, place)}
                {amount && (
                  <span className={styles.listCardAmount}>
                    <span className={look.visuallyHidden}>{amount.title}</span> {amount.render(row, place)}{' '}
                    {amount.unit}
                  </span>
                )}
              </div>
              <div className={styles.listCardFacts}>
                {line.length > 0 && (
                  <p className={styles.listCardLine}>
                    {line.map(column => (
                      <span key={column.key}>
                        <span className={look.visuallyHidden}>{column.title}</span>{' '}
                        {column.render(row, place)} {column.unit}
                      </span>
                    ))}
                  </p>
                )}
                {title?.below && line.length === 0 && <span>{title.below(row, place)}</span>}
                {state?.card === 'whole' && state.below && <span>{state.below(row, place)}</span>}
                <dl>
                  {others
                    .filter(column => !column.isEmpty?.(row))
                    .map(column => (
                      <div key={column.key}>
                        <dt>{column.title}</dt>
                        <dd>
                          {column.render(row, place)}
                          {column.below && (
                            <>
                              {' '}
                              <span className={isPair(column) ? styles.listCardPair : styles.listCardSecond}>
                                {column.below(row, place)}
                              </span>
                            </>
                          )}
                        </dd>
                      </div>
                    ))}
                </dl>
              </div>
            </div>
            {quick.map(action => (
              <Pressable
                key={action.key}
                action={action}
                className={styles.listCardQuick}
                aria-label={action.label}
              >
                {action.icon}
              </Pressable>
            ))}
            {actions.length > 0 && <RowMenu actions={actions} />}
          </li>
        )
      })}
    </ul>
  )
}
