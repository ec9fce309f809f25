// Every kind of item as it is laid out, by tables of cases.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { LabelData, LabelItem } from '#kit/print/label.ts'
import { entryOf, LABEL_ITEMS } from '#kit/print/label-items.ts'
import { itemsKept, sceneOf } from '#kit/print/label-scene.ts'
import { contentOf, labelCharacters, textOf } from '#kit/print/label-text.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { type BarsMark, itemBox, type Mark, markBox, type TextMark } from '#kit/print/scene.ts'
import { type Dots, dotsOfUm, umOfDots, umOfMm, umOfPoints } from '#kit/print/units.ts'
import { WASHING, WASHING_KEYS } from '#kit/print/washing.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { makeItem, makeLabel } from './labels.ts'

const EVERY = LABEL_ITEMS.map(({ key }) => makeItem(key, [1, 1], { washing: WASHING_KEYS }))
const TYPICAL = SAMPLES.typical
let glyphs: Glyphs
before(async () => {
  const all = labelCharacters(makeLabel(EVERY), ...Object.values(SAMPLES))
  glyphs = await glyphsOf([...all, ...'0123456789ABCDHTVfio年月日元精选好茶自然生长，'])
})

const marksOf = (item: LabelItem, data: LabelData = TYPICAL, dots: Dots = 8): Mark[] => [
  ...sceneOf(makeLabel([item]), data, { dots, glyphs }).marks,
]
const linesOf = (item: LabelItem, data: LabelData = TYPICAL) =>
  marksOf(item, data).flatMap(mark => (mark.kind === 'text' ? [mark] : []))
const barsOf = (item: LabelItem, data: LabelData = TYPICAL, dots: Dots = 8) =>
  marksOf(item, data, dots).find(mark => mark.kind === 'bars') as BarsMark

test('an item says its title and content, or its content alone', () => {
  const cases: [key: string, more: Partial<LabelItem>, text: string, data?: LabelData][] = [
    ['productName', {}, '商品名称：有机茉莉花茶'],
    ['productName', { displayModel: 2 }, '有机茉莉花茶'],
    ['productName', { title: '品名 ' }, '品名有机茉莉花茶'],
    ['productName', { displayModel: 2 }, '', {}],
    ['spec', { displayModel: 2 }, '', { spec: ' null ' }],
    ['retailPrice', { showUnit: true, displayModel: 2 }, '', { retailPrice: 'NaN', unit: 'null' }],
    [
      'memberPrice',
      { displayModel: 2, memberLevel: '3' },
      '9.90',
      { memberPrice: '9.90', 'memberPrice.3': 'null' },
    ],
    ['productName', { displayModel: 2 }, '一 二', { productName: ' 一\n\t二\u0000 ' }],
    ['productionDate', { displayModel: 2, dateModel: 1 }, '2026-03-15'],
    ['productionDate', { displayModel: 2, dateModel: 2 }, '2026年03月15日'],
    ['productionDate', { displayModel: 2, dateModel: 3 }, '2026/03/15'],
    ['productionDate', { displayModel: 2, dateModel: 2 }, '2026年01月05日', { productionDate: '2026/1/5' }],
    ['productionDate', { displayModel: 2, dateModel: 2 }, '见包装', { productionDate: '见包装' }],
    ['orderTime', { displayModel: 2 }, '2026-03-15 14:30:22'],
    ['orderTime', { displayModel: 2, dateTimeModel: 2, dateModel: 3 }, '2026/03/15 14:30'],
    ['orderTime', { displayModel: 2, dateTimeModel: 3, dateModel: 2 }, '2026年03月15日'],
    ['orderTime', { displayModel: 2 }, '2026-03-15 09:05:00', { orderTime: '2026-03-15T9:05' }],
    ['orderTime', { displayModel: 2 }, '2026-03-15', { orderTime: '2026-03-15' }],
    ['retailPrice', {}, '零售价：39.90'],
    ['retailPrice', { showUnit: true, displayModel: 2 }, '39.90元/袋'],
    ['originalPrice', { showUnit: true, displayModel: 2 }, '49.90元', { originalPrice: '49.90' }],
    ['originalPrice', { showUnit: true, displayModel: 2 }, '', {}],
    ['memberPrice', { displayModel: 2 }, '37.90'],
    ['memberPrice', { displayModel: 2, memberLevel: '3' }, '36.76'],
    ['memberPrice', { displayModel: 2, memberLevel: '99' }, '37.90'],
    ['customText', { title: '精选好茶' }, '精选好茶'],
    ['customText', { title: '精选好茶', displayModel: 2 }, '精选好茶'],
    ['barcode', { codeDisplay: 3 }, '条码：6901234567892'],
    ['washing', { washingDisplay: 3, washing: ['handWash', 'noWring'] }, '洗涤方式：手洗、不可拧干'],
  ]
  for (const [key, more, text, data] of cases)
    assert.equal(textOf(makeItem(key, [1, 1], more), data ?? TYPICAL), text, `${key} ${JSON.stringify(more)}`)
})

test('a QR code holds the mall, the mini-program or an address of its own', () => {
  const cases: [qrKind: 1 | 2 | 3, content: string | undefined][] = [
    [1, TYPICAL.mallUrl],
    [2, TYPICAL.appletUrl],
    [3, 'https://a.cn'],
  ]
  for (const [qrKind, content] of cases)
    assert.equal(contentOf(makeItem('qrCode', [1, 1], { qrKind, qrUrl: ' https://a.cn ' }), TYPICAL), content)
})

test('every item of the catalogue draws something, and what every sample says is known to the font', () => {
  for (const item of EVERY) {
    const scene = sceneOf(makeLabel([item]), TYPICAL, { dots: 8, glyphs })
    assert.ok(itemBox(scene, item.id), item.name)
    assert.ok(
      rasterOf(scene, glyphs, 8).rows.some(byte => byte !== 0),
      item.name,
    )
  }
  for (const data of Object.values(SAMPLES))
    for (const character of labelCharacters(makeLabel(EVERY), data))
      assert.ok(glyphs.regular[character] && glyphs.bold[character], character)
})

test('styles of the font are bold, underlined, both or neither', () => {
  for (const [fontStyle, bold, underlined] of [
    [0, false, false],
    [1, true, false],
    [4, false, true],
    [5, true, true],
  ] as const) {
    const [line] = linesOf(makeItem('productName', [2, 2], { fontStyle })) as [TextMark]
    assert.deepEqual([line.bold, line.underline !== null], [bold, underlined])
    if (line.underline)
      assert.ok(dotsOfUm(line.underline.height, 8) >= 1 && line.underline.top > line.baseline)
  }
})

test('text begins on a whole dot and is as large as it says', () => {
  for (const fontSize of [5, 9, 12, 30]) {
    const [line] = linesOf(makeItem('productName', [2.06, 2.06], { fontSize })) as [TextMark]
    assert.equal(line.size, umOfPoints(fontSize))
    assert.deepEqual([line.left % 125, line.baseline % 125], [0, 0])
  }
})

test('modules are whole dots: a quarter of a millimetre, or three eighths', () => {
  const cases: [barWidth: 1 | 2, dots: Dots, module: number][] = [
    [1, 8, 2],
    [2, 8, 3],
    [1, 12, 3],
    [2, 12, 4],
    [1, 24, 6],
    [2, 24, 9],
  ]
  for (const [barWidth, dots, module] of cases) {
    const bars = barsOf(makeItem('barcode', [3.3, 2.2], { barWidth }), TYPICAL, dots)
    assert.equal(bars.module, umOfDots(module, dots))
    assert.equal(dotsOfUm(bars.box.width, dots), 95 * module)
    for (const { left, width } of bars.rects) {
      assert.ok(Math.abs((left * dots) / 1_000 - dotsOfUm(left, dots)) < 0.02)
      assert.equal(dotsOfUm(left + width, dots) - dotsOfUm(left, dots), Math.round((width * dots) / 1_000))
    }
  }
})

test('bars are as high as they are set, with their digits under the middle, or without', () => {
  const item = makeItem('barcode', [2, 2], { barHeight: umOfMm(7.5) })
  const [bars, digits] = marksOf(item) as [BarsMark, TextMark]
  assert.equal(bars.box.height, umOfMm(7.5))
  assert.equal(digits.text, '6901234567892')
  const middle = bars.box.left + bars.box.width / 2
  assert.ok(Math.abs(digits.left + digits.width / 2 - middle) < 125)
  assert.ok(markBox(digits).top >= bars.box.top + bars.box.height)
  assert.equal(marksOf({ ...item, codeDisplay: 2 }).length, 1)
})

test('a QR code takes as many whole dots a module as its square has room for', () => {
  const item = makeItem('qrCode', [5, 5], { qrKind: 3, qrUrl: 'a', qrSize: umOfMm(16.8) })
  const bars = barsOf(item)
  // 21 modules in 134 dots.
  assert.equal(bars.module, umOfDots(6, 8))
  assert.ok(bars.box.left >= item.left && bars.box.left + bars.box.width <= item.left + item.qrSize)
  assert.equal(barsOf({ ...item, qrSize: umOfMm(1) }).module, umOfDots(1, 8))
})

test('the fifteen icons stand in a row that goes on below where it must', () => {
  const item = makeItem('washing', [2, 2], { washing: WASHING_KEYS, washingDisplay: 2, iconSize: umOfMm(6) })
  const icons = marksOf(item)
  assert.equal(icons.length, 15)
  assert.equal(new Set(icons.map(icon => markBox(icon).top)).size, 2)
  for (const icon of icons) assert.ok(markBox(icon).left + markBox(icon).width <= umOfMm(80))
  const paths = icons.map(icon => (icon.kind === 'shape' ? icon.path : ''))
  assert.equal(new Set(paths).size, 15, 'no two are alike')
  const withWords = marksOf({ ...item, washingDisplay: 1 })
  assert.deepEqual(
    withWords.flatMap(mark => (mark.kind === 'text' ? [mark.text] : [])),
    Object.values(WASHING),
  )
})

test('text that is longer than its place runs on, shrinks, wraps or is cut', () => {
  const title = '精选好茶，自然生长'
  const item = makeItem('customText', [2, 2], { title, fontSize: 12, width: umOfMm(20) })
  const [run] = linesOf({ ...item, fit: 'run' }) as [TextMark]
  assert.ok(run.width > umOfMm(20))
  const [shrunk] = linesOf({ ...item, fit: 'shrink' }) as [TextMark]
  assert.ok(shrunk.text === title && shrunk.width <= umOfMm(20) && shrunk.size >= umOfPoints(5))
  const wrapped = linesOf({ ...item, fit: 'wrap' })
  assert.equal(wrapped.map(line => line.text).join(''), title)
  assert.ok(wrapped.length > 1 && wrapped.every(line => line.width <= umOfMm(20)))
  const [cut] = linesOf({ ...item, fit: 'cut' }) as [TextMark]
  assert.ok(cut.text.endsWith('…') && cut.width <= umOfMm(20))
  const [whole] = linesOf({ ...item, fit: 'cut', width: umOfMm(60) }) as [TextMark]
  assert.equal(whole.text, title)
  const narrow = linesOf({ ...item, fit: 'wrap', width: 1 })
  assert.equal(narrow.length, title.length)
})

test('a number is never parted while a line has room for it', () => {
  const title = '到手价39.90元起'
  const lines = linesOf(
    makeItem('customText', [2, 2], { title, fontSize: 12, width: umOfMm(14), fit: 'wrap' }),
  )
  assert.ok(
    lines.some(({ text }) => text.includes('39.90')),
    lines.map(({ text }) => text).join('|'),
  )
})

test('items at or below the lower edge are dropped, and the background is never drawn', () => {
  const label = makeLabel(
    [makeItem('productName', [1, 19.9]), makeItem('brand', [1, 20]), makeItem('origin', [1, 25])],
    [50, 20],
  )
  assert.deepEqual(
    itemsKept(label).map(({ key }) => key),
    ['productName'],
  )
  const { marks } = sceneOf(label, TYPICAL, { dots: 8, glyphs })
  assert.deepEqual(
    marks.map(({ item }) => item),
    [label.items[0]?.id],
  )
  assert.equal(label.background, 'a file')
  assert.ok(entryOf('productName'))
})
