// Owns what becomes of what is known of a person who asks to be forgotten: the kinds of it, what goes, what is masked, what stays and why,
// and the states of a request (docs/decisions/0091). Must never read a clock or a database.
import type { Machine } from '#kit/declare/machine.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { refuseIdNumber } from '#kit/words/id-number.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'

/** looking: what is known is looked for. running: it goes, kind by kind. */
export const ERASURE_STATES = {
  looking: '查找中',
  found: '待提交',
  asked: '待复核',
  running: '删除中',
  done: '已完成',
  withdrawn: '已取消',
} as const
export type ErasureState = keyof typeof ERASURE_STATES
const manage = 'personErasures.manage'
export const ERASURE_STEPS = {
  find: { from: ['looking'], to: 'found', by: ['program'] },
  ask: { from: ['found'], to: 'asked', by: [manage] },
  /** Where there is no second operator. */
  begin: { from: ['found'], to: 'running', by: [manage] },
  approve: { from: ['asked'], to: 'running', by: [manage] },
  reject: { from: ['asked'], to: 'found', by: [manage] },
  withdraw: { from: ['looking', 'found', 'asked'], to: 'withdrawn', by: [manage] },
  finish: { from: ['running'], to: 'done', by: ['program'] },
} as const satisfies Machine<ErasureState>
export type ErasureStep = keyof typeof ERASURE_STEPS

/** How the person asked. */
export const CHANNELS = { phone: '电话', letter: '书面', email: '邮件', visit: '当面' } as const
export type Channel = keyof typeof CHANNELS

/** Kinds of what is known, in the order in which they are told. */
export const KINDS = {
  accounts: '登录账号',
  access: '账号的登录、设备与个人设置',
  agencies: '代理商联系人',
  applications: '合作申请',
  shops: '店铺联系人',
  identities: '法人与负责人',
  papers: '证件资料',
  acquiring: '支付与小程序申请',
  hardware: '硬件订单收货人',
  messages: '短信与验证码',
  feedback: '反馈',
  consultations: '官网咨询',
  authorship: '经办人姓名',
  texts: '其他记录中的文字',
  log: '操作日志中的文字',
  archives: '操作日志归档中的文字',
  books: '账簿与价格记录',
} as const
export type Kind = keyof typeof KINDS
export const KIND_KEYS = Object.keys(KINDS) as [Kind, ...Kind[]]

export const FATES = { goes: '删除', masked: '抹除', stays: '保留' } as const
export type Fate = keyof typeof FATES
export const FATE_KEYS = Object.keys(FATES) as [Fate, ...Fate[]]

/** Why something stays. */
export const REASONS = {
  books: '会计凭证和账簿须保存（会计法第二十三条），且不能更改',
  prices: '价格与折扣的依据，写入后不能更改',
  realName: '店铺仍在使用，实名资料须保留；店铺停用或到期后可再次申请',
  acquirer: '店铺仍在使用，支付机构要求保留进件资料；店铺停用或到期后可再次申请',
  delivery: '订单尚未完成，收货后可再次申请',
  sending: '短信尚未发完，发完后可再次申请',
  others: '号码仍由他人使用，与本人无关的记录不处理',
} as const
export type Reason = keyof typeof REASONS
/** The same in a cell of a paper, which says them whole below. */
export const REASON_TITLES: Record<Reason, string> = {
  books: '会计法',
  prices: '价格依据',
  realName: '实名制',
  acquirer: '支付机构要求',
  delivery: '订单未完成',
  sending: '短信未发完',
  others: '号码由他人使用',
}

/** What has to be dealt with before. */
export const BLOCKS = {
  owner: '是代理商的负责人，请先更换负责人',
  contract: '代理商仍在合作，请先把联系人和电话改为他人',
  shopAccount: '手机号是店铺的登录账号，请先修改店铺账号',
} as const
export type Block = keyof typeof BLOCKS

/** By what a row was found. */
export const MATCHES = { phone: '手机号', name: '姓名', idNumber: '身份证号' } as const
export type Match = keyof typeof MATCHES
export const MATCH_KEYS = Object.keys(MATCHES) as [Match, ...Match[]]

/** What stands in the place of a name, or of a number in a text. */
export const ERASED = '已删除'
/** A shorter name is found nowhere but in fields of its own. */
export const NAME_LEAST = 2
export const LIMITS = { name: 40, reason: 200, itemsShown: 500 } as const

export const LOOK_REFUSALS = {
  PHONE_REQUIRED: '请输入手机号',
  PHONE_FORMAT: '手机号格式有误',
  NAME_TOO_LONG: `姓名不得超过${LIMITS.name}字`,
  ID_NUMBER_WRONG: '身份证号码有误，请逐位核对',
  ALREADY_OPEN: '该手机号已有未完成的申请，请先办理',
} as const
export type LookRefusal = keyof typeof LOOK_REFUSALS

export const STEP_REFUSALS = {
  STEP_NOT_NOW: '当前状态不能进行该操作，请刷新后查看',
  REASON_REQUIRED: '请输入原因',
  REASON_TOO_LONG: `原因不得超过${LIMITS.reason}字`,
  ASKED_ON_REQUIRED: '请选择本人提出的日期',
  ASKED_ON_LATER: '本人提出的日期不能晚于今天',
  CHANNEL_REQUIRED: '请选择提出方式',
  NOTHING_CHOSEN: '请先勾选属于本人的记录',
  BLOCKED: '仍有事项须先处理，请查看列表中的说明',
  NOT_CHOOSABLE: '该记录不能勾选，请刷新后查看',
  OWN_REQUEST: '提交人不能复核自己的申请，请由其他运营人员复核',
} as const
export type StepRefusal = keyof typeof STEP_REFUSALS

export type Keys = { phone: string; name: string; idNumber: string }

/** First broken rule of what is looked for, with its field, or null. */
export function refuseLook(
  { phone, name, idNumber }: Keys,
  today: string,
): { field: keyof Keys; code: LookRefusal } | null {
  if (phone === '') return { field: 'phone', code: 'PHONE_REQUIRED' }
  if (!isMainlandMobile(phone)) return { field: 'phone', code: 'PHONE_FORMAT' }
  if (lengthOf(name) > LIMITS.name) return { field: 'name', code: 'NAME_TOO_LONG' }
  if (idNumber !== '' && refuseIdNumber(idNumber, today))
    return { field: 'idNumber', code: 'ID_NUMBER_WRONG' }
  return null
}

export function refuseStep(state: ErasureState, step: ErasureStep): StepRefusal | null {
  const { from }: { from: readonly ErasureState[] } = ERASURE_STEPS[step]
  return from.includes(state) ? null : 'STEP_NOT_NOW'
}

export function refuseReason(reason: string): 'REASON_REQUIRED' | 'REASON_TOO_LONG' | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** First broken rule of a request, with its field, or null. */
export function refuseAsk(
  asked: { reason: string; askedOn: string | null; channel: Channel | null },
  today: string,
): { field: 'reason' | 'askedOn' | 'channel'; code: StepRefusal } | null {
  if (asked.askedOn === null) return { field: 'askedOn', code: 'ASKED_ON_REQUIRED' }
  if (asked.askedOn > today) return { field: 'askedOn', code: 'ASKED_ON_LATER' }
  if (asked.channel === null) return { field: 'channel', code: 'CHANNEL_REQUIRED' }
  const code = refuseReason(asked.reason)
  return code ? { field: 'reason', code } : null
}

/** What of a list is to be erased and cannot yet be, or null. */
export function refuseItems(
  items: readonly { chosen: boolean; fate: Fate; block: Block | null }[],
): StepRefusal | null {
  const chosen = items.filter(item => item.chosen && item.fate !== 'stays')
  if (chosen.length === 0) return 'NOTHING_CHOSEN'
  return chosen.some(({ block }) => block !== null) ? 'BLOCKED' : null
}

/** Only the first and the last letter: 王*明, 李*. */
export function maskName(name: string): string {
  const letters = [...name]
  if (letters.length <= 1) return letters.length === 0 ? '' : '*'
  const last = letters.length > 2 ? letters.at(-1) : ''
  return `${letters[0]}${'*'.repeat(Math.max(1, letters.length - 2))}${last}`
}
