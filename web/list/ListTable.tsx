import { roving } from '#web/keys/roving.ts'
import { Pressable } from '../controls/Button.tsx'
import { copyText } from '../controls/copy.ts'
import { HeadCell, placing } from './ListHead.tsx'
import { PageCheckbox, RowCheckbox } from './ListSelection.tsx'
import styles from './ListTable.module.css'
import type { ListColumn, RowAction } from './list-props.ts'
import { RowMenu } from './RowMenu.tsx'
import type { ListParams, SetParams } from './useListParams.ts'
import type { ListSelection } from './useListSelection.ts'
import { type RowKey, useRowKeys } from './useRowKeys.ts'

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
  rowKeys?: readonly RowKey<Row>[]
  listKey: string
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
  const keys = useRowKeys(props)
  const pickWidth = selection ? PICK_WIDTH : 0
  const offsets = stickyOffsets(columns, pickWidth)
  const width = columns.reduce((sum, column) => sum + widthOf(column), pickWidth) + actionsWidth(props)
  const filler = props.isArranged ? columns.findLast(column => column.fixed === undefined) : undefined
  return (
    <div className={styles.listScroll} ref={watchEdges} onScroll={event => markEdges(event.currentTarget)}>
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
          <tr {...roving}>
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
        <tbody {...keys}>
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              tabIndex={index === 0 ? 0 : -1}
              data-open={(props.openKey !== undefined && props.openKey === rowKey(row)) || undefined}
              data-picked={selection?.has(row) || undefined}
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

/** Told of sizes once the page is laid out: asking for them before has the browser lay it out once more. */
function watchEdges(element: HTMLElement | null) {
  const table = element?.firstElementChild
  if (!element || !table) return
  const sizes = new ResizeObserver(() => markEdges(element))
  for (const box of [element, table]) sizes.observe(box)
  return () => sizes.disconnect()
}

/** Marks what is out of sight on either side; past React, which would draw every row once more. */
function markEdges(element: HTMLElement): void {
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
        <Pressable key={action.key} action={action} className={styles.rowAction}>
          {action.label}
        </Pressable>
      ))}
      {folded.length > 0 && <RowMenu actions={folded} />}
    </div>
  )
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
