import type { CSSProperties, PointerEvent } from 'react'
import { clampWidth } from '#kit/declare/columns.ts'
import styles from './ListTable.module.css'
import type { ListColumn } from './list-props.ts'
import type { ListParams, SetParams } from './useListParams.ts'

type HeadProps<Row, Params extends ListParams> = {
  column: ListColumn<Row>
  offset: number | undefined
  params: Params
  setParams: SetParams<Params>
  onWidths: (widths: ReadonlyMap<string, number | undefined>) => void
}

/** A column's name, its sort, and at its edge a handle for its width. */
export function HeadCell<Row, Params extends ListParams>({
  column,
  offset,
  params,
  setParams,
  onWidths,
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
        <button type="button" className={styles.listSort} data-order={order ?? undefined} onClick={sort}>
          {column.title}
          <svg viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
            <path className={styles.sortUp} d="M4 1 7 5H1z" />
            <path className={styles.sortDown} d="M4 11 1 7h6z" />
          </svg>
        </button>
      ) : (
        column.title
      )}
      {column.fixed !== 'end' && (
        <span
          className={styles.listResize}
          aria-hidden="true"
          data-tip="拖动调整列宽，双击恢复"
          onPointerDown={event => dragWidth(event, column.key, onWidths)}
          onDoubleClick={() => onWidths(new Map([[column.key, undefined]]))}
        />
      )}
    </th>
  )
}

/** Shorter movements are a click. */
const MOVED_PX = 3

/**
 * Follows the pointer without drawing the rows anew: the widths of the table's own columns change, and are given to the list
 * when the pointer is let go. All columns first take the widths that they have, so that none but this one moves.
 */
function dragWidth(
  event: PointerEvent<HTMLElement>,
  key: string,
  onWidths: (widths: ReadonlyMap<string, number | undefined>) => void,
): void {
  const handle = event.currentTarget
  const table = handle.closest('table')
  if (!table || event.button !== 0) return
  event.preventDefault()
  const heads = [...table.querySelectorAll<HTMLElement>('thead th')]
  const columns = [...table.querySelectorAll<HTMLElement>('col')]
  const before = { columns: columns.map(column => column.style.width), table: table.style.minWidth }
  const widths = heads.map(head => head.offsetWidth)
  const at = columns.findIndex(column => column.dataset.key === key)
  const startX = event.clientX
  const startWidth = widths[at] ?? 0
  const last = columns.findLastIndex((column, index) => column.dataset.key !== undefined && index !== at)
  const show = () => {
    columns.forEach((column, index) => {
      column.style.width = index === last ? '' : `${widths[index]}px`
    })
    table.style.minWidth = `${widths.reduce((sum, width) => sum + width, 0)}px`
  }
  const restore = () => {
    columns.forEach((column, index) => {
      column.style.width = before.columns[index] ?? ''
    })
    table.style.minWidth = before.table
  }
  const move = ({ clientX }: { clientX: number }) => {
    widths[at] = clampWidth(startWidth + clientX - startX)
    show()
  }
  const end = ({ clientX, type }: { clientX: number; type: string }) => {
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', end)
    handle.removeEventListener('pointercancel', end)
    delete handle.dataset.dragged
    restore()
    if (type === 'pointercancel' || Math.abs(clientX - startX) < MOVED_PX) return
    onWidths(
      new Map(
        columns.flatMap((column, index) =>
          column.dataset.key === undefined ? [] : [[column.dataset.key, clampWidth(widths[index] ?? 0)]],
        ),
      ),
    )
  }
  handle.setPointerCapture(event.pointerId)
  handle.dataset.dragged = 'true'
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', end)
  handle.addEventListener('pointercancel', end)
}

/** Where a cell sticks and how it is aligned. */
export function placing<Row>(column: ListColumn<Row>, offset: number | undefined) {
  const style: CSSProperties | undefined = offset === undefined ? undefined : { left: offset }
  return { 'data-fixed': column.fixed, 'data-align': column.align, style }
}
