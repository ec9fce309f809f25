import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LOADED_RECEIPT, legacyItem, SENT_GROUP } from '#test/print/payloads.ts'
import { itemsOf, RECEIPT_ITEMS, type ReceiptItem } from './receipt.ts'
import {
  groupFromLegacy,
  groupToLegacy,
  groupToLoaded,
  sectionOf,
  templateFromLegacy,
  templateToLegacy,
  updateToLegacy,
} from './receipt-legacy.ts'

const small = (payload: object) =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  )
const shown = (items: readonly ReceiptItem[] = []) => items.map(({ kept: _kept, ...rest }) => rest)

describe('payloads of the documents', () => {
  test('of a group load, save and come back unchanged', () => {
    const record = groupFromLegacy(SENT_GROUP)
    assert.equal(record.section, 'basic')
    assert.deepEqual(groupToLegacy(record), SENT_GROUP)
    const loaded = groupFromLegacy(small(SENT_GROUP))
    assert.deepEqual(groupToLoaded(loaded), small(SENT_GROUP))
    assert.deepEqual(groupToLegacy(loaded), SENT_GROUP)
    assert.deepEqual(groupToLegacy(JSON.parse(JSON.stringify(loaded))), SENT_GROUP)
    const { GroupId: _id, ...added } = SENT_GROUP
    assert.deepEqual(groupToLegacy(groupFromLegacy(added)), added)
  })

  test('of a template load, save and come back unchanged', () => {
    const record = templateFromLegacy(LOADED_RECEIPT)
    assert.deepEqual(shown(record.content.ordinary[1]?.items).slice(0, 1), [
      {
        ...{ id: 705, required: false, checked: true, fontSize: 9, alignment: 1, marginBottom: 0 },
        ...{ label: '', text: '欢迎再来' },
      },
    ])
    assert.deepEqual(templateToLegacy(record), LOADED_RECEIPT)
    assert.deepEqual(templateToLegacy(JSON.parse(JSON.stringify(record))), LOADED_RECEIPT)
  })

  test('with a change of ours say it, and nothing beside it', () => {
    const record = templateFromLegacy(LOADED_RECEIPT)
    const [basic, other] = record.content.ordinary
    assert.ok(basic && other)
    const items = basic.items.map(one => (one.id === 109 ? { ...one, alignment: 2 as const } : one))
    const content = { ...record.content, ordinary: [other, { ...basic, items }] }
    const written = templateToLegacy({ ...record, name: '新名称', content }) as typeof LOADED_RECEIPT
    const [first, second] = LOADED_RECEIPT.ticketItemGroups
    const changed = SENT_GROUP.Items.map(one => (one.ticketItemId === 109 ? { ...one, alignment: 2 } : one))
    assert.deepEqual(written, {
      ...LOADED_RECEIPT,
      templateName: '新名称',
      ticketItemGroups: [second, { ...first, items: changed }],
    })
  })

  test('keep the order of the items, the picture of the logo, and what is told besides', () => {
    const picture = '6f0c2a4e-8d51-4c0b-9a57-0f2f5b7c9d11'
    const items = [
      legacyItem(107, { required: true, groupId: 12, notice: '提示', data: { a: [1] } }),
      legacyItem(101, { resource: `/api/files/${picture}` }),
      legacyItem(103, { fontSize: 12, alignment: 1, resource: 'https://old.example.com/logo.png' }),
      legacyItem(106, { required: true }),
    ]
    const template = {
      ...LOADED_RECEIPT,
      ticketItemGroups: [{ groupId: 12, groupName: '餐饮基本信息', items }],
    }
    const record = templateFromLegacy(template)
    const read = record.content.ordinary[0]?.items ?? []
    assert.deepEqual(
      read.map(({ id, picture: of }) => [id, of]),
      [
        [107, undefined],
        [101, picture],
        [103, undefined],
        [106, undefined],
      ],
    )
    assert.deepEqual(templateToLegacy(record), template)
  })

  test('that update a template name its groups alone', () => {
    const { ticketItemGroups, ticketItemGroups210, templateId } = updateToLegacy(
      templateFromLegacy(LOADED_RECEIPT),
    )
    assert.deepEqual(ticketItemGroups, [
      { groupId: 12, templateId: 7 },
      { groupId: 13, templateId: 7 },
    ])
    assert.deepEqual(ticketItemGroups210, [{ groupId: 12, templateId: 7 }])
    assert.equal(templateId, 7)
  })

  test('with numbers for flags, texts for numbers, other sizes and what is left out are understood', () => {
    const told = groupFromLegacy({
      GroupName: '甲',
      Items: [
        { ticketItemId: '701', checked: 1, fontSize: '14', name: '备注', label: '备注' },
        { ticketItemId: 99_999 },
      ],
    })
    const { kept: _kept, items: read, ...facts } = told
    assert.deepEqual(facts, { id: null, name: '甲', tags: '', remarks: '', section: 'other' })
    assert.deepEqual(shown(read), [
      {
        ...{ id: 701, required: false, checked: true, fontSize: 12, alignment: 0, marginBottom: 0 },
        ...{ label: '', text: '' },
      },
    ])
  })

  test('that take away what must be shown do not', () => {
    const { items } = groupFromLegacy({ GroupName: '甲', Items: [legacyItem(106, { checked: false })] })
    assert.deepEqual([items[0]?.required, items[0]?.checked], [true, true])
  })

  test('have the section of their name, or of most of their items', () => {
    assert.equal(sectionOf('每页底部打印', itemsOf('goods')), 'footer')
    assert.equal(sectionOf('甲', [...itemsOf('goods'), ...itemsOf('signature')]), 'goods')
  })

  test('that are none are refused', () => {
    for (const payload of [
      null,
      {},
      { GroupName: 1 },
      { GroupName: '甲', Items: [{ alignment: 7, ticketItemId: 1 }] },
    ])
      assert.throws(() => groupFromLegacy(payload))
  })
})

test('items have numbers and names of their own, and what must be shown is', () => {
  assert.equal(new Set(RECEIPT_ITEMS.map(({ id }) => id)).size, RECEIPT_ITEMS.length)
  assert.equal(
    new Set(RECEIPT_ITEMS.map(({ section, name }) => `${section} ${name}`)).size,
    RECEIPT_ITEMS.length,
  )
  const must = RECEIPT_ITEMS.filter(({ mustShow }) => mustShow).map(({ name }) => name)
  assert.deepEqual(must, ['单号', '销售时间', '操作员', '商品', '数量', '单价'])
})
