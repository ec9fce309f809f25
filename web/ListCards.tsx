import type { ListColumn, RowAction } from './ListPage.tsx'
import { RowMenu } from './RowMenu.tsx'

type Props<Row> = {
  rows: readonly Row[]
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => RowAction[]
}

/** Rows as cards on a phone: the title, the facts that matter, and a row menu. */
export function ListCards<Row>({ rows, columns, rowKey, onOpen, rowActions }: Props<Row>) {
  const title = columns.find(column => column.card === 'title') ?? columns[0]
  const facts = columns.filter(column => column.card === 'fact')
  return (
    <ul className="list-cards">
      {rows.map(row => {
        const actions = rowActions?.(row) ?? []
        return (
          <li key={rowKey(row)} className="list-card">
            <div className="list-card-head">
              {onOpen ? (
                <button type="button" className="list-card-title" onClick={() => onOpen(row)}>
                  {title?.render(row)}
                </button>
              ) : (
                <div className="list-card-title">{title?.render(row)}</div>
              )}
              {actions.length > 0 && <RowMenu actions={actions} />}
            </div>
            <dl className="list-card-facts">
              {facts.map(column => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{column.render(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
