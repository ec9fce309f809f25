// A table as a streamed Excel workbook: flat in memory however many rows, no live formulas (reliability S5).
// A sheet is closed before it outgrows 4 GiB, the most a part of the archive may have.
import { Readable } from 'node:stream'
import { formatDay, formatInstant } from '#kit/time.ts'
import { type ZipPiece, zip } from './zip.ts'

/**
 * text: string, number, bigint or boolean. integer: whole number, bigint or its digits. cents: the same, in 1/100.
 * time: Date, ISO text with its zone or epoch ms, shown in Asia/Shanghai. date: the same, or YYYY-MM-DD.
 * Null, undefined and the empty text leave any cell empty. Width is in characters.
 */
export type XlsxColumn = {
  header: string
  width?: number
  kind: 'text' | 'integer' | 'cents' | 'time' | 'date'
}

export type XlsxLimits = {
  /** Data rows of one sheet; the header comes on top. */
  rowsPerSheet: number
  /** Uncompressed size after which a sheet is closed. */
  bytesPerSheet: number
  /** Position in the archive from which the 64-bit zip fields are used. */
  zip64FromByte: number
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Batch = Iterable<readonly unknown[]>
type Cell = (row: number, value: unknown) => string

const EXCEL_LIMITS: XlsxLimits = {
  rowsPerSheet: 1_048_575,
  bytesPerSheet: 4_000_000_000,
  zip64FromByte: 0xffff_ffff,
}
const CELL_CHARS = 32_767
const PIECE_BYTES = 256 * 1024
/** Excel computes with 15 digits and turns the others into zeros. */
const EXACT_DIGITS = 15
/** Before March 1900 Excel counts a 29 February that never was; after 9999 it has no dates. */
const FIRST_SERIAL = 61
const END_SERIAL = 2_958_466
const DAY_SECONDS = 86_400
const EPOCH_SERIAL = 25_569
const ZONE_SECONDS = 8 * 3600
/** A sixth of a millisecond: readers that cut instead of rounding would otherwise see the second before. */
const NUDGE_DAYS = 2e-9

const STYLE = { header: 1, text: 2, integer: 3, cents: 4, time: 5, date: 6 } as const
const WIDTH = { text: 18, integer: 12, cents: 16, time: 20, date: 12 } as const

/**
 * The workbook's bytes. `rows` is pulled only as fast as the stream is read; what it throws destroys the stream,
 * and destroying the stream returns it. A value that does not fit its column's kind is a TypeError.
 */
export function writeXlsx(options: {
  sheetName: string
  columns: readonly XlsxColumn[]
  rows: AsyncIterable<Batch>
  limits?: Partial<XlsxLimits>
}): Readable {
  if (options.columns.length === 0) throw new RangeError('a sheet needs at least one column')
  const limits = { ...EXCEL_LIMITS, ...options.limits }
  const source = options.rows[Symbol.asyncIterator]()
  let sourceOpen = true
  const nextBatch = async (): Promise<Batch | null> => {
    try {
      const step = await source.next()
      if (!step.done) return step.value
      sourceOpen = false
      return null
    } catch (error) {
      sourceOpen = false
      throw error
    }
  }
  const closeSource = async () => {
    if (!sourceOpen) return
    sourceOpen = false
    await source.return?.()
  }
  const archive = zip(workbook(options.sheetName, options.columns, nextBatch, limits), limits.zip64FromByte)
  const stream = new Readable({
    read() {
      archive.next().then(
        step => stream.destroyed || stream.push(step.done ? null : step.value),
        error => stream.destroy(error),
      )
    },
    destroy(error, done) {
      void archive.return(undefined)
      closeSource().then(
        () => done(error),
        failure => done(error ?? failure),
      )
    },
  })
  return stream
}

/** Text that a spreadsheet would take for a formula, made plain by a leading apostrophe. */
export function neutralise(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

async function* workbook(
  sheetName: string,
  columns: readonly XlsxColumn[],
  nextBatch: () => Promise<Batch | null>,
  limits: XlsxLimits,
): AsyncGenerator<ZipPiece> {
  const cells = columns.map(cellWriter)
  let buffer = Buffer.allocUnsafe(2 * PIECE_BYTES)
  let filled = 0
  let sheets = 1
  let sheetBytes = 0
  let row = 1
  // Encoding row by row costs a third of what flattening and encoding one long text would.
  const add = (xml: string) => {
    const most = filled + xml.length * 3
    if (most > buffer.length) buffer = Buffer.concat([buffer.subarray(0, filled)], most)
    filled += buffer.write(xml, filled)
  }
  const take = (): ZipPiece => {
    const bytes = buffer.subarray(0, filled)
    sheetBytes += filled
    filled = 0
    return { name: `xl/worksheets/sheet${sheets}.xml`, bytes }
  }

  yield part('_rels/.rels', ROOT_RELATIONS)
  yield part('xl/styles.xml', STYLES)
  add(sheetHead(columns, sheets))
  for (let batch = await nextBatch(); batch !== null; batch = await nextBatch()) {
    for (const values of batch) {
      if (row > limits.rowsPerSheet || sheetBytes >= limits.bytesPerSheet) {
        add(sheetFoot(columns, row))
        yield take()
        sheets += 1
        sheetBytes = 0
        row = 1
        add(sheetHead(columns, sheets))
      }
      row += 1
      let xml = `<row r="${row}">`
      for (let index = 0; index < cells.length; index += 1) xml += cells[index]?.(row, values[index]) ?? ''
      add(`${xml}</row>`)
      if (filled >= PIECE_BYTES) yield take()
    }
  }
  add(sheetFoot(columns, row))
  yield take()
  yield part('xl/workbook.xml', workbookXml(sheetName, sheets))
  yield part('xl/_rels/workbook.xml.rels', workbookRelations(sheets))
  yield part('[Content_Types].xml', contentTypes(sheets))
}

function part(name: string, xml: string): ZipPiece {
  return { name, bytes: Buffer.from(XML + xml) }
}

// Cells

function cellWriter(column: XlsxColumn, index: number): Cell {
  const letters = columnLetters(index)
  const numberCell = (row: number, style: number, digits: string) =>
    `<c r="${letters}${row}" s="${style}"><v>${digits}</v></c>`
  const textCell = (row: number, text: string) => inlineCell(`${letters}${row}`, STYLE.text, text)
  const wrong = (value: unknown) =>
    new TypeError(`column "${column.header}" of kind ${column.kind} cannot hold ${describe(value)}`)

  const cellOfKind: Record<XlsxColumn['kind'], Cell> = {
    text: (row, value) => {
      if (typeof value === 'string') return textCell(row, value)
      if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
        throw wrong(value)
      return textCell(row, String(value))
    },
    integer: (row, value) => {
      const digits = wholeNumber(value) ?? refuseValue(wrong(value))
      if (digits.replace('-', '').length > EXACT_DIGITS) return textCell(row, digits)
      return numberCell(row, STYLE.integer, digits)
    },
    cents: (row, value) => {
      const digits = wholeNumber(value) ?? refuseValue(wrong(value))
      const sign = digits.startsWith('-') ? '-' : ''
      const places = digits.slice(sign.length).padStart(3, '0')
      const amount = `${sign}${places.slice(0, -2)}.${places.slice(-2)}`
      return places.length > EXACT_DIGITS ? textCell(row, amount) : numberCell(row, STYLE.cents, amount)
    },
    time: (row, value) => {
      const ms = instantMs(value) ?? refuseValue(wrong(value))
      // Whole seconds, as on the screen: Excel would round the fraction up.
      const seconds = Math.floor(ms / 1000) + ZONE_SECONDS
      const serial = seconds / DAY_SECONDS + EPOCH_SERIAL
      if (!isExcelDay(serial)) return textCell(row, formatInstant(new Date(ms)))
      return numberCell(
        row,
        STYLE.time,
        seconds % DAY_SECONDS === 0 ? String(serial) : (serial + NUDGE_DAYS).toFixed(9),
      )
    },
    date: (row, value) => {
      const day = calendarDay(value) ?? refuseValue(wrong(value))
      const serial = Date.parse(day) / (DAY_SECONDS * 1000) + EPOCH_SERIAL
      return isExcelDay(serial) ? numberCell(row, STYLE.date, String(serial)) : textCell(row, day)
    },
  }
  const cell = cellOfKind[column.kind]
  return (row, value) => (value === null || value === undefined || value === '' ? '' : cell(row, value))
}

function refuseValue(error: TypeError): never {
  throw error
}

function describe(value: unknown): string {
  return typeof value === 'object'
    ? Object.prototype.toString.call(value)
    : `${typeof value} ${String(value)}`
}

/** Its digits, with a minus when negative. */
function wholeNumber(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'string' && /^-?(0|[1-9]\d*)$/.test(value) ? value : null
}

function instantMs(value: unknown): number | null {
  const zoned = typeof value === 'string' && /\d\d:\d\d.*(Z|[+-]\d\d(:?\d\d)?)$/.test(value)
  const ms = value instanceof Date ? value.getTime() : zoned ? Date.parse(value) : value
  return typeof ms === 'number' && Number.isFinite(new Date(ms).getTime()) ? ms : null
}

/** YYYY-MM-DD in Asia/Shanghai. */
function calendarDay(value: unknown): string | null {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    const ms = Date.parse(value)
    // 30 February would be taken for 2 March.
    return new Date(ms).getUTCDate() === Number(value.slice(8)) ? value : null
  }
  const ms = instantMs(value)
  return ms === null ? null : formatDay(new Date(ms))
}

function isExcelDay(serial: number): boolean {
  return serial >= FIRST_SERIAL && serial < END_SERIAL
}

function inlineCell(reference: string, style: number, text: string): string {
  const shown = cellText(text)
  // Otherwise an XML reader may trim the text.
  const space = /^\s|\s$|\n/.test(shown) ? ' xml:space="preserve"' : ''
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${space}>${shown}</t></is></c>`
}

/** The text as it stands inside `<t>`: legal, no formula, no longer than Excel takes, escaped. */
function cellText(text: string): string {
  const legal = legalText(text)
  const plain = neutralise(legal)
  // Cutting may halve a surrogate pair.
  const clipped = plain.length > CELL_CHARS ? legalText(plain.slice(0, CELL_CHARS)) : plain
  // Excel reads _x003D_ as "=": its underscore has to be written as such a sequence itself.
  const literal = clipped.includes('_x') ? clipped.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_') : clipped
  return escapeXml(literal.includes('\r') ? literal.replace(/\r\n?/g, '\n') : literal)
}

const ORDINARY = /^[ -~\u00a0-\ud7ff\ue000-\ufffd]*$/
const ILLEGAL = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\u007f-\u009f]]/gv

function legalText(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(ILLEGAL, '')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, mark => ESCAPES[mark] ?? mark) : text
}

// Parts of the workbook (ECMA-376 part 1, SpreadsheetML)

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const ROOT_RELATIONS = `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const cellFormat = (numberFormat: number, font = 0) =>
  `<xf numFmtId="${numberFormat}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`

// 49 is text, 1 whole numbers, 4 is #,##0.00: numbers the format itself gives out.
const STYLES = `<styleSheet xmlns="${MAIN}">\
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
${cellFormat(49, 1)}${[49, 1, 4, 164, 165].map(numberFormat => cellFormat(numberFormat)).join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function sheetHead(columns: readonly XlsxColumn[], sheet: number): string {
  const widths = columns.map((column, index) => {
    const width = column.width ?? Math.max(WIDTH[column.kind], shownWidth(column.header) + 4)
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  const headers = columns.map((column, index) =>
    inlineCell(`${columnLetters(index)}1`, STYLE.header, column.header),
  )
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${sheet === 1 ? ' tabSelected="1"' : ''} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/></sheetView></sheetViews>\
<cols>${widths.join('')}</cols><sheetData><row r="1">${headers.join('')}</row>`
}

function sheetFoot(columns: readonly XlsxColumn[], lastRow: number): string {
  const lastCell = `${columnLetters(columns.length - 1)}${lastRow}`
  return `</sheetData><autoFilter ref="A1:${lastCell}"/></worksheet>`
}

function workbookXml(sheetName: string, sheets: number): string {
  const list = numbersTo(sheets).map(
    sheet =>
      `<sheet name="${escapeXml(sheetTitle(sheetName, sheet))}" sheetId="${sheet}" r:id="rId${sheet}"/>`,
  )
  return `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets></workbook>`
}

function workbookRelations(sheets: number): string {
  const list = numbersTo(sheets).map(
    sheet =>
      `<Relationship Id="rId${sheet}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${sheet}.xml"/>`,
  )
  return `<Relationships xmlns="${RELATIONS}">${list.join('')}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`
}

function contentTypes(sheets: number): string {
  const list = numbersTo(sheets).map(
    sheet => `<Override PartName="/xl/worksheets/sheet${sheet}.xml" ContentType="${CONTENT}.worksheet+xml"/>`,
  )
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${list.join('')}</Types>`
}

/** Excel takes 31 characters, none of []:*?/\ and no apostrophe at either end. */
function sheetTitle(sheetName: string, sheet: number): string {
  const suffix = sheet === 1 ? '' : ` ${sheet}`
  const allowed = sheetName.replace(/[[\]:*?/\\\t\n\r]/g, ' ')
  const clipped = legalText(legalText(allowed).slice(0, 31 - suffix.length)).replace(/^[' ]+|[' ]+$/g, '')
  return (clipped || 'Sheet') + suffix
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

/** In characters of the default font, of which a Chinese one takes two. */
function shownWidth(text: string): number {
  return [...text].reduce((width, mark) => width + (mark > '\u2e7f' ? 2 : 1), 0)
}
