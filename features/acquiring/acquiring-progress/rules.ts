// Owns who is at turn of what a shop needs to be paid, what the next step is, where it is taken and within which time, and when a shop
// may be reminded. Must never read a clock or a database.
import {
  ACQUIRER_HOURS,
  type ApprovalState,
  type ChannelState,
} from '#features/acquiring/acquirer-onboardings/rules.ts'
import type { OnboardingStep } from '#features/acquiring/onboardings/rules.ts'
import type { OwnerPapersState } from '#features/acquiring/owner-papers/rules.ts'
import {
  APPLICATION_HOURS,
  type ApplicationState,
  type ReviewState,
} from '#features/acquiring/payment-applications/rules.ts'
import type { Path, SearchOf } from '#kit/declare/pages.ts'
import type { Setting } from '#kit/declare/settings.ts'
import { ACQUIRER_NAMES, type AcquirerName } from '#kit/ports/acquirers.ts'
import { ONBOARDING_STATE_DAYS, type OnboardingState } from '#kit/ports/onboarding.ts'

/** owner: the link of a shop's owner, as long as the shop has no application. */
export const PROGRESS_KINDS = { application: '支付申请', acquirer: '收单进件', owner: '店主资料' } as const
export type ProgressKind = keyof typeof PROGRESS_KINDS

export const PROGRESS_CHANNELS = { service: '支付服务', ...ACQUIRER_NAMES } as const
export type ProgressChannel = 'service' | AcquirerName

/** Whose turn it is; none: nobody's, it is open or put aside. */
export const TURNS = {
  staff: '等我们',
  agent: '等服务商',
  shop: '等商户',
  provider: '等支付机构',
  none: '无需处理',
} as const
export type Turn = keyof typeof TURNS
/** Those that the board counts. */
export const WAITING_TURNS = ['staff', 'agent', 'shop', 'provider'] as const satisfies readonly Turn[]
export type WaitingTurn = (typeof WAITING_TURNS)[number]

const DAY = 24

type Link = (of: { sourceId: number; merchantId: number }) => { to: Path; search: SearchOf<Path> }
const application: Link = ({ sourceId }) => ({
  to: '/admin/schedule/payApplication',
  search: { id: sourceId },
})
const review: Link = ({ sourceId }) => ({ to: '/admin/schedule/payInformation', search: { id: sourceId } })
const form: Link = ({ merchantId }) => ({
  to: '/admin/schedule/submitPayment',
  search: { user_id: merchantId },
})
const shop: Link = ({ merchantId }) => ({
  to: '/admin/merchant/merchantDetails',
  search: { user_id: merchantId },
})
const acquirer: Link = ({ sourceId }) => ({ to: '/admin/merchant/acquiring', search: { id: sourceId } })

type Step = {
  turn: Turn
  /** How it stands. */
  words: string
  /** What is done next, as a button says it; null: nothing by whose turn it is here, it is looked at. */
  next: string | null
  link: Link
  /** Whoever may take it; others look. */
  permission: string
  /** Hours from entering the step, or the office's setting of them; null: nothing was promised. */
  hours: number | Setting | null
}

const edit = 'paymentApplications.edit'
const handsIn = 'paymentApplications.review'
const acquirerEdit = 'acquirerOnboardings.edit'
const acquirerDecide = 'acquirerOnboardings.decide'
const days = (state: OnboardingState) => (ONBOARDING_STATE_DAYS[state] ?? 0) * DAY

/** What comes next at each step of both kinds. */
export const STEPS = {
  drafting: step('agent', '资料填写中', '填写资料', form, edit, 3 * DAY),
  ownerFilling: step('shop', '店主填写资料', null, shop, 'ownerPapers.view', 3 * DAY),
  ownerSubmitted: step('agent', '店主已提交', '核对采用', shop, 'ownerPapers.decide', DAY),
  deciding: step('staff', '待审核', '审核', application, 'paymentApplications.decide', APPLICATION_HOURS),
  mending: step('agent', '已驳回待修改', '修改资料', form, edit, 3 * DAY),
  toHandIn: step('staff', '待提交支付服务', '受理', review, handsIn, DAY),
  handingIn: step('provider', '正在提交', null, review, 'paymentApplications.reviews', 1),
  stuck: step('staff', '无法提交', '处理', review, handsIn, DAY),
  auditing: step('provider', '支付服务审核中', null, application, 'paymentApplications.list', 3 * DAY),
  confirming: step('shop', '待账户验证', null, application, edit, days('toBeConfirmed')),
  signing: step('shop', '待签约', null, application, edit, days('toBeSigned')),
  enabling: step('provider', '开通权限中', null, application, 'paymentApplications.list', DAY),
  opened: step('none', '已开通', null, application, 'paymentApplications.list', null),
  acquirerDrafting: step('agent', '进件填写中', '填写进件', acquirer, acquirerEdit, 3 * DAY),
  acquirerDeciding: step('staff', '进件待审核', '审核', acquirer, acquirerDecide, ACQUIRER_HOURS),
  acquirerMending: step('agent', '进件已驳回', '修改进件', acquirer, acquirerEdit, 3 * DAY),
  acquirerSending: step('staff', '待送件', '送件', acquirer, acquirerDecide, DAY),
  acquirerAuditing: step('provider', '渠道审核中', '填写结果', acquirer, acquirerDecide, 5 * DAY),
  acquirerHandingOver: step('staff', '待交接收款配置', '交接', acquirer, acquirerDecide, DAY),
  acquirerOpened: step('none', '渠道已开通', null, acquirer, 'acquirerOnboardings.list', null),
  acquirerAside: step('none', '进件已停用', null, acquirer, 'acquirerOnboardings.list', null),
} as const satisfies Record<string, Step>
export type ProgressStep = keyof typeof STEPS
export const STEP_KEYS = Object.keys(STEPS) as [ProgressStep, ...ProgressStep[]]
export const STEP_WORDS = Object.fromEntries(STEP_KEYS.map(key => [key, STEPS[key].words])) as Readonly<
  Record<ProgressStep, string>
>

/** Where it is opened by whoever holds these permissions: agents see an application where they handed it in. */
export function linkOf(
  { step: at, ...of }: { step: ProgressStep; sourceId: number; merchantId: number },
  holds: (permission: string) => boolean,
): ReturnType<Link> {
  const { link } = STEPS[at]
  return link === review && !holds('paymentApplications.reviews') ? application(of) : link(of)
}

function step(
  turn: Turn,
  words: string,
  next: string | null,
  link: Link,
  permission: string,
  hours: Step['hours'],
): Step {
  return { turn, words, next, link, permission, hours }
}

/** What an application is at, by its own states, those of its onboarding, and the standing link of its shop's owner. */
export type ApplicationStands = {
  state: ApplicationState
  review: ReviewState | null
  onboarding: OnboardingStep | null
  service: OnboardingState | null
  /** Null: no link stands. */
  owner: OwnerPapersState | null
}

type OfState<Key extends string> = Readonly<Record<Key, ProgressStep>>

/** By what the service says of what is with it. */
const AT_SERVICE: OfState<OnboardingState> = {
  editing: 'auditing',
  auditing: 'auditing',
  rejected: 'auditing',
  toBeConfirmed: 'confirming',
  toBeSigned: 'signing',
  signing: 'enabling',
  finished: 'enabling',
  canceled: 'toHandIn',
}
/** Of an approved application, by its onboarding; asked: as the service says. */
const APPROVED: OfState<Exclude<OnboardingStep, 'asked'>> = {
  filling: 'toHandIn',
  waiting: 'handingIn',
  mending: 'toHandIn',
  stuck: 'stuck',
  finished: 'opened',
  ended: 'toHandIn',
}
/** What is open to the agent, by the link of the shop's owner; adopted: nothing is with the owner any more. */
const WITH_OWNER: Readonly<Record<OwnerPapersState, ProgressStep | null>> = {
  draft: 'ownerFilling',
  returned: 'ownerFilling',
  submitted: 'ownerSubmitted',
  adopted: null,
}

/** Of a shop that has no application; null: nothing is with the owner, it is not on the board. The same as `progress_of_owner` in SQL. */
export const stepOfOwner = (owner: OwnerPapersState): ProgressStep | null => WITH_OWNER[owner]

/** The same as `progress_of_application` in SQL; rules.test.ts and server.test.ts compare them for every state. */
export function stepOfApplication({ state, review: at, onboarding, service, owner }: ApplicationStands) {
  const mine = (own: ProgressStep): ProgressStep => (owner && stepOfOwner(owner)) ?? own
  switch (state) {
    case 'draft':
      return mine('drafting')
    case 'pending':
      return 'deciding'
    case 'rejected':
      return mine('mending')
    case 'approved':
      if (at === 'accepted') return 'opened'
      if (at === 'rejected') return mine('mending')
      if (onboarding === null) return 'toHandIn'
      if (onboarding === 'asked') return service === null ? 'auditing' : AT_SERVICE[service]
      return APPROVED[onboarding]
  }
}

export type AcquirerStands = {
  isActive: boolean
  approval: ApprovalState
  state: ChannelState
  /** The number by which the shop was last said to be paid is the one that it has. */
  isHandedOver: boolean
}

const AT_ACQUIRER: OfState<Exclude<ChannelState, 'opened'>> = {
  waiting: 'acquirerSending',
  refused: 'acquirerSending',
  sent: 'acquirerAuditing',
}

/** The same as `progress_of_acquirer` in SQL. */
export function stepOfAcquirer({ isActive, approval, state, isHandedOver }: AcquirerStands): ProgressStep {
  if (!isActive) return 'acquirerAside'
  switch (approval) {
    case 'draft':
      return 'acquirerDrafting'
    case 'pending':
      return 'acquirerDeciding'
    case 'rejected':
      return 'acquirerMending'
    case 'approved':
      if (state !== 'opened') return AT_ACQUIRER[state]
      return isHandedOver ? 'acquirerOpened' : 'acquirerHandingOver'
  }
}

/** Hours that were promised of each step, as the office has set them; a step without a promise is not among them. */
export type PromisedHours = Readonly<Partial<Record<ProgressStep, number>>>

export function promisedHours(settings: { application: number; acquirer: number }): PromisedHours {
  return Object.fromEntries(
    STEP_KEYS.flatMap(key => {
      const { hours } = STEPS[key]
      if (hours === null) return []
      if (typeof hours === 'number') return [[key, hours]]
      return [[key, hours === APPLICATION_HOURS ? settings.application : settings.acquirer]]
    }),
  )
}

/** In words how long it waits; a promise that is past says by how much. `hours` null: nothing was promised. */
export function waitText(
  since: string,
  hours: number | null,
  now: Date,
): { text: string; isOverdue: boolean } {
  const waited = Math.max(0, (now.getTime() - Date.parse(since)) / 3_600_000)
  if (hours === null) return { text: lengthText(waited), isOverdue: false }
  if (waited <= hours) return { text: `${lengthText(waited)} / ${lengthText(hours)}`, isOverdue: false }
  const over = waited - hours
  return { text: `${lengthText(waited)}，${over < 1 ? '刚超' : `超 ${lengthText(over)}`}`, isOverdue: true }
}

function lengthText(hours: number): string {
  if (hours < 1) return '不到 1 小时'
  return hours < 2 * DAY ? `${Math.floor(hours)} 小时` : `${Math.floor(hours / DAY)} 天`
}

/** A shop is not reminded sooner again. */
export const REMIND_HOURS = 24

export const REFUSALS = {
  NOT_SHOPS_TURN: '现在不需要商户处理，请刷新',
  REMINDED_JUST_NOW: `${REMIND_HOURS} 小时内已经提醒过该商户，请稍后再提醒`,
  NO_PHONE: '商户没有可以接收短信的手机号，请电话联系',
  NO_LINK: '支付服务还没有给出签约链接，请稍后再试',
  NO_INVITE: '没有邀请店主填写资料的权限，不能提醒',
  SMS_NONE: '未开通短信服务，请电话联系商户',
} as const

/** Why the shop cannot be reminded now; null: it can. `remindedAt`: of the shop, whatever it was about. */
export function refuseReminder(
  { turn, remindedAt }: { turn: Turn; remindedAt: string | null },
  now: Date,
): 'NOT_SHOPS_TURN' | 'REMINDED_JUST_NOW' | null {
  if (turn !== 'shop') return 'NOT_SHOPS_TURN'
  const isFresh = remindedAt !== null && now.getTime() - Date.parse(remindedAt) < REMIND_HOURS * 3_600_000
  return isFresh ? 'REMINDED_JUST_NOW' : null
}

/** What days from papers to being paid are told by. */
export const TIMES_BY = { channel: '按渠道', reviewer: '按审核人', agent: '按代理商' } as const
export type TimesBy = keyof typeof TIMES_BY
export const TIMES_BY_KEYS = Object.keys(TIMES_BY) as [TimesBy, ...TimesBy[]]
/** Who sees its own alone is not told by agent. */
export const timesByOf = (isVendorStaff: boolean): readonly TimesBy[] =>
  TIMES_BY_KEYS.filter(key => isVendorStaff || key !== 'agent')

/** How many rows, those with the most first, and how many causes are told. */
export const TIMES_LIMITS = { rows: 100, causes: 8 } as const

/** Of some applications and acquirer onboardings; days are null where nothing is known. */
export type Times = {
  /** Opened in the period, of what was handed in. */
  opened: number
  medianDays: number | null
  /** Nine of ten took no longer. */
  p90Days: number | null
  /** Of those opened, through which money is known to have gone. */
  paid: number
  paidMedianDays: number | null
  /** Whose first try was decided in the period. */
  decided: number
  /** Of these, refused. */
  refused: number
}

/** To a tenth of a day; null: nothing is known. */
export function daysText(days: number | null): string {
  if (days === null) return '—'
  const tenths = Math.round(days * 10)
  return tenths < 1 ? '不到 0.1 天' : `${tenths / 10} 天`
}

/** 1/100 percent of the first tries that were refused, to a tenth of a percent; null: none was decided. */
export const refusedShare = ({ decided, refused }: Pick<Times, 'decided' | 'refused'>): number | null =>
  decided === 0 ? null : Math.round((refused * 1_000) / decided) * 10

/** What the figures count, as the page says it. */
export const TIMES_MEANING = {
  opened:
    '到开通：从首次提交资料，到支付服务开通或收款配置首次交接，按开通日期统计；还没有开通的不计。顾客付给商户的款项不经过本系统，首笔收款只知道测试支付',
  refused:
    '首次驳回率：首次提交后，先被驳回的占先被驳回与直接开通之和的比例，按首次有结果的日期统计；还没有结果的不计',
  causes: '只统计支付申请首次被驳回的原因；收单进件的驳回原因不归类',
  empty: '这一期没有开通的，也没有首次出结果的。提交的资料开通或被驳回后会在这里统计',
} as const
