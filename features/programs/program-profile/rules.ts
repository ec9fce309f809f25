// Owns what a mini program shows of itself (name, picture, intro, category): what is refused of a change of it before it is handed in, the states
// of one, and when the platform is asked again (D2 §2 21, §8, §9). Must never read a clock or a database.
import {
  type BrokenField,
  brokenTexts,
  FORM_REFUSALS,
} from '#features/programs/program-applications/rules.ts'
import { FLOW_REFUSALS, type FlowState } from '#features/programs/program-flow/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'

export const PROFILE_PARTS = { name: '名称', headImage: '头像', intro: '简介', category: '类目' } as const
export type ProfilePart = keyof typeof PROFILE_PARTS
export const PART_KEYS = Object.keys(PROFILE_PARTS) as [ProfilePart, ...ProfilePart[]]

export const CHANGE_STATES = {
  sending: '提交中',
  reviewing: '审核中',
  refused: '未通过',
  passed: '已通过',
} as const
export type ChangeState = keyof typeof CHANGE_STATES
export const CHANGE_STATE_KEYS = Object.keys(CHANGE_STATES) as [ChangeState, ...ChangeState[]]

/** Of a category that is taken away: nobody reviews it. */
export const REMOVAL_STATES = {
  sending: '删除中',
  reviewing: '删除中',
  refused: '删除未成功',
  passed: '已删除',
} as const satisfies Record<ChangeState, string>

export const PROFILE_CHANGE_STEPS = {
  accept: { from: ['sending'], to: 'reviewing', by: ['provider'] },
  pass: { from: ['sending', 'reviewing'], to: 'passed', by: ['provider'] },
  refuse: { from: ['sending', 'reviewing'], to: 'refused', by: ['provider'] },
} as const satisfies Machine<ChangeState>
export type ChangeStep = keyof typeof PROFILE_CHANGE_STEPS
export const changeTakes = (state: ChangeState, step: ChangeStep) =>
  nextState<ChangeState, ChangeStep>(PROFILE_CHANGE_STEPS, state, step) !== null
export const isOpen = (state: ChangeState) => changeTakes(state, 'pass')

/** From its data on it is set here; before that it cannot be, since nothing was authorised and verified. */
export const hasProfile = (state: FlowState) => ['profile', 'code', 'inAudit', 'released'].includes(state)

type NameChange = {
  part: ProfilePart
  state: ChangeState
  auditId: string
  value: string
  submittedAt: string
}
/**
 * Whether a review that was told ends this change. A name whose number was lost can be asked about by nobody, so its refusal is taken as told, where
 * it is of this try; of all else it is asked how it stands. `at`: by the platform's clock, in whole seconds.
 */
export const isEndedByTold = (change: NameChange, told: { state: string; name: string; at: string }) =>
  told.state === 'refused' &&
  change.part === 'name' &&
  change.state === 'reviewing' &&
  change.auditId === '' &&
  change.value === told.name &&
  Date.parse(told.at) >= Math.floor(Date.parse(change.submittedAt) / 1_000) * 1_000

export const LIMITS = {
  /** Papers that prove a right to a name; the platform takes five. */
  naming: 5,
  /** Of a picture that the platform takes. */
  pictureBytes: 2 * 1024 * 1024,
  /** The platform says nothing of a picture or an intro that it did not take. */
  silentHours: 48,
  /** Rounds that are claimed at once. */
  atOnce: 10,
  claimSeconds: 120,
} as const

export const PROFILE_REFUSALS = {
  NOT_NOW: '该小程序当前的进度不能进行此操作，请刷新后查看',
  NOT_AUTHORIZED: '客户的授权已失效，请先重新授权',
  NOT_CONNECTED: FLOW_REFUSALS.NOT_CONNECTED,
  NOT_VIA_API: '该小程序不是通过平台创建的，不能由平台设置名称，请客户登录微信公众平台设置',
  RELEASED_ALREADY: '小程序发布后不能由平台改名，请客户登录微信公众平台改名',
  IN_REVIEW: '上一次提交还没有审核结果，请等待结果后再修改',
  SAME_AS_NOW: '与当前内容相同，无需修改',
  NO_NAME_CHANGE: '名称的修改次数已用完，请在次数恢复后修改，微信认证后次数重新计算',
  NO_HEAD_IMAGE_CHANGE: '本月头像修改次数已用完，请下月再修改',
  NO_INTRO_CHANGE: '本月简介修改次数已用完，请下月再修改',
  NO_CATEGORY_CHANGE: '本月类目修改次数已用完，请下月再修改',
  TOO_MANY_CATEGORIES: '类目数量已达上限，请客户登录微信公众平台删除不再使用的类目',
  CATEGORY_THERE: '该类目已审核通过，无需重复添加',
  NO_SUCH_CATEGORY: '该类目已不存在，请刷新后查看',
  CATEGORY_IN_REVIEW: '该类目正在审核，审核结束后才能删除',
  LAST_CATEGORY: '至少保留一个已通过的类目，请先添加其他类目',
  LICENCE_REQUIRED: FORM_REFUSALS.LICENCE_REQUIRED,
  TOO_MANY_PAPERS: `证明材料不得超过${LIMITS.naming}张`,
  PLATFORM_SILENT: '微信没有答复，请稍后重试',
  PLATFORM_REFUSED: '微信拒绝了请求',
} as const
export type ProfileRefusal = keyof typeof PROFILE_REFUSALS

const NONE_LEFT = {
  name: 'NO_NAME_CHANGE',
  headImage: 'NO_HEAD_IMAGE_CHANGE',
  intro: 'NO_INTRO_CHANGE',
  category: 'NO_CATEGORY_CHANGE',
} as const satisfies Record<ProfilePart, ProfileRefusal>

/** `left`: changes that the platform allows still, null where nobody has read it. `isOpen`: one of this part has no result yet. */
export type PartStanding = { isTakenOver: boolean; isReleased: boolean; isOpen: boolean; left: number | null }

/** Why this part cannot be changed now; null: it can. */
export function refusePart(
  part: ProfilePart,
  { isTakenOver, isReleased, isOpen, left }: PartStanding,
): ProfileRefusal | null {
  if (part === 'name' && isTakenOver) return 'NOT_VIA_API'
  if (part === 'name' && isReleased) return 'RELEASED_ALREADY'
  if (isOpen) return 'IN_REVIEW'
  return left === 0 ? NONE_LEFT[part] : null
}

/** Whether a change that was handed in is of this category; both are named from the first level down, a change to its last. */
export const isOfCategory = (change: { value: string; isRemoval: boolean }, { name }: { name: string }) =>
  !change.isRemoval && (change.value === name || change.value.startsWith(`${name} / `))

type StandingCategory = { second: number; state: 'reviewing' | 'refused' | 'passed' }
/** Why this category cannot be taken away; null: it can. An audit names one that has passed, so one of them stays. */
export function refuseRemoval(
  categories: readonly StandingCategory[],
  second: number,
): ProfileRefusal | null {
  const one = categories.find(category => category.second === second)
  if (!one) return 'NO_SUCH_CATEGORY'
  if (one.state === 'reviewing') return 'CATEGORY_IN_REVIEW'
  const isOther = ({ second: its, state }: StandingCategory) => state === 'passed' && its !== second
  return one.state === 'refused' || categories.some(isOther) ? null : 'LAST_CATEGORY'
}

export const leftOf = ({ used, quota }: { used: number; quota: number }) => Math.max(quota - used, 0)

/** By the rules of the application's own form. */
export const brokenPart = (part: 'programName' | 'intro', text: string): BrokenField[] =>
  brokenTexts({ ...EMPTY, [part]: text }).filter(({ field }) => field === part)
const EMPTY = {
  ...{ companyName: '', companyCode: '', legalPersonWechat: '', legalPersonName: '', servicePhone: '' },
  ...{ programName: '', programType: null, intro: '' },
}

/** Of a picture or an intro that does not show after all this time. */
export const SILENT_REFUSAL = `提交后${LIMITS.silentHours}小时仍未生效，微信没有说明原因，请更换后重新提交`
export const isSilent = (hoursSince: number) => hoursSince >= LIMITS.silentHours

const MINUTE = 60
/** Seconds until what is in review is asked about again, where nothing is told; most pictures and intros are through within minutes. */
export const reviewSeconds = (secondsSince: number) => (secondsSince < 10 * MINUTE ? MINUTE : 10 * MINUTE)
