import { type KeyboardEvent, useRef } from 'react'
import { copyText } from '../copy.ts'
import { HeadCell, placing } from './ListHead.tsx'
import type { ListColumn, RowAction } from './ListPage.tsx'
import { PageCheckbox, RowCheckbox } from './ListSelection.tsx'
import styles from './ListTable.module.css'
import { RowMenu } from './RowMenu.tsx'
import type { ListParams, SetParams } from './useListParams.ts'
import type { ListSelection } from './useListSelection.ts'

const DEFAULT_WIDTH = 120
const SHOWN_ACTIONS = 2
const PICK_WIDTH = 48

type Props<Row, Params extends ListParams> = {
  rows: readonly Row[]
  /** The place of the first one in the whole list. */
  first: number
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  rowActions?: (row: Row) => RowAction[]
  actionsWidth?: number
  openKey?: string | number | null
  rowKeys?: (row: Row, key: string) => boolean
  selection?: ListSelection<Row>
  /** A width was chosen: the last column takes what is left. */
  isArranged: boolean
  /** Widths as the person dragged them; undefined is the list's own again. */
  onWidths: (widths: ReadonlyMap<string, number | undefined>) => void
  params: Params
  setParams: SetParams<Params>
}

/** Rows as a table that scrolls inside itself; head, first and action columns stay in sight. */
export function ListTable<Row, Params extends ListParams>(props: Props<Row, Params>) {
  const { rows, first, columns, rowKey, rowActions, selection } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const pickWidth = selection ? PICK_WIDTH : 0
  const offsets = stickyOffsets(columns, pickWidth)
  const width = columns.reduce((sum, column) => sum + widthOf(column), pickWidth) + actionsWidth(props)
  const filler = props.isArranged ? columns.findLast(column => column.fixed === undefined) : undefined
  return (
    <div
      className={styles.listScroll}
      // Anew after each change: other rows, columns and widths may go past the edge.
      ref={element => watchEdges(element)}
      onScroll={event => watchEdges(event.currentTarget)}
    >
      <table
        className={styles.listTable}
        data-lines={columns.some(({ lines }) => lines === 'two') ? 'two' : undefined}
        style={{ minWidth: width }}
        aria-labelledby="list-title"
      >
        <colgroup>
          {selection && <col style={{ width: PICK_WIDTH }} />}
          {columns.map(column => (
            <col
              key={column.key}
              data-key={column.key}
              style={{ width: column === filler ? undefined : widthOf(column) }}
            />
          ))}
          {rowActions && <col style={{ width: actionsWidth(props) }} />}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col" data-fixed="start" style={{ left: 0 }}>
                <PageCheckbox rows={rows} selection={selection} />
              </th>
            )}
            {columns.map(column => (
              <HeadCell key={column.key} column={column} offset={offsets.get(column.key)} {...props} />
            ))}
            {rowActions && (
              <th scope="col" data-fixed="end">
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
              data-picked={selection?.has(row) || undefined}
              onKeyDown={event => pressOnRow(event, row, props)}
            >
              {selection && (
                <td data-fixed="start" style={{ left: 0 }}>
                  <RowCheckbox row={row} name={nameOf(columns, row, rowKey)} selection={selection} />
                </td>
              )}
              {columns.map(column => (
                <BodyCell
                  key={column.key}
                  column={column}
                  row={row}
                  place={first + index}
                  offset={offsets.get(column.key)}
                  onOpen={props.onOpen}
                />
              ))}
              {rowActions && (
                <td data-fixed="end">
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

/** Marks what is out of sight on either side; past React, which would draw every row once more. */
function watchEdges(element: HTMLElement | null): void {
  if (!element) return
  const { scrollLeft, clientWidth, scrollWidth } = element
  element.toggleAttribute('data-scrolled', scrollLeft > 0)
  element.toggleAttribute('data-more', scrollLeft + clientWidth < scrollWidth - 1)
}

type CellProps<Row> = {
  column: ListColumn<Row>
  row: Row
  place: number
  offset: number | undefined
  onOpen?: (row: Row) => void
}

function BodyCell<Row>({ column, row, place, offset, onOpen }: CellProps<Row>) {
  const content = column.render(row, place)
  const { copy } = column
  return (
    <td {...placing(column, offset)} onDoubleClick={copy && (() => void copyText(copy(row)))}>
      <div className={styles.listCell} data-lines={column.lines} data-tip-cut>
        {column.opens && onOpen ? (
          <button type="button" className={styles.listOpen} onClick={() => onOpen(row)}>
            {content}
          </button>
        ) : (
          content
        )}
        {column.below && <div className={styles.listBelow}>{column.below(row, place)}</div>}
      </div>
    </td>
  )
}

function Actions({ actions }: { actions: RowAction[] }) {
  const shown = actions.length > SHOWN_ACTIONS + 1 ? actions.slice(0, SHOWN_ACTIONS) : actions
  const folded = actions.slice(shown.length)
  return (
    <div className={styles.rowActions}>
      {shown.map(action => (
        <button
          key={action.key}
          type="button"
          className={styles.rowAction}
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

/** Enter opens the row, the space bar chooses it; other keys are the page's. Keys inside a cell are the cell's own. */
function pressOnRow<Row, Params extends ListParams>(
  event: KeyboardEvent<HTMLTableRowElement>,
  row: Row,
  { onOpen, selection, rowKeys }: Props<Row, Params>,
): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Enter') onOpen?.(row)
  else if (event.key === ' ' && selection) {
    event.preventDefault()
    if (selection.refusal(row) === null) selection.toggle(row)
  } else if (rowKeys?.(row, event.key)) event.preventDefault()
}

/** What a row is called where only its text can be used. */
function nameOf<Row>(
  columns: readonly ListColumn<Row>[],
  row: Row,
  rowKey: (row: Row) => string | number,
): string {
  const title = columns.find(column => column.card === 'title') ?? columns[0]
  return title?.copy?.(row) ?? String(rowKey(row))
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

function stickyOffsets<Row>(columns: readonly ListColumn<Row>[], from: number): Map<string, number> {
  const offsets = new Map<string, number>()
  let start = from
  for (const column of columns) {
    if (column.fixed !== 'start') continue
    offsets.set(column.key, start)
    start += widthOf(column)
  }
  return offsets
}
