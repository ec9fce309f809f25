// Owns what a change of the account that a shop's money is settled to is, what is refused of it, where it stands at its channel, and when
// the channel is asked again (issue: getting a shop paid). Must never read a clock or a database.
import { LIMITS as APPLICATION_LIMITS, type PayType } from '#features/acquiring/payment-applications/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import type { AcquirerName } from '#kit/ports/acquirers.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { ACCOUNT_CHANGES_A_DAY } from '#kit/ports/onboarding.ts'

/** Where the account is: the payment service, or an acquirer. */
export type AccountChannel = PayChannelName | AcquirerName

/** unclear: it was handed in, and no answer came. */
export const ACCOUNT_CHANGE_WORDS = {
  waiting: '提交中',
  unclear: '待确认',
  auditing: '审核中',
  done: '已生效',
  refused: '未生效',
} as const
export type AccountChangeStep = keyof typeof ACCOUNT_CHANGE_WORDS
export const ACCOUNT_CHANGE_STEP_KEYS = Object.keys(ACCOUNT_CHANGE_WORDS) as [
  AccountChangeStep,
  ...AccountChangeStep[],
]
/** Those of which one shop has one at most at a channel. */
export const OPEN = ['waiting', 'unclear', 'auditing'] as const satisfies readonly AccountChangeStep[]

export const ACCOUNT_CHANGE_STEPS = {
  /** Before the call, so that nothing is handed in twice: each counts among those of its day. */
  send: { from: ['waiting'], to: 'unclear', by: ['program'] },
  /** The channel has said that it did nothing. */
  hold: { from: ['unclear'], to: 'waiting', by: ['provider'] },
  take: { from: ['unclear'], to: 'auditing', by: ['provider'] },
  finish: { from: ['unclear', 'auditing'], to: 'done', by: ['provider'] },
  refuse: { from: ['waiting', 'unclear', 'auditing'], to: 'refused', by: ['provider'] },
} as const satisfies Machine<AccountChangeStep>

export const LIMITS = {
  claimSeconds: 300,
  atOnce: 4,
  /** Hours after which what nobody has confirmed is given up. */
  unclearHours: 24,
  /** Those that are shown. */
  shown: 5,
} as const

const BRANCH_NUMBER_DIGITS = APPLICATION_LIMITS.branchNumber

export const REFUSALS = {
  NO_SERVICE: '没有接入支付服务：厂商在服务器上设置服务商收款后再试',
  NOT_FINISHED: '支付开通后才能变更结算账户',
  CHANGE_UNDER_WAY: '上一次变更还没有结果，请等待审核',
  TOO_MANY_TODAY: `该商户今天已变更 ${ACCOUNT_CHANGES_A_DAY} 次，请明天再试`,
  ACCOUNT_KIND_WRONG: '企业只能使用对公账户',
  BANK_UNLISTED: '请从列表选择开户银行',
  NOT_CONNECTED: '该渠道没有接入接口，请到渠道后台变更',
  NOT_OPENED: '渠道开通并启用后才能变更结算账户',
  HOLDER_UNKNOWN: '实名资料里没有这个开户名称，请先填写实名资料',
  ID_NUMBER_UNKNOWN: '实名资料里没有法定代表人的身份证号码，请先填写实名资料',
  BRANCH_NUMBER_WRONG: `支行联行号为 ${BRANCH_NUMBER_DIGITS} 位数字`,
  PAPER_REQUIRED: '请上传新账户的照片',
  PAPER_OLD: '这是原账户的照片，请上传新账户的',
  PAPER_PDF: '渠道不收 PDF，请改为上传图片',
} as const

/** Why nothing may be changed now; null: it may. */
export function refuseChange({
  refusal,
  isOpen,
  today,
  mostADay,
}: {
  /** What is refused of where it belongs. */
  refusal: keyof typeof REFUSALS | null
  /** One is under way. */
  isOpen: boolean
  /** Handed in since midnight of Asia/Shanghai. */
  today: number
  /** Null: the channel names no limit. */
  mostADay: number | null
}): keyof typeof REFUSALS | null {
  if (refusal !== null) return refusal
  if (isOpen) return 'CHANGE_UNDER_WAY'
  return mostADay !== null && today >= mostADay ? 'TOO_MANY_TODAY' : null
}

/** Of an application at the payment service. */
export function refuseAtService(isFinished: boolean, isConnected: boolean): keyof typeof REFUSALS | null {
  if (!isFinished) return 'NOT_FINISHED'
  return isConnected ? null : 'NO_SERVICE'
}

/** Of an onboarding to an acquirer, whose protocol may not be spoken. */
export function refuseAtAcquirer({
  isOpened,
  isActive,
  isConnected,
}: Record<'isOpened' | 'isActive' | 'isConnected', boolean>): keyof typeof REFUSALS | null {
  if (!isOpened || !isActive) return 'NOT_OPENED'
  return isConnected ? null : 'NOT_CONNECTED'
}

/** Why an account cannot be somebody's as who the shop is known to be; its field is the kind of account. */
export function refuseHolder(
  payType: PayType,
  { holder, hasIdNumber }: { holder: string; hasIdNumber: boolean },
): 'HOLDER_UNKNOWN' | 'ID_NUMBER_UNKNOWN' | null {
  if (holder === '') return 'HOLDER_UNKNOWN'
  return payType === 'private' && !hasIdNumber ? 'ID_NUMBER_UNKNOWN' : null
}

/** Why a paper does not prove a new account. `old`: those that proved the accounts before. */
export function refusePaper(
  paper: { id: number; isPdf: boolean } | null,
  old: readonly number[],
): 'PAPER_REQUIRED' | 'PAPER_OLD' | 'PAPER_PDF' | null {
  if (paper === null) return 'PAPER_REQUIRED'
  if (paper.isPdf) return 'PAPER_PDF'
  return old.includes(paper.id) ? 'PAPER_OLD' : null
}

export const isBranchNumber = (text: string): boolean =>
  text.length === BRANCH_NUMBER_DIGITS && /^\d+$/.test(text)

export const refuseKind = (kinds: readonly PayType[], payType: PayType): 'ACCOUNT_KIND_WRONG' | null =>
  kinds.includes(payType) ? null : 'ACCOUNT_KIND_WRONG'

/** A service shows of a number how it begins and ends. */
export function isMaskOf(masked: string, number: string): boolean {
  const [begin, end] = [masked.slice(0, masked.indexOf('*')), masked.slice(masked.lastIndexOf('*') + 1)]
  return masked.includes('*') && number.startsWith(begin) && number.endsWith(end)
}

/** Seconds until the channel is asked next; null: no more. Every five minutes in the first hour, then hourly. */
export function secondsToNext(
  { state, tries, changedAt }: { state: AccountChangeStep; tries: number; changedAt: string },
  now: Date,
): number | null {
  if (state === 'waiting') return Math.min(600, 5 * 2 ** Math.min(tries, 10))
  if (state === 'done' || state === 'refused') return null
  return now.getTime() - Date.parse(changedAt) < 3_600_000 ? 300 : 3_600
}

/** Whether what was never confirmed is given up. */
export const isGivenUp = (changedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(changedAt) >= LIMITS.unclearHours * 3_600_000
