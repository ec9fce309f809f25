// Which sheet of several is read, what is refused of it, and what is told of all that was not as it seems. Pure.
import { headKey, isHead } from '#kit/words/heads.ts'
import type { SheetTold } from '#kit/words/sheet.ts'
import { type Page, type SheetLine, type SheetOrder, type SheetTable, Unreadable } from './sheet-order.ts'

/** Lines in which heads may stand. */
const HEADS_WITHIN = 10
/** From so many known heads on a line names columns. */
const HEADS_LEAST = 2
/** What is named of each kind. */
const NAMED = 20

export function chosenOf(
  pages: readonly Page[],
  { limits, heads }: Pick<SheetOrder, 'limits' | 'heads'>,
): SheetTable {
  const known = new Set(heads)
  const seen = pages
    .filter(({ isHidden, lines }) => !isHidden && lines.length > 0)
    .map(page => ({ page, ...headsOf(page.lines, known) }))
  const [best] = seen.toSorted((a, b) => b.count - a.count)
  if (!best)
    throw new Unreadable(pages.some(one => one.isHidden || one.hiddenLines.length > 0) ? 'hidden' : 'empty')
  const { page, line } = best
  const columns = widthOf(page.lines)
  if (page.isCut || page.lines.length > limits.rows) throw new Unreadable('rows')
  if (columns > limits.columns) throw new Unreadable('columns')
  const below = ({ line: at }: { line: number }) => at > line
  const cells = (of: readonly { cells: string }[]) => of.slice(0, NAMED).map(({ cells: name }) => name)
  const told: SheetTold = {
    sheet: pages.length > 1 ? page.name : null,
    alike: seen.filter(other => other !== best && other.count >= HEADS_LEAST).map(other => other.page.name),
    hiddenSheets: pages.filter(({ isHidden }) => isHidden).map(({ name }) => name),
    hiddenLines: page.hiddenLines.slice(0, NAMED),
    hiddenLineCount: page.hiddenLines.length,
    hiddenColumns: page.hiddenColumns,
    filled: cells(page.filled.filter(below)),
    spread: cells(page.spread.filter(below)),
    openQuote: page.openQuote,
  }
  return { lines: page.lines.map(one => ({ ...one, cells: filledUp(one.cells, columns) })), told }
}

/** How many heads the line has that has most, and which it is. */
function headsOf(lines: readonly SheetLine[], known: ReadonlySet<string>): { count: number; line: number } {
  let best = { count: 0, line: lines[0]?.line ?? 1 }
  for (const { line, cells } of lines.slice(0, HEADS_WITHIN)) {
    const count = new Set(cells.filter(cell => isHead(known, cell)).map(headKey)).size
    if (count > best.count) best = { count, line }
  }
  return best
}

function widthOf(lines: readonly SheetLine[]): number {
  return lines.reduce((most, { cells }) => Math.max(most, cells.findLastIndex(cell => cell !== '') + 1), 0)
}

const filledUp = (cells: readonly string[], columns: number) =>
  Array.from({ length: columns }, (_, at) => cells[at] ?? '')
