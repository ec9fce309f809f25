// What an agent's fields are.
import type { Fields } from '#kit/fields.ts'

export const AGENT_FIELDS = {
  id: { kind: 'id', label: 'ID' },
  companyName: { kind: 'text', label: '代理商' },
  levelName: { kind: 'text', label: '等级' },
  discountBasisPoints: { kind: 'text', label: '折扣' },
  tokenBalanceCents: { kind: 'money', label: '余额', unit: '代币' },
  smsBalance: { kind: 'count', label: '短信余额', unit: '条' },
  merchantCount: { kind: 'count', label: '商户', unit: '家' },
  contactName: { kind: 'text', label: '联系人' },
  mobile: { kind: 'phone', label: '手机' },
  parentName: { kind: 'text', label: '上级', nullable: true },
  enabled: { kind: 'flag', label: '状态' },
  createdAt: { kind: 'instant', label: '创建时间' },
} as const satisfies Fields
