import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { isPressed, isReadingDrawer, useKeys } from '#web/keys/keys.ts'
import type { ListSelection } from './useListSelection.ts'

/** A key of the page's own on the row that has the cursor. */
export type RowKey<Row> = {
  press: string
  does: string
  act: (row: Row) => void
  /** The cursor goes on to the next row, as this one may leave the list. */
  onward?: true
}

type Rows<Row> = {
  listKey: string
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  onOpen?: (row: Row) => void
  openKey?: string | number | null
  selection?: ListSelection<Row>
  rowKeys?: readonly RowKey<Row>[]
}

const MOVES = [
  { press: 'ArrowDown', does: '下一行', to: (at: number) => at + 1 },
  { press: 'ArrowUp', does: '上一行', to: (at: number) => at - 1 },
  { press: 'Home', does: '本页第一行', to: () => 0 },
  { press: 'End', does: '本页最后一行', to: (_at: number, last: number) => last },
]

/** By list: the row that had the cursor last, and the address it was at. */
const left = new Map<string, { href: string; key: string | number }>()

/** What keys do with the rows: move, open, choose; on to the next in a drawer over them; and back to the row that was left. */
export function useRowKeys<Row>(given: Rows<Row>) {
  const { listKey, rows, rowKey, onOpen, openKey, selection, rowKeys = [] } = given
  const body = useRef<HTMLTableSectionElement>(null)
  const indexOf = (key: string | number | null | undefined) => rows.findIndex(row => rowKey(row) === key)
  const goTo = (at: number) => {
    const all = [...(body.current?.rows ?? [])]
    const next = all[at]
    if (!next) return false
    for (const row of all) row.tabIndex = row === next ? 0 : -1
    next.focus()
    return true
  }
  /** From anywhere on the page: the next row, or the first where none has the cursor. */
  const step = (by: number) => (event: globalThis.KeyboardEvent) => {
    const focused = document.activeElement?.closest('tr')
    const at = [...(body.current?.rows ?? [])].indexOf(focused as HTMLTableRowElement)
    if (goTo(at < 0 ? 0 : at + by)) event.preventDefault()
  }
  const openAt = openKey === null || openKey === undefined ? -1 : indexOf(openKey)
  const openNext = (step: number) => (event: globalThis.KeyboardEvent) => {
    const next = openAt < 0 ? undefined : rows[openAt + step]
    if (!next || !isReadingDrawer(event)) return
    event.preventDefault()
    onOpen?.(next)
  }
  useKeys('列表中的行', [
    ...MOVES.map(({ press, does }) => ({ press, does })),
    ...(onOpen ? [{ press: 'Enter', does: '打开' }] : []),
    ...(selection ? [{ press: ' ', does: '选择' }] : []),
    ...rowKeys.map(({ press, does }) => ({ press, does })),
    ...(rowKeys.length > 0
      ? [
          { press: 'j', does: '下一行', act: step(1) },
          { press: 'k', does: '上一行', act: step(-1) },
        ]
      : []),
  ])
  const drawerKeys = [
    { press: 'ArrowDown', does: '下一行的详情', act: openNext(1), everywhere: true },
    { press: 'ArrowUp', does: '上一行的详情', act: openNext(-1), everywhere: true },
    ...(rowKeys.length > 0
      ? [
          { press: 'j', does: '下一行的详情', act: openNext(1), everywhere: true },
          { press: 'k', does: '上一行的详情', act: openNext(-1), everywhere: true },
        ]
      : []),
    { press: 'Escape', does: '关闭，回到原来的行' },
  ]
  useKeys('列表上的详情', onOpen && openKey !== undefined ? drawerKeys : [])

  const opened = useRef(openKey)
  useEffect(() => {
    const before = opened.current
    opened.current = openKey
    if (openAt >= 0) body.current?.rows[openAt]?.scrollIntoView({ block: 'nearest' })
    else if (openKey === null && before !== null && before !== undefined) goTo(indexOf(before))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the page that was left for another is there again.
  useEffect(() => {
    const last = left.get(listKey)
    const isNowhere = document.activeElement === document.body || document.activeElement?.id === 'main'
    if (openAt < 0 && isNowhere && last?.href === location.href) goTo(indexOf(last.key))
  }, [])

  return {
    ref: body,
    onFocus: ({ target }: FocusEvent<HTMLTableSectionElement>) => {
      const row = rows[[...(body.current?.rows ?? [])].indexOf(target.closest('tr') as HTMLTableRowElement)]
      if (row) left.set(listKey, { href: location.href, key: rowKey(row) })
    },
    /** Keys inside a cell are the cell's own. */
    onKeyDown: (event: KeyboardEvent<HTMLTableSectionElement>) => {
      const at = [...event.currentTarget.rows].indexOf(event.target as HTMLTableRowElement)
      const row = rows[at]
      if (!row || event.ctrlKey || event.metaKey || event.altKey) return
      const move = MOVES.find(({ press }) => press === event.key)
      const own = rowKeys.find(({ press }) => isPressed(event, press))
      if (event.key === 'Enter') return onOpen?.(row)
      if (event.key === ' ' && selection) {
        if (selection.refusal(row) === null) selection.toggle(row, event.shiftKey)
      } else if (move) goTo(move.to(at, rows.length - 1))
      else if (own) {
        if (own.onward) goTo(at + 1)
        own.act(row)
      } else return
      event.preventDefault()
    },
  }
}
