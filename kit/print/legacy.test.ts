// The documents' payloads of labels come back unchanged to the field (D3 §3, §9).
import assert from 'node:assert/strict'
import test from 'node:test'
import { LOADED_LABEL, TEXT_ITEM } from '#test/print/payloads.ts'
import type { Label, LabelItem } from './label.ts'
import { defaultsOf, entryOf, type LabelEntry } from './label-items.ts'
import { readLegacyLabel, writeLegacyLabel, writeLoadedLabel } from './legacy.ts'
import { readLegacyLayout, writeLegacyLayout } from './legacy-layout.ts'
import type { Raw } from './legacy-rules.ts'

const capital = (raw: object): Raw =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]),
  )
const SAVED = {
  ...capital({ ...LOADED_LABEL, pricesTagItems: LOADED_LABEL.pricesTagItems.map(capital) }),
  WidthPx: 800.35,
  HeightPx: 400.18,
}

test('what is loaded comes back unchanged, and is saved with capitals and the size in points', () => {
  const read = readLegacyLabel(structuredClone(LOADED_LABEL))
  assert.deepEqual(writeLoadedLabel(read), LOADED_LABEL)
  assert.deepEqual(writeLegacyLabel(read), SAVED)
  assert.match(JSON.stringify(SAVED), /"SeletedMemberLevelId":12/)
})

test('what was saved comes back unchanged, also through JSON', () => {
  assert.deepEqual(writeLegacyLabel(readLegacyLabel(SAVED)), SAVED)
  const stored = JSON.parse(JSON.stringify(readLegacyLabel(SAVED)))
  assert.deepEqual(writeLegacyLabel(stored), SAVED)
})

test('the payload means our model: millimetres, codes, icons, levels', () => {
  const { label, ...template } = readLegacyLabel(LOADED_LABEL)
  assert.deepEqual([template.templateId, template.industryIds], ['4711', ['3', '5']])
  assert.deepEqual(
    [label.width, label.height, label.background],
    [80_000, 40_000, 'https://files.example.com/tag.png'],
  )
  const [name, date, code, price, qr, member, washing, other] = label.items as [
    LabelItem,
    LabelItem,
    LabelItem,
    LabelItem,
    LabelItem,
    LabelItem,
    LabelItem,
    LabelItem,
  ]
  // Ten points of the old designer are a millimetre (96 / 25.4 × 2.647 = 10.004).
  assert.deepEqual([name.left, name.top, name.fontStyle, name.key], [1_000, 1_012, 5, 'productName'])
  assert.deepEqual([date.kind, date.dateModel], [2, 3])
  assert.deepEqual([code.barWidth, code.barHeight, code.group], [2, 7_547, 'code'])
  assert.equal(price.showUnit, true)
  assert.deepEqual([qr.qrKind, qr.qrUrl, qr.qrSize], [3, 'https://a.cn', 16_793])
  assert.equal(member.memberLevel, '12')
  assert.deepEqual([washing.washing, washing.iconSize], [['handWash', 'noBleach'], 5_997])
  assert.deepEqual([other.name, other.group, other.fontSize], ['某个新字段', 'other', 9])
})

test('a change of ours is written, and nothing beside it', () => {
  const read = readLegacyLabel(LOADED_LABEL)
  const items = read.label.items.map((item, at) =>
    at === 0 ? { ...item, left: 25_000, fontSize: 12 } : item,
  )
  const written = writeLoadedLabel({
    ...read,
    label: { ...read.label, width: 60_000, items },
  }) as typeof LOADED_LABEL
  assert.equal(written.width, 60)
  const { left, fontSize, ...rest } = written.pricesTagItems[0] as typeof TEXT_ITEM
  assert.deepEqual([left, fontSize], [250.11, 12])
  const { left: _left, fontSize: _fontSize, ...before } = TEXT_ITEM
  assert.deepEqual(rest, before)
  assert.deepEqual(written.pricesTagItems.slice(1), LOADED_LABEL.pricesTagItems.slice(1))
})

const made = (key: string, more: Partial<LabelItem> = {}): LabelItem => ({
  ...defaultsOf(entryOf(key) as LabelEntry, `id of ${key}`),
  ...more,
})
const label: Label = {
  width: 80_000,
  height: 40_000,
  background: null,
  items: [
    made('productName', { left: 10_000, top: 10_000 }),
    made('barcode', { barWidth: 1 }),
    made('itemNumber', { barWidth: 2 }),
    made('qrCode'),
    made('washing', { washing: ['handWash'] }),
  ],
}

test('a label of ours has every field of the payload', () => {
  const saved = writeLegacyLabel({
    ...{ templateId: '', templateName: '新模板', isCustom: false, industryIds: ['1'], label },
  }) as { PricesTagItems: Raw[]; WidthPx: number; HeightPx: number }
  assert.deepEqual([saved.WidthPx, saved.HeightPx], [800.35, 400.18])
  assert.deepEqual(Object.keys(saved.PricesTagItems[0] as Raw).sort(), Object.keys(capital(TEXT_ITEM)).sort())
  const back = readLegacyLabel(saved).label.items.map(({ kept: _kept, ...item }) => item)
  assert.deepEqual(
    back.map(item => item.left),
    label.items.map(item => item.left),
  )
  assert.deepEqual(back[4]?.washing, ['handWash'])
})

test('the print layout has the distorted numbers of the documents, and takes them back', () => {
  const layout = writeLegacyLayout(label)
  assert.deepEqual([layout.width, layout.height], [307.2, 153.6])
  const [name, narrow, wide, qr] = layout.pricesTagItems as [Raw, Raw, Raw, Raw]
  assert.deepEqual([name.left, name.top], [10, 10.323])
  assert.deepEqual([narrow.Width, wide.Width], [230, 345])
  assert.deepEqual([qr.Width, qr.Height], [168, 168])
  const read = readLegacyLayout(JSON.parse(JSON.stringify(layout)))
  assert.deepEqual([read.width, read.height], [80_000, 40_000])
  assert.deepEqual(
    read.items.map(({ left, top }) => [left, top]),
    label.items.map(({ left, top }) => [left, top]),
  )
  assert.deepEqual(writeLegacyLayout(read), layout)
})

test('a print layout of the documents comes back unchanged to the field, unknown ones too', () => {
  const item = {
    ...{
      name: '条码',
      itemType: 4,
      displayModel: 2,
      title: '',
      left: 12.345,
      top: 10.3,
      Width: 345,
      Height: 75,
    },
    ...{ fontSize: 12, fontStyle: 4, barCodeWidth: 2, barCodeHeight: 75.5, displayStyle: 3 },
  }
  const others = [1, 2, 3, 5, 6, 7, 9, 12].map(itemType => ({ ...item, itemType, name: `项${itemType}` }))
  const given = {
    width: 307.2,
    height: 153.6,
    pricesTagItems: [item, ...others, { name: '新', more: [null] }],
  }
  const read = readLegacyLayout(structuredClone(given))
  assert.deepEqual(writeLegacyLayout(read), given)
  assert.deepEqual(writeLegacyLayout(JSON.parse(JSON.stringify(read))), given)
})
