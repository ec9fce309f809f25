// Rows of a batch as people type, paste or bring them, and what is wrong with each. Pure.
import { csvLines } from '#kit/words/csv.ts'
import { headKey, plainHead } from '#kit/words/heads.ts'
import { spoiltCell } from '#kit/words/sheet.ts'
import { faultsOf } from '../faults.ts'
import type { Label, LabelData } from '../label.ts'
import type { Press } from '../text-marks.ts'
import { type BatchField, fieldOfItem, fieldsOf, namesOf } from './fields.ts'

/** `copies` as it was typed; empty is one. */
export type BatchRow = { id: number; data: LabelData; copies: string }
export type RowFault = {
  /** The column; null: of the whole label. */
  field: string | null
  words: string
  help: string
  /** The label would be wrong on paper. */
  stops: boolean
}

export const BATCH_LIMITS = { rows: 1_000, copies: 999, labels: 5_000, text: 500 } as const

/** How many; null where it is no number of copies. */
export function copiesOf(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace(/\.0+$/, '')
  if (plain === '') return 1
  if (!/^\d{1,6}$/.test(plain)) return null
  const copies = Number(plain)
  return copies >= 1 && copies <= BATCH_LIMITS.copies ? copies : null
}

/** A row in which nobody has written anything. */
export const isBlank = ({ data, copies }: Pick<BatchRow, 'data' | 'copies'>): boolean =>
  copies.trim() === '' && Object.values(data).every(text => text.trim() === '')

const tooLong = (text: string) => [...text].length > BATCH_LIMITS.text

/** With the label as it would be printed. */
export function faultsOfRow(label: Label, { data, copies }: BatchRow, press: Press): RowFault[] {
  const fieldOf = new Map(label.items.map(item => [item.id, fieldOfItem(item)?.key ?? null]))
  const own: RowFault[] = fieldsOf(label)
    .filter(({ key }) => tooLong(data[key] ?? ''))
    .map(({ key: field }) => ({
      ...{ field, stops: true, words: `内容超过 ${BATCH_LIMITS.text} 字`, help: '缩短内容' },
    }))
  for (const [field, text] of [...Object.entries(data), ['copies', copies] as const]) {
    const words = spoiltCell(text)
    if (words !== null) own.push({ field, stops: true, words, help: '填写实际内容' })
  }
  if (copiesOf(copies) === null && spoiltCell(copies) === null)
    own.push({
      ...{ field: 'copies', stops: true, words: `份数不是 1 到 ${BATCH_LIMITS.copies} 的整数` },
      help: '改为整数，留空为 1',
    })
  const drawn = faultsOf(label, data, press).map(({ item, stops, words, help }) => ({
    ...{ field: item === null ? null : (fieldOf.get(item) ?? null), stops, words, help },
  }))
  return [...own, ...drawn]
}

export type TableLine = { line: number; cells: readonly string[] }
export type TableHead = { name: string; samples: string[]; field: string | null }
export type Table = { heads: TableHead[]; lines: readonly TableLine[] }

const HEADS_WITHIN = 10
const SAMPLES = 3

/** Which line names columns, and which column is which; where none does, the first is taken for it and nothing is known. */
export function readTable(lines: readonly TableLine[], fields: readonly BatchField[]): Table {
  const names = namesOf(fields)
  const known = (name: string) => names.get(plainHead(name)) ?? names.get(headKey(name)) ?? null
  const counted = lines
    .slice(0, HEADS_WITHIN)
    .map(({ cells }) => cells.filter(cell => known(cell) !== null).length)
  const at = Math.max(0, counted.indexOf(Math.max(0, ...counted)))
  const rest = lines.slice(at + 1)
  const width = Math.max(0, ...lines.slice(at).map(({ cells }) => cells.length))
  const taken = new Set<string>()
  const heads = Array.from({ length: width }, (_, column): TableHead => {
    const name = lines[at]?.cells[column] ?? ''
    const field = known(name)
    const isFree = field !== null && !taken.has(field)
    if (isFree) taken.add(field)
    return {
      name: name || `第 ${column + 1} 列`,
      samples: rest.flatMap(({ cells }) => cells[column] || []).slice(0, SAMPLES),
      field: isFree ? field : null,
    }
  })
  return { heads, lines: rest }
}

type Content = Pick<BatchRow, 'data' | 'copies'>

/** The lines of a table as rows; blank ones are left out. */
export function rowsOfTable({ heads, lines }: Table): Content[] {
  return lines
    .map(({ cells }): Content => {
      const data: Record<string, string> = {}
      let copies = ''
      heads.forEach(({ field }, column) => {
        const text = (cells[column] ?? '').trim()
        if (field === 'copies') copies = text
        else if (field !== null && text !== '') data[field] = text
      })
      return { data, copies }
    })
    .filter(row => !isBlank(row))
}

/** What a spreadsheet puts on the clipboard. */
export const cellsOf = (text: string): string[][] => [...csvLines(text, '\t')].map(({ cells }) => cells)

/** Pasted with its heads: at least two of them, or all, are known. */
export function hasHeads(cells: readonly (readonly string[])[], fields: readonly BatchField[]): boolean {
  const first = (cells[0] ?? []).filter(cell => cell !== '')
  const names = namesOf(fields)
  const known = first.filter(cell => names.has(plainHead(cell)) || names.has(headKey(cell))).length
  return cells.length > 1 && (known >= 2 || (known > 0 && known === first.length))
}

/** Cells as they were copied, laid over the rows from a row and a column on; rows that are missing are added. */
export function pastedOver(
  rows: readonly BatchRow[],
  at: { row: number; column: number },
  cells: readonly (readonly string[])[],
  fields: readonly BatchField[],
  newId: () => number,
): BatchRow[] {
  const keys = [...fields.map(({ key }) => key), 'copies']
  const next = [...rows]
  cells.slice(0, BATCH_LIMITS.rows - at.row).forEach((line, down) => {
    const before = next[at.row + down] ?? { id: newId(), data: {}, copies: '' }
    const data = { ...before.data }
    let { copies } = before
    line.forEach((text, right) => {
      const key = keys[at.column + right]
      if (key === 'copies') copies = text
      else if (key !== undefined) data[key] = text
    })
    next[at.row + down] = { ...before, data, copies }
  })
  return next
}
