// What is wrong with each row, found a few rows at a time, so that typing is not held up.
import { useDeferredValue, useEffect, useState } from 'react'
import { type BatchRow, faultsOfRow, isBlank, type RowFault } from '#kit/print/batch/batch-rows.ts'
import type { Label } from '#kit/print/label.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import type { Dots } from '#kit/print/units.ts'
import { messageOf } from '#web/client/api.ts'
import { begin } from '#web/client/ready.ts'
import { glyphsFor } from '#web/print/useGlyphs.ts'

const AT_ONCE_MS = 12
const AGAIN_MS = 3_000

type Judged = { label: Label; dots: Dots; faults: RowFault[] }
/** A row that has not changed is not looked at again. */
const judged = new WeakMap<BatchRow, Judged>()

const knownOf = (row: BatchRow, label: Label, dots: Dots) => {
  const known = judged.get(row)
  return known?.label === label && known.dots === dots ? known.faults : null
}

export type RowFaults = {
  /** By the row's id; of rows that have been looked at. */
  of: (row: BatchRow) => readonly RowFault[] | null
  pending: boolean
  /** Why they cannot be looked at. */
  failed: string | null
}

export function useRowFaults(label: Label | null, given: readonly BatchRow[], dots: Dots): RowFaults {
  const rows = useDeferredValue(given)
  const [state, setState] = useState<{ rows: readonly BatchRow[] | null; failed: string | null }>({
    rows: null,
    failed: null,
  })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (!label) return
    const left = rows.filter(row => !isBlank(row) && !knownOf(row, label, dots))
    if (left.length === 0) return setState({ rows, failed: null })
    let isOver = false
    const end = begin()
    let again: ReturnType<typeof setTimeout> | undefined
    const judge = async () => {
      const glyphs = await glyphsFor(labelCharacters(label, ...left.map(({ data }) => data)))
      for (let from = 0; from < left.length && !isOver; ) {
        const until = performance.now() + AT_ONCE_MS
        for (; from < left.length && performance.now() < until; from += 1) {
          const row = left[from] as BatchRow
          judged.set(row, { label, dots, faults: faultsOfRow(label, row, { dots, glyphs }) })
        }
        await new Promise(resolve => setTimeout(resolve))
      }
      if (!isOver) setState({ rows, failed: null })
    }
    judge()
      .catch(error => {
        if (isOver) return
        setState({ rows: null, failed: messageOf(error) })
        again = setTimeout(() => setTries(tries + 1), AGAIN_MS)
      })
      .finally(end)
    return () => {
      isOver = true
      end()
      clearTimeout(again)
    }
  }, [label, rows, dots, tries])
  return {
    of: row => (label ? knownOf(row, label, dots) : null),
    pending:
      state.rows !== given && given.some(row => !isBlank(row) && (!label || !knownOf(row, label, dots))),
    failed: state.failed,
  }
}
