// Golden payloads of the documents' API (D3 §3, §9): every field that they name, fields of an editor, and some that nobody knows.
import { catalogueItem } from '#kit/print/receipt.ts'

export const TEXT_ITEM = {
  priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0001',
  name: '商品名称',
  title: '品名',
  group: '基础字段',
  left: 10,
  top: 10.123456,
  fontSize: 9,
  fontStyle: 5,
  displayModel: 1,
  dateTimeDisplayModel: 1,
  dateDisplayModel: 1,
  itemType: 1,
  priceTagItemType: 3,
  barCodeDisplayType: 0,
  displayType: 2,
  barCodeWidth: 1,
  barCodeHeight: 100,
  showUnit: false,
  displayStyle: 1,
  memberLevels: [],
  seletedMemberLevelId: '',
  type: 1,
  qRCodeUrl: '',
  height: 0,
  washingMethodDisplayType: 1,
  data: null,
}

/** Of a label, as it is answered. */
export const LOADED_LABEL = {
  templateId: 4711,
  templateName: '服装吊牌',
  isCustom: false,
  width: 80,
  height: 40,
  backgroundUrl: 'https://files.example.com/tag.png',
  createTime: '2026-03-15T08:00:00',
  industryIds: [3, 5],
  pricesTagItems: [
    TEXT_ITEM,
    {
      ...TEXT_ITEM,
      priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0002',
      name: '生产日期',
      itemType: 2,
      dateDisplayModel: 3,
    },
    {
      ...TEXT_ITEM,
      priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0003',
      name: '条码',
      itemType: 4,
      group: 'barcode',
      barCodeWidth: 2,
      barCodeHeight: 75.5,
    },
    {
      ...TEXT_ITEM,
      priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0004',
      name: '零售价',
      itemType: 5,
      showUnit: true,
    },
    {
      ...TEXT_ITEM,
      priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0005',
      name: '二维码',
      itemType: 7,
      type: 3,
      qRCodeUrl: 'https://a.cn',
      height: 168,
    },
    {
      ...{
        ...TEXT_ITEM,
        priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0006',
        name: '会员价',
        itemType: 9,
        seletedMemberLevelId: 12,
      },
      memberLevels: [{ levelId: 12, levelName: '金卡' }],
    },
    {
      ...{
        ...TEXT_ITEM,
        priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0007',
        name: '洗涤方式',
        itemType: 12,
        height: 60,
      },
      data: [
        { name: '手洗', iconUrl: 'https://files.example.com/a/1.png' },
        { iconUrl: '/washing/noBleach.svg' },
      ],
    },
    {
      priceTagItemId: '8f6c3a52-6f1c-4a4e-9d2b-0c7f6f6f0008',
      name: '某个新字段',
      itemType: 1,
      unknownToUs: { deep: [1, null] },
    },
  ],
}

export const legacyItem = (ticketItemId: number, more: object = {}) => ({
  ticketItemId,
  name: catalogueItem(ticketItemId)?.name ?? '',
  ...{ required: false, checked: true, fontSize: 9, alignment: 0, marginBottom: 0, label: '', val: '' },
  ...more,
})

/** What the documents' editor carries beside that which is shown. */
const EDITED = { groupId: 12, resource: null, data: { deep: [1, null] }, notice: '请填写' }

/** Of a group, as it is sent. */
export const SENT_GROUP = {
  GroupId: 12,
  GroupName: '餐饮基本信息',
  GroupTab: '餐饮,堂食',
  Remarks: '堂食小票的抬头',
  Items: [
    legacyItem(103, { fontSize: 12, alignment: 1 }),
    legacyItem(106, { required: true }),
    legacyItem(107, { required: true }),
    legacyItem(108, { required: true, label: '收银员' }),
    legacyItem(110, { checked: false, marginBottom: 6 }),
    legacyItem(109, { ...EDITED, fontSize: '14', label: '流水号', val: null }),
    { ticketItemId: 99_999, name: '某个新项', checked: true },
  ],
}

/** Of a template of receipts, as it is answered. */
export const LOADED_RECEIPT = {
  templateId: 7,
  templateName: '餐饮 80mm',
  industryIds: [3, 8],
  createTime: '2026-03-15T08:00:00',
  updateTime: '2026-03-16T08:00:00',
  isCustom: true,
  userId: 10_001,
  ticketItemGroups: [
    { groupId: 12, groupName: '餐饮基本信息', items: SENT_GROUP.Items },
    {
      ...{ groupId: 13, groupName: '其他信息', groupTab: '通用', remarks: null },
      items: [legacyItem(705, { val: '欢迎再来', alignment: 1 }), legacyItem(701, EDITED)],
    },
  ],
  ticketItemGroups210: [{ groupId: 12, groupName: '餐饮基本信息', items: SENT_GROUP.Items }],
  enableMakeUp: true,
}
