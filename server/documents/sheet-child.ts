// The program that reads one table for server/documents/sheet.ts. It holds nothing but the file and has nothing to lose.
import { csvLines } from '#kit/words/csv.ts'
import type { SheetAnswer, SheetLimits, SheetLine, SheetOrder, SheetProblem } from './sheet.ts'

/** Waits for its order from the program that started it, answers, and ends with that program. */
export function runSheetChild(): void {
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => {
    const { bytes, limits } = message as SheetOrder
    linesOf(bytes, limits).then(answer => process.send?.(answer))
  })
}

class Unreadable extends Error {
  readonly problem: SheetProblem
  constructor(problem: SheetProblem) {
    super(problem)
    this.problem = problem
  }
}

async function linesOf(bytes: Uint8Array, limits: SheetLimits): Promise<SheetAnswer> {
  try {
    if (begins(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw new Unreadable('locked')
    const lines = begins(bytes, [0x50, 0x4b]) ? await workbookLines(bytes, limits) : textLines(bytes, limits)
    return { lines }
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.problem : 'broken' }
  }
}

function begins(bytes: Uint8Array, with_: readonly number[]): boolean {
  return with_.every((byte, at) => bytes[at] === byte)
}

async function workbookLines(bytes: Uint8Array, limits: SheetLimits): Promise<SheetLine[]> {
  refuseSwollen(bytes, limits)
  // The program that starts this one has no use for it.
  const { readSheet } = await import('read-excel-file/universal')
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const rows = await readSheet(buffer)
  return gathered(
    rows.map((row, at) => ({ line: at + 1, cells: row.map(cell => cellText(cell, limits.cell)) })),
    limits,
  )
}

/** Nothing is unpacked beyond what the directory of the archive says, so it is enough to add that up. */
function refuseSwollen(bytes: Uint8Array, { unpackedBytes }: SheetLimits): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOfDirectory(view)
  let at = view.getUint32(end + 16, true)
  let sum = 0
  let isWorkbook = false
  for (let entries = view.getUint16(end + 10, true); entries > 0; entries--) {
    if (view.getUint32(at, true) !== 0x0201_4b50) throw new Unreadable('broken')
    if ((view.getUint16(at + 8, true) & 1) === 1) throw new Unreadable('locked')
    const nameLength = view.getUint16(at + 28, true)
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + at + 46, nameLength).toString('latin1')
    if (name === 'xl/workbook.xml') isWorkbook = true
    if (name === 'EncryptionInfo' || name === 'EncryptedPackage') throw new Unreadable('locked')
    sum += view.getUint32(at + 24, true)
    if (sum > unpackedBytes) throw new Unreadable('swollen')
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  if (!isWorkbook) throw new Unreadable('no-table')
}

function endOfDirectory(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0 && at > view.byteLength - 66_000; at--)
    if (view.getUint32(at, true) === 0x0605_4b50) return at
  throw new Unreadable('broken')
}

function cellText(cell: unknown, most: number): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  if (typeof cell === 'boolean') return cell ? '是' : '否'
  return plain(String(cell), most)
}

/** What another file of ours, or a spreadsheet, has put before a text so that it is none of its formulas. */
function plain(text: string, most: number): string {
  const trimmed = text.replace(/^\s*'(?=[=+\-@\t\r])/, '').trim()
  return trimmed.length > most ? trimmed.slice(0, most) : trimmed
}

function textLines(bytes: Uint8Array, limits: SheetLimits): SheetLine[] {
  const text = decoded(bytes)
  const [first = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  const told = /^sep=(.)$/.exec(first.trim())?.[1]
  const lines: SheetLine[] = []
  for (const { line, cells } of csvLines(text, told ?? separatorOf(first))) {
    if (told !== undefined && line === 1) continue
    lines.push({ line, cells: cells.map(cell => plain(cell, limits.cell)) })
    if (lines.length > limits.rows) throw new Unreadable('rows')
  }
  return gathered(lines, limits)
}

function separatorOf(line: string): string {
  const marks = [',', ';', '\t', '|']
  const counted = marks.map(mark => line.split(mark).length)
  return marks[counted.indexOf(Math.max(...counted))] ?? ','
}

/** Text has no bytes that are zero; what is no UTF-8 is taken for GB18030, which spreadsheets of China write. */
function decoded(bytes: Uint8Array): string {
  if (begins(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes)
  if (begins(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.includes(0) || begins(bytes, [0x25, 0x50, 0x44, 0x46])) throw new Unreadable('no-table')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8: see above.
  }
  const text = new TextDecoder('gb18030').decode(bytes)
  const strange = text.match(/\p{Co}|\p{Cn}|\uFFFD/gu)?.length ?? 0
  if (strange > text.length / 100) throw new Unreadable('no-table')
  return text
}

function gathered(lines: readonly SheetLine[], limits: SheetLimits): SheetLine[] {
  const filled = lines.filter(({ cells }) => cells.some(cell => cell !== ''))
  if (filled.length > limits.rows) throw new Unreadable('rows')
  const columns = filled.reduce(
    (most, { cells }) => Math.max(most, cells.findLastIndex(cell => cell !== '') + 1),
    0,
  )
  if (columns > limits.columns) throw new Unreadable('columns')
  return filled.map(({ line, cells }) => ({ line, cells: cells.slice(0, columns) }))
}
