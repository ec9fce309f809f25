import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { type ImportDetails, type ImportLine, importApi } from './importApi.tsx'
import type { ShownRows } from './rules.ts'

/** Lines that are asked for at once. */
const PAGE = 100
/** Lines that are drawn above and below those that are seen. */
const AROUND = 8

export type Shown = {
  id: number
  only: ShownRows
  mode: ImportDetails['mode']
  heads: ImportDetails['heads']
  editable: boolean
  total: number
}

/** Of thousands of lines those that are seen, and what a scrolling box must know to look as if it held them all. */
export function useLines({ id, only, total }: Shown, lineHeight: number, boxHeight: number) {
  const [top, setTop] = useState(0)
  const first = Math.max(0, Math.floor(top / lineHeight) - AROUND)
  const last = Math.min(total, Math.ceil((top + boxHeight) / lineHeight) + AROUND)
  const from = Math.floor(first / PAGE)
  const pages = Math.max(1, Math.ceil(last / PAGE) - from)
  const found = useQueries({
    queries: Array.from({ length: pages }, (_, at) => ({
      ...importApi.rows.query({ id, only, offset: (from + at) * PAGE, limit: PAGE }),
      placeholderData: keepPreviousData,
    })),
  })
  const lines: { at: number; line: ImportLine | undefined }[] = []
  for (let at = first; at < last; at++)
    lines.push({ at, line: found[Math.floor(at / PAGE) - from]?.data?.rows[at % PAGE] })
  return {
    lines,
    /** Pixels of those above and below that are not drawn. */
    above: first * lineHeight,
    below: Math.max(0, total - last) * lineHeight,
    onScroll: (event: { currentTarget: HTMLElement }) => setTop(event.currentTarget.scrollTop),
  }
}
