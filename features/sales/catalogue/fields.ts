// What a version, a function, an adjustment, a service and a package of the catalogue are to the operator. Words stand in rules.ts.
import { partName } from '#features/office/prices/rules.ts'
import { SELLER_RULES } from '#features/shops/versions/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { fieldsIn } from '#kit/declare/form.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { ITEM_KINDS, LIMITS, PRICING_RULE_NAMES, UNIT_NAMES, VERSION_STATES } from './rules.ts'

const YES_NO = { true: '是', false: '否' } as const

export const VERSION_FIELDS = {
  id: { kind: 'id', label: '版本编号', in: ['row'] },
  name: {
    kind: 'text',
    label: '版本名称',
    max: LIMITS.name,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  code: {
    kind: 'text',
    label: '版本代码',
    max: LIMITS.code,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', required: true, hint: '大写字母、数字和下划线' },
  },
  pricingRule: { kind: 'word', label: '计价方式', words: PRICING_RULE_NAMES, in: ['row', 'edit', 'log'] },
  buyCode: { kind: 'id', label: '新购代码', in: ['row', 'log'] },
  renewCode: { kind: 'id', label: '续费代码', in: ['row', 'log'] },
  isPack: { kind: 'flag', label: '套餐版', in: ['row', 'edit', 'log'] },
  offeredOnAdd: { kind: 'flag', label: '新增商户可选', in: ['row', 'edit', 'log'] },
  offeredOnChange: { kind: 'flag', label: '更换版本可选', in: ['row', 'edit', 'log'] },
  sellers: { kind: 'word', label: '可销售的代理商', words: SELLER_RULES, in: ['row', 'edit', 'log'] },
  /** Named by `sellers`. */
  sellerCount: { kind: 'count', label: '指定', unit: '家', in: ['row'] },
  functionCount: { kind: 'count', label: '功能', unit: '项', in: ['row'] },
  shops: { kind: 'count', label: '使用商户', unit: '家', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: VERSION_STATES,
    tones: { sold: 'done', unpriced: 'attention', renewed: 'attention', retired: 'neutral' },
    in: ['row'],
  },
  enabled: { kind: 'flag', label: '在售', in: ['row', 'log'] },
  /** What shops that have it may still do. */
  renewable: { kind: 'flag', label: '停售后可续费', in: ['row', 'log'] },
  renewUntil: { kind: 'instant', label: '续费截止', nullable: true, in: ['row', 'log'] },
  position: { kind: 'count', label: '排序', in: ['row', 'edit', 'log'] },
  remark: {
    kind: 'text',
    label: '版本说明',
    max: LIMITS.remark,
    in: ['row', 'edit', 'log'],
    control: { as: 'lines', counted: true, rows: 2, placeholder: '选填，显示在购买页面' },
  },
} as const satisfies Fields

export const VERSIONS = list({
  key: 'catalogue.versions',
  title: '版本管理',
  fields: VERSION_FIELDS,
  columns: {
    name: { title: '版本 / 代码', width: 168, fixed: 'start', card: 'title', opens: true, below: ['code'] },
    state: { title: '状态 / 续费截止', width: 112, card: 'amount', below: ['renewUntil'] },
    pricingRule: { width: 128, card: 'fact' },
    sellers: { width: 136, card: 'fact' },
    shops: { width: 104, card: 'fact' },
    functionCount: { width: 88 },
    offeredOnAdd: { title: '新增可选', width: 80 },
    offeredOnChange: { title: '更换可选', width: 80 },
    buyCode: { hidden: true, width: 80 },
    renewCode: { hidden: true, width: 80 },
    isPack: { hidden: true, width: 72 },
    position: { hidden: true, width: 72 },
    remark: { hidden: true, width: 200 },
  },
  search: '版本名称、代码',
  filters: {
    state: byWord(VERSION_FIELDS.state),
    offeredOnAdd: { kind: 'flag', label: '新增商户可选', words: YES_NO },
  },
  empty: '还没有版本。新增版本后，为它定价即可销售',
})

export const FUNCTION_FIELDS = {
  id: { kind: 'id', label: '功能编号', in: ['row'] },
  name: {
    kind: 'text',
    label: '功能名称',
    max: LIMITS.name,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  remark: {
    kind: 'text',
    label: '功能说明',
    max: LIMITS.remark,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', counted: true },
  },
  position: {
    kind: 'count',
    label: '排序',
    max: LIMITS.positionMax,
    in: ['row', 'edit', 'log'],
    control: { as: 'number', hint: '小的排在前面' },
  },
  enabled: {
    kind: 'flag',
    label: '启用',
    in: ['row', 'edit', 'log'],
    control: { as: 'switch', first: true },
  },
} as const satisfies Fields

export const FUNCTION = fieldsIn(FUNCTION_FIELDS, 'edit')

export const ADJUSTMENT_FIELDS = {
  fromVersionId: {
    kind: 'id',
    label: '调整前版本',
    in: ['row', 'edit'],
    control: { as: 'own', required: true },
  },
  toVersionId: {
    kind: 'id',
    label: '调整后版本',
    in: ['row', 'edit'],
    control: { as: 'own', required: true },
  },
  enabled: {
    kind: 'flag',
    label: '启用',
    in: ['row', 'edit', 'log'],
    control: { as: 'switch', first: true },
  },
} as const satisfies Fields

export const PAIR = fieldsIn(ADJUSTMENT_FIELDS, 'edit')

export const ITEM_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  itemKind: { kind: 'word', label: '类别', words: ITEM_KINDS, in: ['row'] },
  name: {
    kind: 'text',
    label: '名称',
    max: LIMITS.name,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  /** What one gets: 会员营销 · 按年, 4,000 条. */
  content: { kind: 'text', label: '内容', in: ['row'] },
  code: { kind: 'text', label: '服务代码', in: ['row', 'log'] },
  groupName: { kind: 'text', label: '服务分类', in: ['log'] },
  serviceUnit: { kind: 'word', label: '计价方式', words: UNIT_NAMES, nullable: true, in: ['row', 'log'] },
  headOnly: { kind: 'flag', label: '仅总店可购买', in: ['row', 'edit', 'log'] },
  pieces: { kind: 'count', label: '条数', unit: '条', nullable: true, in: ['row', 'log'] },
  cents: { kind: 'money', label: '现价', unitIn: 'unit', nullable: true, none: '未定价', in: ['row'] },
  /** The row's own: stands behind its price. */
  unit: { kind: 'text', label: '单位', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: VERSION_STATES,
    tones: { sold: 'done', unpriced: 'attention', renewed: 'attention', retired: 'neutral' },
    in: ['row'],
  },
  /** Of a service. */
  shops: { kind: 'count', label: '使用商户', unit: '家', nullable: true, none: '—', in: ['row'] },
  enabled: { kind: 'flag', label: '在售', in: ['row', 'log'] },
  /** Of a yearly service: what shops that have it may still do. */
  renewable: { kind: 'flag', label: '停售后可续费', in: ['log'] },
  renewUntil: { kind: 'instant', label: '续费截止', nullable: true, none: '', in: ['row', 'log'] },
  position: { kind: 'count', label: '排序', in: ['row', 'edit', 'log'] },
  remark: {
    kind: 'text',
    label: '说明',
    max: LIMITS.remark,
    in: ['row', 'edit', 'log'],
    control: { as: 'lines', counted: true, rows: 2, placeholder: '选填，显示在购买页面' },
  },
} as const satisfies Fields

export const ITEMS = list({
  key: 'catalogue.items',
  title: '服务与套餐',
  fields: ITEM_FIELDS,
  columns: {
    name: {
      title: '名称 / 内容',
      width: 232,
      fixed: 'start',
      card: 'title',
      opens: true,
      below: ['content'],
    },
    itemKind: { width: 104, card: 'fact' },
    cents: { width: 160, card: 'amount' },
    state: { title: '状态 / 续费截止', width: 112, card: 'fact', below: ['renewUntil'] },
    shops: { width: 112, card: 'fact' },
    position: { width: 72 },
    code: { hidden: true, width: 152 },
    remark: { hidden: true, width: 232 },
  },
  search: '名称',
  filters: { itemKind: byWord(ITEM_FIELDS.itemKind), state: byWord(ITEM_FIELDS.state) },
  empty: '没有这样的服务或套餐',
})

export const GROUP_FIELDS = {
  id: { kind: 'id', label: '分类编号', in: ['row'] },
  name: {
    kind: 'text',
    label: '分类名称',
    max: LIMITS.name,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', required: true },
  },
  remark: {
    kind: 'text',
    label: '分类说明',
    max: LIMITS.remark,
    in: ['row', 'edit', 'log'],
    control: { as: 'text', counted: true },
  },
  position: {
    kind: 'count',
    label: '排序',
    max: LIMITS.positionMax,
    in: ['row', 'edit', 'log'],
    control: { as: 'number', hint: '小的排在前面' },
  },
} as const satisfies Fields

export const GROUP = fieldsIn(GROUP_FIELDS, 'edit')

/** In which order it is shown, as it is typed. */
const position = {
  kind: 'text',
  label: FUNCTION_FIELDS.position.label,
  control: { as: 'own', first: '0' },
} as const

const firstPrice = (term: 'year' | 'month' | 'lifetime') =>
  ({
    kind: 'text',
    label: `${partName('version', term)}价格`,
    control: { as: 'text', inputMode: 'decimal' },
  }) as const

/** A version, and the first prices of a new one as they are typed; who sells it and what it can do are the page's own. */
export const VERSION = {
  name: VERSION_FIELDS.name,
  code: VERSION_FIELDS.code,
  pricingRule: {
    ...VERSION_FIELDS.pricingRule,
    control: { as: 'own', required: true, first: 'perShopYear' },
  },
  buyCode: { ...VERSION_FIELDS.buyCode, control: { as: 'own', required: true, first: 4 } },
  renewCode: { ...VERSION_FIELDS.renewCode, control: { as: 'own', required: true, first: 1 } },
  position,
  'price-year': firstPrice('year'),
  'price-month': firstPrice('month'),
  'price-lifetime': firstPrice('lifetime'),
  remark: VERSION_FIELDS.remark,
  offeredOnAdd: { ...VERSION_FIELDS.offeredOnAdd, control: { as: 'switch', first: true } },
  offeredOnChange: { ...VERSION_FIELDS.offeredOnChange, control: { as: 'switch', first: true } },
  isPack: { ...VERSION_FIELDS.isPack, control: { as: 'switch' } },
  sellers: { ...VERSION_FIELDS.sellers, control: { as: 'choice', first: 'all' } },
} as const satisfies Fields

/** A service or a package, and its first price; numbers and amounts as they are typed. */
export const ITEM = {
  itemKind: { ...ITEM_FIELDS.itemKind, control: { as: 'choice', first: 'service' } },
  name: ITEM_FIELDS.name,
  groupId: { kind: 'id', label: ITEM_FIELDS.groupName.label, nullable: true, control: { as: 'own' } },
  code: {
    ...ITEM_FIELDS.code,
    control: { as: 'own', hint: '小写字母、数字和短横线，收银软件按它开通' },
  },
  serviceUnit: {
    kind: 'word',
    label: ITEM_FIELDS.serviceUnit.label,
    words: UNIT_NAMES,
    control: { as: 'choice', first: 'year' },
  },
  pieces: { kind: 'text', label: ITEM_FIELDS.pieces.label, control: { as: 'own' } },
  priceCents: { kind: 'text', label: '价格', control: { as: 'own' } },
  position,
  headOnly: { ...ITEM_FIELDS.headOnly, control: { as: 'switch' } },
  remark: ITEM_FIELDS.remark,
} as const satisfies Fields

/** Of something that is sold no more: whether those who have it may renew it, and until which day. */
export const RENEWAL = {
  renewable: { kind: 'flag', label: '现有商户仍可续费', control: { as: 'switch', first: true } },
  renewUntil: {
    kind: 'day',
    label: '续费截止日期',
    nullable: true,
    control: { as: 'own', hint: '留空为一直可以续费；当天仍可续费' },
  },
} as const satisfies Fields
