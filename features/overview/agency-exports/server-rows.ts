// How the rows of a table stand in the archive: as CSV for a spreadsheet, and as a line of JSON for a program.

import { csvLine } from '#kit/words/csv.ts'
import type { Services } from '#server/ctx.ts'
import { headingOf, keyOf, wordsOf } from './server-headings.ts'
import type { Cells, Column } from './server-snapshot.ts'

export type Writer = { extension: string; head: string; line(cells: Cells): string }

/** Which fields of a payment method may be seen, by their keys. */
export type Methods = ReadonlyMap<string, readonly { key: string; label: string; secret: boolean }[]>

/** What numbers and codes of a column are called, where people know them by another name. */
export type Names = ReadonlyMap<string, (cell: string) => string | undefined>

const FLAGS: Readonly<Record<string, string>> = { true: '是', false: '否' }
const BOM = '\uFEFF'
/** What a spreadsheet would round, or take the zeros of. */
const LONG = /^(\d{12,}|0\d+)$/

export function csvOf(table: string, columns: readonly Column[], opened: Opener, names: Names): Writer {
  const words = columns.map(({ name }) => wordsOf(table, name))
  return {
    extension: 'csv',
    head: `${BOM}${csvLine(columns.map(column => headOf(table, column)))}\r\n`,
    line: cells =>
      `${csvLine(
        columns.map((column, at) => {
          const cell = opened(column, cells, cells[at] ?? null)
          if (cell === null) return ''
          if (column.kind === 'flag') return FLAGS[cell] ?? cell
          const called = names.get(column.name)?.(cell)
          if (called !== undefined) return called
          if (column.kind === 'text') return words[at]?.[cell] ?? (LONG.test(cell) ? `${cell}\t` : cell)
          return cell
        }),
      )}\r\n`,
  }
}

export function jsonOf(columns: readonly Column[], opened: Opener): Writer {
  const keys = columns.map(({ name }) => yuanKey(name))
  return {
    extension: 'jsonl',
    head: '',
    line: cells =>
      `${JSON.stringify(
        Object.fromEntries(
          columns.map((column, at): [string, unknown] => [
            keys[at] as string,
            jsonValueOf(column, opened(column, cells, cells[at] ?? null)),
          ]),
        ),
      )}\n`,
  }
}

type Opener = (column: Column, cells: Cells, cell: string | null) => string | null

/** Opens what lies encrypted and is shown to whoever looks at the row: of a method's fields those that are no secret. */
export function openerOf(secrets: Services['secrets'], columns: readonly Column[], methods: Methods): Opener {
  const methodAt = columns.findIndex(({ name }) => name === 'payment_method_id')
  return ({ kind }, cells, cell) => {
    if (kind !== 'sealed' || cell === null) return cell
    const known = JSON.parse(secrets.decrypt(Buffer.from(cell, 'base64'))) as Record<string, string>
    const fields = methods.get(cells[methodAt] ?? '') ?? []
    const seen = fields.filter(({ key, secret }) => !secret && known[key])
    return JSON.stringify(Object.fromEntries(seen.map(({ key, label }) => [label, known[key]])))
  }
}

/** Amounts lie in hundredths and are written in whole units: the name says which. */
function yuanKey(name: string): string {
  return keyOf(name.replace(/(^|_)cents$/, '$1tokens').replace(/(^|_)fen$/, '$1yuan'))
}

function headOf(table: string, { name, kind }: Column): string {
  const head = headingOf(table, name)
  if (kind !== 'amount' || /[（(]/.test(head)) return head
  if (/(^|_)cents$/.test(name)) return `${head}（代币）`
  return /(^|_)fen$/.test(name) ? `${head}（元）` : head
}

function jsonValueOf({ kind }: Column, cell: string | null): unknown {
  if (cell === null) return null
  if (kind === 'number') return Number(cell)
  if (kind === 'flag') return cell === 'true'
  if (kind === 'json' || kind === 'sealed') return JSON.parse(cell)
  // The same instant as ISO 8601 writes it.
  return kind === 'instant' ? cell.replace(' ', 'T').replace(' ', '') : cell
}
