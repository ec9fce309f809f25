// Owns work orders, a partner's requests to the vendor: kinds, states, who may take which step, ratings, due times, what is refused
// (D3 §7 Work orders). Must never read a clock or a database.
import type { Machine } from '#kit/declare/machine.ts'
import { nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { TALK_LIMITS } from '#kit/words/talk.ts'

export const ORDER_KINDS = {
  fault: '故障处理',
  setup: '开通配置',
  data: '数据处理',
  payment: '支付与对账',
  hardware: '硬件设备',
  other: '其他',
} as const
export type OrderKind = keyof typeof ORDER_KINDS
export const ORDER_KIND_KEYS = Object.keys(ORDER_KINDS) as [OrderKind, ...OrderKind[]]

export const URGENCIES = { normal: '普通', urgent: '紧急', critical: '特急' } as const
export type Urgency = keyof typeof URGENCIES
export const URGENCY_KEYS = Object.keys(URGENCIES) as [Urgency, ...Urgency[]]

export const ORDER_STATES = {
  new: '待受理',
  accepted: '已受理',
  working: '处理中',
  waiting: '待代理商补充',
  done: '已完成',
  closed: '已关闭',
} as const
export type OrderState = keyof typeof ORDER_STATES
export const ORDER_STATE_KEYS = Object.keys(ORDER_STATES) as OrderState[]

export const WORK_ORDER_STEPS = {
  accept: { from: ['new'], to: 'accepted', by: ['workOrders.handle'] },
  start: { from: ['new', 'accepted'], to: 'working', by: ['workOrders.handle'] },
  /** The partner is to say something first. */
  ask: { from: ['accepted', 'working'], to: 'waiting', by: ['workOrders.handle'] },
  /** The partner has answered, or nothing is waited for any more. */
  resume: { from: ['waiting'], to: 'working', by: ['workOrders.handle', 'workOrders.write'] },
  finish: { from: ['working', 'waiting'], to: 'done', by: ['workOrders.handle'] },
  reopen: { from: ['done'], to: 'working', by: ['workOrders.write'] },
  close: {
    from: ['new', 'accepted', 'working', 'waiting', 'done'],
    to: 'closed',
    by: ['workOrders.write'],
  },
  /** Nobody wanted it opened anew. */
  expire: { from: ['done'], to: 'closed', by: ['program'] },
} as const satisfies Machine<OrderState>
export type OrderStep = keyof typeof WORK_ORDER_STEPS

/** The steps of the vendor's staff, in the order in which they are offered, by what pressing them is called. */
export const STAFF_STEPS = {
  accept: '受理',
  start: '开始处理',
  ask: '请代理商补充',
  resume: '继续处理',
  finish: '完成',
} as const satisfies Partial<Record<OrderStep, string>>
export type StaffStep = keyof typeof STAFF_STEPS

/** Who said it; a note is for the vendor's staff alone. */
export const ORDER_SIDES = { partner: '代理商', vendor: '厂商', system: '系统', note: '内部备注' } as const
export type OrderSide = keyof typeof ORDER_SIDES

export const SATISFACTION_WORDS = {
  '1': '1 分 很不满意',
  '2': '2 分 不满意',
  '3': '3 分 一般',
  '4': '4 分 满意',
  '5': '5 分 非常满意',
} as const
export type Score = keyof typeof SATISFACTION_WORDS
export const SCORES = Object.keys(SATISFACTION_WORDS) as [Score, ...Score[]]
const SATISFIED: readonly Score[] = ['4', '5']

export const ORDER_LIMITS = {
  ...TALK_LIMITS,
  title: 50,
  reason: 200,
  rating: 200,
  /** Characters of what was said that the search looks through, the latest. */
  words: 8_000,
  /** How far ahead a due time may be set. */
  dueDays: 365,
} as const

export const WORK_ORDER_PICTURE = 'work-order'
const TALKED = { group: '反馈与咨询', unit: '小时', min: 1, max: 2_160 } as const
export const WORK_ORDER_HOURS = {
  normal: setting({ ...TALKED, key: 'work-order-hours-normal', label: '普通工单处理时限', initial: 72 }),
  urgent: setting({ ...TALKED, key: 'work-order-hours-urgent', label: '紧急工单处理时限', initial: 24 }),
  critical: setting({ ...TALKED, key: 'work-order-hours-critical', label: '特急工单处理时限', initial: 4 }),
} as const satisfies Record<Urgency, unknown>
export const WORK_ORDER_DAYS = setting({
  key: 'work-order-days',
  group: '反馈与咨询',
  label: '工单完成后自动关闭',
  unit: '天',
  initial: 7,
  min: 1,
  max: 90,
  hint: '在此之前代理商不满意时可以重新打开',
})
export const WORK_ORDERS_PER_DAY = setting({
  key: 'work-orders-per-day',
  group: '反馈与咨询',
  label: '每个代理商每天新工单',
  unit: '个',
  initial: 50,
  min: 1,
  max: 1_000,
})
export const WORK_ORDER_PICTURE_KB = setting({
  key: 'work-order-picture-kb',
  group: '上传',
  label: '工单图片大小',
  unit: 'KB',
  initial: 500,
  min: 100,
  max: 1_024,
  hint: '工单和回复中每张图片最大多少',
})

/** Pushed to the pages of those who have the work order open. */
export const WORK_ORDER_EVENT = 'WorkOrderChanged'
export const WORK_ORDER_PRESENCE_EVENT = 'WorkOrderPresence'

export const SAY_REFUSALS = {
  CONTENT_REQUIRED: '请输入回复内容',
  CONTENT_TOO_LONG: `内容不能超过${ORDER_LIMITS.text}字`,
  PICTURES_TOO_MANY: `最多上传${ORDER_LIMITS.pictures}张图片`,
  PICTURE_UNKNOWN: '图片已失效，请重新上传',
  ORDER_CLOSED: '该工单已关闭，不能再回复',
} as const

export const NEW_REFUSALS = {
  KIND_REQUIRED: '请选择工单类型',
  TITLE_REQUIRED: '请输入标题',
  TITLE_TOO_LONG: `标题不能超过${ORDER_LIMITS.title}字`,
  CONTENT_REQUIRED: '请输入问题描述',
  CONTENT_TOO_LONG: SAY_REFUSALS.CONTENT_TOO_LONG,
  PICTURES_TOO_MANY: SAY_REFUSALS.PICTURES_TOO_MANY,
  PICTURE_UNKNOWN: SAY_REFUSALS.PICTURE_UNKNOWN,
  SHOP_UNKNOWN: '没有这家店铺，请重新选择',
  ORDERS_TOO_MANY: '今天提交的工单过多，请明天再试',
  VENDORS_OWN: '工单由代理商提交，厂商员工直接处理',
} as const
type NewRefusal = keyof typeof NEW_REFUSALS

export const STEP_REFUSALS = {
  STEP_IMPOSSIBLE: '工单的状态已改变，请刷新后查看',
  CHANGED_MEANWHILE: '同事刚刚已处理，请查看后再操作',
  CONTENT_REQUIRED: '请输入需要补充的内容',
  CONTENT_TOO_LONG: SAY_REFUSALS.CONTENT_TOO_LONG,
} as const

export const ANSWER_REFUSALS = {
  ...SAY_REFUSALS,
  CHANGED_MEANWHILE: STEP_REFUSALS.CHANGED_MEANWHILE,
} as const

export const CHARGE_REFUSALS = {
  CHANGED_MEANWHILE: STEP_REFUSALS.CHANGED_MEANWHILE,
  ORDER_OVER: '该工单已完成或已关闭',
  PERSON_UNKNOWN: '该同事不存在或已停用',
  DUE_REQUIRED: '请选择截止时间',
  DUE_PAST: '截止时间不能早于现在',
  DUE_TOO_FAR: `截止时间最多在${ORDER_LIMITS.dueDays}天以内`,
} as const

export const PARTNER_REFUSALS = {
  CLOSED_ALREADY: '该工单已关闭',
  NOT_DONE: '工单完成后才能评价或重新打开',
  REOPEN_LATE: '已超过可以重新打开的时间，请提交新的工单',
  SATISFIED: '已评价满意，不能重新打开，请提交新的工单',
  REASON_REQUIRED: '请输入哪里没有解决',
  REASON_TOO_LONG: `说明不能超过${ORDER_LIMITS.reason}字`,
  RATED_ALREADY: '已评价，不能修改',
  RATING_TOO_LONG: `评价不能超过${ORDER_LIMITS.rating}字`,
  ONLY_NEW: '工单已受理，不能删除，可以关闭',
  NOT_AUTHOR: '只有提交人可以删除工单',
} as const
type PartnerRefusal = keyof typeof PARTNER_REFUSALS

export type OrderForm = {
  kind: OrderKind | null
  urgency: Urgency
  title: string
  text: string
  merchantId: number | null
  pictures: readonly string[]
}
type Broken = { code: NewRefusal; field: keyof OrderForm }

/** Broken rules in the order of the form. */
export function brokenIn({ kind, title, text, pictures }: OrderForm): Broken[] {
  const rules: readonly (readonly [boolean, keyof OrderForm, NewRefusal])[] = [
    [kind === null, 'kind', 'KIND_REQUIRED'],
    [lengthOf(title) === 0, 'title', 'TITLE_REQUIRED'],
    [lengthOf(title) > ORDER_LIMITS.title, 'title', 'TITLE_TOO_LONG'],
    [lengthOf(text) === 0, 'text', 'CONTENT_REQUIRED'],
    [lengthOf(text) > ORDER_LIMITS.text, 'text', 'CONTENT_TOO_LONG'],
    [pictures.length > ORDER_LIMITS.pictures, 'pictures', 'PICTURES_TOO_MANY'],
  ]
  return rules.flatMap(([isBroken, field, code]) => (isBroken ? [{ code, field }] : []))
}

/** Whether the table of steps has this one. */
export function mayStep(state: OrderState, step: OrderStep): boolean {
  return nextState<OrderState, OrderStep>(WORK_ORDER_STEPS, state, step) !== null
}

/** Somebody of the vendor has to do something, and the clock runs. */
export function isRunning(state: OrderState): boolean {
  return state === 'new' || state === 'accepted' || state === 'working'
}

/** Why nothing more is said in it. */
export function refuseMore(state: OrderState): 'ORDER_CLOSED' | null {
  return state === 'closed' ? 'ORDER_CLOSED' : null
}

/** Of the steps of the vendor's staff. What is asked for must be said; `revision`: the page has seen another state of it. */
export function refuseStep(
  order: { state: OrderState; revision: number },
  asked: { step: StaffStep; revision: number; text: string },
): keyof typeof STEP_REFUSALS | null {
  if (asked.revision !== order.revision) return 'CHANGED_MEANWHILE'
  if (!mayStep(order.state, asked.step)) return 'STEP_IMPOSSIBLE'
  if (asked.step === 'ask' && lengthOf(asked.text) === 0) return 'CONTENT_REQUIRED'
  return lengthOf(asked.text) > ORDER_LIMITS.text ? 'CONTENT_TOO_LONG' : null
}

/** Why nobody can be charged with it any more, nor its due time be set. */
export function refuseCharge(
  order: { state: OrderState; revision: number },
  revision: number,
): keyof typeof CHARGE_REFUSALS | null {
  if (order.state === 'done' || order.state === 'closed') return 'ORDER_OVER'
  return revision === order.revision ? null : 'CHANGED_MEANWHILE'
}

export function refuseDue(dueAt: string | null, now: number): keyof typeof CHARGE_REFUSALS | null {
  const at = Date.parse(dueAt ?? '')
  if (Number.isNaN(at)) return 'DUE_REQUIRED'
  if (at < now) return 'DUE_PAST'
  return at > now + ORDER_LIMITS.dueDays * DAY_MS ? 'DUE_TOO_FAR' : null
}

export function refuseClose(state: OrderState): PartnerRefusal | null {
  return mayStep(state, 'close') ? null : 'CLOSED_ALREADY'
}

type Ended = { state: OrderState; doneAt: string | null; satisfaction: Score | null }

/** `days`: so long after it was done it can be opened anew. */
export function refuseReopen(order: Ended, now: number, days: number): PartnerRefusal | null {
  if (order.state === 'closed') return 'CLOSED_ALREADY'
  if (!mayStep(order.state, 'reopen') || order.doneAt === null) return 'NOT_DONE'
  if (now > Date.parse(order.doneAt) + days * DAY_MS) return 'REOPEN_LATE'
  return order.satisfaction !== null && SATISFIED.includes(order.satisfaction) ? 'SATISFIED' : null
}

export function refuseReason(reason: string): PartnerRefusal | null {
  const length = lengthOf(reason)
  if (length === 0) return 'REASON_REQUIRED'
  return length > ORDER_LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** What was done is rated once, also when it has been closed since. */
export function refuseRating({ doneAt, satisfaction }: Ended, text: string): PartnerRefusal | null {
  if (doneAt === null) return 'NOT_DONE'
  if (satisfaction !== null) return 'RATED_ALREADY'
  return lengthOf(text) > ORDER_LIMITS.rating ? 'RATING_TOO_LONG' : null
}

export function refuseRemoval(
  { state, createdBy }: { state: OrderState; createdBy: number },
  accountId: number,
): PartnerRefusal | null {
  if (createdBy !== accountId) return 'NOT_AUTHOR'
  return state === 'new' ? null : 'ONLY_NEW'
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export function dueAfter(from: string, hours: number): string {
  return new Date(Date.parse(from) + hours * HOUR_MS).toISOString()
}

/** While the partner is waited for, the clock stands. */
export function dueAfterWait(dueAt: string, stoppedAt: string | null, now: string): string {
  if (stoppedAt === null) return dueAt
  return new Date(Date.parse(dueAt) + Math.max(0, Date.parse(now) - Date.parse(stoppedAt))).toISOString()
}

/** What is sorted by it comes after everything whose clock runs. */
const RESTING_FROM = Date.parse('3000-01-01T00:00:00Z')
const EPOCH = Date.parse('2000-01-01T00:00:00Z')

/**
 * What an ordinary index sorts staff's list by: what runs by its due time, so that what is overdue stands first; then the rest, the latest
 * first.
 */
export function pressingAt({
  state,
  dueAt,
  lastAt,
}: {
  state: OrderState
  dueAt: string
  lastAt: string
}): string {
  if (isRunning(state)) return dueAt
  return new Date(RESTING_FROM - (Date.parse(lastAt) - EPOCH)).toISOString()
}

export function isOverdue(order: { state: OrderState; dueAt: string }, now: number): boolean {
  return isRunning(order.state) && Date.parse(order.dueAt) < now
}

/** Told to whoever comes second. */
export function meanwhileText(name: string): string {
  return name === '' ? STEP_REFUSALS.CHANGED_MEANWHILE : `${name}刚刚已处理，请查看后再操作`
}
