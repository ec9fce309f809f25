// A zipped workbook made plain for the library that reads it: parts are found by the relations between them, whatever they are called,
// nothing is unpacked beyond what is allowed, and only what a table needs goes in.
import { inflateRawSync } from 'node:zlib'
import { type SheetLimits, Unreadable } from './sheet-order.ts'

/** A part by the name that the library looks for. */
export type Part = { name: string; bytes: Uint8Array }

type Entry = { packed: Uint8Array; isPacked: boolean }
type Archive = {
  names: readonly string[]
  /** The bytes of a part, however its name is written; null where there is none. */
  open: (name: string) => Uint8Array | null
}

const SIGNATURE = {
  entry: 0x0201_4b50,
  end: 0x0605_4b50,
  end64: 0x0606_4b50,
  locator64: 0x0706_4b50,
} as const
const BIG = 0xffff_ffff
/** No program packs what people write so well, beyond the first megabytes: who sends more of nothing is refused before it is looked through. */
const PACKED_MOST = { times: 200, fromBytes: 8 * 1024 * 1024 } as const
/** What a table is made of; pictures and the like are never unpacked. */
const UNPACKED = /\.(xml|bin|rels|iwa)$/i

export function openArchive(bytes: Uint8Array, limits: Pick<SheetLimits, 'unpackedBytes'>): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = new Map<string, Entry>()
  const names: string[] = []
  let { at, count } = directoryOf(view)
  let said = 0
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== SIGNATURE.entry) throw new Unreadable('broken')
    if ((view.getUint16(at + 8, true) & 1) === 1) throw new Unreadable('locked')
    const [nameLength, moreLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    const name = textOf(bytes.subarray(at + 46, at + 46 + nameLength))
      .replaceAll('\\', '/')
      .replace(/^\/+/, '')
    const sizes = sizesOf(view, at, at + 46 + nameLength, moreLength)
    if (UNPACKED.test(name)) said += sizes.whole
    if (said > limits.unpackedBytes) throw new Unreadable('swollen')
    const method = view.getUint16(at + 10, true)
    const start =
      sizes.offset + 30 + view.getUint16(sizes.offset + 26, true) + view.getUint16(sizes.offset + 28, true)
    if (start + sizes.packed > bytes.length) throw new Unreadable('broken')
    if (method !== 0 && method !== 8) throw new Unreadable('broken')
    entries.set(name.toLowerCase(), {
      packed: bytes.subarray(start, start + sizes.packed),
      isPacked: method === 8,
    })
    names.push(name)
    at += 46 + nameLength + moreLength + view.getUint16(at + 32, true)
  }
  let left = limits.unpackedBytes
  const open = (name: string) => {
    const entry = entries.get(name.toLowerCase())
    if (!entry) return null
    const likely = Math.max(PACKED_MOST.fromBytes, entry.packed.length * PACKED_MOST.times)
    const whole = entry.isPacked ? inflated(entry.packed, Math.min(left, likely)) : entry.packed
    left -= whole.length
    if (left < 0) throw new Unreadable('swollen')
    return whole
  }
  return { names, open }
}

/** What comes out counts, not what the directory says. */
function inflated(packed: Uint8Array, most: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Unreadable(isTooLarge ? 'swollen' : 'broken')
  }
}

function directoryOf(view: DataView): { at: number; count: number } {
  for (let end = view.byteLength - 22; end >= 0 && end > view.byteLength - 66_000; end--) {
    if (view.getUint32(end, true) !== SIGNATURE.end) continue
    const [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
    if (at !== BIG && count !== 0xffff) return { at, count }
    const locator = end - 20
    if (locator < 0 || view.getUint32(locator, true) !== SIGNATURE.locator64) return { at, count }
    const record = Number(view.getBigUint64(locator + 8, true))
    if (view.getUint32(record, true) !== SIGNATURE.end64) throw new Unreadable('broken')
    return {
      at: Number(view.getBigUint64(record + 48, true)),
      count: Number(view.getBigUint64(record + 32, true)),
    }
  }
  throw new Unreadable('broken')
}

function sizesOf(view: DataView, at: number, more: number, moreLength: number) {
  const sizes = {
    whole: view.getUint32(at + 24, true),
    packed: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  }
  for (let field = more; field + 4 <= more + moreLength; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue
    let value = field + 4
    for (const key of ['whole', 'packed', 'offset'] as const) {
      if (sizes[key] !== BIG) continue
      sizes[key] = Number(view.getBigUint64(value, true))
      value += 8
    }
  }
  return sizes
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

/** A part as text: some programs write UTF-16. */
function markupOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return textOf(bytes)
}

type Relation = { id: string; type: string; target: string }

function relationsOf(archive: Archive, part: string): Relation[] {
  const cut = part.lastIndexOf('/') + 1
  const bytes = archive.open(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`)
  if (!bytes) return []
  return [...markupOf(bytes).matchAll(/<(?:\w+:)?Relationship\b([^<>]*)>/g)].map(([, written = '']) => ({
    id: attribute(written, 'Id'),
    type: attribute(written, 'Type').replace(/^.*\//, ''),
    target: resolved(part.slice(0, cut), attribute(written, 'Target')),
  }))
}

const attribute = (written: string, name: string): string =>
  new RegExp(`(?:^|\\s)(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(written)
    ?.slice(1)
    .find(value => value !== undefined)
    ?.replaceAll('&amp;', '&') ?? ''

function resolved(folder: string, target: string): string {
  const path: string[] = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const EMPTY_SHEET = Buffer.from(`<worksheet xmlns="${MAIN}"><sheetData></sheetData></worksheet>`)
const TYPES = {
  xml: {
    workbook: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    worksheet: 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml',
    styles: 'application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml',
    sharedStrings: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml',
  },
  bin: {
    workbook: 'application/vnd.ms-excel.sheet.binary.macroEnabled.main',
    worksheet: 'application/vnd.ms-excel.worksheet',
    styles: 'application/vnd.ms-excel.styles',
    sharedStrings: 'application/vnd.ms-excel.sharedStrings',
  },
} as const

/** The parts of a workbook of Excel 2007 and later under the names that the library knows; null: the archive holds none. */
export function workbookParts(archive: Archive, mostRows: number): Part[] | null {
  const main =
    relationsOf(archive, '').find(({ type }) => type === 'officeDocument')?.target ??
    archive.names.find(name => /(^|\/)workbook\d*\.(xml|bin)$/i.test(name))
  if (main === undefined) return null
  const kind = /\.bin$/i.test(main) ? 'bin' : 'xml'
  const workbook = archive.open(main)
  if (!workbook) throw new Unreadable('broken')
  const written = kind === 'xml' ? markupOf(workbook) : ''
  if (kind === 'xml' && !/<(?:\w+:)?workbook\b/.test(written)) return null
  const hidden = new Set(
    [...written.matchAll(/<(?:\w+:)?sheet\b([^<>]*)>/g)]
      .filter(([, sheet = '']) => attribute(sheet, 'state') !== '' && attribute(sheet, 'state') !== 'visible')
      .map(([, sheet = '']) => attribute(sheet, 'id')),
  )
  const parts: Part[] = [
    { name: `xl/workbook.${kind}`, bytes: kind === 'xml' ? Buffer.from(written) : workbook },
  ]
  const types: string[] = [
    `<Override PartName="/xl/workbook.${kind}" ContentType="${TYPES[kind].workbook}"/>`,
  ]
  const relations: string[] = []
  const add = (
    type: 'worksheet' | 'styles' | 'sharedStrings',
    id: string,
    path: string,
    bytes: Uint8Array,
  ) => {
    parts.push({ name: `xl/${path}`, bytes })
    types.push(`<Override PartName="/xl/${path}" ContentType="${TYPES[kind][type]}"/>`)
    relations.push(`<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${path}"/>`)
  }
  let sheets = 0
  for (const { id, type, target } of relationsOf(archive, main)) {
    if (type === 'worksheet') {
      sheets += 1
      const bytes = hidden.has(id) ? EMPTY_SHEET : archive.open(target)
      if (!bytes) throw new Unreadable('broken')
      add(
        type,
        id,
        `worksheets/sheet${sheets}.${kind}`,
        kind === 'xml' ? withoutBlankRows(bytes, mostRows) : bytes,
      )
    }
    if (type !== 'styles' && type !== 'sharedStrings') continue
    const bytes = archive.open(target)
    if (bytes) add(type, id, `${type}.${kind}`, kind === 'xml' ? Buffer.from(markupOf(bytes)) : bytes)
  }
  if (sheets === 0) throw new Unreadable('broken')
  return [
    {
      name: '[Content_Types].xml',
      bytes: Buffer.from(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>`,
      ),
    },
    ...parts,
    {
      name: `xl/_rels/workbook.${kind}.rels`,
      bytes: Buffer.from(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
      ),
    },
  ]
}

/** A sheet has no more. */
const COLUMNS_MOST = 16_384
const COLUMN = /<(?:\w+:)?col\b[^<>]*>/g
const FORMULA = /<((?:\w+:)?)f\b[^<>]*(?:\/>|>[^<]*<\/(?:\w+:)?f>)/g
const ROW = /<(?:\w+:)?row\b/g
const BLANK_ROW =
  /<(?:\w+:)?row\b[^<>]*(?:\/>|>\s*(?:<(?:\w+:)?c\b[^<>]*(?:\/>|><\/(?:\w+:)?c>)\s*)*<\/(?:\w+:)?row>)/g

/**
 * A sheet without the rows in which nothing stands, of which programs write a million where somebody has coloured a column, and
 * without those beyond the last that is asked for. Bytes as characters: what is looked for is plain.
 */
function withoutBlankRows(bytes: Uint8Array, mostRows: number): Uint8Array {
  const whole = bytes[0] === 0xff || bytes[0] === 0xfe ? Buffer.from(markupOf(bytes)) : Buffer.from(bytes)
  const sheet = whole.toString('latin1')
  if (!/<\/(?:\w+:)?worksheet\s*>\s*$/.test(sheet.slice(-200))) throw new Unreadable('broken')
  const kept = sheet
    // What counts without saying its number has to stay.
    .replace(BLANK_ROW, row => (/^[^>]*\sr\s*=/.test(row) ? '' : row))
    // Only that there is one counts: nothing of it is computed.
    .replace(FORMULA, '<$1f>0</$1f>')
    .replace(COLUMN, column => (/\shidden\s*=/.test(column) && isWithinSheet(column) ? column : ''))
  ROW.lastIndex = 0
  let rows = 0
  for (let found = ROW.exec(kept); found; found = ROW.exec(kept))
    if (++rows > mostRows) return Buffer.from(`${kept.slice(0, found.index)}${ending(kept)}`, 'latin1')
  return Buffer.from(kept, 'latin1')
}

/** The library makes an object for each column that one element names. */
const isWithinSheet = (column: string) => Number(attribute(column, 'max')) <= COLUMNS_MOST

/** What stands behind the rows: merged cells. */
function ending(sheet: string): string {
  const at = sheet.lastIndexOf('</')
  const data = sheet.lastIndexOf('sheetData>')
  return data === -1 ? sheet.slice(at) : sheet.slice(sheet.lastIndexOf('</', data))
}
