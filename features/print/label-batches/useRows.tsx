// The rows of a draft: typed, pasted, brought. Below the last there is always an empty one.
import { useRef } from 'react'
import {
  BATCH_LIMITS,
  type BatchRow,
  cellsOf,
  hasHeads,
  isBlank,
  pastedOver,
  readTable,
  rowsOfTable,
} from '#kit/print/batch/batch-rows.ts'
import type { BatchField } from '#kit/print/batch/fields.ts'
import { toast } from '#web/controls/toast.ts'

const FIRST: readonly BatchRow[] = [{ id: 1, data: {}, copies: '' }]

export type Rows = ReturnType<typeof useRows>

export function useRows(
  given: readonly BatchRow[],
  fields: readonly BatchField[],
  change: (rows: BatchRow[]) => void,
) {
  const rows = given.length === 0 ? FIRST : given
  const last = useRef(0)
  last.current = Math.max(last.current, ...rows.map(({ id }) => id))
  const newId = () => {
    last.current += 1
    return last.current
  }

  /** With one empty row at the end, where there is room for one. */
  function settled(next: readonly BatchRow[]): BatchRow[] {
    const until = next.findLastIndex(row => !isBlank(row)) + 1
    const kept = next.slice(0, until)
    if (kept.length > BATCH_LIMITS.rows)
      toast.warning(`一批最多 ${BATCH_LIMITS.rows.toLocaleString('en-US')} 行，多出的没有放入`)
    if (kept.length >= BATCH_LIMITS.rows) return kept.slice(0, BATCH_LIMITS.rows)
    return [...kept, next[until] ?? { id: newId(), data: {}, copies: '' }]
  }
  const set = (next: readonly BatchRow[]) => change(settled(next))

  type Content = Pick<BatchRow, 'data' | 'copies'>
  /** In place of what is there, or below it. */
  const bring = (contents: readonly Content[], below: boolean) => {
    const before = below ? rows.filter(row => !isBlank(row)) : []
    set([...before, ...contents.map(content => ({ ...content, id: newId() }))])
  }

  return {
    rows,
    filled: rows.filter(row => !isBlank(row)),
    write(id: number, key: string, text: string) {
      set(
        rows.map(row => {
          if (row.id !== id) return row
          return key === 'copies' ? { ...row, copies: text } : { ...row, data: { ...row.data, [key]: text } }
        }),
      )
    },
    remove: (id: number) => set(rows.filter(row => row.id !== id)),
    clear: () => change([]),
    bring,
    /** True where it was cells of a spreadsheet; a single text is pasted as the browser does it. */
    paste(text: string, at: { row: number; column: number }): boolean {
      const cells = cellsOf(text)
      if (cells.length === 0 || (cells.length === 1 && cells[0]?.length === 1)) return false
      if (hasHeads(cells, fields)) {
        const lines = cells.map((line, index) => ({ line: index + 1, cells: line }))
        const contents = rowsOfTable(readTable(lines, fields))
        const pasted = contents.map(content => ({ ...content, id: newId() }))
        set([...rows.slice(0, at.row), ...pasted, ...rows.slice(at.row)].filter(row => !isBlank(row)))
      } else set(pastedOver(rows, at, cells, fields, newId))
      return true
    },
  }
}
