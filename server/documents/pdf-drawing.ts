// Draws a paper of facts and tables as a PDF (A4), in a thread of its own, since embedding the fonts takes a tenth of a second.
// The fonts are embedded, so that Chinese shows and can be copied everywhere.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'

export type PaperColumn = { header: string /** Share of the width. */; width: number; align?: 'right' }
export type PaperRow = { cells: readonly string[]; strong?: boolean }
export type PaperTable = {
  title: string
  columns: readonly PaperColumn[]
  rows: readonly PaperRow[]
  /** Under the table. */
  note: string
}
export type Paper = {
  title: string
  /** A PNG beside the title. */
  logo?: Uint8Array | null
  facts: readonly (readonly [label: string, text: string])[]
  tables: readonly PaperTable[]
}

const INK = { text: '#1a1f27', muted: '#5a6472', line: '#cfd5dd', band: '#f1f3f6' } as const
const SIZE = { title: 18, section: 12, body: 9.5, small: 8 } as const
const MARGIN = 48
const ROW = 22
const FOOT = 28
/** Points; above the facts. */
const LOGO_BOX = [156, 34] as const

type Doc = PDFKit.PDFDocument

/** The paper as a PDF. Every page ends with its number and the number of all. */
async function drawPaper(paper: Paper): Promise<Buffer> {
  const fonts = new URL('../fonts/', import.meta.resolve('@embedpdf/fonts-sc'))
  const [regular, bold] = await Promise.all(
    ['Regular', 'Bold'].map(weight => readFile(new URL(`NotoSansHans-${weight}.otf`, fonts))),
  )
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT },
    bufferPages: true,
    lang: 'zh-CN',
    displayTitle: true,
    info: { Title: paper.title },
  })
  doc.registerFont('regular', regular as Buffer)
  doc.registerFont('bold', bold as Buffer)
  if (paper.logo) {
    const [width, height] = LOGO_BOX
    const at = doc.page.width - MARGIN - width
    doc.image(Buffer.from(paper.logo), at, MARGIN - 6, { fit: [width, height], align: 'right' })
  }
  doc.font('bold').fontSize(SIZE.title).fillColor(INK.text).text(paper.title, MARGIN, MARGIN)
  doc.moveDown(0.6)
  drawFacts(doc, paper.facts)
  for (const table of paper.tables) drawTable(doc, table)
  drawPageNumbers(doc, paper.title)
  doc.end()
  return buffer(doc)
}

function widthOf(doc: Doc): number {
  return doc.page.width - MARGIN * 2
}

function endOf(doc: Doc): number {
  return doc.page.height - doc.page.margins.bottom
}

/** Two facts side by side; a long text goes on in the next line. */
function drawFacts(doc: Doc, facts: Paper['facts']): void {
  const half = widthOf(doc) / 2
  for (let index = 0; index < facts.length; index += 2) {
    const top = doc.y
    const bottoms = facts.slice(index, index + 2).map(([label, text], column) => {
      const left = MARGIN + half * column
      doc.font('regular').fontSize(SIZE.body)
      doc.fillColor(INK.muted).text(label, left, top, { width: 64, lineBreak: false })
      doc.fillColor(INK.text).text(text, left + 64, top, { width: half - 72 })
      return doc.y
    })
    doc.y = Math.max(...bottoms) + 5
  }
}

function drawTable(doc: Doc, table: PaperTable): void {
  doc.y += 18
  // A title stays with its table's head and first row.
  if (doc.y + ROW * 4 > endOf(doc)) doc.addPage()
  doc.font('bold').fontSize(SIZE.section).fillColor(INK.text).text(table.title, MARGIN, doc.y)
  doc.y += 6
  drawHead(doc, table.columns)
  for (const row of table.rows) {
    if (doc.y + ROW > endOf(doc)) {
      doc.addPage()
      drawHead(doc, table.columns)
    }
    drawRow(doc, table.columns, row.cells, { font: row.strong ? 'bold' : 'regular', color: INK.text })
  }
  doc.y += 6
  doc.font('regular').fontSize(SIZE.small).fillColor(INK.muted).text(table.note, MARGIN, doc.y)
}

function drawHead(doc: Doc, columns: readonly PaperColumn[]): void {
  doc.rect(MARGIN, doc.y, widthOf(doc), ROW).fill(INK.band)
  const headers = columns.map(column => column.header)
  drawRow(doc, columns, headers, { font: 'bold', color: INK.muted })
}

function drawRow(
  doc: Doc,
  columns: readonly PaperColumn[],
  cells: readonly string[],
  ink: { font: 'regular' | 'bold'; color: string },
): void {
  const top = doc.y
  const shares = columns.reduce((sum, column) => sum + column.width, 0)
  let left = MARGIN
  doc.font(ink.font).fontSize(SIZE.body).fillColor(ink.color)
  const textTop = top + (ROW - doc.currentLineHeight()) / 2
  for (const [index, column] of columns.entries()) {
    const width = (widthOf(doc) * column.width) / shares
    doc.text(cells[index] ?? '', left + 6, textTop, {
      width: width - 12,
      height: ROW,
      align: column.align ?? 'left',
      lineBreak: false,
      ellipsis: true,
    })
    left += width
  }
  doc
    .moveTo(MARGIN, top + ROW)
    .lineTo(MARGIN + widthOf(doc), top + ROW)
    .lineWidth(0.5)
    .stroke(INK.line)
  doc.y = top + ROW
}

function drawPageNumbers(doc: Doc, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    const top = doc.page.height - MARGIN
    // Text below the margin would open another page.
    doc.page.margins.bottom = 0
    doc.font('regular').fontSize(SIZE.small).fillColor(INK.muted)
    doc.text(title, MARGIN, top, { width: widthOf(doc) / 2, lineBreak: false })
    doc.text(`第 ${page - start + 1} 页，共 ${count} 页`, MARGIN, top, {
      width: widthOf(doc),
      align: 'right',
      lineBreak: false,
    })
  }
}

if (!isMainThread) parentPort?.postMessage(await drawPaper(workerData as Paper))
