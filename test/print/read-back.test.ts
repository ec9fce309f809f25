// What is printed is read back by readers that share no code with us: codes, Chinese text, sizes.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { Glyphs } from '#kit/print/glyphs.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { unreadItems } from '#kit/print/scanned.ts'
import type { Bitmap, Scene } from '#kit/print/scene.ts'
import { tsplOf } from '#kit/print/tspl.ts'
import { type Dots, umOfMm } from '#kit/print/units.ts'
import { streamDeflate, zplOf } from '#kit/print/zpl.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { sampled } from '../lane.ts'
import { makeItem, makeLabel } from './labels.ts'
import {
  asWords,
  readByJsQr,
  readByZbar,
  readByZxing,
  readPdf,
  readTspl,
  renderZpl,
  shown,
} from './readers.ts'

const LABEL = makeLabel(
  [
    makeItem('productName', [2, 1], { fontSize: 14, fontStyle: 5 }),
    makeItem('retailPrice', [2, 7], { fontSize: 12, showUnit: true }),
    makeItem('customText', [40, 50], { title: 'AVATAR fi 10% 到期日 ①' }),
    makeItem('barcode', [4, 14]),
    makeItem('qrCode', [58, 14], { qrKind: 3, qrUrl: '会员价abc123^' }),
    makeItem('itemNumber', [4, 32], { barHeight: umOfMm(10) }),
    makeItem('serialNumber', [4, 50], { barHeight: umOfMm(6), codeDisplay: 2 }),
  ],
  [80, 60],
)
const DATA = { ...SAMPLES.typical, itemNumber: 'HH-2026-000187', serialNumber: '96385074' }
const CODES = ['code128 HH-2026-000187', 'ean13 6901234567892', 'ean8 96385074', 'qrcode 会员价abc123^']
const LINES = [
  '商品名称：有机茉莉花茶',
  '零售价：39.90元/袋',
  'AVATAR fi 10% 到期日 ①',
  '6901234567892',
  'HH-2026-000187',
]

let glyphs: Glyphs
before(async () => {
  glyphs = await glyphsOf(labelCharacters(LABEL, DATA))
})
const printed = (dots: Dots): { scene: Scene; bitmap: Bitmap } => {
  const scene = sceneOf(LABEL, DATA, { dots, glyphs })
  return { scene, bitmap: rasterOf(scene, glyphs, dots) }
}
const jobOf = (dots: Dots) => ({ width: LABEL.width, height: LABEL.height, dots, copies: 3 })

async function assertRead(bitmap: Bitmap, way: string): Promise<void> {
  const picture = shown(bitmap)
  assert.deepEqual(asWords(await readByZxing(picture)), CODES, `${way} by zxing`)
  assert.deepEqual(asWords(await readByZbar(picture)), CODES, `${way} by zbar`)
  assert.deepEqual(asWords(readByJsQr(picture)), CODES.slice(3), `${way} by jsqr`)
}

for (const dots of sampled<Dots>([8, 12], 1))
  describe(`at ${dots} dots a millimetre`, () => {
    test('the bitmap is read by three readers, and every item with it', async () => {
      const { scene, bitmap } = printed(dots)
      await assertRead(bitmap, 'raster')
      assert.deepEqual(unreadItems(scene, await readByZxing(shown(bitmap))), [])
      const half = { ...bitmap, rows: bitmap.rows.slice().fill(0, bitmap.rows.length / 2) }
      assert.ok(unreadItems(scene, await readByZxing(shown(half))).length >= 2, 'what is gone is not read')
    })

    test('ZPL is drawn by a Zebra renderer dot by dot, compressed or in hexadecimal', async () => {
      const { bitmap } = printed(dots)
      const squeezed = await zplOf(bitmap, jobOf(dots), async rows => deflateSync(rows))
      const plain = await zplOf(bitmap, jobOf(dots))
      for (const zpl of [squeezed, plain]) {
        const drawn = await renderZpl(zpl, jobOf(dots))
        assert.deepEqual(drawn, bitmap)
      }
      assert.ok(squeezed.length * 4 < plain.length, `${squeezed.length} bytes and ${plain.length}`)
      assert.match(new TextDecoder().decode(plain), /\^PQ3\^XZ\n$/)
      await assertRead(await renderZpl(squeezed, jobOf(dots)), 'ZPL')
    })

    test('TSPL holds the same dots, 0 for black, in whole bytes', async () => {
      const { bitmap } = printed(dots)
      const { bitmap: read, words } = readTspl(tsplOf(bitmap, jobOf(dots)))
      assert.deepEqual(read.rows, bitmap.rows)
      assert.match(words, /^SIZE 80 mm,60 mm\r\nGAP 2 mm,0 mm\r\n[\s\S]*\r\nPRINT 1,3\r\n$/)
      await assertRead(read, 'TSPL')
    })

    test('PDF has the codes, every line of text exactly, and the very size', async () => {
      const { scene } = printed(dots)
      const [page] = await readPdf(await pdfOf([{ scene }]), dots)
      assert.ok(page)
      assert.ok(Math.abs(page.widthMm - 80) < 0.01 && Math.abs(page.heightMm - 60) < 0.01)
      assert.deepEqual(page.text.split('\r\n'), LINES)
      await assertRead(page.bitmap, 'PDF')
    })
  })

test('at 24 dots a millimetre every code is read too', async () => {
  const { scene, bitmap } = printed(24)
  assert.deepEqual(unreadItems(scene, await readByZxing(shown(bitmap))), [])
})

test('a PDF has a page of its own size for each scene', async () => {
  const sizes = [
    [80, 40],
    [33.33, 21.7],
    [210, 297],
    [57.5, 120],
  ] as const
  const press = { dots: 8, glyphs } as const
  const items = [makeItem('productName', [1, 1])]
  const scenes = sizes.map(size => ({ scene: sceneOf(makeLabel(items, [...size]), DATA, press) }))
  const pages = await readPdf(await pdfOf(scenes), 8)
  for (const [at, [width, height]] of sizes.entries()) {
    const page = pages[at]
    assert.ok(page && Math.abs(page.widthMm - width) < 0.01 && Math.abs(page.heightMm - height) < 0.01)
    assert.equal(page.text, LINES[0])
  }
})

test('what the font lacks is a box in the PDF too, and the text around it stays', async () => {
  const label = makeLabel([makeItem('customText', [2, 2], { title: '茶\u{1F600}叶' })])
  const own = await glyphsOf(labelCharacters(label, {}))
  const scene = sceneOf(label, {}, { dots: 8, glyphs: own })
  const [page] = await readPdf(await pdfOf([{ scene }]), 8)
  assert.equal(page?.text.replaceAll(/\s/g, ''), '茶叶')
  assert.ok(page.bitmap.rows.some(byte => byte !== 0))
})

test('the browser’s own compressor makes what Zebra reads', async () => {
  const { bitmap } = printed(8)
  assert.ok(streamDeflate)
  assert.deepEqual(await renderZpl(await zplOf(bitmap, jobOf(8), streamDeflate), jobOf(8)), bitmap)
})

test('copies are a whole number in bounds', async () => {
  const { bitmap } = printed(8)
  for (const copies of [0, -1, 1.5, 10_000, Number.NaN]) {
    assert.throws(() => tsplOf(bitmap, { ...jobOf(8), copies }), RangeError)
    await assert.rejects(zplOf(bitmap, { ...jobOf(8), copies }), RangeError)
  }
})
