// Receipts as they come out of the printer: drawn in the real font, sent as ESC/POS, read back by readers of others.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import jsqr from 'jsqr'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { RECEIPT_GROUPS, RECEIPT_SAMPLES } from '#features/print/receipts/reference.ts'
import { escposRaster } from '#kit/print/escpos.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { PAPER_KEYS, PAPERS, type Paper, RECEIPT_TYPE_KEYS, type ReceiptContent } from '#kit/print/receipt.ts'
import { linesOf } from '#kit/print/receipt-lines.ts'
import { sampleOf, sampleOfAll } from '#kit/print/receipt-samples.ts'
import { charactersOn, lengthMm, sceneOfReceipt } from '#kit/print/receipt-scene.ts'
import { pictureOf } from '#kit/print/scanned.ts'
import { type Bitmap, bytesAcross, type Mark } from '#kit/print/scene.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { sampled, times } from '../lane.ts'
import { joinedRaster, readEscpos } from './escpos-reader.ts'

const WASM = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(WASM)).buffer } })

const ROLLS = PAPER_KEYS.filter(paper => paper !== 210)
const groups = RECEIPT_GROUPS.map(({ id, name, section, items }) => ({
  groupId: id,
  ...{ name, section },
  items: items.map(item => ({ ...item, checked: true })),
}))
const EVERYTHING: ReceiptContent = { enableMakeUp: false, ordinary: groups, wide: groups }

async function drawn(
  content: ReceiptContent,
  data: ReturnType<typeof sampleOf>,
  paper: Paper,
  margins = true,
) {
  const lines = linesOf(content, data, paper)
  const glyphs = await glyphsOf(charactersOn(lines))
  return { lines, glyphs, pages: sceneOfReceipt(lines, { paper, glyphs, margins }) }
}

/** What a scanner that is held over a code sees. */
function rowsOf({ width, rows }: Bitmap, from: number, height: number): Bitmap {
  const across = bytesAcross(width)
  return { width, height, rows: rows.slice(from * across, (from + height) * across) }
}

// Its types say that it has no default.
const scanQr = jsqr as unknown as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null

const rightOf = (mark: Mark): number =>
  mark.kind === 'text' ? mark.left + mark.width : mark.box.left + mark.box.width
const leftOf = (mark: Mark): number => (mark.kind === 'text' ? mark.left : mark.box.left)

describe('a receipt on paper', () => {
  test('is as wide as its paper, with nothing beyond what the head reaches', async () => {
    for (const paper of PAPER_KEYS)
      for (const length of ['typical', 'longest'] as const) {
        const { pages } = await drawn(EVERYTHING, sampleOf('sale', length), paper)
        for (const { scene } of pages) {
          assert.equal(scene.width, paper * 1_000)
          const margin = (paper * 1_000 - PAPERS[paper].dots * 125) / 2
          for (const mark of scene.marks) {
            assert.ok(leftOf(mark) >= margin - 1, JSON.stringify(mark).slice(0, 200))
            assert.ok(rightOf(mark) <= paper * 1_000 - margin + 1, JSON.stringify(mark).slice(0, 200))
          }
        }
        assert.ok(lengthMm(pages) > 100)
      }
  })

  test('goes on on a second sheet of A4, and its blocks lie where their marks are', async () => {
    const data = sampleOf('sale')
    const many = { ...data, goods: Array.from({ length: 90 }, () => data.goods[0] ?? {}) }
    const { pages } = await drawn(EVERYTHING, many, 210)
    assert.equal(pages.length, 2)
    assert.deepEqual(
      pages.map(({ scene }) => scene.height),
      [297_000, 297_000],
    )
    for (const { scene, blocks } of pages)
      for (const { top, height } of blocks) assert.ok(top >= 0 && top + height <= scene.height)
    assert.equal(pages[0]?.blocks[0]?.groupId, groups[0]?.groupId)
  })

  test('has columns that stand under each other, whatever letters are in them', async () => {
    const { pages } = await drawn(EVERYTHING, sampleOf('sale'), 80)
    const texts = pages.flatMap(({ scene }) =>
      scene.marks.flatMap(mark => (mark.kind === 'text' ? [mark] : [])),
    )
    const cells = (text: string) =>
      texts.filter(mark => mark.text === text).map(mark => Math.round(mark.left / 1_500))
    // 7 of 7.00, 12 of 12.90: right edges in the same cell.
    assert.ok(cells('34').length >= 2)
    assert.equal(new Set(cells('34')).size, 1)
  })
})

describe('the bytes for a printer', () => {
  for (const paper of ROLLS)
    test(`hold the very dots of the preview on ${paper} mm, and codes that are read`, async () => {
      const { lines, glyphs, pages } = await drawn(EVERYTHING, sampleOfAll(), paper, false)
      const [page] = pages
      assert.ok(page && pages.length === 1)
      const bitmap = rasterOf(page.scene, glyphs, 8)
      assert.equal(bitmap.width, PAPERS[paper].dots)
      const read = joinedRaster(readEscpos(escposRaster(bitmap)))
      assert.deepEqual([read.width, read.height], [bitmap.width, bitmap.height])
      assert.deepEqual(read.rows, bitmap.rows)
      const codes = page.scene.marks.flatMap(mark => (mark.kind === 'bars' ? [mark] : []))
      assert.ok(codes.length >= 2)
      for (const { content, symbology, box } of codes) {
        const picture = pictureOf(
          rowsOf(read, Math.round(box.top / 125) - 8, Math.round(box.height / 125) + 16),
        )
        const found = await readBarcodes(picture as never)
        assert.deepEqual(
          found.map(({ text }) => text),
          [content],
        )
        if (symbology === 'qrcode')
          assert.equal(scanQr(picture.data, picture.width, picture.height)?.data, content)
      }
      const said = lines.flatMap(line => (line.kind === 'barcode' || line.kind === 'qr' ? [line.value] : []))
      assert.deepEqual(
        codes.map(({ content }) => content),
        said,
      )
    })

  test('of every type and every template that comes with the program are read back', async () => {
    const every = RECEIPT_SAMPLES.flatMap(({ content }) => RECEIPT_TYPE_KEYS.map(type => ({ content, type })))
    for (const { content, type } of sampled(every, 4)) {
      const { glyphs, pages } = await drawn(content, sampleOf(type), 58, false)
      const bitmaps = pages.map(({ scene }) => rasterOf(scene, glyphs, 8))
      const read = joinedRaster(readEscpos(escposRaster(...bitmaps)))
      assert.equal(
        read.height,
        bitmaps.reduce((sum, { height }) => sum + height, 0),
      )
    }
  })
})

test('whatever a shop is called and sells, nothing is drawn beyond the paper', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'便民超市（促销）WMmi@1.，×-%— '), maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PAPER_KEYS), text, text, async (paper, shopName, name) => {
      const sale = sampleOf('sale')
      const data = { ...sale, values: { ...sale.values, shopName }, goods: [{ ...sale.goods[0], name }] }
      const { pages } = await drawn(EVERYTHING, data, paper, false)
      for (const { scene } of pages)
        for (const mark of scene.marks)
          assert.ok(
            leftOf(mark) >= -1 && rightOf(mark) <= scene.width + 1,
            `${paper} ${JSON.stringify(mark)}`,
          )
    }),
    { numRuns: times(10, 40) },
  )
})
