// Tables as people's programs write them, made here: for the tests of what is read. Each file is small and none is a copy of another's.
import * as library from '@e965/xlsx'
import { zip } from '#server/documents/zip.ts'

export const HEADS = ['品名', '条形码', '零售价'] as const
export const LINE = ['茉莉花茶', '6901234567892', '19.90'] as const
export const CSV = `${HEADS.join(',')}\r\n${LINE.join(',')}\r\n`

/** An archive of these parts. */
export async function archive(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  async function* pieces() {
    for (const [name, content] of Object.entries(parts)) yield { name, bytes: Buffer.from(content) }
  }
  const bytes: Buffer[] = []
  for await (const piece of zip(pieces())) bytes.push(Buffer.from(piece))
  return Buffer.concat(bytes)
}

export type Sheet = {
  name: string
  /** What stands between the tags of `sheetData`. */
  rows: string
  state?: 'hidden' | 'veryHidden'
  before?: string
  after?: string
}

type Marks = {
  /** Written before each element of a sheet (`x:`). */
  prefix?: string
  main?: string
  related?: string
  workbook?: string
  strings?: string
  stylesPart?: string
  properties?: string
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** Formats by the number of a style: 1 a day, 2 of thirteen digits, 3 with two decimals, 4 in percent, and so on. */
export const FORMATS = [
  'General',
  'yyyy"年"m"月"d"日"',
  '0000000000000',
  '0.00',
  '0%',
  '#,##0.00',
  'm/d/yy',
  'yyyy/m/d h:mm',
  '0.00E+00',
  '"¥"#,##0.00',
  '@',
  'h:mm',
  ';;;',
  '000-0000-0000',
] as const

const STYLES = `<numFmts count="${FORMATS.length}">${FORMATS.map(
  (format, at) => `<numFmt numFmtId="${at + 170}" formatCode="${escaped(format)}"/>`,
).join('')}</numFmts><cellXfs count="${FORMATS.length}">${FORMATS.map(
  (_, at) => `<xf numFmtId="${at === 0 ? 0 : at + 170}" applyNumberFormat="1"/>`,
).join('')}</cellXfs>`

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** A workbook of Excel 2007 and later, as far as it matters, with what other programs do otherwise. */
export function workbook(sheets: readonly Sheet[], marks: Marks = {}): Promise<Buffer> {
  const { prefix = '', main = MAIN, related = RELATED, workbook: part = 'xl/workbook.xml' } = marks
  const tag = prefix === '' ? `xmlns="${main}"` : `xmlns:${prefix.slice(0, -1)}="${main}"`
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const list = sheets.map(
    ({ name, state }, at) =>
      `<${prefix}sheet name="${escaped(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="r${at + 1}"/>`,
  )
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${related}/${type}" Target="${target}"/>`
  const stylesPart = marks.stylesPart ?? `${folder}styles.xml`
  return archive({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relation('r1', 'officeDocument', part)}</Relationships>`,
    [part]: `<${prefix}workbook ${tag} xmlns:r="${related}">${marks.properties ?? ''}<${prefix}sheets>${list.join('')}</${prefix}sheets></${prefix}workbook>`,
    [`${folder}_rels/${part.slice(folder.length)}.rels`]: `<Relationships xmlns="${PACKAGE}/relationships">${sheets
      .map((_, at) => relation(`r${at + 1}`, 'worksheet', `/${folder}sheets/s${at + 1}.xml`))
      .join(
        '',
      )}${relation('s', 'styles', `/${stylesPart}`)}${marks.strings ? relation('t', 'sharedStrings', `/${folder}sst.xml`) : ''}</Relationships>`,
    [stylesPart]: `<styleSheet xmlns="${main}">${STYLES}</styleSheet>`,
    ...(marks.strings ? { [`${folder}sst.xml`]: `<sst xmlns="${main}">${marks.strings}</sst>` } : {}),
    ...Object.fromEntries(
      sheets.map(({ rows, before = '', after = '' }, at) => [
        `${folder}sheets/s${at + 1}.xml`,
        `<${prefix}worksheet ${tag}>${before}<${prefix}sheetData>${rows}</${prefix}sheetData>${after}</${prefix}worksheet>`,
      ]),
    ),
  })
}

type Cell = string | number | { xml: string } | null

/** A row of a sheet; `more` are attributes of it. */
export function row(at: number, cells: readonly Cell[], more = '', prefix = ''): string {
  const written = cells.map((cell, column) => {
    const place = `${library.utils.encode_col(column)}${at}`
    if (cell === null) return ''
    if (typeof cell === 'number')
      return `<${prefix}c r="${place}"><${prefix}v>${cell}</${prefix}v></${prefix}c>`
    if (typeof cell === 'string')
      return `<${prefix}c r="${place}" t="inlineStr"><${prefix}is><${prefix}t>${escaped(cell)}</${prefix}t></${prefix}is></${prefix}c>`
    return cell.xml.replace('<c', `<c r="${place}"`)
  })
  return `<${prefix}row r="${at}"${more}>${written.join('')}</${prefix}row>`
}

/** A number in one of `FORMATS`. */
export const formatted = (value: number | string, format: (typeof FORMATS)[number]): Cell => ({
  xml: `<c s="${FORMATS.indexOf(format)}"><v>${value}</v></c>`,
})

export const TABLE = row(1, HEADS) + row(2, LINE)
export const table = (rows = TABLE): Sheet => ({ name: '商品', rows })

/** What the library writes for another program. */
export function written(
  bookType: library.BookType,
  rows: readonly (readonly string[])[] = [HEADS, LINE],
): Buffer {
  const book = library.utils.book_new()
  const sheet = library.utils.aoa_to_sheet(rows.map(cells => [...cells]))
  library.utils.book_append_sheet(book, sheet, 'goods')
  return library.write(book, { type: 'buffer', bookType }) as Buffer
}

/** Letters of which a file is written, and the bytes of GBK that stand in their place, for `SAME` in the encoding of old programs. */
const GBK: Readonly<Record<string, string>> = {
  QQRR: 'c6b7c3fb',
  SSTTUU: 'ccf5d0cec2eb',
  VVWWXX: 'c1e3cadbbcdb',
  YYZZAABB: 'dcd4c0f2bba8b2e8',
}

/** Of before Unicode. `says`: what says its encoding, and how it is said to be that of China. */
export function writtenInGbk(bookType: library.BookType, says: readonly [RegExp, string]): Buffer {
  const [name, code, price, tea] = Object.keys(GBK) as [string, string, string, string]
  const bytes = written(bookType, [
    [name, code, price],
    [tea, LINE[1], LINE[2]],
  ])
  const hex = Object.entries(GBK).reduce(
    (now, [letters, chinese]) => now.replace(Buffer.from(letters).toString('hex'), chinese),
    bytes.toString('hex'),
  )
  return Buffer.from(hex.replace(...says), 'hex')
}
