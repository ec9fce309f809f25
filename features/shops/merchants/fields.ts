// What a shop's fields and its lists are (D1 §2, §3; D2 §3). Rules and words stand in rules.ts.

import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import {
  DATE_PRESET_DAYS,
  LAST_LOGIN_DAYS,
  LIMITS,
  MERCHANT_STATUSES,
  SMS_LEFT,
  SOURCES,
  STORE_KINDS,
  VERIFICATION_STATUSES,
} from './rules.ts'

const VERIFICATION_TONES = {
  verified: 'done',
  unverified: 'neutral',
  failed: 'problem',
  reviewing: 'attention',
} as const

export const MERCHANT_FIELDS = {
  id: { kind: 'id', label: '商户ID', fileWidth: 12, in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  agentName: { kind: 'text', label: '代理商', fileWidth: 24, in: ['row'] },
  storeKind: { kind: 'word', label: '门店类型', words: STORE_KINDS, in: ['row', 'edit', 'log'] },
  shortName: {
    kind: 'text',
    label: '店铺简称',
    max: LIMITS.shortName,
    fileWidth: 14,
    in: ['row', 'add', 'edit', 'log'],
    control: {
      as: 'text',
      group: 'names',
      required: true,
      counted: true,
      placeholder: '用于小票和短信，最多8字',
    },
  },
  shopName: {
    kind: 'text',
    label: '店铺名称',
    max: LIMITS.shopName,
    fileWidth: 28,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', group: 'names', required: true, counted: true, placeholder: '请输入店铺名称' },
  },
  personName: {
    kind: 'text',
    label: '商户姓名',
    max: LIMITS.personName,
    fileWidth: 12,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', group: 'names', required: true, counted: true, placeholder: '请输入商户姓名' },
  },
  account: {
    kind: 'phone',
    label: '账号',
    max: LIMITS.phone,
    fileWidth: 14,
    in: ['row', 'add', 'edit', 'log'],
  },
  shopPhone: {
    kind: 'phone',
    label: '店铺电话',
    in: ['details', 'edit', 'log'],
    control: { as: 'text', group: 'contact', inputMode: 'tel', placeholder: '选填' },
  },
  provinceCode: { kind: 'digits', label: '省', in: ['details'] },
  cityCode: { kind: 'digits', label: '市', in: ['details'] },
  districtCode: { kind: 'digits', label: '省市区', in: ['details', 'add', 'edit', 'log'] },
  address: {
    kind: 'text',
    label: '详细地址',
    max: LIMITS.address,
    in: ['details', 'add', 'edit', 'log'],
    control: { as: 'text', group: 'address', placeholder: '街道、门牌号' },
  },
  industryName: { kind: 'text', label: '行业类型', fileWidth: 12, in: ['row'] },
  versionId: { kind: 'id', label: '软件版本', in: ['row', 'edit', 'log'] },
  versionName: { kind: 'text', label: '软件版本', fileWidth: 14, in: ['row'] },
  shopsBought: { kind: 'count', label: '店铺数', unit: '家', in: ['row'] },
  status: {
    kind: 'word',
    label: '状态',
    words: MERCHANT_STATUSES,
    tones: { normal: 'done', disabled: 'problem' },
    in: ['row', 'log'],
  },
  registeredAt: { kind: 'instant', label: '注册时间', in: ['row', 'edit', 'log'] },
  expiresAt: { kind: 'instant', label: '到期时间', nullable: true, none: '永久', in: ['row', 'edit', 'log'] },
  smsBalance: {
    kind: 'count',
    label: '短信余额',
    unit: '条',
    fileWidth: 14,
    in: ['row'],
  },
  /** Counted by the page. */
  overdueDays: { kind: 'count', label: '过期天数' },
  lastLoginAt: { kind: 'instant', label: '最近登录', nullable: true, none: '从未登录', in: ['row'] },
  referrer: {
    kind: 'text',
    label: '推荐人',
    max: LIMITS.referrer,
    none: '',
    fileWidth: 12,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'text', group: 'people', placeholder: '选填' },
  },
  managerName: { kind: 'text', label: '客户经理/客服', nullable: true, none: '', fileWidth: 12, in: ['row'] },
  /** What the manager is called to shops; null where it is called nothing. */
  managerLabel: { kind: 'text', label: '客户经理称谓', nullable: true, none: '', fileWidth: 12, in: ['row'] },
  remark: {
    kind: 'text',
    label: '备注',
    max: LIMITS.remark,
    none: '',
    fileWidth: 28,
    in: ['row', 'add', 'edit', 'log'],
    control: { as: 'lines', group: 'notes', rows: 2, counted: true, placeholder: '选填，最多50字' },
  },
  signature: {
    kind: 'text',
    label: '短信签名',
    max: LIMITS.signature,
    none: '',
    fileWidth: 16,
    in: ['row', 'log'],
  },
  memberTitle: {
    kind: 'text',
    label: '会员称谓',
    max: LIMITS.memberTitle,
    none: '',
    in: ['details', 'log'],
  },
  verificationStatus: {
    kind: 'word',
    label: '认证状态',
    words: VERIFICATION_STATUSES,
    tones: VERIFICATION_TONES,
    in: ['row', 'edit', 'log'],
  },
  verificationRefusal: {
    kind: 'text',
    label: '认证失败原因',
    max: LIMITS.verificationRefusal,
    none: '',
    fileWidth: 28,
    in: ['row', 'edit', 'log'],
  },
  source: { kind: 'word', label: '来源', words: SOURCES, in: ['details'] },
  headId: { kind: 'id', label: '总店', nullable: true, in: ['details'] },
  industryId: { kind: 'id', label: '行业类型', in: ['details', 'add', 'edit', 'log'] },
  managerId: { kind: 'id', label: '客户经理/客服', nullable: true, in: ['details', 'add', 'edit', 'log'] },
  paymentMethodId: { kind: 'id', label: '支付方式', nullable: true, in: ['details', 'add', 'edit', 'log'] },
  payEnabled: { kind: 'flag', label: '支付开通', in: ['details'] },
  needsRecoveryCode: { kind: 'flag', label: '回收需验证码', in: ['details', 'log'] },
  revision: { kind: 'count', label: '修改次数', in: ['details'] },
} as const satisfies Fields

/** Why the operator sets the status of a verification by hand: told in the log, and kept nowhere else. */
export const VERIFICATION_CHANGE = {
  verificationReason: {
    kind: 'text',
    label: '认证状态修改原因',
    max: LIMITS.verificationRefusal,
    control: { as: 'text', placeholder: '记录在商户的操作记录中' },
  },
} as const satisfies Fields

/** What the details show as it stands, in its order among the facts of a group. */
export const MERCHANT_FACTS = {
  basics: ['shopName', 'shortName', 'memberTitle', 'personName', 'shopPhone', 'industryName'],
  others: ['referrer', 'managerName', 'source'],
} as const

const backward = DATE_PRESET_DAYS.map((days): DayPreset => [days, 'day'])
const ahead = DATE_PRESET_DAYS.map((days): DayPreset => [-days, 'day'])
const REGISTERED = { kind: 'days', label: '注册时间', chip: '注册', presets: backward } as const
export const FOUND_BY = '商户ID / 姓名 / 店铺 / 账号 / 推荐人'

/** The filters by which shops are found wherever they are. */
export const SHOP_FILTERS = {
  registered: REGISTERED,
  expires: { kind: 'days', label: '到期时间', chip: '到期', presets: ahead },
  lastLoginDays: {
    kind: 'number',
    label: '最近登录',
    chip: '登录',
    choices: [[0, '今天'], ...LAST_LOGIN_DAYS.map(days => [days, `${days} 天未登录`] as const)],
  },
  status: { ...byWord(MERCHANT_FIELDS.status), label: '店铺状态', chip: '状态' },
  versionId: { kind: 'id', label: '软件版本', chip: '版本' },
  industryId: { kind: 'id', label: '行业类型', chip: '行业' },
  storeKind: { ...byWord(MERCHANT_FIELDS.storeKind), chip: '门店' },
  paymentMethodId: { kind: 'id', label: '支付方式', chip: '支付' },
} as const
/** What few shops share: which need more than their sale. `source` is the documents' platform, `smsLeft` MsgNo, `regionCode` code. */
const RARE_FILTERS = {
  verificationStatus: { ...byWord(MERCHANT_FIELDS.verificationStatus), chip: '认证' },
  smsLeft: {
    kind: 'number',
    label: '短信余额',
    chip: '短信',
    choices: [[0, '没有短信'], ...SMS_LEFT.map(pieces => [pieces, `不足 ${pieces} 条`] as const)],
  },
  regionCode: { kind: 'id', label: '所在地区', chip: '地区' },
  source: { ...byWord(MERCHANT_FIELDS.source), label: '来源平台', chip: '来源' },
} as const
export const SHOP_SORTS = ['registeredAt', 'expiresAt', 'lastLoginAt'] as const

export const SHOP_COLUMNS = {
  shopName: {
    title: '店铺',
    width: 152,
    fixed: 'start',
    opens: true,
    card: 'title',
    below: ['id', 'storeKind'],
  },
  shortName: { fileOnly: true },
  personName: { title: '姓名 / 账号', width: 160, card: 'fact', below: ['account'] },
  versionName: { title: '版本 / 行业', width: 96, also: ['shopsBought'], below: ['industryName'] },
  expiresAt: { card: 'fact' },
  registeredAt: {},
  lastLoginAt: {},
  smsBalance: { title: '短信', width: 56 },
  status: { width: 64, card: 'fact', below: ['verificationStatus'] },
  managerName: {
    title: '客户经理 / 推荐人',
    width: 112,
    below: ['managerLabel', 'referrer'],
    hidden: 'staff',
  },
  remark: { width: 80, hidden: 'staff' },
  signature: { width: 152, hidden: true },
  verificationRefusal: { width: 152, hidden: true },
} as const
const AGENT = { width: 144, for: 'staff' } as const

/** D1 §2, §9. */
export const MY_MERCHANTS = list({
  key: 'merchants.list',
  title: '我的商户',
  fields: MERCHANT_FIELDS,
  columns: { ...SHOP_COLUMNS, agentName: AGENT },
  search: FOUND_BY,
  filters: {
    ...SHOP_FILTERS,
    /** Whose term goes on after this day, YYYY-MM-DD, or for ever. */
    lastsPast: { kind: 'text', label: '服务期超过', linked: true },
    ...RARE_FILTERS,
    managerId: { kind: 'id', label: MERCHANT_FIELDS.managerId.label, chip: '客户经理' },
    agentId: { ...BY_AGENT, clears: ['managerId'] },
  },
  sorts: SHOP_SORTS,
  file: { path: '/merchants/export.xlsx', permission: 'merchants.export', log: '导出商户', name: '商户' },
  empty: '还没有商户',
})

/** D2 §2 screen 3. */
export const MERCHANT_SOURCES = list({
  key: 'merchants.bySource',
  title: '商户来源',
  fields: MERCHANT_FIELDS,
  columns: {
    shopName: SHOP_COLUMNS.shopName,
    personName: SHOP_COLUMNS.personName,
    source: { width: 96, card: 'fact' },
    referrer: { width: 88 },
    agentName: { width: 200, card: 'fact' },
    registeredAt: { card: 'fact' },
    versionName: SHOP_COLUMNS.versionName,
    status: SHOP_COLUMNS.status,
  },
  search: FOUND_BY,
  filters: { source: byWord(MERCHANT_FIELDS.source), agentId: BY_AGENT, registered: REGISTERED },
  sorts: ['registeredAt'],
  file: {
    path: '/merchants/source/export.xlsx',
    permission: 'merchants.sourceExport',
    log: '导出商户来源',
    name: '商户来源',
  },
  empty: '还没有商户',
})

/** D1 §2: expired since 2017-01-01, the latest first. */
export const OVERDUE_MERCHANTS = list({
  key: 'merchants.overdue',
  title: '过期商户',
  fields: MERCHANT_FIELDS,
  columns: {
    shopName: SHOP_COLUMNS.shopName,
    personName: SHOP_COLUMNS.personName,
    versionName: SHOP_COLUMNS.versionName,
    expiresAt: SHOP_COLUMNS.expiresAt,
    overdueDays: { width: 72, card: 'fact', screenOnly: true },
    lastLoginAt: SHOP_COLUMNS.lastLoginAt,
    smsBalance: SHOP_COLUMNS.smsBalance,
    managerName: SHOP_COLUMNS.managerName,
    remark: SHOP_COLUMNS.remark,
    status: SHOP_COLUMNS.status,
    agentName: AGENT,
  },
  search: FOUND_BY,
  filters: {
    ...SHOP_FILTERS,
    expires: { ...SHOP_FILTERS.expires, presets: backward },
    ...RARE_FILTERS,
    agentId: BY_AGENT,
  },
  sorts: ['expiresAt'],
  file: {
    path: '/merchants/overdue/export.xlsx',
    permission: 'merchants.overdueExport',
    log: '导出过期商户',
    name: '过期商户',
  },
  empty: '没有过期的商户',
})
