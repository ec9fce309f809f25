// Owns what partners tell the vendor and its answers (D1 §2 recent feedback, D3 §3 feedback). Must never read a clock or a database.
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

export const FEEDBACK_STATES = { open: '待回复', answered: '已回复' } as const
export type FeedbackState = keyof typeof FEEDBACK_STATES
export const FEEDBACK_STEPS = {
  answer: { from: ['open'], to: 'answered', by: ['feedback.list'] },
} as const satisfies Machine<FeedbackState>

export const FEEDBACK_LIMITS = { content: 500, answer: 500 } as const
export const FEEDBACK_PER_DAY = setting({
  key: 'feedback-per-day',
  group: '反馈与咨询',
  label: '每个账号每天反馈',
  unit: '条',
  initial: 20,
  min: 1,
  max: 200,
})
/** The purpose under which a picture of a feedback is uploaded. */
export const FEEDBACK_PICTURE = 'feedback'
export const ONE_PICTURE = '只能上传一张反馈图片'
/** Shown on the dashboard (D1 §2). */
export const RECENT_ROWS = 5

export const FEEDBACK_REFUSALS = {
  CONTENT_REQUIRED: '请输入反馈内容',
  PICTURE_UNKNOWN: '图片已失效，请重新上传',
  CONTENT_TOO_LONG: `反馈内容不能超过${FEEDBACK_LIMITS.content}字`,
  FEEDBACK_TOO_MANY: '今日反馈次数已达上限，请明天再试',
  ANSWER_REQUIRED: '请输入回复内容',
  ANSWER_TOO_LONG: `回复内容不能超过${FEEDBACK_LIMITS.answer}字`,
  ANSWERED_ALREADY: '该反馈已回复，请刷新后查看',
} as const
export type FeedbackRefusal = keyof typeof FEEDBACK_REFUSALS

/** The refusals with the number that holds. */
export function feedbackMessages(perDay: number): Record<FeedbackRefusal, string> {
  return { ...FEEDBACK_REFUSALS, FEEDBACK_TOO_MANY: `每天最多反馈 ${perDay} 条，请明天再试` }
}

/** `sentToday`: by this account, since the day began. */
export function refuseFeedback(
  content: string,
  sentToday = 0,
  perDay: number = FEEDBACK_PER_DAY.initial,
): FeedbackRefusal | null {
  const length = lengthOf(content)
  if (length === 0) return 'CONTENT_REQUIRED'
  if (length > FEEDBACK_LIMITS.content) return 'CONTENT_TOO_LONG'
  return sentToday >= perDay ? 'FEEDBACK_TOO_MANY' : null
}

export function refuseAnswer(answer: string, state: FeedbackState = 'open'): FeedbackRefusal | null {
  const length = lengthOf(answer)
  if (nextState(FEEDBACK_STEPS, state, 'answer') === null) return 'ANSWERED_ALREADY'
  if (length === 0) return 'ANSWER_REQUIRED'
  return length > FEEDBACK_LIMITS.answer ? 'ANSWER_TOO_LONG' : null
}
