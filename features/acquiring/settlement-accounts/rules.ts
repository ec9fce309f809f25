// Owns what a change of the account that a shop's money is settled to is, what is refused of it, where it stands at the payment service, and
// when the service is asked again (issue: getting a shop paid). Must never read a clock or a database.
import type { OnboardingStep } from '#features/acquiring/onboardings/rules.ts'
import type { PayType } from '#features/acquiring/payment-applications/rules.ts'
import type { Machine } from '#kit/declare/machine.ts'
import { ACCOUNT_CHANGES_A_DAY, ACCOUNT_KINDS_OF, type SubjectKind } from '#kit/ports/onboarding.ts'

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
/** Those of which one shop has one at most. */
export const OPEN = ['waiting', 'unclear', 'auditing'] as const satisfies readonly AccountChangeStep[]

export const ACCOUNT_CHANGE_STEPS = {
  /** Before the call, so that nothing is handed in twice: each counts among those of its day. */
  send: { from: ['waiting'], to: 'unclear', by: ['program'] },
  /** The service has said that it did nothing. */
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

export const REFUSALS = {
  NO_SERVICE: '没有接入支付服务，请联系运营商配置后再试',
  NOT_FINISHED: '支付开通后才能变更结算账户',
  CHANGE_UNDER_WAY: '上一次变更还没有结果，请等待支付服务审核',
  TOO_MANY_TODAY: `该商户今天已变更 ${ACCOUNT_CHANGES_A_DAY} 次，请明天再试`,
  ACCOUNT_KIND_WRONG: '企业只能使用对公账户',
  BANK_UNLISTED: '请从列表选择开户银行',
} as const

export const GIVEN_UP = '支付服务没有确认收到，结算账户没有变化，可以重新提交'

/** Why nothing may be changed now; null: it may. */
export function refuseChange({
  step,
  isConnected,
  isOpen,
  today,
}: {
  step: OnboardingStep | null
  isConnected: boolean
  /** One is under way. */
  isOpen: boolean
  /** Handed in since midnight of Asia/Shanghai. */
  today: number
}): keyof typeof REFUSALS | null {
  if (step !== 'finished') return 'NOT_FINISHED'
  if (!isConnected) return 'NO_SERVICE'
  if (isOpen) return 'CHANGE_UNDER_WAY'
  return today >= ACCOUNT_CHANGES_A_DAY ? 'TOO_MANY_TODAY' : null
}

export const refuseKind = (subject: SubjectKind, payType: PayType): 'ACCOUNT_KIND_WRONG' | null =>
  ACCOUNT_KINDS_OF[subject].includes(payType) ? null : 'ACCOUNT_KIND_WRONG'

/** The service shows of a number how it begins and ends. */
export function isMaskOf(masked: string, number: string): boolean {
  const [begin, end] = [masked.slice(0, masked.indexOf('*')), masked.slice(masked.lastIndexOf('*') + 1)]
  return masked.includes('*') && number.startsWith(begin) && number.endsWith(end)
}

/** Seconds until the service is asked next; null: no more. Every five minutes in the first hour, then hourly. */
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
