// The sheets of what is no text with separators, by the library that knows what programs write (docs/decisions/0060).
import * as library from '@e965/xlsx'
import * as codepages from '@e965/xlsx/dist/cpexcel.full.mjs'
import { decoded } from './encoding.ts'
import { openArchive, type Part, workbookParts } from './package.ts'
import { type Page, type SheetLimits, Unreadable } from './sheet-order.ts'
import { type Formats, plain, shownText } from './shown.ts'

library.set_cptable(codepages)

/** What the library has and its types do not say. */
const { parse_zip: readParts, SSF: formats } = library as unknown as {
  parse_zip: (parts: unknown, options: library.ParsingOptions) => library.WorkBook
  SSF: Formats
}
const OPTIONS: library.ParsingOptions = {
  dense: true,
  cellNF: true,
  cellHTML: false,
  // Which rows and columns are hidden.
  cellStyles: true,
  // Formulas without a result.
  sheetStubs: true,
  // The order of day and month says where a program was made, not what is meant.
  dateNF: 'yyyy-mm-dd',
}
/** Old programs of China say nothing of their encoding. */
const CHINESE = 936
/** Rows of a sheet that are looked at, for each that may be filled. */
const ROWS_LOOKED_AT = 4
/** Cells of a page over several rows, times all cells. */
const SPANS_MOST = 200_000_000
/** Rows that merged cells may be filled down. */
const FILLS_MOST = 200_000

type Order = { bytes: Uint8Array; limits: SheetLimits }

/** Of a workbook in an archive: Excel 2007 and later, OpenDocument, Numbers. */
export function pagesOfArchive({ bytes, limits }: Order): Page[] {
  const archive = openArchive(bytes, limits)
  const has = (name: string) => archive.names.includes(name)
  if (has('META-INF/manifest.xml') && has('content.xml')) {
    const manifest = partOf('META-INF/manifest.xml', archive.open('META-INF/manifest.xml'))
    if (Buffer.from(manifest.bytes).includes('encryption-data')) throw new Unreadable('locked')
    const content = partOf('content.xml', archive.open('content.xml'))
    if (!Buffer.from(content.bytes).includes('office:spreadsheet')) throw new Unreadable('no-table')
    const styles = archive.open('styles.xml') ?? Buffer.from('<office:document-styles/>')
    return read(() => withParts([manifest, content, partOf('styles.xml', styles)]), limits)
  }
  if (has('Index/Document.iwa')) {
    const inner = archive.names.filter(name => name.endsWith('.iwa'))
    return read(() => withParts(inner.map(name => partOf(name, archive.open(name)))), limits)
  }
  const parts = workbookParts(archive, limits.rows * ROWS_LOOKED_AT)
  if (!parts) throw new Unreadable(has('EncryptedPackage') ? 'locked' : 'no-table')
  return read(() => withParts(parts), limits)
}

function partOf(name: string, bytes: Uint8Array | null): Part {
  if (!bytes) throw new Unreadable('broken')
  return { name, bytes }
}

function withParts(parts: readonly Part[]): library.WorkBook {
  const container: unknown = library.CFB.utils.cfb_new()
  for (const { name, bytes } of parts)
    library.CFB.utils.cfb_add(container, name, Buffer.from(bytes), { unsafe: true })
  return readParts(container, { ...OPTIONS, type: 'buffer' })
}

/** Of Excel 97 to 2003 and WPS (.xls, .et), which share a container with documents and messages. */
export function pagesOfContainer({ bytes, limits }: Order): Page[] {
  const container: { FullPaths: string[] } = guarded(() =>
    library.CFB.read(Buffer.from(bytes), { type: 'buffer' }),
  )
  const holds = (name: RegExp) => container.FullPaths.some(path => name.test(path))
  if (holds(/\/(EncryptedPackage|EncryptionInfo)$/i)) throw new Unreadable('locked')
  if (!holds(/\/(Workbook|Book|ETBook)$/i)) throw new Unreadable('no-table')
  return pagesOfBinary({ bytes, limits })
}

export function pagesOfBinary({ bytes, limits }: Order): Page[] {
  return read(
    () => library.read(Buffer.from(bytes), { ...OPTIONS, type: 'buffer', codepage: CHINESE }),
    limits,
  )
}

/** SYLK and DIF, of which the library takes every byte for a character. */
export function pagesOfMarks({ limits }: Order, text: string): Page[] {
  const pages = read(() => library.read(Buffer.from(text), { ...OPTIONS, type: 'buffer', raw: true }), limits)
  const whole = (cell: string) => Buffer.from(cell, 'latin1').toString()
  return pages.map(page => ({
    ...page,
    lines: page.lines.map(({ line, cells }) => ({ line, cells: cells.map(whole) })),
  }))
}

/** A page or a workbook as XML, which other programs call .xls. */
export function pagesOfMarkup({ limits }: Order, text: string): Page[] {
  const start = text.slice(0, 8_192)
  if (/<(?:\w+:)?Workbook\b/.test(start) || /office:document\b/.test(start))
    return read(() => library.read(text, { ...OPTIONS, type: 'string' }), limits)
  const tables = text.search(/<table/i)
  if (tables === -1 || /<\?xml[^>]*>\s*<(?!(?:!doctype\s+)?html|table)/i.test(start))
    throw new Unreadable('no-table')
  const many = (mark: RegExp) => text.match(mark)?.length ?? 0
  // The library looks through all cells over several rows for each cell.
  if (many(/\srowspan\s*=/gi) * many(/<t[dh]/gi) > SPANS_MOST) throw new Unreadable('slow')
  const page = `<html><body>${withCharacters(text.slice(tables))}</body></html>`
  return read(() => library.read(page, { ...OPTIONS, type: 'string', raw: true }), limits)
}

/** The library knows names of characters, not their numbers; what would be a mark of the page stays as it is. */
function withCharacters(page: string): string {
  return page.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (written, hex?: string, digits?: string) => {
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code > 0x10_ffff || code < 0x20 || /[<>&]/.test(String.fromCodePoint(code))
      ? written
      : String.fromCodePoint(code)
  })
}

/** A page with all that belongs to it in one file, as spreadsheets save one. */
export function pagesOfMessage(order: Order): Page[] {
  type File = { content?: Uint8Array | number[] | string }
  const container: { FileIndex: File[] } = guarded(() =>
    library.CFB.read(Buffer.from(order.bytes), { type: 'buffer' }),
  )
  const pages = container.FileIndex.flatMap(({ content }) => {
    if (!content || content.length === 0) return []
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content)
    return bytes.toString('latin1').search(/<table/i) === -1 ? [] : [decoded(bytes, charsetOf(bytes))]
  })
  if (pages.length === 0) throw new Unreadable('no-table')
  return pagesOfMarkup(order, pages.join('\n'))
}

/** What a page or an XML file says it is written in. */
export const charsetOf = (bytes: Uint8Array): string | undefined =>
  /(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 4_096)).toString('latin1'),
  )?.[1]

function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message)
    throw new Unreadable(isLocked ? 'locked' : 'broken')
  }
}

function read(work: () => library.WorkBook, limits: SheetLimits): Page[] {
  const { SheetNames, Sheets, Workbook } = guarded(work)
  return SheetNames.flatMap((name, at) => {
    const sheet = Object.hasOwn(Sheets, name) ? Sheets[name] : undefined
    const isHidden = (Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0
    const date1904 = Workbook?.WBProps?.date1904 === true
    return sheet ? [pageOf(sheet, { name, isHidden, date1904 }, limits)] : []
  })
}

type About = { name: string; isHidden: boolean; date1904: boolean }

function pageOf(sheet: library.WorkSheet, { name, isHidden, date1904 }: About, limits: SheetLimits): Page {
  const rows = sheet['!data'] ?? []
  const columns = sheet['!cols'] ?? []
  const isUnseen = (column: number) => columns[column]?.hidden === true || columns[column]?.wpx === 0
  const texts = new Map<number, string[]>()
  const hiddenLines: number[] = []
  const hiddenColumns = new Set<number>()
  if (!isHidden)
    rows.forEach((cells, row) => {
      const read: string[] = []
      cells?.forEach((cell, column) => {
        const text = cell ? plain(shownText(cell, formats, date1904), limits.cell) : ''
        if (text === '') return
        if (isUnseen(column)) hiddenColumns.add(column)
        else read[column] = text
      })
      if (read.length === 0) return
      const { hidden, hpt } = sheet['!rows']?.[row] ?? {}
      if (hidden || hpt === 0) hiddenLines.push(row + 1)
      else if (texts.size <= limits.rows)
        texts.set(
          row,
          Array.from(read, text => text ?? ''),
        )
    })
  const merged = mergedIn(sheet['!merges'] ?? [], texts)
  return {
    name,
    isHidden,
    lines: [...texts].map(([row, cells]) => ({ line: row + 1, cells })),
    isCut: texts.size > limits.rows,
    hiddenLines,
    hiddenColumns: [...hiddenColumns].toSorted((a, b) => a - b).map(library.utils.encode_col),
    ...merged,
    openQuote: null,
  }
}

/** One text over several rows stands in each of them; one over several columns stands in the first alone. */
function mergedIn(
  merges: readonly library.Range[],
  texts: ReadonlyMap<number, string[]>,
): Pick<Page, 'filled' | 'spread'> {
  const filled: Page['filled'] = []
  const spread: Page['spread'] = []
  let work = 0
  for (const merge of merges) {
    const text = texts.get(merge.s.r)?.[merge.s.c] ?? ''
    if (text === '') continue
    const cells = library.utils.encode_range(merge)
    const at = { line: merge.s.r + 1, cells }
    if (merge.e.c > merge.s.c) spread.push(at)
    let isFilled = false
    const last = Math.min(merge.e.r, merge.s.r + FILLS_MOST)
    for (let row = merge.s.r + 1; row <= last; row++) {
      if (++work > FILLS_MOST) throw new Unreadable('broken')
      const line = texts.get(row)
      if (!line || (line[merge.s.c] ?? '') !== '') continue
      while (line.length < merge.s.c) line.push('')
      line[merge.s.c] = text
      isFilled = true
    }
    if (isFilled) filled.push(at)
  }
  return { filled, spread }
}
