// Owns what stands on which line of a receipt. Pure: the same template, data and paper make the same lines, none wider than the paper.
import { given } from './input/given.ts'
import {
  type Alignment,
  type CatalogueItem,
  CELL_DOTS,
  catalogueItem,
  PAPERS,
  type Paper,
  type PlacedGroup,
  type ReceiptContent,
  type ReceiptData,
  type ReceiptItem,
  sheetOf,
} from './receipt.ts'
import { type GoodsColumn, goodsLines } from './receipt-goods.ts'
import { between, cellsOf, longestPiece, padEnd, plainText, wrapped } from './receipt-text.ts'

/** What a line shows. Texts are padded by cells already. */
export type Shown =
  | { kind: 'text'; text: string; align: Alignment; large: boolean; bold: boolean }
  | { kind: 'rule' }
  /** Empty paper, in dots. */
  | { kind: 'space'; dots: number }
  | { kind: 'barcode' | 'qr'; value: string; align: Alignment }
  /** Of the template, or the shop's own. */
  | { kind: 'logo'; align: Alignment; picture: string | null }
/** `block` is the id of the group that the line belongs to. */
export type Line = Shown & { block: number | null; item: number | null }

/** Cells in a line of this paper. */
export const cellsIn = (paper: Paper, large = false): number =>
  Math.floor(PAPERS[paper].dots / (large ? CELL_DOTS.large : CELL_DOTS.normal))

/** Dots of the preview's pixels. */
const DOTS_PER_PX = 4 / 3
/** Code 128 has 11 modules a sign and 35 around them; one module is two dots, which scanners read. */
const CODE_MODULES = { sign: 11, around: 35, dots: 2 } as const

/** The groups of a paper; that of the bottom last, and on rolls alone. */
export function groupsOn(content: ReceiptContent, paper: Paper): PlacedGroup[] {
  const groups = content[sheetOf(paper)]
  const above = groups.filter(({ section }) => section !== 'footer')
  return sheetOf(paper) === 'wide'
    ? above
    : [...above, ...groups.filter(({ section }) => section === 'footer')]
}

/** Groups of the bottom that stand on 210 mm, where nothing of them is printed. */
export const unprintedOn = (content: ReceiptContent, paper: Paper): PlacedGroup[] =>
  sheetOf(paper) === 'wide' ? content.wide.filter(({ section }) => section === 'footer') : []

export function linesOf(content: ReceiptContent, data: ReceiptData, paper: Paper): Line[] {
  const blocks = groupsOn(content, paper)
    .map(group => blockOf(group, data, paper))
    .filter(lines => lines.length > 0)
  const reprint = content.enableMakeUp && data.isReprint === true
  return [
    ...(reprint ? [{ ...textLine('（补打）', { align: 1 }), block: null, item: null }] : []),
    ...blocks.flatMap((lines, at) =>
      at === 0 ? lines : [{ kind: 'rule' as const, block: lines[0]?.block ?? null, item: null }, ...lines],
    ),
  ]
}

type Told = { item: ReceiptItem; entry: CatalogueItem; label: string; value: string }

function blockOf(group: PlacedGroup, data: ReceiptData, paper: Paper): Line[] {
  const told = group.items
    .filter(item => item.checked || item.required)
    .flatMap(item => {
      const entry = catalogueItem(item.id)
      return entry ? [toldOf(item, entry, data)] : []
    })
  const lines = group.section === 'goods' ? goodsOf(told, data, paper) : factsOf(told, paper)
  return lines.map(line => ({ ...line, block: group.groupId }))
}

function toldOf(item: ReceiptItem, entry: CatalogueItem, data: ReceiptData): Told {
  const own = entry.drawn === 'text' ? item.text : ''
  const label = plainText(item.label).replace(/\s+/g, ' ').trim() || entry.name
  return { item, entry, label, value: own || given(data.values[entry.field]) }
}

type Drawn = Shown & { item: number | null }

/** Short facts in columns where the paper is wide, everything else below each other. */
function factsOf(told: readonly Told[], paper: Paper): Drawn[] {
  const { columns } = PAPERS[paper]
  const lines: Drawn[] = []
  let waiting: Told[] = []
  const flush = () => {
    if (waiting.length > 0) lines.push(...rowsOf(waiting, paper))
    waiting = []
  }
  for (const one of told) {
    if (columns > 1 && isShort(one, Math.floor(cellsIn(paper) / columns) - 1)) {
      waiting.push(one)
      if (waiting.length === columns) flush()
      continue
    }
    flush()
    lines.push(...linesOfItem(one, paper))
  }
  flush()
  return lines
}

const pairOf = ({ label, value }: Told) => `${label}：${value}`

function isShort(told: Told, cells: number): boolean {
  const { item, entry, value } = told
  const isPlain = entry.drawn === 'pair' && item.alignment === 0 && item.fontSize !== 12
  return (
    isPlain &&
    item.marginBottom === 0 &&
    !value.includes('\n') &&
    value !== '' &&
    cellsOf(pairOf(told)) <= cells
  )
}

function rowsOf(told: readonly Told[], paper: Paper): Drawn[] {
  const cells = Math.floor(cellsIn(paper) / PAPERS[paper].columns)
  const text = told
    .map(one =>
      wrapped(pairOf(one), cells - 1)
        .map(line => padEnd(line, cells))
        .join(''),
    )
    .join('')
  return [{ ...textLine(text.trimEnd(), {}), item: told[0]?.item.id ?? null }]
}

function linesOfItem(told: Told, paper: Paper): Drawn[] {
  const { item } = told
  const shown = shownOf(told, paper)
  const below = Math.round(item.marginBottom * DOTS_PER_PX)
  if (shown.length > 0 && below > 0) shown.push({ kind: 'space', dots: below })
  return shown.map(line => ({ ...line, item: item.id }))
}

function shownOf(told: Told, paper: Paper): Shown[] {
  const { item, entry, label, value } = told
  if (entry.drawn === 'logo') return [{ kind: 'logo', align: 1, picture: item.picture ?? null }]
  if (entry.drawn === 'sign') return signature(told, paper)
  if (value.trim() === '') return []
  if (entry.drawn === 'qr') return [{ kind: 'qr', value, align: 1 }]
  if (entry.drawn === 'barcode')
    return canBarcode(value, paper)
      ? [{ kind: 'barcode', value, align: 1 }]
      : texts(pairOf(told), item, paper)
  if (entry.drawn === 'amount') {
    const large = isLarge(item, longestPiece(value), paper)
    return between(`${label}：`, value, cellsIn(paper, large)).map(text =>
      textLine(text, { large, bold: large }),
    )
  }
  const isNamed = entry.drawn === 'pair' || label !== entry.name
  return texts(isNamed ? pairOf(told) : value, item, paper)
}

/** Large only where no number is broken by it. */
const isLarge = (item: ReceiptItem, longest: number, paper: Paper): boolean =>
  item.fontSize === 12 && longest <= cellsIn(paper, true)

function texts(text: string, item: ReceiptItem, paper: Paper): Shown[] {
  const large = isLarge(item, longestPiece(text), paper)
  return wrapped(text, cellsIn(paper, large)).map(line =>
    textLine(line, { align: item.alignment, large, bold: large }),
  )
}

function signature({ item, label }: Told, paper: Paper): Shown[] {
  const large = item.fontSize === 12
  const cells = cellsIn(paper, large)
  const lines = wrapped(`${label}：`, cells)
  const last = lines.pop() ?? ''
  const room = Math.max(0, Math.min(cells - cellsOf(last), 24))
  return [...lines, last + '_'.repeat(room)].map(line => textLine(line, { align: item.alignment, large }))
}

/** Whether scanners would read it: plain signs, and not too many for the paper. */
export function canBarcode(value: string, paper: Paper): boolean {
  if (!/^[\x20-\x7e]+$/.test(value)) return false
  return (
    (codeSigns(value) * CODE_MODULES.sign + CODE_MODULES.around) * CODE_MODULES.dots <= PAPERS[paper].dots
  )
}

/** Signs of Code 128: two digits take one, and a change between the sets takes one too. */
export function codeSigns(value: string): number {
  return (value.match(/\d{4,}|\D+|\d+/g) ?? []).reduce((signs, run) => {
    if (!/^\d{4,}$/.test(run)) return signs + run.length + 1
    return signs + Math.floor(run.length / 2) + 1 + (run.length % 2) * 2
  }, 0)
}

function goodsOf(told: readonly Told[], data: ReceiptData, paper: Paper): Drawn[] {
  const columns = told.filter(({ entry }) => entry.drawn === 'column')
  const shown: GoodsColumn[] = columns.map(({ entry, label }) => ({ field: entry.field, name: label }))
  const name = columns.find(({ entry }) => entry.field === 'name')
  const isNameLarge = name?.item.fontSize === 12
  const cells = cellsIn(paper)
  const nameCells = isNameLarge ? cellsIn(paper, true) : cells
  const lines = data.goods.length > 0 ? goodsLines(shown, data.goods, cells, nameCells) : []
  return [
    ...lines
      .filter(({ text }) => text.trim() !== '')
      .map(({ text, isHead, isName }) => {
        const large = isName && isNameLarge && cellsOf(text) <= nameCells
        return { ...textLine(text, { bold: isHead, large }), item: name?.item.id ?? null }
      }),
    ...told
      .filter(({ entry, value }) => entry.drawn === 'sum' && value !== '')
      .flatMap(one => sumOf(one, data, paper)),
  ]
}

/** How many pieces, and what they cost together. */
function sumOf({ item, label, value }: Told, data: ReceiptData, paper: Paper): Drawn[] {
  const large = isLarge(item, longestPiece(value), paper)
  const pieces = given(data.values.totalQuantity)
  const left = pieces ? `${label}（数量 ${pieces}）：` : `${label}：`
  return between(left, value, cellsIn(paper, large)).map(text => ({
    ...textLine(text, { large, bold: true }),
    item: item.id,
  }))
}

type TextLook = { align?: Alignment; large?: boolean; bold?: boolean }

const textLine = (text: string, { align = 0, large = false, bold = false }: TextLook): Shown => ({
  kind: 'text',
  text,
  align,
  large,
  bold,
})

/** What of a receipt is drawn as letters; a barcode says below it what it is. */
export const lettersOn = (lines: readonly Line[]): string =>
  lines.map(line => (line.kind === 'text' ? line.text : line.kind === 'barcode' ? line.value : '')).join('')
