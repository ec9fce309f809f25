// What the desk of prices lists: prices, discounts, campaigns. Words stand in rules.ts.
import { BOOKS, CAMPAIGN_STATES, FIRSTS } from '#features/office/prices/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { CAMPAIGN_REFUSALS, DATED_STATES, LIMITS, STATE_TONES } from './rules.ts'

export const PRICE_FIELDS = {
  id: { kind: 'id', label: '序号', in: ['row'] },
  book: { kind: 'word', label: '价格册', words: BOOKS, in: ['row'] },
  itemName: { kind: 'text', label: '项目', in: ['row'] },
  partName: { kind: 'text', label: '计价方式', in: ['row'] },
  /** Each row's own: stands behind its amounts. */
  unit: { kind: 'text', label: '单位', in: ['row'] },
  cents: { kind: 'money', label: '现价', unitIn: 'unit', nullable: true, none: '未定价', in: ['row'] },
  nextCents: { kind: 'money', label: '下一价格', unitIn: 'unit', nullable: true, none: '—', in: ['row'] },
  nextStartsAt: { kind: 'instant', label: '生效时间', nullable: true, none: '', in: ['row'] },
  minimumCents: { kind: 'money', label: '最低价', unitIn: 'unit', nullable: true, none: '—', in: ['row'] },
} as const satisfies Fields

export const PRICES = list({
  key: 'priceDesk.prices',
  title: '价格',
  fields: PRICE_FIELDS,
  columns: {
    itemName: {
      title: '项目 / 计价方式',
      width: 208,
      fixed: 'start',
      card: 'title',
      below: ['partName'],
      opens: true,
    },
    book: { width: 112, card: 'fact' },
    cents: { width: 160, card: 'amount' },
    nextCents: { title: '下一价格 / 生效时间', width: 176, card: 'fact', below: ['nextStartsAt'] },
    minimumCents: { width: 160, card: 'fact' },
  },
  search: '项目名称',
  filters: { book: byWord(PRICE_FIELDS.book) },
  empty: '没有这样的价格',
})

export const WHOM = { level: '等级', agent: '代理商' } as const

export const DISCOUNT_FIELDS = {
  id: { kind: 'id', label: '序号', in: ['row'] },
  whom: { kind: 'word', label: '对象', words: WHOM, in: ['row'] },
  whomName: { kind: 'text', label: '等级 / 代理商', in: ['row'] },
  bookName: { kind: 'text', label: '适用价格册', in: ['row'] },
  share: { kind: 'text', label: '折扣', in: ['row'] },
  discountState: { kind: 'word', label: '状态', words: DATED_STATES, tones: STATE_TONES, in: ['row'] },
  startsAt: { kind: 'instant', label: '生效时间', in: ['row'] },
  createdByName: { kind: 'text', label: '设置人', in: ['row'] },
  createdAt: { kind: 'instant', label: '设置时间', in: ['row'] },
} as const satisfies Fields

export const DISCOUNTS = list({
  key: 'priceDesk.discounts',
  title: '折扣',
  fields: DISCOUNT_FIELDS,
  columns: {
    whomName: { width: 192, fixed: 'start', card: 'title' },
    whom: { width: 88 },
    share: { width: 120, card: 'amount' },
    bookName: { width: 144, card: 'fact' },
    discountState: { width: 96, card: 'fact' },
    startsAt: { card: 'fact' },
    createdByName: { width: 112 },
    createdAt: {},
  },
  search: '等级 / 代理商名称',
  filters: { whom: byWord(DISCOUNT_FIELDS.whom), discountState: byWord(DISCOUNT_FIELDS.discountState) },
  empty: '还没有折扣',
})

export const CAMPAIGN_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  name: { kind: 'text', label: '促销名称', in: ['row'] },
  campaignState: {
    kind: 'word',
    label: '状态',
    words: CAMPAIGN_STATES,
    tones: { coming: 'attention', running: 'done', ended: 'neutral' },
    in: ['row'],
  },
  what: { kind: 'text', label: '适用项目', in: ['row'] },
  forWhom: { kind: 'text', label: '适用对象', in: ['row'] },
  gives: { kind: 'text', label: '优惠', in: ['row'] },
  startsAt: { kind: 'instant', label: '开始时间', in: ['row'] },
  endsAt: { kind: 'instant', label: '结束时间', nullable: true, none: '长期', in: ['row'] },
  createdByName: { kind: 'text', label: '设置人', in: ['row'] },
} as const satisfies Fields

export const PRICE_CAMPAIGNS = list({
  key: 'priceDesk.campaigns',
  title: '促销',
  fields: CAMPAIGN_FIELDS,
  columns: {
    name: { width: 152, fixed: 'start', card: 'title' },
    campaignState: { width: 96, card: 'fact' },
    gives: { width: 128, card: 'fact' },
    what: { width: 152, card: 'fact' },
    forWhom: { width: 112 },
    startsAt: { card: 'fact' },
    endsAt: { card: 'fact' },
    createdByName: { width: 104 },
  },
  search: '促销名称',
  filters: { campaignState: byWord(CAMPAIGN_FIELDS.campaignState) },
  empty: '还没有促销',
})

export const LEVEL_CHANGE_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  agentName: { kind: 'text', label: '代理商', in: ['row'] },
  agentId: { kind: 'id', label: '代理商编号', in: ['row'] },
  fromLevelName: { kind: 'text', label: '原等级', in: ['row'] },
  levelName: { kind: 'text', label: '新等级', in: ['row'] },
  levelState: { kind: 'word', label: '状态', words: DATED_STATES, tones: STATE_TONES, in: ['row'] },
  startsAt: { kind: 'instant', label: '生效时间', in: ['row'] },
  createdByName: { kind: 'text', label: '设置人', in: ['row'] },
  createdAt: { kind: 'instant', label: '设置时间', in: ['row'] },
} as const satisfies Fields

export const LEVEL_CHANGES = list({
  key: 'priceDesk.levelChanges',
  title: '等级变更',
  fields: LEVEL_CHANGE_FIELDS,
  columns: {
    agentName: { title: '代理商', width: 208, fixed: 'start', card: 'title', below: ['agentId'] },
    fromLevelName: { width: 112, card: 'fact' },
    levelName: { width: 112, card: 'amount' },
    levelState: { width: 96, card: 'fact' },
    startsAt: { card: 'fact' },
    createdByName: { width: 112 },
    createdAt: {},
  },
  filters: {
    agentId: { kind: 'id', label: '代理商' },
    levelState: byWord(LEVEL_CHANGE_FIELDS.levelState),
  },
  empty: '还没有等级变更',
})

/** A level with its name, and a new one's discount. */
export const LEVEL = {
  id: { kind: 'id', label: '等级', control: { as: 'own', first: 0 } },
  name: {
    kind: 'text',
    label: '名称',
    max: LIMITS.name,
    control: { as: 'text', placeholder: '如 铂金代理' },
  },
  share: {
    kind: 'text',
    label: '折扣',
    control: { as: 'text', inputMode: 'decimal', placeholder: '如 6.5' },
  },
} as const satisfies Fields

const { recharge: _, ...DISCOUNTED } = BOOKS

/** What a level or an agent pays; whom, and from when on, is the page's own. */
export const DISCOUNT = {
  whom: { ...DISCOUNT_FIELDS.whom, control: { as: 'choice', first: 'level' } },
  book: {
    kind: 'word',
    label: DISCOUNT_FIELDS.bookName.label,
    words: { all: '软件、服务、短信', ...DISCOUNTED },
    control: { as: 'select', first: 'all' },
  },
  share: { ...DISCOUNT_FIELDS.share, control: { as: 'text', inputMode: 'decimal' } },
} as const satisfies Fields

/** A new price or minimum of an item, in its own unit. */
export const PRICE = {
  price: { kind: 'text', label: '新价格', control: { as: 'text', inputMode: 'decimal' } },
} as const satisfies Fields

export const GIVES = { share: '再打折', price: '一口价', bonus: '按比例赠送', pieces: '按条数赠送' } as const

/** What a campaign gives and until when; on what, to whom and from when on is the page's own. */
export const CAMPAIGN = {
  name: {
    ...CAMPAIGN_FIELDS.name,
    max: LIMITS.name,
    control: {
      as: 'text',
      required: true,
      missing: CAMPAIGN_REFUSALS.NAME_REQUIRED,
      placeholder: '如 双十一',
    },
  },
  book: { ...PRICE_FIELDS.book, control: { as: 'own', first: 'version' } },
  part: { ...PRICE_FIELDS.partName, control: { as: 'own' } },
  gives: {
    kind: 'word',
    label: CAMPAIGN_FIELDS.gives.label,
    words: GIVES,
    control: { as: 'own', first: 'share' },
  },
  share: { ...DISCOUNT_FIELDS.share, control: { as: 'text', inputMode: 'decimal', placeholder: '如 9' } },
  price: { kind: 'text', label: '一口价', control: { as: 'text', inputMode: 'decimal' } },
  bonus: {
    kind: 'text',
    label: '赠送',
    control: { as: 'text', inputMode: 'numeric', placeholder: '如 10，充 4,000 条送 400 条' },
  },
  bonusPieces: {
    kind: 'text',
    label: '每包赠送',
    control: { as: 'text', inputMode: 'numeric', placeholder: '如 500，每充一包送 500 条' },
  },
  firstOf: {
    kind: 'word',
    label: '限制',
    words: { every: '每次购买', ...FIRSTS },
    control: { as: 'own', first: 'every' },
  },
  endsAt: { kind: 'instant', label: CAMPAIGN_FIELDS.endsAt.label, control: { as: 'own' } },
} as const satisfies Fields
