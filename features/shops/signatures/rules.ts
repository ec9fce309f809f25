// Owns where a shop's own signature stands at each SMS service, what comes of that, and when the service is asked again.
// Must never read a clock or a database.
import type { Machine } from '#kit/declare/machine.ts'
import type { SignatureStanding, SmsProviderName } from '#kit/ports/signature-desk.ts'

export const SMS_SERVICES = { aliyun: '阿里云', tencent: '腾讯云' } as const satisfies Record<
  SmsProviderName,
  string
>

/** stuck: it cannot be handed in until somebody has mended our account there; it is tried again all the while. */
export const SIGNATURE_STATES = {
  waiting: '待提交',
  reviewing: '审核中',
  approved: '已通过',
  refused: '未通过',
  takenBack: '已被收回',
  stuck: '无法提交',
  ended: '已停止',
} as const
export type SignatureState = keyof typeof SIGNATURE_STATES
export const SIGNATURE_STATE_KEYS = Object.keys(SIGNATURE_STATES) as [SignatureState, ...SignatureState[]]

export const SIGNATURE_STEPS = {
  handIn: { from: ['waiting', 'stuck'], to: 'reviewing', by: ['program'] },
  stick: { from: ['waiting', 'stuck'], to: 'stuck', by: ['provider'] },
  lose: { from: ['reviewing'], to: 'waiting', by: ['provider'] },
  approve: {
    from: ['waiting', 'stuck', 'reviewing', 'takenBack', 'refused'],
    to: 'approved',
    by: ['provider'],
  },
  refuse: { from: ['waiting', 'stuck', 'reviewing'], to: 'refused', by: ['provider'] },
  takeBack: { from: ['approved'], to: 'takenBack', by: ['provider'] },
  begin: {
    from: ['approved', 'refused', 'takenBack', 'stuck', 'ended'],
    to: 'waiting',
    by: ['approvals.decide'],
  },
  end: { from: ['waiting', 'stuck', 'reviewing'], to: 'ended', by: ['approvals.request', 'pos.write'] },
} as const satisfies Machine<SignatureState>

/** The service has not decided yet. */
export const OPEN_STATES = ['waiting', 'stuck', 'reviewing'] as const satisfies SignatureState[]

export const SIGNATURE_LIMITS = {
  /** A claim without an outcome so long is a program that is gone. */
  claimSeconds: 60,
  atOnce: 8,
  /** One that was handed in and is not there yet is not handed in anew before. */
  appearsSeconds: 600,
} as const

export const AGAIN_REFUSALS = {
  STILL_OPEN: '该服务商仍在处理，无需重新提交',
  REQUEST_OVER: '该签名已不再使用，请商户重新提交申请',
} as const
export type AgainRefusal = keyof typeof AGAIN_REFUSALS

type Standing = { state: SignatureState; again: boolean; handedInAt: string | null }

/** Whether it is handed in now that the service has told where it stands. */
export function isHandedIn({ state, again }: Standing, standing: SignatureStanding): boolean {
  if (state !== 'waiting' && state !== 'stuck') return false
  return standing === 'none' || (again && (standing === 'refused' || standing === 'ended'))
}

export type Told = 'approve' | 'refuse' | 'takeBack' | 'lose' | 'handIn' | null

/** The step that follows from what the service told; null: it stays as it is. */
export function stepOf({ state, handedInAt }: Standing, standing: SignatureStanding, now: Date): Told {
  switch (standing) {
    case 'approved':
      return state === 'approved' || state === 'ended' ? null : 'approve'
    case 'reviewing':
      if (state === 'approved') return 'takeBack'
      return state === 'waiting' || state === 'stuck' ? 'handIn' : null
    case 'refused':
    case 'ended':
      if (state === 'approved') return 'takeBack'
      return isOpen(state) ? 'refuse' : null
    case 'none':
      if (state === 'approved') return 'takeBack'
      return state === 'reviewing' && secondsSince(handedInAt, now) > SIGNATURE_LIMITS.appearsSeconds
        ? 'lose'
        : null
  }
}

export function isOpen(state: SignatureState): boolean {
  return (OPEN_STATES as readonly SignatureState[]).includes(state)
}

function secondsSince(instant: string | null, now: Date): number {
  return instant === null ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(instant)) / 1_000
}

/** Seconds until the service is asked again; null: no more. Of what is reviewed half the time that has passed. */
export function secondsToNext(
  {
    state,
    tries,
    handedInAt,
    carriersDone,
  }: { state: SignatureState; tries: number; handedInAt: string | null; carriersDone: boolean },
  now: Date,
): number | null {
  switch (state) {
    case 'waiting':
      return Math.min(600, 5 * 2 ** Math.min(tries, 10))
    case 'stuck':
      return Math.min(3_600, 60 * 2 ** Math.min(tries, 10))
    case 'reviewing':
      return Math.min(1_800, Math.max(5, Math.round(Math.min(secondsSince(handedInAt, now), 86_400) / 2)))
    case 'approved':
      return carriersDone ? 86_400 : 3_600
    case 'takenBack':
      return 86_400
    default:
      return null
  }
}

type AtService = { service: SmsProviderName; state: SignatureState; code: string; answer: string }
export type Verdict<Row> = { step: 'accept' } | { step: 'decline'; by: Row } | null

/**
 * What a request comes to: accepted as soon as the service that sends has approved, or all have decided and one has; declined where
 * all have refused, with the answer of the one that sends.
 */
export function verdictOf<Row extends AtService>(
  rows: readonly Row[],
  sending: SmsProviderName | null,
): Verdict<Row> {
  const approved = rows.filter(({ state }) => state === 'approved')
  if (approved.some(({ service }) => service === sending)) return { step: 'accept' }
  if (rows.some(({ state }) => isOpen(state))) return null
  if (approved.length > 0) return { step: 'accept' }
  const by = rows.find(({ service }) => service === sending) ?? rows[0]
  return by ? { step: 'decline', by } : null
}

const ADVICE: readonly [pattern: RegExp, reason: string, advice: string][] = [
  [/测试/, '签名含测试字样', '请使用店铺名称或简称'],
  [/商标|品牌|授权/, '签名涉及他人商标或品牌', '请改用自己的店铺名称，或提供商标证书、授权书后重新提交'],
  [/营销|活动|优惠|广告/, '签名为营销用语', '请使用店铺或企业的名称、简称'],
  [/宽泛|识别/, '签名过于宽泛，无法识别商户', '请在签名中写明店铺名称'],
  [/资质|执照|主体/, '签名与资质主体不一致', '请使用营业执照上的名称或简称'],
  [/敏感|dirty/i, '签名含敏感词', '请去掉敏感词后重新提交'],
  [/重复|已存在|exist|duplicat/i, '相同的签名已被登记', '请换一个签名后重新提交'],
  [/规范|长度|字数|length|name_illegal/i, '签名不符合服务商的命名规范', '请使用2至12个汉字、字母或数字'],
]

/** What the shop is told of a service's refusal; the service's own words stay with staff. */
export function adviceOf({ code, answer }: { code: string; answer: string }): {
  reason: string
  advice: string
} {
  const known = ADVICE.find(([pattern]) => pattern.test(answer) || pattern.test(code))
  return known
    ? { reason: known[1], advice: known[2] }
    : { reason: '短信服务商审核未通过', advice: '请换一个能说明店铺身份的签名后重新提交' }
}

/** Why staff cannot hand it in again. `isWanted`: its request is open, or the shop goes by it. */
export function refuseAgain({
  state,
  isWanted,
}: {
  state: SignatureState
  isWanted: boolean
}): AgainRefusal | null {
  if (!isWanted) return 'REQUEST_OVER'
  return state === 'waiting' || state === 'reviewing' || state === 'approved' ? 'STILL_OPEN' : null
}

const UNUSABLE = /^(isv\.SMS_SIGNATURE|isv\.SMS_SIGN_|FailedOperation\.Signature)/

/** A call was refused for the signature that it carried. */
export function isSignatureRefused(code: string): boolean {
  return UNUSABLE.test(code)
}
