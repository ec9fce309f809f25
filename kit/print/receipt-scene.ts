// Lines of a receipt as a scene: each character in its cell, so that columns stand on paper as they stand in the text mode of printers.
import { barcodeOf, type Code, qrOf } from './codes.ts'
import { charactersOf, type Glyphs, glyphOf } from './glyphs.ts'
import { type Alignment, CELL_DOTS, PAPERS, type Paper, SHEET_MM } from './receipt.ts'
import { type Line, lettersOn } from './receipt-lines.ts'
import { cellsOf, isWide, plainText, wrapped } from './receipt-text.ts'
import {
  type BarsMark,
  type Bitmap,
  type Box,
  type Mark,
  rectangle,
  type Scene,
  type ShapeMark,
} from './scene.ts'
import { type Um, umOfDots, umOfMm } from './units.ts'

const dot = (count: number): Um => umOfDots(count, 8)
/** White above and below the letters of a line, in dots. */
const LEADING = 6
const RULE_DOTS = 24
/** White above the first and below the last line, in dots. */
const END_DOTS = 24
const BAR_DOTS = 80
const LOGO = { width: 200, height: 72 } as const
/** Digits of the font take 555 thousandths of the em: so large they fill a cell. */
const DIGIT_ADVANCE = 555

/** Where a group stands, to be chosen by a click. */
export type Block = { groupId: number; top: Um; height: Um }
export type ReceiptPage = { scene: Scene; blocks: readonly Block[] }

/** Pictures of templates by their ids. */
export type Logos = ReadonlyMap<string, Bitmap>

export type SceneOptions = {
  paper: Paper
  glyphs: Glyphs
  logos?: Logos
  /** Without them what the head of a printer reaches, with them the whole paper. */
  margins?: boolean
}

type Pen = { options: SceneOptions; left: Um; width: Um }
type Piece = { height: Um; at: (top: Um) => Mark[] }

/** The pages of a receipt: one as long as it needs on a roll, sheets of A4 for 210. */
export function sceneOfReceipt(lines: readonly Line[], options: SceneOptions): ReceiptPage[] {
  const { paper, margins = true } = options
  const dots = PAPERS[paper].dots
  const full = margins ? umOfMm(paper) : dot(dots)
  const pen: Pen = { options, left: Math.round((full - dot(dots)) / 2), width: dot(dots) }
  const pieces = lines.map(line => ({ line, piece: pieceOf(line, pen) }))
  const isSheet = paper === 210
  const end = isSheet ? umOfMm(10) : dot(END_DOTS)
  const room = isSheet ? umOfMm(SHEET_MM) - 2 * end : Number.POSITIVE_INFINITY
  const pages: ReceiptPage[] = []
  let page: { line: Line; piece: Piece }[] = []
  let used = 0
  for (const one of pieces) {
    if (used + one.piece.height > room && page.length > 0) {
      pages.push(pageOf(page, { full, end, isSheet }))
      ;[page, used] = [[], 0]
    }
    page.push(one)
    used += one.piece.height
  }
  return [...pages, pageOf(page, { full, end, isSheet })]
}

type PageFrame = { full: Um; end: Um; isSheet: boolean }

function pageOf(
  pieces: readonly { line: Line; piece: Piece }[],
  { full, end, isSheet }: PageFrame,
): ReceiptPage {
  const marks: Mark[] = []
  const blocks = new Map<number, Block>()
  let top = end
  for (const { line, piece } of pieces) {
    marks.push(...piece.at(top))
    if (line.block !== null && line.kind !== 'rule') {
      const begun = blocks.get(line.block)?.top ?? top
      blocks.set(line.block, { groupId: line.block, top: begun, height: top + piece.height - begun })
    }
    top += piece.height
  }
  const height = isSheet ? umOfMm(SHEET_MM) : top + end
  return { scene: { width: full, height, marks }, blocks: [...blocks.values()] }
}

function pieceOf(line: Line, pen: Pen): Piece {
  switch (line.kind) {
    case 'text':
      return textPiece(line, pen)
    case 'space':
      return { height: dot(line.dots), at: () => [] }
    case 'rule':
      return { height: dot(RULE_DOTS), at: top => [dashes(top + dot(RULE_DOTS / 2 - 1), pen)] }
    case 'logo':
      return logoPiece(line, pen)
    case 'barcode':
      return barcodePiece(line, pen)
    case 'qr':
      return qrPiece(line, pen)
  }
}

const idOf = ({ block, item }: Line) => (block === null || item === null ? null : `${block}:${item}`)
const leftOf = ({ left, width }: Pen, taken: Um, align: Alignment): Um =>
  left + Math.max(0, Math.floor(((width - taken) * align) / 2))

type TextLine = Extract<Line, { kind: 'text' }>

function textPiece(line: TextLine, pen: Pen): Piece {
  const em = line.large ? CELL_DOTS.large * 2 : CELL_DOTS.normal * 2
  return {
    height: dot(em + LEADING),
    at: top => {
      const left = leftOf(pen, cellsOf(line.text) * dot(em / 2), line.align)
      return charactersAt(
        line.text,
        { left, top: top + dot(LEADING / 2), em: dot(em), bold: line.bold, item: idOf(line) },
        pen,
      )
    },
  }
}

type Place = { left: Um; top: Um; em: Um; bold: boolean; item: string | null }

/** Signs of an amount and its digits each in their cells, so that amounts stand under each other; words and Chinese as they are. */
const RUNS =
  /\d+(?![\x21-\x7e]*[A-Za-z%])|_+|[\u2e80-\u9fff\uff01-\uff5e]+|[\x21-\x7e]*[A-Za-z%][\x21-\x7e]*|./gsu

function charactersAt(text: string, place: Place, { options: { glyphs } }: Pen): Mark[] {
  const { em, bold, item } = place
  const cell = em / 2
  const baseline = place.top + Math.round(em * 0.86)
  const marks: Mark[] = []
  let left = place.left
  for (const [run] of text.matchAll(RUNS)) {
    const width = cellsOf(run) * cell
    if (run.startsWith('_')) marks.push(rectangle(item, { left, top: baseline, width, height: dot(1) }))
    else if (run !== ' ') {
      const size = sizeIn(run, { em, width, bold, glyphs })
      const taken = Math.round((advanceOf(glyphs, run, bold) * size) / 1_000)
      const at = /^[\x21-\x7e]{2}/.test(run) ? left : left + Math.round((width - taken) / 2)
      marks.push({
        kind: 'text',
        item,
        text: run,
        left: at,
        baseline,
        size,
        bold,
        underline: null,
        width: taken,
      })
    }
    left += width
  }
  return marks
}

function advanceOf(glyphs: Glyphs, run: string, bold: boolean): number {
  let advance = 0
  for (const character of run) advance += glyphOf(glyphs, character, bold).advance
  return advance
}

type Fit = { em: Um; width: Um; bold: boolean; glyphs: Glyphs }

/** As large as the line, or as much smaller as its cells ask for. */
function sizeIn(run: string, { em, width, bold, glyphs }: Fit): Um {
  const wanted = isWide(run) ? em : Math.round((em * 1_000) / 2 / DIGIT_ADVANCE)
  const advance = advanceOf(glyphs, run, bold)
  return advance === 0 ? wanted : Math.min(wanted, Math.floor((width * 1_000) / advance))
}

function dashes(top: Um, { left, width }: Pen): ShapeMark {
  const [dash, step, thick] = [dot(8), dot(12), dot(2)]
  const count = Math.floor(width / step)
  const path = Array.from({ length: count }, (_, at) => {
    const x = at * step
    return `M${x} 0L${x + dash} 0L${x + dash} ${thick}L${x} ${thick}Z`
  }).join('')
  return { kind: 'shape', item: null, box: { left, top, width, height: thick }, path, unit: 1 }
}

function logoPiece(line: Extract<Line, { kind: 'logo' }>, pen: Pen): Piece {
  const bitmap = pen.options.logos?.get(line.picture ?? '') ?? null
  const most = PAPERS[pen.options.paper].dots
  const size = bitmap ? { width: Math.min(bitmap.width, most), height: bitmap.height } : LOGO
  const scale = bitmap ? size.width / bitmap.width : 1
  const [width, height] = [dot(size.width), dot(Math.round(size.height * scale))]
  return {
    height: height + dot(12),
    at: top => {
      const box = { left: leftOf(pen, width, line.align), top: top + dot(6), width, height }
      if (bitmap) return [{ kind: 'bitmap', item: idOf(line), box, bitmap }]
      return placeholder(line, box, pen)
    },
  }
}

/** Stands for the logo of a shop that none has told of. */
function placeholder(line: Line, box: Box, pen: Pen): Mark[] {
  const { left, top, width, height } = box
  const [thick, em] = [dot(2), dot(32)]
  const edge = (dx: Um, dy: Um, w: Um, h: Um) =>
    rectangle(idOf(line), { left: left + dx, top: top + dy, width: w, height: h })
  const text = {
    left: left + Math.round((width - 2 * em) / 2),
    top: top + Math.round((height - em) / 2),
    em,
    bold: true,
    item: idOf(line),
  }
  return [
    edge(0, 0, width, thick),
    edge(0, height - thick, width, thick),
    edge(0, 0, thick, height),
    edge(width - thick, 0, thick, height),
    ...charactersAt('LOGO', text, pen),
  ]
}

/** Of a receipt's lines, each once: what a page asks the font for. */
export function charactersOn(lines: readonly Line[]): string[] {
  const texts = lines.map(line => (line.kind === 'text' ? line.text : 'value' in line ? line.value : ''))
  return charactersOf(['LOGO', ...texts.map(plainText)]).filter(character => character.trim() !== '')
}

/** What of a receipt the font lacks: as dots it becomes a box. */
export const lostAsDots = (lines: readonly Line[], { regular, bold }: Glyphs): string[] =>
  [...new Set(plainText(lettersOn(lines)))].filter(
    character => character.trim() !== '' && !(regular[character] && bold[character]),
  )

function bars(code: Code, line: Line, place: { left: Um; top: Um; module: Um; tall?: Um }): BarsMark {
  const { left, top, module, tall } = place
  const rects = code.rects.map(rect => ({
    left: left + rect.left * module,
    top: top + (tall === undefined ? rect.top * module : 0),
    width: rect.width * module,
    height: tall ?? rect.height * module,
  }))
  return {
    kind: 'bars',
    item: idOf(line),
    symbology: code.symbology,
    content: code.content,
    module,
    box: { left, top, width: code.width * module, height: tall ?? code.height * module },
    quiet: { left: code.quiet.left * module, right: code.quiet.right * module, end: code.quiet.end * module },
    rects,
  }
}

type CodeLine = Extract<Line, { kind: 'barcode' | 'qr' }>

/** Bars of two dots a module, and what they say below. */
function barcodePiece(line: CodeLine, pen: Pen): Piece {
  const { dots } = PAPERS[pen.options.paper]
  const code = barcodeOf(line.value)
  const cells = Math.floor(dots / CELL_DOTS.normal)
  const said = wrapped(line.value, cells).map(text =>
    textPiece({ ...line, kind: 'text', text, align: 1, large: false, bold: false }, pen),
  )
  const fits = code !== null && code.width * 2 <= dots
  const above = fits ? dot(BAR_DOTS + 10) : 0
  return {
    height: above + said.reduce((sum, one) => sum + one.height, 0),
    at: top => [
      ...(fits
        ? [
            bars(code, line, {
              left: leftOf(pen, code.width * dot(2), 1),
              top: top + dot(6),
              module: dot(2),
              tall: dot(BAR_DOTS),
            }),
          ]
        : []),
      ...said.flatMap((one, at) => one.at(top + above + at * one.height)),
    ],
  }
}

/** Modules of five dots, or as many as fit. */
function qrPiece(line: CodeLine, pen: Pen): Piece {
  const { dots } = PAPERS[pen.options.paper]
  const code = qrOf(line.value)
  if (!code) return { height: 0, at: () => [] }
  const module = Math.max(2, Math.min(5, Math.floor(dots / (code.width + 8))))
  const quiet = dot(module * 4)
  const side = code.width * dot(module)
  return {
    height: side + 2 * quiet,
    at: top => [bars(code, line, { left: leftOf(pen, side, 1), top: top + quiet, module: dot(module) })],
  }
}

/** Millimetres of paper that the pages take. */
export const lengthMm = (pages: readonly ReceiptPage[]): number =>
  Math.round(pages.reduce((sum, { scene }) => sum + scene.height, 0) / 100) / 10
