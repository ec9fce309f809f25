// Owns what a shop may ask the vendor's staff to approve, its states and who takes which step (D2 §2 screens 5 to 7, §4).
// Must never read a clock or a database.
import {
  LIMITS,
  REFUSALS as MERCHANT_REFUSALS,
  refuseNames,
  refuseSignature,
} from '#features/shops/merchants/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { isPlainText } from '#kit/words/plain-text.ts'

/** What is asked for, by the shop's field that it becomes. */
export const APPROVAL_KINDS = {
  signature: '短信签名',
  shopName: '店铺名称',
  memberTitle: '会员称谓',
} as const
export type ApprovalKind = keyof typeof APPROVAL_KINDS
export const APPROVAL_KIND_KEYS = Object.keys(APPROVAL_KINDS) as ApprovalKind[]

/** Who sees the requests of a kind, and so may decide about them. */
export const APPROVAL_LISTS = {
  signature: 'approvals.signatures',
  shopName: 'approvals.shopNames',
  memberTitle: 'approvals.memberTitles',
} as const

/** `reviewing` is a signature that lies with the SMS services: they decide, staff may still reject it. */
export const APPROVAL_STATES = {
  pending: '待审批',
  approved: '已通过',
  rejected: '已驳回',
  reviewing: '审核中',
  withdrawn: '已撤回',
  replaced: '已被替代',
} as const
export type ApprovalState = keyof typeof APPROVAL_STATES

export const APPROVAL_STEPS = {
  approve: { from: ['pending'], to: 'approved', by: ['approvals.decide'] },
  handIn: { from: ['pending'], to: 'reviewing', by: ['approvals.decide'] },
  accept: { from: ['reviewing'], to: 'approved', by: ['provider'] },
  decline: { from: ['reviewing'], to: 'rejected', by: ['provider'] },
  reject: { from: ['pending', 'reviewing'], to: 'rejected', by: ['approvals.decide'] },
  withdraw: { from: ['pending', 'reviewing'], to: 'withdrawn', by: ['approvals.request', 'pos.write'] },
  replace: { from: ['pending', 'reviewing'], to: 'replaced', by: ['approvals.request', 'pos.write'] },
} as const satisfies Machine<ApprovalState>
export type ApprovalStep = keyof typeof APPROVAL_STEPS

export const APPROVAL_LIMITS = {
  memberTitle: LIMITS.memberTitle,
  signature: LIMITS.signature,
  shopName: LIMITS.shopName,
  note: 100,
  reason: 50,
  advice: 100,
  /** Of one decision. */
  rows: 100,
} as const satisfies Record<ApprovalKind | 'note' | 'reason' | 'advice' | 'rows', number>

export const APPROVAL_HOURS = setting({
  key: 'approval-hours',
  group: '审批',
  label: '承诺处理时间',
  unit: '小时',
  initial: 24,
  min: 1,
  max: 240,
  hint: '提交后多久内给出结果；首页会标出已超过的申请',
})
export const REQUESTS_PER_DAY = setting({
  key: 'approval-requests-per-day',
  group: '审批',
  label: '每家商户每天提交申请',
  unit: '次',
  initial: 20,
  min: 1,
  max: 500,
})

const { SHOP_NAME_REQUIRED, SHOP_NAME_TOO_LONG, SHOP_NAME_SYMBOLS, MERCHANT_DISABLED } = MERCHANT_REFUSALS
const { SIGNATURE_REQUIRED, SIGNATURE_TOO_LONG, SIGNATURE_TOO_SHORT, SIGNATURE_SYMBOLS, SIGNATURE_DIGITS } =
  MERCHANT_REFUSALS
export const REQUEST_REFUSALS = {
  SHOP_NAME_REQUIRED,
  SHOP_NAME_TOO_LONG,
  SHOP_NAME_SYMBOLS,
  SIGNATURE_REQUIRED,
  SIGNATURE_TOO_LONG,
  SIGNATURE_TOO_SHORT,
  SIGNATURE_SYMBOLS,
  SIGNATURE_DIGITS,
  MEMBER_TITLE_REQUIRED: '请输入会员称谓',
  MEMBER_TITLE_TOO_LONG: `会员称谓不得超过${APPROVAL_LIMITS.memberTitle}字`,
  MEMBER_TITLE_SYMBOLS: '会员称谓请勿输入特殊字符',
  NOTE_TOO_LONG: `申请说明不得超过${APPROVAL_LIMITS.note}字`,
  CONTENT_UNCHANGED: '与当前使用的相同，无需申请',
  ASKED_ALREADY: '相同的申请正在审批，请等待结果',
  REQUESTS_TOO_MANY: '该商户今天提交的申请过多，请明天再试',
  PICTURE_UNKNOWN: '图片已失效，请重新上传',
  MERCHANT_DISABLED,
} as const
export type RequestRefusal = keyof typeof REQUEST_REFUSALS

export const DECISION_REFUSALS = {
  REASON_REQUIRED: '请选择或填写驳回原因',
  REASON_TOO_LONG: `驳回原因不得超过${APPROVAL_LIMITS.reason}字`,
  ADVICE_TOO_LONG: `给商户的建议不得超过${APPROVAL_LIMITS.advice}字`,
} as const
export type DecisionRefusal = keyof typeof DECISION_REFUSALS

/** Told in the request's own row, where another of the staff could decide. */
export const OWN_REQUEST = '不能审批自己提交的申请，请由另一位工作人员审批'
export const REQUEST_UNKNOWN = '该申请不存在，或不在您可审批的范围内'

export const WITHDRAW_REFUSALS = {
  DECIDED_ALREADY: '该申请已有结果，不能撤回',
  ENDED_ALREADY: '该申请已结束，不能撤回',
} as const

/** What a shop's field may be, by the rules that a save of it has. */
export function refuseContent(kind: ApprovalKind, content: string): RequestRefusal | null {
  const text = content.trim()
  switch (kind) {
    case 'shopName': {
      const code = refuseNames({ shopName: text, shortName: '店', personName: '人' })?.code
      return (code as RequestRefusal | undefined) ?? null
    }
    case 'signature':
      return refuseSignature(text)
    case 'memberTitle':
      if (text === '') return 'MEMBER_TITLE_REQUIRED'
      if ([...text].length > APPROVAL_LIMITS.memberTitle) return 'MEMBER_TITLE_TOO_LONG'
      return isPlainText(text) ? null : 'MEMBER_TITLE_SYMBOLS'
  }
}

export type AskedRequest = { kind: ApprovalKind; content: string; note: string }

/** The broken rules of a request, one for a field, in its order. */
export function brokenIn({
  kind,
  content,
  note,
}: AskedRequest): { field: 'content' | 'note'; code: RequestRefusal }[] {
  const wrong = refuseContent(kind, content)
  return [
    ...(wrong ? [{ field: 'content' as const, code: wrong }] : []),
    ...(lengthOf(note) > APPROVAL_LIMITS.note
      ? [{ field: 'note' as const, code: 'NOTE_TOO_LONG' as const }]
      : []),
  ]
}

/** Why it need not or cannot be asked for now. `waiting`: what is asked for already, of that kind. */
export function refuseRequest(
  content: string,
  {
    standing,
    waiting,
    sentToday,
    perDay,
  }: { standing: string; waiting: string | null; sentToday: number; perDay: number },
): RequestRefusal | null {
  if (content === standing) return 'CONTENT_UNCHANGED'
  if (content === waiting) return 'ASKED_ALREADY'
  return sentToday >= perDay ? 'REQUESTS_TOO_MANY' : null
}

type Handled = { state: ApprovalState; handledByName: string }

/** Why it cannot be decided so, told to whoever came second; null where it can. */
export function undecidableText(
  { state, handledByName }: Handled,
  step: 'approve' | 'reject' = 'approve',
): string | null {
  if (nextState<ApprovalState, ApprovalStep>(APPROVAL_STEPS, state, step) !== null) return null
  switch (state) {
    case 'withdrawn':
      return '申请已撤回'
    case 'replaced':
      return '商户已提交新的申请，此申请不再处理'
    case 'reviewing':
      return '短信服务商审核中'
    default:
      return `已由${handledByName}处理（${APPROVAL_STATES[state]}）`
  }
}

export function refuseWithdraw(state: ApprovalState): keyof typeof WITHDRAW_REFUSALS | null {
  if (nextState<ApprovalState, ApprovalStep>(APPROVAL_STEPS, state, 'withdraw') !== null) return null
  return state === 'approved' || state === 'rejected' ? 'DECIDED_ALREADY' : 'ENDED_ALREADY'
}

export function refuseReason(reason: string): DecisionRefusal | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > APPROVAL_LIMITS.reason ? 'REASON_TOO_LONG' : null
}

export function refuseAdvice(advice: string): DecisionRefusal | null {
  return lengthOf(advice) > APPROVAL_LIMITS.advice ? 'ADVICE_TOO_LONG' : null
}

/** The purpose of the picture that a request brings along. */
export const APPROVAL_PICTURE = 'approval'
