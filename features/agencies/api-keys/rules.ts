// Owns what an API key may be: its name, verbs, addresses, term and limit, how it ends, and who may touch it (issue "API keys").
// Must never read a clock or a database, and never see a token.

import { deedText } from '#features/agencies/team/rules.ts'
import { addDays } from '#kit/time.ts'
import { parseNetwork } from '#kit/words/addresses.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

export const LIMITS = {
  name: 20,
  /** Keys of an agency that work. */
  keys: 20,
  addresses: 20,
  /** The longest term, and what is offered at first. */
  days: 366,
  daysAtFirst: 90,
} as const

/** Calls a minute: so many tokens a bucket holds, and so many come in again each minute. */
export const RATES = {
  60: '每分钟 60 次',
  120: '每分钟 120 次',
  300: '每分钟 300 次',
  600: '每分钟 600 次',
  3000: '每分钟 3,000 次',
  12000: '每分钟 12,000 次',
} as const
export const RATE_AT_FIRST = 120
export const isRate = (perMinute: number) => Object.hasOwn(RATES, perMinute)

/** What a call is told of its bucket after it took a token, or found none; seconds are whole, and never too few. */
export function leftOf({ tokens, isTaken }: { tokens: number; isTaken: boolean }, perMinute: number) {
  const perSecond = perMinute / 60
  return {
    remaining: isTaken ? Math.max(0, Math.floor(tokens)) : 0,
    fullInS: Math.ceil((perMinute - tokens) / perSecond),
    retryInS: isTaken ? null : Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  }
}

/** How long the token before goes on working once another was given, and the secret of a webhook before on signing; in hours. */
export const OVERLAPS = { 0: '立即停用旧密钥', 1: '1 小时', 24: '1 天', 168: '7 天' } as const
export const OVERLAP_AT_FIRST = 24
export const isOverlap = (hours: number) => Object.hasOwn(OVERLAPS, hours)

/** Its maker is told so many days before it ends. */
export const WARN_DAYS = [7, 1] as const
export const SOON_DAYS = 7

/** By hand, or with the account that made it, or with its agency. */
export type EndedBy = 'hand' | 'maker' | 'agency'

export const STATES = {
  active: '有效',
  expiring: '即将到期',
  expired: '已过期',
  ended: '已撤销',
  orphaned: '创建人已停用',
  suspended: '代理商已停用',
} as const
export type KeyState = keyof typeof STATES

export const KEY_REFUSALS = {
  KEY_NAME_REQUIRED: '请输入密钥名称',
  KEY_NAME_TOO_LONG: `密钥名称不得超过${LIMITS.name}字`,
  KEY_NAME_SYMBOLS: '请勿输入特殊字符',
  KEY_NAME_TAKEN: '已有同名的密钥，请换一个名称',
  VERBS_REQUIRED: '请选择至少一项权限',
  VERBS_BEYOND: '不能授予自己没有的权限',
  VERBS_CLOSED: '所选权限中有程序不能使用的操作',
  ADDRESS_FORMAT: '地址须为 IP 或网段，如 203.0.113.7 或 203.0.113.0/24，每行一个',
  ADDRESSES_TOO_MANY: `最多填写 ${LIMITS.addresses} 个地址`,
  EXPIRY_PAST: '到期日不能早于今天',
  EXPIRY_TOO_LATE: '有效期最长一年',
  RATE_UNKNOWN: '请选择调用上限',
  OVERLAP_UNKNOWN: '请选择旧密钥的保留时间',
  KEYS_FULL: `每个公司最多 ${LIMITS.keys} 个有效密钥，请先撤销不用的密钥`,
  KEY_OVER: '该密钥已失效，请新建密钥',
  KEY_OTHERS: '只能修改自己创建的密钥',
  NO_PREVIOUS: '没有仍然有效的旧密钥',
} as const
export type KeyRefusal = keyof typeof KEY_REFUSALS

export type KeyForm = {
  name: string
  nodeIds: readonly number[]
  addresses: readonly string[]
  perMinute: number
  /** The last day on which it works, in Shanghai. */
  expiresOn: string
}

export type Broken = { field: keyof KeyForm; code: KeyRefusal }

/** Broken rules of a key's form in its order; `today` is Shanghai's. A day that it has already may stay. */
export function brokenKey(form: KeyForm, today: string, before?: { expiresOn: string }): Broken[] {
  const broken: Broken[] = []
  const name = form.name.trim()
  if (name === '') broken.push({ field: 'name', code: 'KEY_NAME_REQUIRED' })
  else if ([...name].length > LIMITS.name) broken.push({ field: 'name', code: 'KEY_NAME_TOO_LONG' })
  else if (!isPlainText(name)) broken.push({ field: 'name', code: 'KEY_NAME_SYMBOLS' })
  if (form.expiresOn !== before?.expiresOn) {
    if (form.expiresOn < today) broken.push({ field: 'expiresOn', code: 'EXPIRY_PAST' })
    else if (form.expiresOn > addDays(today, LIMITS.days))
      broken.push({ field: 'expiresOn', code: 'EXPIRY_TOO_LATE' })
  }
  if (!isRate(form.perMinute)) broken.push({ field: 'perMinute', code: 'RATE_UNKNOWN' })
  if (form.addresses.length > LIMITS.addresses)
    broken.push({ field: 'addresses', code: 'ADDRESSES_TOO_MANY' })
  else if (!form.addresses.every(address => parseNetwork(address)))
    broken.push({ field: 'addresses', code: 'ADDRESS_FORMAT' })
  if (form.nodeIds.length === 0) broken.push({ field: 'nodeIds', code: 'VERBS_REQUIRED' })
  return broken
}

/** What was typed or pasted, one address a line or with commas between them. */
export function addressesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,，;；、]+/).filter(Boolean))]
}

export type KeyDeed = 'change' | 'end'

/** Why this may not be done to a key, or null: its maker alone changes what it is, and an owner too may end it. */
export function refuseTouch(
  deed: KeyDeed,
  me: { accountId: number; isOwner: boolean },
  key: { accountId: number; isOver: boolean },
): KeyRefusal | null {
  if (me.accountId !== key.accountId && !(deed === 'end' && me.isOwner)) return 'KEY_OTHERS'
  return key.isOver ? 'KEY_OVER' : null
}

/** Nothing brings one of these back. */
export const isOver = (state: KeyState) => state !== 'active' && state !== 'expiring'

/** What one right lets a program do, in a sentence. */
export function reachText(reach: { reads: boolean; files: boolean; deeds: readonly string[] }): string {
  const { reads, files, deeds } = reach
  const changes = deeds.length > 0 ? `可以${deeds.map(deedText).join('、')}` : ''
  return [reads ? '读取数据' : '', files ? '下载文件' : '', changes].filter(Boolean).join('，')
}
