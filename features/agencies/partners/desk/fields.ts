// What the operator's list of partners shows, and what stands on the page of one. Words stand in rules.ts.
import { AGENT_FIELDS } from '#features/office/agents/fields.ts'
import { AGENT_STATUSES } from '#features/office/agents/rules.ts'
import { IDLE_DAYS } from '#features/overview/insights/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'
import { LASTS_DAYS, LIMITS, PAPER_KINDS } from './rules.ts'

export const PARTNER_ROW_FIELDS = {
  ...AGENT_FIELDS,
  regionName: { kind: 'text', label: '地区', none: '' },
  /** By the spending of the last days; none: nothing was spent. */
  daysLeft: { kind: 'count', label: '可用天数', unit: '天', nullable: true, none: '—' },
  boughtOn: { kind: 'day', label: '最近购买', nullable: true, none: '从未' },
  idleDays: { kind: 'count', label: '未购天数', unit: '天', nullable: true, none: '—' },
} as const satisfies Fields

export const PARTNERS = list({
  key: 'partnerDesk.list',
  keptAs: 'agentDesk.list',
  title: '代理商',
  fields: PARTNER_ROW_FIELDS,
  columns: {
    companyName: { width: 176, fixed: 'start', card: 'title', below: ['id'] },
    levelName: { title: '等级 / 折扣', width: 96, card: 'fact', below: ['discountBasisPoints'] },
    tokenBalanceCents: { width: 112, card: 'fact' },
    daysLeft: { title: '可用（天）', width: 88, card: 'fact' },
    smsBalance: { title: '短信（条）', width: 80 },
    merchantCount: { title: '商户（家）', width: 96, card: 'fact', below: ['boughtOn'] },
    contactName: { title: '联系人 / 手机', width: 112, below: ['mobile'] },
    parentName: { title: '上级 / 地区', width: 144, below: ['regionName'] },
    status: { title: '状态 / 收款', width: 88, card: 'fact', below: ['payEnabled'] },
    createdAt: {},
    contractTo: { width: 112, hidden: true },
    idleDays: { hidden: true },
  },
  search: '代理商ID / 名称 / 联系人',
  filters: {
    status: { kind: 'word', label: '状态', words: AGENT_STATUSES },
    levelId: { kind: 'id', label: '等级' },
    parentId: { kind: 'id', label: '上级' },
    regionCode: { kind: 'id', label: '所在地区', chip: '地区' },
    lasts: {
      kind: 'number',
      label: '余额可用',
      choices: LASTS_DAYS.map(days => [days, `不足 ${days} 天`] as const),
    },
    idle: {
      kind: 'number',
      label: '未购买',
      choices: IDLE_DAYS.map(days => [days, `${days} 天以上未购买`] as const),
    },
    ending: { kind: 'flag', label: '合同', words: { true: '合同即将到期' } },
    contract: { kind: 'days', label: '合同结束', params: ['contractFrom', 'contractTo'] },
  },
  sorts: ['createdAt', 'contractTo', 'tokenBalanceCents', 'daysLeft', 'merchantCount', 'idleDays'],
  order: 'asc',
  file: {
    path: '/agents/export.xlsx',
    permission: 'partnerDesk.export',
    log: '导出代理商',
    name: '代理商',
  },
  empty: '还没有代理商',
})

/** A contract, a licence: what was signed or shown, as a picture or PDF. */
export const PAPER_FIELDS = {
  kind: {
    kind: 'word',
    label: '类型',
    words: PAPER_KINDS,
    in: ['log'],
    control: { as: 'choice', first: 'contract' },
  },
  fileId: { kind: 'text', label: '文件', nullable: true, control: { as: 'own' } },
  name: {
    kind: 'text',
    label: '资料名称',
    max: LIMITS.paperName,
    in: ['log'],
    control: { as: 'text', required: true, counted: true, placeholder: '如：2026 年合作合同' },
  },
} as const satisfies Fields

/** What staff keep in mind of a partner. */
export const NOTE = {
  text: {
    kind: 'text',
    label: '备注',
    max: LIMITS.note,
    control: {
      as: 'lines',
      required: true,
      label: '新备注',
      missing: '请输入备注',
      rows: 3,
      counted: true,
      placeholder: '如：电话沟通的内容、约定的事项。写下后不能修改，该合作伙伴看不到',
    },
  },
} as const satisfies Fields
