import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_GLYPHS } from '../glyphs.ts'
import { emptyLabel, type Label, type LabelItem } from '../label.ts'
import { defaultsOf, entryOf } from '../label-items.ts'
import { umOfMm } from '../units.ts'
import {
  type BatchRow,
  cellsOf,
  copiesOf,
  faultsOfRow,
  hasHeads,
  isBlank,
  pastedOver,
  readTable,
  rowsOfTable,
} from './batch-rows.ts'
import { fieldsOf } from './fields.ts'

function itemOf(key: string, more: Partial<LabelItem> = {}): LabelItem {
  const entry = entryOf(key)
  assert.ok(entry)
  return { ...defaultsOf(entry, key), ...more }
}
const LABEL: Label = {
  ...emptyLabel(),
  items: [
    itemOf('productName', { left: umOfMm(3), top: umOfMm(3), displayModel: 2 }),
    itemOf('barcode', { left: umOfMm(6), top: umOfMm(15), codeDisplay: 2 }),
    itemOf('retailPrice', { left: umOfMm(3), top: umOfMm(30), showUnit: true }),
  ],
}
const FIELDS = fieldsOf(LABEL)

test('a label asks for what its items show, each once', () => {
  const label: Label = {
    ...LABEL,
    items: [
      ...LABEL.items,
      itemOf('customText'),
      itemOf('washing'),
      itemOf('unit'),
      itemOf('memberPrice', { memberLevel: '2' }),
      itemOf('memberPrice', { memberLevel: 'x' }),
      itemOf('qrCode', { qrKind: 1 }),
      itemOf('qrCode', { qrKind: 3, qrUrl: 'https://example.com' }),
    ],
  }
  assert.deepEqual(
    fieldsOf(label).map(({ key, label: name }) => `${key} ${name}`),
    [
      'productName 商品名称',
      'barcode 条码',
      'retailPrice 零售价',
      'unit 单位',
      'memberPrice.2 会员价（银卡会员）',
      'memberPrice.x 会员价（级别 x）',
      'mallUrl 商城链接',
    ],
  )
})

test('copies are 1 to 999, and 1 where nothing is said', () => {
  const cases: [string, number | null][] = [
    ...([
      ['', 1],
      [' ', 1],
      ['1', 1],
      ['999', 999],
      ['３', 3],
      ['12.0', 12],
    ] as [string, number][]),
    ...(['0', '1000', '-1', '1.5', 'x', '1e2', '99999999'].map(text => [text, null]) as [string, null][]),
  ]
  for (const [text, expected] of cases) assert.equal(copiesOf(text), expected, text)
})

describe('a table', () => {
  test('is known by its heads, wherever they stand and however they are written', () => {
    const table = readTable(
      [
        { line: 1, cells: ['六月价签'] },
        { line: 3, cells: ['序号', '品名 *', '商品条码（必填）', '售价', '数量', '条码'] },
        { line: 4, cells: ['1', '茶', '6901234567892', '3.50', '2', '另一个'] },
        { line: 5, cells: ['2'] },
      ],
      FIELDS,
    )
    assert.deepEqual(
      table.heads.map(({ field }) => field),
      [null, 'productName', 'barcode', 'retailPrice', 'copies', null],
    )
    assert.deepEqual(table.heads[1]?.samples, ['茶'])
    assert.deepEqual(rowsOfTable(table), [
      { data: { productName: '茶', barcode: '6901234567892', retailPrice: '3.50' }, copies: '2' },
    ])
  })

  test('of unknown heads is left to a person', () => {
    const { heads, lines } = readTable(
      [
        { line: 1, cells: ['甲', ''] },
        { line: 2, cells: ['茶', 'x'] },
      ],
      FIELDS,
    )
    assert.deepEqual(
      heads.map(({ name, field }) => [name, field]),
      [
        ['甲', null],
        ['第 2 列', null],
      ],
    )
    assert.equal(lines.length, 1)
  })
})

describe('pasted cells', () => {
  const row = (id: number, name: string): BatchRow => ({ id, data: { productName: name }, copies: '' })
  let made = 10
  const newId = () => ++made

  test('lie over the rows from where one stands, and rows are added', () => {
    const cells = cellsOf('甲\t690\r\n"乙\n二"\t691\n')
    const next = pastedOver([row(1, '一'), row(2, '二')], { row: 1, column: 0 }, cells, FIELDS, newId)
    assert.deepEqual(
      next.map(({ id, data }) => [id, data.productName, data.barcode]),
      [
        [1, '一', undefined],
        [2, '甲', '690'],
        [11, '乙\n二', '691'],
      ],
    )
  })

  test('end at the last column, which is the copies', () => {
    const column = FIELDS.length
    const [first] = pastedOver([row(1, '一')], { row: 0, column }, [['5', 'x']], FIELDS, newId)
    assert.deepEqual(first, { id: 1, data: { productName: '一' }, copies: '5' })
  })

  test('may bring their heads', () => {
    assert.ok(hasHeads(cellsOf('名称\t条码\n茶\t690'), FIELDS))
    assert.ok(hasHeads(cellsOf('条码\n690'), FIELDS))
    assert.ok(!hasHeads(cellsOf('茶\t690\n水\t691'), FIELDS))
    assert.ok(!hasHeads(cellsOf('名称\t条码'), FIELDS))
  })
})

test('what a spreadsheet left behind is no content', () => {
  const row: BatchRow = { id: 1, data: { productName: '#N/A', barcode: '6.90123E+12' }, copies: '#REF!' }
  assert.deepEqual(
    faultsOfRow(LABEL, row, { dots: 8, glyphs: NO_GLYPHS })
      .filter(({ help }) => help === '填写实际内容')
      .map(({ field, stops }) => [field, stops]),
    [
      ['productName', true],
      ['barcode', true],
      ['copies', true],
    ],
  )
})

test('what is wrong is told by row and column', () => {
  const press = { dots: 8, glyphs: NO_GLYPHS } as const
  const stops = (data: Record<string, string>, copies = '') =>
    faultsOfRow(LABEL, { id: 1, data, copies }, press)
      .filter(fault => fault.stops && !fault.words.includes('字体'))
      .map(({ field, words }) => `${field} ${words}`)
  const fine = { productName: '茶', barcode: '6901234567892', retailPrice: '1' }
  assert.deepEqual(stops(fine), [])
  assert.deepEqual(stops({ ...fine, barcode: '条码一' }), ['barcode 条码：条码里有中文等不能用的字符'])
  assert.deepEqual(stops({ ...fine, barcode: '' }), ['barcode 条码：没有条码内容'])
  assert.deepEqual(stops({ ...fine, productName: '茶'.repeat(60) }), ['productName 商品名称：文字超出标签'])
  assert.deepEqual(stops(fine, '0'), ['copies 份数不是 1 到 999 的整数'])
  assert.deepEqual(stops({ ...fine, unit: 'x'.repeat(501) }).slice(0, 1), ['unit 内容超过 500 字'])
  assert.ok(isBlank({ data: { productName: ' ' }, copies: '' }))
  assert.ok(!isBlank({ data: {}, copies: '2' }))
})
