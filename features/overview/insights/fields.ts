// What the ranking of agents and the list of renewed terms show. Words stand in rules.ts.
import { PAST_DAYS } from '#features/money/ledger/fields.ts'
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { PERIODS, SALES_PARTS } from '#features/sales/settlement/rules.ts'
import { MERCHANT_FIELDS, SHOP_FILTERS } from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { IDLE_DAYS, SPENDING_DAYS } from './rules.ts'

const SALES = { kind: 'money', unit: '代币', in: ['row'] } as const
const PERCENT = { kind: 'money', unit: '%', nullable: true, none: '—', in: ['row'] } as const
const SHOPS = { kind: 'count', unit: '家', in: ['row'] } as const

export const RANKING_FIELDS = {
  id: { ...AGENT_FIELDS.id, in: ['row'] },
  companyName: { ...AGENT_FIELDS.companyName, in: ['row'] },
  levelName: { ...AGENT_FIELDS.levelName, in: ['row'] },
  parentName: { kind: 'text', label: '上级', none: '', in: ['row'] },
  salesCents: { ...SALES, label: '销售额' },
  beforeCents: { ...SALES, label: '上期销售额' },
  growth: { ...PERCENT, label: '增长' },
  versionCents: { ...SALES, label: SALES_PARTS.version.name },
  serviceCents: { ...SALES, label: SALES_PARTS.service.name },
  smsCents: { ...SALES, label: SALES_PARTS.sms.name },
  renewalRate: { ...PERCENT, label: '续费率' },
  renewed: { ...SHOPS, label: '已续费' },
  lapsed: { ...SHOPS, label: '到期未续' },
  tokenCents: { kind: 'money', label: '余额', unit: '代币', in: ['row'] },
  smsPieces: { kind: 'count', label: '短信', unit: '条', in: ['row'] },
  shopSms: { kind: 'count', label: '商户短信', unit: '条', in: ['row'] },
  spentCents: { kind: 'money', label: '近期消耗', unit: '代币', in: ['row'] },
  daysLeft: { kind: 'count', label: '可用天数', unit: '天', nullable: true, none: '—', in: ['row'] },
  shops: { ...SHOPS, label: '商户' },
  boughtOn: { kind: 'day', label: '最近购买', nullable: true, none: '从未', in: ['row'] },
  idleDays: { kind: 'count', label: '未购天数', unit: '天', nullable: true, none: '—', in: ['row'] },
  period: { kind: 'word', label: '统计周期', words: PERIODS },
} as const satisfies Fields

export const RANKING = list({
  key: 'insights.partners',
  title: '代理商排行',
  fields: RANKING_FIELDS,
  columns: {
    companyName: { width: 160, fixed: 'start', card: 'title', below: ['levelName'] },
    salesCents: { width: 112, card: 'amount', below: ['beforeCents'] },
    growth: { width: 88, card: 'fact' },
    versionCents: { width: 112 },
    serviceCents: { width: 104 },
    smsCents: { width: 120 },
    renewalRate: { width: 96, card: 'fact', below: ['lapsed'] },
    tokenCents: { width: 112, card: 'fact', below: ['smsPieces'] },
    daysLeft: { width: 104, card: 'fact' },
    shops: { width: 80 },
    idleDays: { width: 112, card: 'fact', below: ['boughtOn'] },
    parentName: { width: 136, hidden: true },
    renewed: { hidden: true },
    spentCents: { hidden: true },
    shopSms: { hidden: true },
    id: { fileOnly: true },
  },
  search: '代理商ID / 名称',
  filters: {
    period: { ...byWord(RANKING_FIELDS.period), chip: '周期', initial: 'month' },
    /** The period that holds it, YYYY-MM. */
    month: { kind: 'text', label: '月份', linked: true },
    levelId: { kind: 'id', label: '等级' },
    parentId: { kind: 'id', label: '上级代理商', chip: '上级' },
    own: { kind: 'flag', label: '本公司', words: { true: '含本公司' } },
    idle: {
      kind: 'number',
      label: '未购买',
      choices: IDLE_DAYS.map(days => [days, `${days} 天以上未购买`] as const),
    },
    spending: {
      kind: 'number',
      label: '可用天数按',
      choices: SPENDING_DAYS.map(days => [days, `近 ${days} 天消耗`] as const),
    },
  },
  sorts: ['salesCents', 'growth', 'renewalRate', 'daysLeft', 'idleDays'],
  file: {
    path: '/insights/partners.xlsx',
    permission: 'insights.partners',
    log: '导出代理商排行',
    name: '代理商排行',
  },
  empty: '还没有代理商',
})

export const RENEWED_FIELDS = {
  id: { kind: 'id', label: '编号', in: ['row'] },
  merchantId: { ...MERCHANT_FIELDS.id, in: ['row'] },
  shopName: MERCHANT_FIELDS.shopName,
  versionName: MERCHANT_FIELDS.versionName,
  registeredAt: MERCHANT_FIELDS.registeredAt,
  /** On which the term would have ended. */
  day: { kind: 'day', label: '原到期日', in: ['row'] },
  expiresAt: { ...MERCHANT_FIELDS.expiresAt, label: '现到期时间' },
  orders: { kind: 'count', label: '续费', unit: '次', in: ['row'] },
  agentId: { ...MERCHANT_FIELDS.agentId, in: ['row'] },
  /** Whose renewal it was; the shop may be with another one now. */
  agentName: MERCHANT_FIELDS.agentName,
} as const satisfies Fields

/** Terms that were renewed, by the day on which they would have ended; each counts once, however many orders renewed it. */
export const RENEWED = list({
  key: 'insights.renewals',
  title: '已续费的期限',
  fields: RENEWED_FIELDS,
  columns: {
    shopName: { title: '店铺', width: 200, fixed: 'start', card: 'title', below: ['merchantId'] },
    day: { width: 112, card: 'fact' },
    expiresAt: { card: 'fact' },
    orders: { width: 104 },
    versionName: { width: 104, card: 'fact' },
    registeredAt: {},
    agentName: { width: 200, card: 'fact' },
  },
  filters: {
    due: { kind: 'days', label: '原到期日', presets: PAST_DAYS },
    registered: SHOP_FILTERS.registered,
    versionId: SHOP_FILTERS.versionId,
    agentId: BY_AGENT,
  },
  sorts: ['day'],
  file: {
    path: '/insights/renewals.xlsx',
    permission: 'insights.cohorts',
    log: '导出已续费的期限',
    name: '已续费的期限',
  },
  empty: '没有已续费的期限',
})

/** What is planned of a year's months, and its sum, which is spread over them; amounts as they are typed, empty: not planned. */
export function planFields(months: readonly string[]) {
  type Amount = {
    kind: 'text'
    label: string
    control: { as: 'text'; inputMode: 'decimal'; placeholder: string }
  }
  const amount = (label: string, placeholder: string): Amount => ({
    kind: 'text',
    label,
    control: { as: 'text', inputMode: 'decimal', placeholder },
  })
  const parts = months.map((month, at): [string, Amount] => [`m${at}`, amount(month, '未计划')])
  return { whole: amount('全年', '选填'), ...Object.fromEntries(parts) } as Readonly<Record<string, Amount>>
}
