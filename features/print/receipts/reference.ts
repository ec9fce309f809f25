import { itemsOf, type ReceiptContent, type ReceiptItem, SECTIONS, type Section } from '#kit/print/receipt.ts'
import { completed } from './rules.ts'

type Told = {
  section: Section
  tags: string
  remarks: string
  shown: readonly number[]
  centred?: readonly number[]
}

/** The groups that the documents name, with what most receipts show of them checked; their migration has written them. */
const GROUPS: readonly Told[] = [
  {
    section: 'basic',
    tags: '通用,抬头',
    remarks: '小票抬头：店铺、单号、时间',
    shown: [103, 104, 106, 107, 108],
  },
  { section: 'goods', tags: '通用,商品', remarks: '商品明细', shown: [201, 205, 207, 209, 210] },
  { section: 'footer', tags: '通用,页脚', remarks: '印在小票最下方', shown: [301], centred: [301] },
  { section: 'payment', tags: '通用,支付', remarks: '应收、实收和支付方式', shown: [401, 402, 403, 404] },
  { section: 'exchange', tags: '零售,换货', remarks: '换货时打印', shown: [501, 502, 503, 504] },
  { section: 'return', tags: '零售,退货', remarks: '退货时打印', shown: [601, 602, 603, 604] },
  {
    section: 'other',
    tags: '通用,页脚',
    remarks: '备注、电话、地址、二维码',
    shown: [701, 702, 703, 705],
    centred: [705],
  },
  { section: 'customer', tags: '会员,储值', remarks: '会员和余额', shown: [801, 802, 805, 806] },
  { section: 'signature', tags: '签名,储值,提货', remarks: '需要签名的单据', shown: [901] },
]

const itemsIn = ({ section, shown, centred = [] }: Told): ReceiptItem[] =>
  completed(
    section,
    itemsOf(section).map(item => ({
      ...item,
      checked: shown.includes(item.id),
      alignment: centred.includes(item.id) ? 1 : item.alignment,
    })),
  )

export const RECEIPT_GROUPS = GROUPS.map((told, at) => ({
  id: at + 1,
  name: SECTIONS[told.section],
  ...{ section: told.section, tags: told.tags, remarks: told.remarks },
  items: itemsIn(told),
  updatedByName: '系统',
  updatedAt: '2026-01-01T00:00:00.000Z',
}))

const placed = (sections: readonly Section[], shown: readonly number[] = []) =>
  sections.flatMap(section =>
    RECEIPT_GROUPS.filter(group => group.section === section).map(({ id, name, items }) => ({
      groupId: id,
      ...{ name, section },
      items: items.map(item => ({ ...item, checked: item.checked || shown.includes(item.id) })),
    })),
  )

/** Templates that a demonstration begins with, and that a new one can be made of. */
export const RECEIPT_SAMPLES: readonly { name: string; content: ReceiptContent }[] = [
  {
    name: '标准小票 58mm',
    content: { enableMakeUp: true, ordinary: placed(['basic', 'goods', 'payment', 'other']), wide: [] },
  },
  {
    name: '会员小票 80mm',
    content: {
      enableMakeUp: true,
      ordinary: placed(
        ['basic', 'goods', 'payment', 'customer', 'other', 'footer'],
        [101, 105, 202, 704, 807],
      ),
      wide: [],
    },
  },
  {
    name: '销售单 A4',
    content: {
      enableMakeUp: false,
      ordinary: placed(['basic', 'goods', 'payment', 'customer', 'signature']),
      wide: placed(
        ['basic', 'goods', 'payment', 'customer', 'other', 'signature'],
        [...[102, 105, 202, 203, 204, 206, 208, 803, 808, 902]],
      ),
    },
  },
]
