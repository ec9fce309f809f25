// What is wrong with a label is said before it is printed, with what would help.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type FaultKind, faultsOf, faultsOfAll } from '#kit/print/faults.ts'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { Label, LabelData, LabelItem } from '#kit/print/label.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { type Dots, umOfMm } from '#kit/print/units.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { makeItem, makeLabel } from './labels.ts'

const TYPICAL = SAMPLES.typical
let glyphs: Glyphs
const some = makeLabel([
  ...['productName', 'brand', 'spec', 'originalPrice'].map(key => makeItem(key, [1, 1])),
  makeItem('customText', [1, 1], { title: '————' }),
])
before(async () => {
  glyphs = await glyphsOf([...labelCharacters(some, ...Object.values(SAMPLES)), ...'0123456789-ABHXS'])
})
const kindsOf = (label: Label, data: LabelData = TYPICAL, dots: Dots = 8) =>
  faultsOf(label, data, { dots, glyphs }).map(({ kind }) => kind)
const itemNumber = { ...TYPICAL, itemNumber: 'HH-2026-000187' }

test('a label without faults has none', () => {
  const label = makeLabel([
    makeItem('productName', [2, 2]),
    makeItem('barcode', [4, 10]),
    makeItem('qrCode', [58, 10], { qrSize: umOfMm(16.8) }),
  ])
  assert.deepEqual(kindsOf(label), [])
})

test('each fault is found', () => {
  const qr = { qrKind: 3, qrUrl: 'https://a.cn/1' } as const
  const cases: [
    what: string,
    kinds: FaultKind[],
    items: LabelItem[],
    size?: [number, number],
    data?: LabelData,
  ][] = [
    ['too wide for the label', ['codeWide'], [makeItem('itemNumber', [2, 2])], [40, 30], itemNumber],
    ['wide, but elsewhere it fits', ['codeWide'], [makeItem('barcode', [60, 2])], [80, 30]],
    ['at the edge', ['quiet'], [makeItem('barcode', [1, 2])]],
    ['beside text', ['quiet'], [makeItem('barcode', [4, 2]), makeItem('brand', [28.5, 4])]],
    ['under text', [], [makeItem('barcode', [4, 8]), makeItem('brand', [4, 2])]],
    ['nothing to hold', ['codeEmpty'], [makeItem('barcode', [4, 2])], [80, 40], {}],
    ['no address', ['codeEmpty'], [makeItem('qrCode', [4, 4], { qrKind: 3 })]],
    ['Chinese in bars', ['codeText'], [makeItem('barcode', [4, 2])], [80, 40], { barcode: '货号一' }],
    ['too long for bars', ['codeText'], [makeItem('barcode', [4, 2])], [80, 40], { barcode: '1'.repeat(81) }],
    [
      'too long for a QR code',
      ['codeMuch'],
      [makeItem('qrCode', [4, 4], { ...qr, qrUrl: 'a'.repeat(4_000) })],
    ],
    [
      'a wrong check digit',
      ['checkDigit'],
      [makeItem('barcode', [4, 2])],
      [80, 40],
      { barcode: '6901234567890' },
    ],
    ['low bars', ['codeLow'], [makeItem('barcode', [4, 2], { barHeight: umOfMm(3) })]],
    ['a fine QR code', ['codeFine'], [makeItem('qrCode', [8, 8], { ...qr, qrSize: umOfMm(5) })]],
    ['text past the edge', ['textOut'], [makeItem('productName', [60, 2])]],
    ['text past the lower edge', ['textOut'], [makeItem('productName', [2, 38])]],
    ['text past the left edge', ['textOut'], [makeItem('productName', [-2, 2])]],
    ['text that is cut', ['textCut'], [makeItem('productName', [2, 2], { fit: 'cut', width: umOfMm(15) })]],
    ['text that wraps', [], [makeItem('productName', [2, 2], { fit: 'wrap', width: umOfMm(15) })]],
    ['below the edge, so that nothing is left', ['empty', 'below'], [makeItem('productName', [2, 40])]],
    ['one text on another', ['over'], [makeItem('productName', [2, 2]), makeItem('brand', [4, 3])]],
    ['text close under text', [], [makeItem('productName', [2, 2]), makeItem('brand', [2, 5.3])]],
    ['text on bars', ['over'], [makeItem('barcode', [4, 4]), makeItem('brand', [8, 8])]],
    [
      'a line through a former price',
      [],
      [makeItem('originalPrice', [2, 2]), makeItem('customText', [2, 2], { title: '————' })],
    ],
    ['nothing at all', ['empty'], []],
    ['a text without a word', ['empty'], [makeItem('customText', [2, 2], { title: '' })]],
    [
      'icons past the edge',
      ['outside'],
      [makeItem('washing', [2, 38], { washing: ['handWash'], washingDisplay: 2 })],
    ],
    [
      'a character of no font',
      ['glyph'],
      [makeItem('productName', [2, 2])],
      [80, 40],
      { productName: '\u{1F600}' },
    ],
  ]
  for (const [what, kinds, items, size, data] of cases)
    assert.deepEqual(kindsOf(makeLabel(items, size), data), kinds, what)
})

test('a fault says in words and numbers what would help', () => {
  const wide = makeLabel([makeItem('itemNumber', [2, 2], { barWidth: 2 })], [40, 30])
  const [fault] = faultsOf(wide, itemNumber, { dots: 8, glyphs })
  assert.equal(fault?.item, wide.items[0]?.id)
  assert.equal(fault?.stops, true)
  assert.equal(fault?.words, '货号：条码超出标签')
  // 167 modules and twice ten of white, three dots each.
  assert.equal(fault?.leastMm, 70.2)
  assert.equal(fault?.help, '标签至少宽 70.2 毫米，或把条码宽度改为 1（需要 46.8 毫米）；也可以缩短内容')
  const small = makeLabel([
    makeItem('qrCode', [8, 8], { qrKind: 3, qrUrl: TYPICAL.mallUrl ?? '', qrSize: umOfMm(7.5) }),
  ])
  const [fine] = faultsOf(small, TYPICAL, { dots: 8, glyphs })
  assert.equal(fine?.kind, 'codeFine')
  assert.equal(fine?.dots, 24)
  assert.match(fine?.help ?? '', /^二维码边长至少 [\d.]+ 毫米，或用 600 dpi 的打印机；/)
})

test('what lies over others names them all, once', () => {
  const label = makeLabel([
    makeItem('productName', [2, 2]),
    makeItem('spec', [2, 2]),
    makeItem('brand', [2, 2]),
  ])
  const words = faultsOf(label, TYPICAL, { dots: 8, glyphs }).map(fault => fault.words)
  assert.deepEqual(words, ['规格：压在「商品名称」上', '品牌：压在「商品名称」、「规格」上'])
})

test('a QR code is called one', () => {
  const [edge] = faultsOf(makeLabel([makeItem('qrCode', [0.5, 0.5], { qrSize: umOfMm(16.8) })]), TYPICAL, {
    ...{ dots: 8, glyphs },
  })
  assert.equal(edge?.words, '二维码：二维码四周留白不足')
})

test('what help asks for is enough', () => {
  const item = makeItem('qrCode', [10, 10], { qrKind: 3, qrUrl: TYPICAL.mallUrl ?? '', qrSize: umOfMm(7.5) })
  for (const dots of [8, 12, 24] as const) {
    const [fine] = faultsOf(makeLabel([item]), TYPICAL, { dots, glyphs })
    const enough = { ...item, qrSize: umOfMm(fine?.leastMm ?? 7.5) }
    assert.deepEqual(kindsOf(makeLabel([enough]), TYPICAL, dots), [], `${dots}`)
  }
  const number = makeItem('itemNumber', [2.5, 2])
  assert.deepEqual(kindsOf(makeLabel([number], [46.8, 30]), itemNumber), [])
})

test('of several data each fault is said once, at its worst', () => {
  const label = makeLabel([makeItem('productName', [30, 2])], [60, 30])
  const faults = faultsOfAll(label, Object.values(SAMPLES), { dots: 8, glyphs })
  assert.deepEqual(
    faults.map(({ kind }) => kind),
    ['textOut'],
  )
  const [longest] = faultsOf(label, SAMPLES.longest, { dots: 8, glyphs })
  assert.equal(faults[0]?.leastMm, longest?.leastMm)
})
