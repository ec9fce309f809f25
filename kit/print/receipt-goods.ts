// Owns how the table of goods is laid out in cells: in one row where it fits, else the name on lines of its own and the rest below it.
import { given } from './input/given.ts'
import { cellsOf, longestPiece, padEnd, padStart, plainText, wrapped } from './receipt-text.ts'

export type GoodsColumn = { field: string; name: string }
type Row = Readonly<Record<string, string>>
type Sized = GoodsColumn & { cells: number; isText: boolean }

/** A name narrower than this is not worth a column of its own. */
const NAME_CELLS = 12
/** The most that a text column takes. */
const TEXT_CELLS = 14
const GAP = 1
const TEXTS: readonly string[] = ['code', 'spec', 'unit']

/** A line of the table; the name stands on a line of its own in those that are `named`. */
export type GoodsLine = { text: string; isHead: boolean; isName: boolean }

/** Lines of the table, none wider than `cells`; `nameCells` where the name is printed larger. */
export function goodsLines(
  columns: readonly GoodsColumn[],
  goods: readonly Row[],
  cells: number,
  nameCells = cells,
): GoodsLine[] {
  const rows = goods.map(row => plainRow(row, columns))
  const [name, rest] = [columns.find(({ field }) => field === 'name'), columns.filter(isNoName)]
  const sized = rest.map(column => sizedOf(column, rows, cells))
  const left = cells - sized.reduce((sum, column) => sum + column.cells + GAP, 0)
  if (name && nameCells === cells && left >= NAME_CELLS && namesFit(rows, left))
    return oneRow(name, sized, { rows, cells, left })
  return stacked(name, sized, { rows, cells, nameCells })
}

const isNoName = ({ field }: GoodsColumn) => field !== 'name'
const textOf = (row: Row, { field }: GoodsColumn) => given(row[field])

const plainRow = (row: Row, columns: readonly GoodsColumn[]): Row =>
  Object.fromEntries(
    columns.map(column => [column.field, plainText(textOf(row, column)).replace(/\s+/g, ' ')]),
  )

const namesFit = (rows: readonly Row[], cells: number) =>
  rows.every(row => longestPiece(row.name ?? '') <= cells)

function sizedOf(column: GoodsColumn, rows: readonly Row[], cells: number): Sized {
  const isText = TEXTS.includes(column.field)
  const texts = [column.name, ...rows.map(row => textOf(row, column))]
  const widest = Math.max(...texts.map(cellsOf))
  const least = Math.max(...texts.map(longestPiece), 2)
  const wanted = isText ? Math.max(least, Math.min(widest, TEXT_CELLS)) : widest
  return { ...column, isText, cells: Math.min(wanted, cells) }
}

type OneRow = { rows: readonly Row[]; cells: number; left: number }

function oneRow(name: GoodsColumn, sized: readonly Sized[], { rows, left }: OneRow): GoodsLine[] {
  const head: Row = Object.fromEntries([name, ...sized].map(column => [column.field, column.name]))
  const all: Sized[] = [{ ...name, cells: left, isText: true }, ...sized]
  return [head, ...rows].flatMap((row, at) =>
    beside(all, row).map(text => ({ text, isHead: at === 0, isName: false })),
  )
}

/** Cells of one row beside each other; a text that is wrapped makes more lines of it. */
function beside(columns: readonly Sized[], row: Row): string[] {
  const parts = columns.map(column => wrapped(textOf(row, column), column.cells))
  const height = Math.max(...parts.map(lines => lines.length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map(({ isText, cells }, at) => {
        const text = parts[at]?.[line] ?? ''
        return isText ? padEnd(text, cells) : padStart(text, cells)
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

type Stacked = { rows: readonly Row[]; cells: number; nameCells: number }

function stacked(name: GoodsColumn | undefined, sized: readonly Sized[], table: Stacked): GoodsLine[] {
  const { rows, cells, nameCells } = table
  const chunks = chunked(sized, cells).map(chunk => spread(chunk, cells))
  const lineOf = (text: string, isHead: boolean, isName = false): GoodsLine => ({ text, isHead, isName })
  const head = Object.fromEntries(sized.map(column => [column.field, column.name]))
  return [
    ...(name ? wrapped(name.name, cells).map(text => lineOf(text, true)) : []),
    ...chunks.flatMap(chunk => beside(chunk, head).map(text => lineOf(text, true))),
    ...rows.flatMap(row => [
      ...(name ? nameLines(row.name ?? '', { cells, nameCells }).map(text => lineOf(text, false, true)) : []),
      ...chunks.flatMap(chunk => beside(chunk, row).map(text => lineOf(text, false))),
    ]),
  ]
}

/** A name with a piece that only fits in the smaller letters is wrapped for these. */
function nameLines(name: string, { cells, nameCells }: { cells: number; nameCells: number }): string[] {
  return wrapped(name, longestPiece(name) <= nameCells ? nameCells : cells)
}

/** As many columns as fit, and the others on the next lines. */
function chunked(columns: readonly Sized[], cells: number): Sized[][] {
  const chunks: Sized[][] = []
  let used = cells + 1
  for (const column of columns) {
    if (used + GAP + column.cells > cells) {
      chunks.push([])
      used = -GAP
    }
    chunks.at(-1)?.push(column)
    used += GAP + column.cells
  }
  return chunks
}

/** What is left of the line is shared among its columns, so that amounts stand at the right edge. */
function spread(columns: readonly Sized[], cells: number): Sized[] {
  const used = columns.reduce((sum, column) => sum + column.cells + GAP, -GAP)
  const share = Math.floor((cells - used) / columns.length)
  const more = (cells - used) % columns.length
  return columns.map((column, at) => ({
    ...column,
    cells: column.cells + share + (at === columns.length - 1 ? more : 0),
  }))
}
