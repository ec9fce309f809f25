import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { copyText } from './copy.ts'
import type { ListColumn, RowAction } from './ListPage.tsx'
import { RowMenu } from './RowMenu.tsx'
import type { ListParams, SetParams } from './useListParams.ts'

const DEFAULT_WIDTH = 120
const SHOWN_ACTIONS = 2

type Props<Row, Params extends ListParams> = {
  rows: readonly Row[]
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => RowAction[]
  actionsWidth?: number
  openKey?: string | number | null
  params: Params
  setParams: SetParams<Params>
}

/** Rows as a table that scrolls inside itself; head, first and action columns stay in sight. */
export function ListTable<Row, Params extends ListParams>(props: Props<Row, Params>) {
  const { rows, columns, rowKey, rowActions } = props
  const [edges, setEdges] = useState({ start: false, end: false })
  const body = useRef<HTMLTableSectionElement>(null)
  const offsets = stickyOffsets(columns)
  const width = columns.reduce((sum, column) => sum + widthOf(column), 0) + actionsWidth(props)
  const watchEdges = (element: HTMLElement | null) => {
    if (!element) return
    const start = element.scrollLeft > 0
    const end = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
    if (start !== edges.start || end !== edges.end) setEdges({ start, end })
  }
  return (
    <div
      className="list-scroll"
      ref={watchEdges}
      data-scrolled={edges.start || undefined}
      data-more={edges.end || undefined}
      onScroll={event => watchEdges(event.currentTarget)}
    >
      <table className="list-table" style={{ minWidth: width }} aria-labelledby="list-title">
        <colgroup>
          {columns.map(column => (
            <col key={column.key} style={{ width: widthOf(column) }} />
          ))}
          {rowActions && <col style={{ width: actionsWidth(props) }} />}
        </colgroup>
        <thead>
          <tr>
            {columns.map(column => (
              <HeadCell key={column.key} column={column} offset={offsets.get(column.key)} {...props} />
            ))}
            {rowActions && (
              <th scope="col" className="list-actions" data-fixed="end">
                操作
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={moveBetweenRows}>
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              tabIndex={index === 0 ? 0 : -1}
              data-open={(props.openKey !== undefined && props.openKey === rowKey(row)) || undefined}
              onKeyDown={event => {
                if (event.key === 'Enter' && event.target === event.currentTarget) props.onOpen?.(row)
              }}
            >
              {columns.map(column => (
                <BodyCell
                  key={column.key}
                  column={column}
                  row={row}
                  offset={offsets.get(column.key)}
                  onOpen={props.onOpen}
                />
              ))}
              {rowActions && (
                <td className="list-actions" data-fixed="end">
                  <Actions actions={rowActions(row)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadProps<Row, Params extends ListParams> = {
  column: ListColumn<Row>
  offset: number | undefined
  params: Params
  setParams: SetParams<Params>
}

function HeadCell<Row, Params extends ListParams>({
  column,
  offset,
  params,
  setParams,
}: HeadProps<Row, Params>) {
  const order = params.sort === column.key ? (params.order ?? 'desc') : null
  const sort = () => {
    const next = order === null ? 'desc' : order === 'desc' ? 'asc' : undefined
    setParams({ sort: next && column.key, order: next } as Partial<Params>)
  }
  return (
    <th
      scope="col"
      {...placing(column, offset)}
      aria-sort={order === null ? undefined : order === 'asc' ? 'ascending' : 'descending'}
    >
      {column.sortable ? (
        <button type="button" className="list-sort" data-order={order ?? undefined} onClick={sort}>
          {column.title}
          <svg viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
            <path className="sort-up" d="M4 1 7 5H1z" />
            <path className="sort-down" d="M4 11 1 7h6z" />
          </svg>
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}

type CellProps<Row> = {
  column: ListColumn<Row>
  row: Row
  offset: number | undefined
  onOpen?: (row: Row) => void
}

function BodyCell<Row>({ column, row, offset, onOpen }: CellProps<Row>) {
  const content = column.render(row)
  const { copy } = column
  return (
    <td {...placing(column, offset)} onDoubleClick={copy && (() => void copyText(copy(row)))}>
      <div className="list-cell" data-tip-cut>
        {column.opens && onOpen ? (
          <button type="button" className="list-open" onClick={() => onOpen(row)}>
            {content}
          </button>
        ) : (
          content
        )}
      </div>
    </td>
  )
}

function Actions({ actions }: { actions: RowAction[] }) {
  const shown = actions.length > SHOWN_ACTIONS + 1 ? actions.slice(0, SHOWN_ACTIONS) : actions
  const folded = actions.slice(shown.length)
  return (
    <div className="row-actions">
      {shown.map(action => (
        <button
          key={action.key}
          type="button"
          className="row-action"
          data-danger={action.danger || undefined}
          aria-disabled={Boolean(action.disabled) || undefined}
          data-tip={action.disabled ?? undefined}
          onClick={() => {
            if (!action.disabled) action.onClick()
          }}
        >
          {action.label}
        </button>
      ))}
      {folded.length > 0 && <RowMenu actions={folded} />}
    </div>
  )
}

/** Arrow keys move the cursor from row to row. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const row = event.target as HTMLElement
  if (row.tagName !== 'TR') return
  const rows = [...event.currentTarget.rows]
  const at = rows.indexOf(row as HTMLTableRowElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  const next = to === undefined ? undefined : rows[to]
  if (!next) return
  event.preventDefault()
  for (const other of rows) other.tabIndex = other === next ? 0 : -1
  next.focus()
}

function widthOf<Row>(column: ListColumn<Row>): number {
  return column.width ?? DEFAULT_WIDTH
}

function actionsWidth<Row, Params extends ListParams>(props: Props<Row, Params>): number {
  return props.rowActions ? (props.actionsWidth ?? 112) : 0
}

function stickyOffsets<Row>(columns: readonly ListColumn<Row>[]): Map<string, number> {
  const offsets = new Map<string, number>()
  let start = 0
  for (const column of columns) {
    if (column.fixed !== 'start') continue
    offsets.set(column.key, start)
    start += widthOf(column)
  }
  return offsets
}

function placing<Row>(column: ListColumn<Row>, offset: number | undefined) {
  const style: CSSProperties | undefined = offset === undefined ? undefined : { left: offset }
  return { 'data-fixed': column.fixed, 'data-align': column.align, style }
}
