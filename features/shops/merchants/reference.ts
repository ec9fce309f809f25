// Industries and payment methods that a fresh database starts with (D1 §6, §9; D2 §3, §9; D3 §3).
import type { ConfigField } from './tables.ts'

export const INDUSTRIES = [
  '综合行业',
  '餐饮美食',
  '商超零售',
  '美容美发',
  '服装鞋帽',
  '3C数码',
  '汽车服务',
  '娱乐场所',
  '生活服务',
  '母婴用品',
].map((name, position) => ({ id: position + 1, name, position }))

const field = (key: string, label: string, secret = false): ConfigField => ({
  key,
  label,
  required: true,
  secret,
})
const merchantNo = field('mercId', '商户编号')
const signKey = field('signKey', '签名密钥', true)

type Method = { id: number; name: string; fields: ConfigField[]; offeredToAll: boolean }

/** The documents number the methods 0 to 17. */
const METHODS: Method[] = [
  { id: 0, name: '默认支付', fields: [], offeredToAll: true },
  { id: 1, name: '官方直连', fields: [field('mch_id', '商户号')], offeredToAll: true },
  { id: 2, name: '服务商支付', fields: [field('mch_id', '子商户号')], offeredToAll: true },
  { id: 3, name: '聚合支付一', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 4, name: '聚合支付二', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 5, name: '聚合支付三', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 6, name: '海付', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 7, name: '钱付', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 8, name: '代理商服务商支付', fields: [merchantNo, signKey], offeredToAll: false },
  {
    id: 9,
    name: '机构收单',
    fields: [field('mch_id', '商户编号'), field('org_code', '机构编号'), field('store_id', '门店编号')],
    offeredToAll: false,
  },
  {
    id: 10,
    name: '商户密钥收单',
    fields: [
      field('merchantId', '商户编号'),
      field('secret', '商户密钥', true),
      { key: 'miniProgramAppId', label: '小程序AppId', required: false, secret: false },
    ],
    offeredToAll: false,
  },
  { id: 11, name: '收单渠道十一', fields: [merchantNo, signKey], offeredToAll: false },
  {
    id: 12,
    name: '终端收单',
    fields: [field('trmNo', '终端号'), field('ShopNo', '商户号')],
    offeredToAll: false,
  },
  { id: 15, name: '平台入网', fields: [merchantNo], offeredToAll: false },
  { id: 16, name: '收单渠道十六', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 17, name: '收单渠道十七', fields: [merchantNo, signKey], offeredToAll: false },
  { id: 13, name: '随行付天阙', fields: [field('mno', '商户编号')], offeredToAll: false },
]

export const PAYMENT_METHODS = METHODS.map(({ id, name, fields }, position) => ({
  id,
  name,
  fields,
  position,
}))

/** Agent 0 stands for all. */
export const OFFERED_METHODS = METHODS.filter(({ offeredToAll }) => offeredToAll).map(({ id }) => ({
  agentId: 0,
  paymentMethodId: id,
}))
