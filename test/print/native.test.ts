// Labels in the printer's own words: what is said is what was meant, what cannot be said is drawn, and it is far less to send.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { labelJobBytes } from '#kit/print/native/label-job.ts'
import { tsplNative } from '#kit/print/native/tspl-native.ts'
import { zplNative } from '#kit/print/native/zpl-native.ts'
import { isBlack, rasterOf } from '#kit/print/raster.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { type BarsMark, type Bitmap, bytesAcross, type Mark, markBox, type Scene } from '#kit/print/scene.ts'
import { tsplOf } from '#kit/print/tspl.ts'
import { type Dots, dotsOfUm, umOfMm } from '#kit/print/units.ts'
import { zplOf } from '#kit/print/zpl.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { type Made, madeOf } from './alike.ts'
import { makeItem, makeLabel } from './labels.ts'
import { randomLayout } from './layouts.ts'
import { asWords, readByZxing, renderZpl, shown } from './readers.ts'
import { codesOn, SYSTEM_TEMPLATES } from './system-templates.ts'
import { readTsplJob, type Said, type TsplJob } from './tspl-reader.ts'

const FONT = 'E:SIMSUN.TTF'
const deflate = async (rows: Uint8Array) => deflateSync(rows)
const jobOf = ({ width, height }: Scene, dots: Dots) => ({ width, height, dots, copies: 2 })
const LABELS = SYSTEM_TEMPLATES.filter(({ kind }) => kind === 'label')

async function made(
  items: Parameters<typeof makeLabel>[0],
  dots: Dots = 8,
  size: [number, number] = [80, 40],
) {
  const label = makeLabel(items, size)
  const data = { ...SAMPLES.typical, itemNumber: 'HH-2026-000187', serialNumber: '96385074' }
  const glyphs = await glyphsOf(labelCharacters(label, data))
  const scene = sceneOf(label, data, { dots, glyphs })
  return { scene, glyphs, bitmap: rasterOf(scene, glyphs, dots) }
}

const isOf = (mark: Mark, dots: Dots) => (one: Said) => {
  if (one.kind === 'text') return mark.kind === 'text' && mark.text === one.text
  if (one.kind !== 'barcode' && one.kind !== 'qr') return false
  const isCode = mark.kind === 'bars' && mark.content.startsWith(one.text)
  return isCode && dotsOfUm(mark.box.left, dots) === one.x && dotsOfUm(mark.box.top, dots) === one.y
}

/** The pictures of a job on one label; none wipes out another. */
function pictures({ width, height, said }: TsplJob): Bitmap {
  const whole = { width, height, rows: new Uint8Array(bytesAcross(width) * height) }
  const across = bytesAcross(width)
  const drawn = new Uint8Array(whole.rows.length)
  const isFirst = said.findIndex(({ kind }) => kind !== 'bitmap')
  for (const [at, one] of said.entries()) {
    if (one.kind !== 'bitmap') continue
    assert.ok(isFirst < 0 || at < isFirst, 'pictures come first')
    for (let y = 0; y < one.height; y++)
      for (let x = 0; x < one.across; x++) {
        const place: number = (one.y + y) * across + one.x / 8 + x
        assert.equal(drawn[place], 0, 'one picture on another')
        drawn[place] = 1
        whole.rows[place] = one.rows[y * one.across + x] as number
      }
  }
  return whole
}

/** Every mark is said or drawn, to the dot. */
function assertWhole({ scene, glyphs }: Made, job: TsplJob, dots: Dots): void {
  const drawn = scene.marks.filter(mark => !job.said.some(isOf(mark, dots)))
  assert.deepEqual(pictures(job).rows, rasterOf({ ...scene, marks: drawn }, glyphs, dots).rows)
  for (const mark of scene.marks) {
    const said = job.said.find(isOf(mark, dots))
    if (mark.kind !== 'bars' || !said) continue
    assert.ok(said.kind === 'barcode' || said.kind === 'qr')
    assert.equal(said.module, dotsOfUm(mark.module, dots))
    if (said.kind === 'barcode') assert.equal(said.height, dotsOfUm(mark.box.height, dots))
  }
}

for (const dots of [8, 12] as const)
  describe(`at ${dots} dots a millimetre`, () => {
    for (const { name, laidOut } of LABELS)
      test(`${name} is said, and less is sent`, async () => {
        const { glyphs, scenes } = await laidOut(dots)
        const scene = scenes[0] as Scene
        const bitmap = rasterOf(scene, glyphs, dots)
        const job = jobOf(scene, dots)
        const tspl = tsplNative(scene, glyphs, job)
        const read = readTsplJob(tspl, dots)
        assertWhole({ scene, glyphs, bitmap }, read, dots)
        assert.equal(read.copies, 2)
        assert.ok(read.said.some(({ kind }) => kind === 'text' || kind === 'barcode'))
        assert.ok(tspl.length * 4 < tsplOf(bitmap, job).length, `TSPL ${tspl.length}`)
        const picture = await zplOf(bitmap, job, deflate)
        const drawn = await zplNative(scene, glyphs, job, { deflate })
        const said = await zplNative(scene, glyphs, job, { deflate, chineseFont: FONT })
        assert.ok(drawn.length * 10 < (await zplOf(bitmap, job)).length, `ZPL ${drawn.length}`)
        assert.ok(said.length * 2 < picture.length, `ZPL ${said.length} with a font, ${picture.length}`)
        await assertZebra({ scene, glyphs, bitmap }, drawn, dots)
      })
  })

const rowOf = (bitmap: Bitmap, y: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => isBlack(bitmap, from + at, y))

/** Codes are read; bars are ours dot by dot, QR codes lie where ours lie; nothing is drawn beyond what ours draws. */
async function assertZebra({ scene, bitmap }: Made, zpl: Uint8Array, dots: Dots): Promise<void> {
  const back = await renderZpl(zpl, jobOf(scene, dots))
  assert.deepEqual(asWords(await readByZxing(shown(back))), codesOn(scene))
  const boxes = scene.marks.map(markBox).map(({ left, top, width, height }) => ({
    ...{ left: dotsOfUm(left, dots) - 4, right: dotsOfUm(left + width, dots) + 4 },
    ...{ top: dotsOfUm(top, dots) - 4, bottom: dotsOfUm(top + height, dots) + 6 },
  }))
  for (let y = 0; y < back.height; y++)
    for (let x = 0; x < back.width; x++)
      if (isBlack(back, x, y))
        assert.ok(
          boxes.some(({ left, right, top, bottom }) => x >= left && x < right && y >= top && y < bottom),
          `a dot at ${x},${y}`,
        )
  for (const { symbology, box } of scene.marks.filter((mark): mark is BarsMark => mark.kind === 'bars')) {
    const [left, top] = [dotsOfUm(box.left, dots), dotsOfUm(box.top, dots)]
    const [right, bottom] = [dotsOfUm(box.left + box.width, dots), dotsOfUm(box.top + box.height, dots)]
    if (symbology !== 'qrcode') {
      const y = (top + bottom) >> 1
      assert.deepEqual(rowOf(back, y, left - 2, right + 2), rowOf(bitmap, y, left - 2, right + 2))
    }
    // The finders of a QR code, the outer bars of the others.
    for (const [x, y] of [
      [left, top],
      [left, bottom - 1],
      [right - 1, top],
    ] as const)
      assert.ok(isBlack(back, x, y) && !isBlack(back, left - 1, y), `${symbology} at ${x},${y}`)
  }
}

const textsIn = (job: TsplJob) => job.said.flatMap(one => (one.kind === 'text' ? [one.text] : []))
const countOf = (job: TsplJob, kind: Said['kind']) => job.said.filter(one => one.kind === kind).length
const custom = (title: string, at: [number, number], more = {}) =>
  makeItem('customText', at, { title, fontSize: 9, ...more })

test('texts are said as they are written, quotes too; what a printer may misread or lacks is drawn', async () => {
  const said = ['精选好茶 250g', '他说"好"，', '￥39.90', 'AB-12 ^FS~JA_5E']
  // 昞 has a second byte like a backslash, 𠮷 has four bytes.
  const drawn = ['昞', 'C:\\DIR', '𠮷野家', '㎡·—']
  const label = await made(
    [...said, ...drawn].map((title, at) => custom(title, [2, 1 + at * 4.5])),
    8,
  )
  const job = readTsplJob(tsplNative(label.scene, label.glyphs, jobOf(label.scene, 8)), 8)
  assert.deepEqual(textsIn(job).slice(0, said.length), said)
  assert.ok(drawn.slice(0, 3).every(title => !textsIn(job).includes(title)))
  assertWhole(label, job, 8)
})

test('sizes of the printer are near ours or not taken; bold is said twice, an underline is a bar', async () => {
  const tops = { 9: 2, 12: 8, 16: 15, 18: 23, 24: 32, 30: 44 }
  const items = Object.entries(tops).map(([size, top]) =>
    custom(`价签${size}`, [2, top], { fontSize: Number(size) }),
  )
  const sizes = await made(items, 8, [80, 60])
  const job = readTsplJob(tsplNative(sizes.scene, sizes.glyphs, jobOf(sizes.scene, 8)), 8)
  assert.deepEqual(
    job.said.flatMap(one => (one.kind === 'text' ? [one.enlarged] : [])),
    [1, 2, 2, 3, 3],
  )
  assertWhole(sizes, job, 8)
  const styles = await made([custom('价签', [2, 2], { fontStyle: 5 })])
  const styled = readTsplJob(tsplNative(styles.scene, styles.glyphs, jobOf(styles.scene, 8)), 8)
  const [one, two, line] = styled.said
  assert.ok(one?.kind === 'text' && two?.kind === 'text' && line?.kind === 'bar')
  assert.deepEqual([two.x, two.y, two.text], [one.x + 1, one.y, one.text])
  assert.equal(styled.said.length, 3)
})

for (const dots of [8, 12] as const)
  test(`codes of every kind are said with our modules at ${dots} dots a millimetre`, async () => {
    const items = [
      makeItem('barcode', [4, 2], { codeDisplay: 2 }),
      makeItem('itemNumber', [4, 16], { codeDisplay: 2 }),
      makeItem('serialNumber', [4, 30], { codeDisplay: 2, barHeight: umOfMm(6) }),
      makeItem('qrCode', [60, 4], { qrKind: 3, qrUrl: 'https://a.cn/会员?a=1_2~^' }),
    ]
    const label = await made(items, dots)
    const job = readTsplJob(tsplNative(label.scene, label.glyphs, jobOf(label.scene, dots)), dots)
    assert.deepEqual([countOf(job, 'barcode'), countOf(job, 'qr'), countOf(job, 'bitmap')], [3, 1, 0])
    assertWhole(label, job, dots)
    const zpl = await zplNative(label.scene, label.glyphs, jobOf(label.scene, dots), { deflate })
    const text = new TextDecoder().decode(zpl)
    for (const command of [/\^BEN,/, /\^BCN,/, /\^BQN,2,/]) assert.match(text, command)
    await assertZebra(label, zpl, dots)
  })

test('Chinese in a QR code, and a code that reaches beyond the label, are drawn', async () => {
  const label = await made([
    makeItem('qrCode', [2, 2], { qrKind: 3, qrUrl: '会员价abc123' }),
    makeItem('itemNumber', [60, 20], { codeDisplay: 2 }),
    custom('零售价零售价', [75, 35]),
  ])
  const job = readTsplJob(tsplNative(label.scene, label.glyphs, jobOf(label.scene, 8)), 8)
  assert.ok(job.said.every(({ kind }) => kind === 'bitmap'))
  assertWhole(label, job, 8)
  const zpl = await zplNative(label.scene, label.glyphs, jobOf(label.scene, 8), {
    deflate,
    chineseFont: FONT,
  })
  assert.deepEqual((await renderZpl(zpl, jobOf(label.scene, 8))).rows, label.bitmap.rows)
})

test('words of the language in a text or a code are letters', async () => {
  const label = await made([
    custom('A^FS~JA_5E\\&', [2, 2]),
    makeItem('itemNumber', [4, 16], { codeDisplay: 2 }),
  ])
  const text = new TextDecoder().decode(await zplNative(label.scene, label.glyphs, jobOf(label.scene, 8)))
  assert.match(text, /\^FDA_5EFS_7EJA_5F5E_5C&\^FS/)
  const code = makeLabel([makeItem('itemNumber', [4, 16], { codeDisplay: 2 })])
  const scene = sceneOf(code, { itemNumber: 'A^B~C_5E' }, { dots: 8, glyphs: label.glyphs })
  const back = await renderZpl(await zplNative(scene, label.glyphs, jobOf(scene, 8)), jobOf(scene, 8))
  assert.deepEqual(asWords(await readByZxing(shown(back))), ['code128 A^B~C_5E'])
  for (const font of ['E:X.TTF^XZ', 'SIMSUN.TTF', 'E:../X.TTF', ''])
    await assert.rejects(zplNative(scene, label.glyphs, jobOf(scene, 8), { chineseFont: font }), RangeError)
})

test('made-up labels are whole, whatever is on them', async () => {
  for (let seed = 1; seed <= 40; seed++)
    for (const dots of [8, 12] as const) {
      const layout = await madeOf(randomLayout(seed), dots)
      const bytes = tsplNative(layout.scene, layout.glyphs, jobOf(layout.scene, dots))
      assert.ok(readTsplJob(bytes, dots).said.length > 0 || layout.scene.marks.length === 0, `layout ${seed}`)
    }
})

test('a printer is sent dots, or words where its desk says so, in its language', async () => {
  const { scene, glyphs } = await made([custom('零售价 39.90', [2, 2])])
  const sent = async (language: 'tspl' | 'zpl', mode: 'raster' | 'text', font: string | null = null) =>
    Buffer.from(await labelJobBytes(language, scene, glyphs, jobOf(scene, 8), { mode, font })).toString(
      'latin1',
    )
  assert.match(await sent('tspl', 'raster'), /CLS\r\nBITMAP 0,0,80,320,0,/)
  assert.match(await sent('tspl', 'text'), /CLS\r\nTEXT 16,/)
  assert.match(await sent('zpl', 'raster'), /\^FO0,0\^GFA,25600,25600,80,:Z64:/)
  assert.match(await sent('zpl', 'text'), /\^CI28\n\^FO16,\d+\^GFA/)
  assert.match(await sent('zpl', 'text', FONT), /\^A@N,25,25,E:SIMSUN\.TTF\^FH_\^FD/)
})
