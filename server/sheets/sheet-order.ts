// What the program that reads tables is asked, and what it answers.
import type { SheetTold } from '#kit/words/sheet.ts'

export type SheetLimits = {
  /** Lines, heads included, and columns. */
  rows: number
  columns: number
  /** Characters of a cell that are kept. */
  cell: number
  /** Bytes that a workbook may be unpacked. */
  unpackedBytes: number
  readMs: number
}

export type SheetProblem =
  | 'empty'
  | 'hidden'
  | 'no-table'
  | 'locked'
  | 'broken'
  | 'swollen'
  | 'slow'
  | 'columns'
  | 'rows'
  | 'busy'
/** `lines` counts as a spreadsheet does, from 1; blank lines are left out. */
export type SheetLine = { line: number; cells: string[] }
export type SheetTable = { lines: SheetLine[]; told: SheetTold }
export type SheetAnswer = SheetTable | { problem: SheetProblem }
/** `heads`: those that are known, as `headKey` compares them; the sheet that has most of them is read. */
export type SheetOrder = { bytes: Uint8Array; limits: SheetLimits; heads: readonly string[] }

export class Unreadable extends Error {
  readonly problem: SheetProblem
  constructor(problem: SheetProblem) {
    super(problem)
    this.problem = problem
  }
}

/** A sheet as it is read, before one is chosen. */
export type Page = {
  name: string
  isHidden: boolean
  lines: SheetLine[]
  /** There are more rows than were read. */
  isCut: boolean
  hiddenLines: number[]
  hiddenColumns: string[]
  /** Cells that stand for several, as a spreadsheet names them, with the line that they begin in. */
  filled: { line: number; cells: string }[]
  spread: { line: number; cells: string }[]
  openQuote: number | null
}
