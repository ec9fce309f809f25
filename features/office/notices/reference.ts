// Texts of notices that the operator may word: titles, bodies and what is filled into them. Notices of money, of the account's
// security and of what people wrote themselves are the program's own words.
import { placeholder as at, filled, type Placeholder } from '#kit/words/placeholders.ts'

export const NOTICE_TEXT_KEYS = [
  'token-low',
  'sms-low',
  'expiring',
  'shop-moved-out',
  'shop-moved-in',
  'suspended',
  'resumed',
  'api-key-ending',
] as const
export type NoticeTextKey = (typeof NOTICE_TEXT_KEYS)[number]

type Text = { name: string; title: string; body: string; variables: Placeholder[] }

const SHOP = { name: 'shop', label: '商户' }
const COMPANY = { name: 'company', label: '对方公司' }

const TEXTS: Record<NoticeTextKey, Text> = {
  'token-low': {
    name: '代币余额提醒',
    title: '代币余额不足',
    body: `当前余额 ${at('balance')} 代币，已低于您设置的提醒值，请及时充值。`,
    variables: [{ name: 'balance', label: '余额' }],
  },
  'sms-low': {
    name: '短信余额提醒',
    title: '短信余额不足',
    body: `当前短信余额 ${at('balance')} 条，已低于您设置的提醒值，请及时充值。`,
    variables: [{ name: 'balance', label: '余额' }],
  },
  expiring: {
    name: '商户到期提醒',
    title: '商户即将到期',
    body: `${at('days')} 天内有 ${at('count')} 家商户到期，请及时续费。`,
    variables: [
      { name: 'days', label: '天数' },
      { name: 'count', label: '家数' },
    ],
  },
  'shop-moved-out': {
    name: '商户转出',
    title: '商户已转出',
    body: `${at('shop')} 已转给 ${at('company')}，不再由您服务`,
    variables: [SHOP, COMPANY],
  },
  'shop-moved-in': {
    name: '商户转入',
    title: '商户已转入',
    body: `${at('shop')} 已由 ${at('company')} 转给您`,
    variables: [SHOP, COMPANY],
  },
  suspended: {
    name: '暂停合作',
    title: '公司已被暂停',
    body: `原因：${at('reason')}。可以查看和导出，不能购买或修改。`,
    variables: [{ name: 'reason', label: '原因' }],
  },
  resumed: { name: '恢复合作', title: '公司已恢复使用', body: '可以照常购买和修改。', variables: [] },
  'api-key-ending': {
    name: '接口密钥到期',
    title: '接口密钥即将到期',
    body: `接口密钥「${at('key')}」${at('day')}到期，之后使用它的程序不能再访问。请延长到期日，或新建密钥并替换。`,
    variables: [
      { name: 'key', label: '密钥名称' },
      { name: 'day', label: '到期日' },
    ],
  },
}

/** What a fresh database starts with. */
export const NOTICE_TEXTS = NOTICE_TEXT_KEYS.map((key, position) => ({ key, ...TEXTS[key], position }))

/** As the program words it until the operator does. */
export function firstText(key: NoticeTextKey, values: Readonly<Record<string, string>>) {
  const { title, body } = TEXTS[key]
  return { title, body: filled(body, values) }
}
