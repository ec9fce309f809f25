// What an agent's fields and the list of agents are.
import type { Fields } from '#kit/fields.ts'
import { list } from '#kit/list.ts'

export const AGENT_FIELDS = {
  id: { kind: 'id', label: 'ID' },
  companyName: { kind: 'text', label: '代理商' },
  levelName: { kind: 'text', label: '等级' },
  discountBasisPoints: { kind: 'text', label: '折扣' },
  tokenBalanceCents: { kind: 'money', label: '余额', unit: '代币' },
  smsBalance: { kind: 'count', label: '短信余额', unit: '条' },
  merchantCount: { kind: 'count', label: '商户', unit: '家' },
  contactName: { kind: 'text', label: '联系人' },
  mobile: { kind: 'digits', label: '手机' },
  parentName: { kind: 'text', label: '上级' },
  enabled: { kind: 'flag', label: '状态' },
  createdAt: { kind: 'instant', label: '创建时间' },
} as const satisfies Fields

export const AGENTS = list({
  key: 'agents.list',
  title: '代理商',
  fields: AGENT_FIELDS,
  columns: {
    id: { width: 88, fixed: 'start' },
    companyName: { width: 208, card: 'title' },
    levelName: { width: 96, card: 'fact' },
    discountBasisPoints: { width: 80 },
    tokenBalanceCents: { width: 128, card: 'fact' },
    smsBalance: { width: 120, card: 'fact' },
    merchantCount: { width: 96, card: 'fact' },
    contactName: { width: 96 },
    mobile: { width: 120 },
    parentName: { width: 120 },
    enabled: { width: 72 },
    createdAt: { width: 168 },
  },
  search: '代理商ID / 名称',
  empty: '还没有代理商',
})
