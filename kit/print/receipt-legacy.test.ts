import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogueItem, itemsOf, RECEIPT_ITEMS } from './receipt.ts'
import {
  groupFromLegacy,
  groupToLegacy,
  sectionOf,
  templateFromLegacy,
  templateToLegacy,
  updateToLegacy,
} from './receipt-legacy.ts'

const item = (ticketItemId: number, more: object = {}) => ({
  ticketItemId,
  name: catalogueItem(ticketItemId)?.name ?? '',
  ...{ required: false, checked: true, fontSize: 9, alignment: 0, marginBottom: 0, label: '', val: '' },
  ...more,
})

const GROUP = {
  GroupId: 12,
  GroupName: '餐饮基本信息',
  GroupTab: '餐饮,堂食',
  Remarks: '堂食小票的抬头',
  Items: [
    item(103, { fontSize: 12, alignment: 1 }),
    item(106, { required: true }),
    item(107, { required: true }),
    item(108, { required: true, label: '收银员' }),
    item(110, { checked: false, marginBottom: 6 }),
  ],
}

const TEMPLATE = {
  templateId: 7,
  templateName: '餐饮 80mm',
  industryIds: [3, 8],
  ticketItemGroups: [
    { groupId: 12, groupName: '餐饮基本信息', items: GROUP.Items },
    { groupId: 13, groupName: '其他信息', items: [item(705, { val: '欢迎再来', alignment: 1 })] },
  ],
  ticketItemGroups210: [{ groupId: 12, groupName: '餐饮基本信息', items: GROUP.Items }],
  enableMakeUp: true,
}

describe('payloads of the documents', () => {
  test('of a group load, save and come back unchanged', () => {
    const record = groupFromLegacy(GROUP)
    assert.equal(record.section, 'basic')
    assert.deepEqual(groupToLegacy(record), GROUP)
    const { GroupId: _id, ...added } = GROUP
    assert.deepEqual(groupToLegacy(groupFromLegacy(added)), added)
  })

  test('of a template load, save and come back unchanged', () => {
    const record = templateFromLegacy(TEMPLATE)
    assert.deepEqual(record.content.ordinary[1]?.items, [
      {
        ...{ id: 705, required: false, checked: true, fontSize: 9, alignment: 1, marginBottom: 0 },
        ...{ label: '', text: '欢迎再来' },
      },
    ])
    assert.deepEqual(templateToLegacy(record), TEMPLATE)
  })

  test('keep the order of the items, the picture of the logo, and what is told besides', () => {
    const picture = '6f0c2a4e-8d51-4c0b-9a57-0f2f5b7c9d11'
    const items = [
      item(107, { required: true, groupId: 12, notice: '提示', data: { a: [1] } }),
      item(101, { resource: `/api/files/${picture}` }),
      item(103, { fontSize: 12, alignment: 1, resource: 'https://old.example.com/logo.png' }),
      item(106, { required: true }),
    ]
    const template = {
      ...TEMPLATE,
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
    const { ticketItemGroups, ticketItemGroups210, templateId } = updateToLegacy(templateFromLegacy(TEMPLATE))
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
    assert.deepEqual(told, {
      ...{ id: null, name: '甲', tags: '', remarks: '', section: 'other' },
      items: [
        {
          ...{ id: 701, required: false, checked: true, fontSize: 12, alignment: 0, marginBottom: 0 },
          ...{ label: '', text: '' },
        },
      ],
    })
  })

  test('that take away what must be shown do not', () => {
    const { items } = groupFromLegacy({ GroupName: '甲', Items: [item(106, { checked: false })] })
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
