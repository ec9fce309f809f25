// A table as a text with separators.
import { csvLines } from '#kit/words/csv.ts'
import { isHead } from '#kit/words/heads.ts'
import { type Page, type SheetLimits, type SheetLine, Unreadable } from './sheet-order.ts'
import { plain } from './shown.ts'

const SEPARATORS = [',', ';', '\t', '|', '，'] as const
/** Lines that are looked at. */
const HEADS_WITHIN = 10

export function pageOfText(text: string, limits: SheetLimits, heads: ReadonlySet<string>): Page {
  const told = /^sep=(.)[ \t]*(?:\r\n?|\n|$)/i.exec(text)
  const rest = text.slice(told?.[0].length ?? 0)
  const skipped = told ? 1 : 0
  const lines: SheetLine[] = []
  let openQuote: number | null = null
  for (const { line, cells, isOpen } of csvLines(rest, told?.[1] ?? separatorOf(rest, heads))) {
    lines.push({ line: line + skipped, cells: cells.map(cell => plain(cell, limits.cell)) })
    if (isOpen) openQuote = line + skipped
    if (lines.length > limits.rows) throw new Unreadable('rows')
  }
  return {
    ...{ name: '', isHidden: false, lines, isCut: false },
    ...{ hiddenLines: [], hiddenColumns: [], filled: [], spread: [], openQuote },
  }
}

/** By which most heads are known, or else most cells are found. */
function separatorOf(text: string, heads: ReadonlySet<string>): string {
  const judged = SEPARATORS.map(separator => {
    let [known, cells] = [0, 0]
    let looked = 0
    for (const line of csvLines(text.slice(0, 20_000), separator)) {
      if (++looked > HEADS_WITHIN) break
      known = Math.max(known, line.cells.filter(cell => isHead(heads, cell)).length)
      cells += line.cells.length - 1
    }
    return { separator, known, cells }
  })
  const [best] = judged.toSorted((a, b) => b.known - a.known || b.cells - a.cells)
  return best?.separator ?? ','
}
