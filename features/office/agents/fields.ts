// What an agent's fields are.
import type { Fields } from '#kit/declare/fields.ts'
import { AGENT_STATUSES, AGENT_TONES } from './rules.ts'

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
  status: { kind: 'word', label: '状态', words: AGENT_STATUSES, tones: AGENT_TONES },
  payEnabled: { kind: 'flag', label: '在线收款' },
  createdAt: { kind: 'instant', label: '创建时间' },
  contractTo: { kind: 'day', label: '合同结束', nullable: true, none: '未约定' },
} as const satisfies Fields

/** What an agency says of itself. */
export const AGENT_PROFILE_FIELDS = {
  contactName: {
    kind: 'text',
    label: '联系人',
    max: 20,
    in: ['edit', 'log'],
    control: { as: 'text', required: true },
  },
  telephone: {
    kind: 'phone',
    label: '电话',
    max: 20,
    in: ['edit', 'log'],
    control: { as: 'text', placeholder: '区号-号码', inputMode: 'tel' },
  },
  /** Province, city and district by its six digits; empty: none. */
  districtCode: { kind: 'digits', label: '所在地区', max: 6, in: ['edit'] },
  address: {
    kind: 'text',
    label: '地址',
    max: 100,
    in: ['edit', 'log'],
    control: { as: 'text', placeholder: '街道、门牌号' },
  },
  domainLabel: { kind: 'text', label: '域名', max: 30, nullable: true, none: '未设置', in: ['log'] },
  hotline: {
    kind: 'phone',
    label: '服务热线',
    max: 20,
    in: ['edit', 'log'],
    control: { as: 'text', inputMode: 'tel' },
  },
  qq: {
    kind: 'digits',
    label: 'QQ',
    max: 12,
    in: ['edit', 'log'],
    control: { as: 'text', inputMode: 'numeric' },
  },
  wechat: {
    kind: 'text',
    label: '微信',
    max: 40,
    in: ['edit', 'log'],
    control: { as: 'text' },
  },
  logoId: { kind: 'text', label: '公司标志', nullable: true },
} as const satisfies Fields
