// Draws scenes as a PDF in a thread of its own. Text stays text in the embedded font, each character where its advance puts it.
import { buffer } from 'node:stream/consumers'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import { glyphOf } from '#kit/print/glyphs.ts'
import { movedPath } from '#kit/print/path.ts'
import type { Mark, Scene, TextMark } from '#kit/print/scene.ts'
import { bitmapPath, boxPath } from '#kit/print/svg.ts'
import { pointsOfUm } from '#kit/print/units.ts'
import { fontFile, glyphsOf, WEIGHTS } from './fonts.ts'

type Doc = PDFKit.PDFDocument

/** The font's own ideas of where characters stand are left out: pages and printers follow advances alone. */
const PLAIN = ['kern', 'liga', 'clig', 'calt', 'rlig', 'ccmp', 'locl', 'mark', 'mkmk'].reduce(
  (features, name) => Object.assign(features, { [name]: false }),
  {} as Record<string, boolean>,
)

async function drawScenes({ scenes, title }: { scenes: readonly Scene[]; title: string }): Promise<Buffer> {
  const doc = new PDFDocument({ autoFirstPage: false, lang: 'zh-CN', info: { Title: title } })
  for (const weight of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])
    doc.registerFont(weight, await fontFile(weight))
  for (const scene of scenes) {
    doc.addPage({ size: [pointsOfUm(scene.width), pointsOfUm(scene.height)], margin: 0 })
    for (const mark of scene.marks) await drawMark(doc, mark)
  }
  doc.end()
  return buffer(doc)
}

async function drawMark(doc: Doc, mark: Mark): Promise<void> {
  if (mark.kind === 'text') return drawText(doc, mark)
  if (mark.kind === 'bars') fillUm(doc, mark.rects.map(boxPath).join(''))
  else if (mark.kind === 'bitmap') fillUm(doc, bitmapPath(mark))
  else fillUm(doc, movedPath(mark.path, mark.unit, mark.box.left, mark.box.top))
}

/** A path in micrometres. */
function fillUm(doc: Doc, path: string): void {
  if (path === '') return
  doc.save().scale(pointsOfUm(1))
  doc.path(path).fill('#000')
  doc.restore()
}

async function drawText(doc: Doc, mark: TextMark): Promise<void> {
  const glyphs = await glyphsOf(mark.text)
  const own = glyphs[mark.bold ? 'bold' : 'regular']
  const unit = mark.size / 1_000
  doc
    .font(mark.bold ? 'bold' : 'regular')
    .fontSize(pointsOfUm(mark.size))
    .fillColor('#000')
  let advance = 0
  for (const part of partsOf(mark.text, character => character in own)) {
    const left = mark.left + advance * unit
    if (part[0] !== undefined && part[0] in own)
      doc.text(part.join(''), pointsOfUm(left), pointsOfUm(mark.baseline), {
        ...{ lineBreak: false, baseline: 'alphabetic' },
        features: PLAIN as never,
      })
    for (const character of part) {
      const glyph = glyphOf(glyphs, character, mark.bold)
      const at = mark.left + advance * unit
      if (!(character in own)) fillUm(doc, movedPath(glyph.outline, unit, at, mark.baseline))
      advance += glyph.advance
    }
  }
  if (mark.underline) fillUm(doc, boxPath(mark.underline))
}

/** Runs of characters that the font has, and of those it lacks. */
function partsOf(text: string, isOwn: (character: string) => boolean): string[][] {
  const parts: string[][] = []
  for (const character of text) {
    const last = parts.at(-1)
    if (last?.[0] !== undefined && isOwn(last[0]) === isOwn(character)) last.push(character)
    else parts.push([character])
  }
  return parts
}

if (!isMainThread) parentPort?.postMessage(await drawScenes(workerData))
