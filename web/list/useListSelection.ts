// Owns which rows of a list are chosen: kept while pages and searches change, each with its row.
import { useRef, useState } from 'react'

type Key = string | number

export type ListSelection<Row> = {
  /** The chosen rows, as fresh as they were last seen. */
  rows: readonly Row[]
  /** The rows on the screen are still those of the page before: all of "this page" cannot be chosen yet. */
  turning: boolean
  has: (row: Row) => boolean
  /** Why the row cannot be chosen. */
  refusal: (row: Row) => string | null
  /** `through`: with all rows on the screen from the one that was toggled last. */
  toggle: (row: Row, through?: boolean) => void
  /** Chooses all of these that can be, or takes them all out. */
  set: (rows: readonly Row[], chosen: boolean) => void
  clear: () => void
}

/** `shown` are the rows on the screen: they renew those that were remembered, and drop what can no longer be chosen. */
export function useListSelection<Row>(
  shown: readonly Row[],
  rowKey: (row: Row) => Key,
  selectable: (row: Row) => string | null = () => null,
  turning = false,
): ListSelection<Row> {
  const [remembered, setRemembered] = useState<ReadonlyMap<Key, Row>>(new Map())
  const last = useRef<Key | null>(null)
  const chosen = new Map(remembered)
  for (const row of shown) {
    const key = rowKey(row)
    if (!chosen.has(key)) continue
    if (selectable(row) === null) chosen.set(key, row)
    else chosen.delete(key)
  }
  const set = (rows: readonly Row[], wanted: boolean) => {
    const next = new Map(chosen)
    for (const row of rows) {
      if (!wanted) next.delete(rowKey(row))
      else if (selectable(row) === null) next.set(rowKey(row), row)
    }
    setRemembered(next)
  }
  const toggle = (row: Row, through = false) => {
    const [from, to] = [shown.findIndex(other => rowKey(other) === last.current), shown.indexOf(row)]
    const reached =
      through && from >= 0 && to >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [row]
    last.current = rowKey(row)
    set(reached, !chosen.has(rowKey(row)))
  }
  return {
    rows: [...chosen.values()],
    turning,
    has: row => chosen.has(rowKey(row)),
    refusal: selectable,
    toggle,
    set,
    clear: () => setRemembered(new Map()),
  }
}
