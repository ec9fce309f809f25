import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  itemsOf,
  PAPER_KEYS,
  type Paper,
  paperCost,
  RECEIPT_TYPE_KEYS,
  type ReceiptContent,
  type ReceiptData,
  type ReceiptItem,
  SECTION_KEYS,
  SECTIONS,
  type Section,
} from './receipt.ts'
import { goodsLines } from './receipt-goods.ts'
import { canBarcode, cellsIn, type Line, linesOf } from './receipt-lines.ts'
import { sampleOf } from './receipt-samples.ts'
import { between, cellsOf, wrapped } from './receipt-text.ts'

type Change = (item: ReceiptItem) => Partial<ReceiptItem>
const contentOf = (sections: readonly Section[], change: Change = () => ({})): ReceiptContent => {
  const groups = sections.map((section, at) => ({
    ...{ groupId: at + 1, name: SECTIONS[section], section },
    items: itemsOf(section).map(item => ({ ...item, checked: true, ...change(item) })),
  }))
  return { enableMakeUp: false, ordinary: groups, wide: groups }
}
const textsIn = (lines: readonly Line[]) => lines.flatMap(line => (line.kind === 'text' ? [line.text] : []))
const receipt = (more: Partial<ReceiptData>): ReceiptData => ({
  type: 'sale',
  values: {},
  goods: [],
  ...more,
})

describe('cells', () => {
  test('a Chinese character takes two, a Latin one takes one', () => {
    const cases: [string, number][] = [
      ['', 0],
      ['abc', 3],
      ['便民超市', 8],
      ['￥3.50', 6],
      ['（A）', 5],
      ['330ml×2', 8],
      ['——', 4],
      ['😀', 2],
    ]
    for (const [text, cells] of cases) assert.equal(cellsOf(text), cells, text)
  })

  test('a line is broken between characters and words, never in a number that fits', () => {
    const cases: [string, number, string[]][] = [
      ['便民超市', 4, ['便民', '超市']],
      ['便民超市', 5, ['便民', '超市']],
      ['合计 1,234.50', 8, ['合计', '1,234.50']],
      ['共12.50元', 6, ['共', '12.50', '元']],
      ['电话0755-12345678', 14, ['电话', '0755-12345678']],
      ['Olive Oil 750ml', 10, ['Olive Oil', '750ml']],
      ['-￥12.50', 8, ['-￥12.50']],
      ['一\n二', 8, ['一', '二']],
      ['', 8, ['']],
      ['123456789', 4, ['1234', '5678', '9']],
    ]
    for (const [text, cells, lines] of cases) assert.deepEqual(wrapped(text, cells), lines, text)
  })

  test('an amount stands at the right edge, below its name where both do not fit', () => {
    assert.deepEqual(between('应收：', '34.12', 16), ['应收：     34.12'])
    assert.deepEqual(between('应收：', '1,234,567.89', 16), ['应收：', '    1,234,567.89'])
    assert.deepEqual(between('支付：', '现金 1.00\n微信 2.00', 18), [
      '支付：   现金 1.00',
      '         微信 2.00',
    ])
  })
})

describe('the table of goods', () => {
  const columns = ['name', 'quantity', 'subtotal'].map((field, at) => ({
    field,
    name: ['商品', '数量', '小计'][at] ?? '',
  }))
  const texts = (rows: Record<string, string>[], cells: number) =>
    goodsLines(columns, rows, cells).map(({ text }) => text)

  test('is one row where it fits, with the name wrapped in its column', () => {
    assert.deepEqual(texts([{ name: '全麦吐司面包', quantity: '1', subtotal: '12.90' }], 24), [
      '商品          数量  小计',
      '全麦吐司面包     1 12.90',
    ])
    assert.deepEqual(texts([{ name: '全麦吐司面包大', quantity: '1', subtotal: '12.90' }], 24), [
      '商品          数量  小计',
      '全麦吐司面包     1 12.90',
      '大',
    ])
  })

  test('has the name on a line of its own where it does not', () => {
    assert.deepEqual(
      texts([{ name: '全麦吐司面包', quantity: '12,345.678', subtotal: '1,234,567.00' }], 24),
      ['商品', '      数量          小计', '全麦吐司面包', '12,345.678  1,234,567.00'],
    )
  })

  test('has amounts on lines of their own where even they do not fit beside each other', () => {
    assert.deepEqual(texts([{ name: '面包', quantity: '12,345.678', subtotal: '1,234,567.00' }], 16), [
      '商品',
      '            数量',
      '            小计',
      '面包',
      '      12,345.678',
      '    1,234,567.00',
    ])
  })
})

describe('a receipt', () => {
  test('holds what is checked or required and has a value, in the order of its groups', () => {
    const content = contentOf(['basic', 'payment'], ({ id }) => ({
      checked: [106, 402].includes(id),
      required: id === 108,
    }))
    const data = receipt({ values: { number: 'A1', operator: '小丽', received: '3.00', receivable: '3.00' } })
    assert.deepEqual(textsIn(linesOf(content, data, 58)), [
      '单号：A1',
      '操作员：小丽',
      `实收：${' '.repeat(22)}3.00`,
    ])
  })

  test('shows nothing where a program sends what says that there is nothing', () => {
    const content = contentOf(['basic', 'goods'], ({ id }) => ({
      checked: [106, 109, 110, 201, 203].includes(id),
      required: false,
    }))
    const values = { number: 'A1', serialNumber: 'null', plateNumber: ' NaN ' }
    const goods = [{ name: '茶', spec: 'undefined' }]
    const told = textsIn(linesOf(content, receipt({ values, goods }), 58)).join(' ')
    assert.match(told, /A1/)
    assert.doesNotMatch(told, /null|NaN|undefined/)
  })

  test('divides groups by a rule, and has none for a group without a value', () => {
    const data = receipt({ values: { number: 'A1', greeting: '谢谢' } })
    const lines = linesOf(
      contentOf(['basic', 'exchange', 'other'], ({ id }) => ({ checked: ![101].includes(id) })),
      data,
      80,
    )
    assert.deepEqual(
      lines.map(({ kind, block }) => [kind, block]),
      [
        ['text', 1],
        ['rule', 3],
        ['text', 3],
      ],
    )
  })

  test('has the group of the bottom last, wherever it was put', () => {
    const lines = linesOf(
      contentOf(['footer', 'basic']),
      receipt({ values: { number: 'A', footerText: '再见' } }),
      80,
    )
    assert.equal(textsIn(lines).at(-1), '再见')
  })

  test('says that it is printed again only where the template allows it', () => {
    const data = receipt({ values: { number: 'A' }, isReprint: true })
    const content = contentOf(['basic'])
    assert.equal(textsIn(linesOf(content, data, 80)).includes('（补打）'), false)
    assert.equal(textsIn(linesOf({ ...content, enableMakeUp: true }, data, 80))[0], '（补打）')
  })

  test('uses names, texts, size, place and gap of its own', () => {
    const content = contentOf(['other'], ({ id }) =>
      id === 705
        ? { text: '常来', fontSize: 12, alignment: 1, marginBottom: 18 }
        : { checked: id === 702, label: '电话' },
    )
    const lines = linesOf(content, receipt({ values: { shopPhone: '1', greeting: '谢谢' } }), 80)
    assert.deepEqual(
      lines.map(({ block: _block, item: _item, ...shown }) => shown),
      [
        { kind: 'text', text: '电话：1', align: 0, large: false, bold: false },
        { kind: 'text', text: '常来', align: 1, large: true, bold: true },
        { kind: 'space', dots: 24 },
      ],
    )
  })

  test('has bars only where a scanner reads them, otherwise what they say', () => {
    const cases: [string, Paper, boolean][] = [
      ['XS2026112600187', 58, true],
      ['4200002026112614320818745', 58, false],
      ['4200002026112614320818745', 80, true],
      ['单号1', 80, false],
      ['', 80, false],
    ]
    for (const [value, paper, can] of cases) assert.equal(canBarcode(value, paper), can, `${value} ${paper}`)
    const content = contentOf(['payment'], ({ id }) => ({ checked: id === 406 }))
    const data = receipt({ values: { thirdPartyBarcode: '4200002026112614320818745' } })
    assert.deepEqual(textsIn(linesOf(content, data, 58)), ['第三方支付条码：', '4200002026112614320818745'])
    assert.deepEqual(linesOf(content, data, 80)[0]?.kind, 'barcode')
  })

  test('of every type has its own samples on every paper', () => {
    for (const type of RECEIPT_TYPE_KEYS)
      for (const paper of PAPER_KEYS) {
        const lines = linesOf(contentOf(SECTION_KEYS), sampleOf(type), paper)
        assert.ok(
          textsIn(lines).some(text => text.includes('小票')),
          `${type} ${paper}`,
        )
      }
  })

  test('costs paper: by its length from a roll, by whole sheets of A4', () => {
    assert.equal(paperCost(58, 120), 48)
    assert.equal(paperCost(210, 100), 400)
    assert.equal(paperCost(210, 298), 800)
  })
})

describe('whatever names and amounts', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'便民超市（促销）Ab 1.，×-€¥%\n\t😀'), maxLength: 40 })
  const name = fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 20 }))
  const amount = fc
    .tuple(fc.integer({ min: -1, max: 999_999_999 }), fc.integer({ min: 0, max: 99 }))
    .map(([whole, cents]) => `${whole.toLocaleString('en-US')}.${String(cents).padStart(2, '0')}`)
  const goods = fc.record({
    ...{ name, code: letters, spec: letters, unit: letters },
    ...{ quantity: amount, discount: amount, unitPrice: amount, discountedPrice: amount, subtotal: amount },
  })
  const values = fc.record({
    ...{ shopName: name, number: fc.stringMatching(/^[A-Z]{2}\d{8,24}$/), remarks: name, greeting: name },
    ...{
      receivable: amount,
      received: amount,
      total: amount,
      balance: amount,
      thirdPartyNumber: fc.stringMatching(/^\d{28}$/),
    },
  })
  const change = fc.array(
    fc.record({
      fontSize: fc.constantFrom(0 as const, 9 as const, 12 as const),
      alignment: fc.constantFrom(0 as const, 1 as const, 2 as const),
      checked: fc.boolean(),
      label: fc.oneof(fc.constant(''), name),
    }),
    { minLength: 7, maxLength: 7 },
  )
  const AMOUNTS = ['quantity', 'unitPrice', 'subtotal'] as const

  test('no line is wider than the paper, no number is broken, sums are shown whole', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAPER_KEYS),
        fc.array(goods, { maxLength: 4 }),
        values,
        change,
        (paper, rows, told, changes) => {
          const shown = new Set([106, 201, 205, 207, 209, 210, 401, 402, 405, 805])
          const content = contentOf(SECTION_KEYS, ({ id }) => {
            const changed = changes[id % 7]
            return shown.has(id) ? { ...changed, checked: true } : (changed ?? {})
          })
          const lines = linesOf(content, { type: 'sale', values: told, goods: rows }, paper)
          for (const line of lines)
            if (line.kind === 'text') {
              assert.ok(cellsOf(line.text) <= cellsIn(paper, line.large), `${paper}: ${line.text}`)
              assert.doesNotMatch(line.text, /[\n\t]/)
            }
          const pieces = textsIn(lines)
          const whole = (text: string) =>
            assert.ok(
              pieces.some(piece => piece.includes(text)),
              `${text} is broken on ${paper}`,
            )
          for (const row of rows) for (const field of AMOUNTS) whole(row[field])
          for (const text of [told.number, told.receivable, told.received, told.total, told.balance])
            whole(text)
          whole(told.thirdPartyNumber)
        },
      ),
      { numRuns: 400 },
    )
  })
})
