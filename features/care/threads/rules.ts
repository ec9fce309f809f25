// Owns feedback threads between a shop, its agent and the vendor (D3 §4, §5): states, ratings, limits, who answers, what is refused.
// Must never read a clock or a database.
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { setting } from '#kit/declare/settings.ts'
import { filled } from '#kit/words/placeholders.ts'
import { TALK_LIMITS } from '#kit/words/talk.ts'

/** `older`: what partners told the vendor before there were threads; it stays where it is kept and is shown beside them. */
export const THREAD_KINDS = { shop: '商户反馈', older: '较早的反馈' } as const
export type ThreadKind = keyof typeof THREAD_KINDS

export const THREAD_STATES = { awaiting: '待回复', replied: '已回复', closed: '已关闭' } as const
export type ThreadState = keyof typeof THREAD_STATES

export const THREAD_STEPS = {
  write: { from: ['awaiting', 'replied'], to: 'awaiting', by: ['pos.write'] },
  reply: { from: ['awaiting', 'replied'], to: 'replied', by: ['threads.reply'] },
  close: { from: ['awaiting', 'replied'], to: 'closed', by: ['threads.reply'] },
  reopen: { from: ['closed'], to: 'awaiting', by: ['threads.reopen'] },
} as const satisfies Machine<ThreadState>

/** Who answers now: the shop's agent, or the vendor's staff, to whom it was passed on. */
export const THREAD_DESKS = { agent: '代理商', vendor: '厂商' } as const
export type ThreadDesk = keyof typeof THREAD_DESKS

/** Who said it; a note is for colleagues alone. */
export const MESSAGE_SIDES = {
  shop: '商户',
  agent: '代理商',
  vendor: '厂商',
  system: '系统',
  note: '内部备注',
} as const
export type MessageSide = keyof typeof MESSAGE_SIDES
export const OFFICE_SIDES: readonly MessageSide[] = ['agent', 'vendor']

/** The two questions of a system message that asks for them, and their answers (D3 §4: type1, type2). */
export const SATISFACTIONS = { unsatisfied: '不满意', average: '一般', satisfied: '满意' } as const
export type Satisfaction = keyof typeof SATISFACTIONS
export const RESOLUTIONS = { unresolved: '未解决', resolved: '已解决' } as const
export type Resolution = keyof typeof RESOLUTIONS
export const RATING_QUESTIONS = {
  satisfaction: '您对本次服务是否满意？',
  resolution: '您的问题是否已解决？',
} as const

export const THREAD_LIMITS = {
  ...TALK_LIMITS,
  reason: 100,
  title: 40,
  answerName: 20,
  /** Characters of a conversation that the search looks through, the latest. */
  words: 8_000,
} as const

export const THREAD_PICTURE = 'thread'
export const THREAD_PICTURE_KB = setting({
  key: 'thread-picture-kb',
  group: '上传',
  label: '反馈图片大小',
  unit: 'KB',
  initial: 500,
  min: 100,
  max: 1_024,
  hint: '商户反馈和回复中每张图片最大多少',
})
export const THREADS_PER_DAY = setting({
  key: 'threads-per-day',
  group: '反馈与咨询',
  label: '每家商户每天新反馈',
  unit: '条',
  initial: 20,
  min: 1,
  max: 500,
})
export const THREAD_MESSAGES_PER_DAY = setting({
  key: 'thread-messages-per-day',
  group: '反馈与咨询',
  label: '每家商户每天发送消息',
  unit: '条',
  initial: 200,
  min: 10,
  max: 5_000,
})
export const THREAD_HOURS = setting({
  key: 'thread-hours',
  group: '反馈与咨询',
  label: '商户反馈承诺回复时间',
  unit: '小时',
  initial: 4,
  min: 1,
  max: 240,
  hint: '首页会标出等待超过此时间的反馈',
})

/** Pushed to the pages of those who have the thread open: it has another message or state; who looks or types has changed. */
export const THREAD_EVENT = 'ThreadChanged'
export const PRESENCE_EVENT = 'ThreadPresence'

export const MESSAGE_REFUSALS = {
  CONTENT_REQUIRED: '请输入反馈内容',
  CONTENT_TOO_LONG: `反馈内容不能超过${THREAD_LIMITS.text}字`,
  PICTURES_TOO_MANY: `最多上传${THREAD_LIMITS.pictures}张图片`,
  PICTURE_UNKNOWN: '图片已失效，请重新上传',
  THREAD_CLOSED: '该反馈已关闭，不能再回复',
} as const
export type MessageRefusal = keyof typeof MESSAGE_REFUSALS

export const WRITE_REFUSALS = {
  ...MESSAGE_REFUSALS,
  THREADS_TOO_MANY: '今天提交的反馈过多，请明天再试',
  MESSAGES_TOO_MANY: '今天发送的消息过多，请明天再试',
} as const

export const ANSWER_REFUSALS = {
  ...MESSAGE_REFUSALS,
  WITH_VENDOR: '已转交厂商，由厂商回复商户',
  ANSWERED_MEANWHILE: '同事刚刚已回复，请查看后再发送',
  OLDER_ANSWERED: '较早的反馈只能回复一次',
  OLDER_NOT_YOURS: '较早的反馈由厂商回复',
  OLDER_NO_PICTURE: '较早的反馈只能用文字回复',
} as const

export const STEP_REFUSALS = {
  WITH_VENDOR: '已转交厂商，由厂商处理',
  CLOSED_ALREADY: '该反馈已关闭',
  NOT_CLOSED: '该反馈没有关闭，无需重新打开',
  OLDER_AS_IT_IS: '较早的反馈不能关闭、转交或分配',
  REASON_REQUIRED: '请输入重新打开的原因',
  REASON_TOO_LONG: `原因不能超过${THREAD_LIMITS.reason}字`,
  PASSED_ALREADY: '该反馈已转交，请刷新后查看',
  VENDORS_OWN: '厂商直营商户的反馈不能转交代理商',
  PERSON_UNKNOWN: '该同事不存在或已停用',
  ASSIGNED_ALREADY: '该反馈已分配给同事，请刷新后查看',
  SHOP_MOVED: '该商户已转至其他服务商，不能重新打开',
  NOT_YOUR_DESK: '该反馈由对方处理，不能分配',
} as const
export type StepRefusal = keyof typeof STEP_REFUSALS

export const RATING_REFUSALS = {
  RATED_ALREADY: '已评价，不能修改',
  RATING_NOT_ASKED: '该消息无需评价',
} as const

/** Why nothing more is said in a thread, by the shop (`write`) or to it. */
export function refuseMore(state: ThreadState, step: 'write' | 'reply'): MessageRefusal | null {
  return nextState<ThreadState, 'write' | 'reply'>(THREAD_STEPS, state, step) === null
    ? 'THREAD_CLOSED'
    : null
}

type Threaded = { kind: ThreadKind; state: ThreadState }

type Standing = Threaded & { desk: ThreadDesk }

/** After it was passed on the vendor alone speaks to the shop: its agent reads, and leaves notes. `side`: whoever would. */
const isOthers = ({ desk }: Pick<Standing, 'desk'>, side: ThreadDesk) => desk === 'vendor' && side === 'agent'

/** Why this side answers no shop's thread. */
export function refuseReply(
  thread: Pick<Standing, 'state' | 'desk'>,
  side: ThreadDesk,
): keyof typeof ANSWER_REFUSALS | null {
  return refuseMore(thread.state, 'reply') ?? (isOthers(thread, side) ? 'WITH_VENDOR' : null)
}

export function refuseClose(thread: Standing, side: ThreadDesk): StepRefusal | null {
  if (thread.kind === 'older') return 'OLDER_AS_IT_IS'
  if (nextState(THREAD_STEPS, thread.state, 'close') === null) return 'CLOSED_ALREADY'
  return isOthers(thread, side) ? 'WITH_VENDOR' : null
}

export function refuseReopen(thread: Standing, side: ThreadDesk): StepRefusal | null {
  const { kind, state } = thread
  if (kind === 'older') return 'OLDER_AS_IT_IS'
  if (isOthers(thread, side)) return 'WITH_VENDOR'
  return nextState<ThreadState, 'reopen'>(THREAD_STEPS, state, 'reopen') === null ? 'NOT_CLOSED' : null
}

export function refuseReason(reason: string): StepRefusal | null {
  const { length } = [...reason.trim()]
  if (length === 0) return 'REASON_REQUIRED'
  return length > THREAD_LIMITS.reason ? 'REASON_TOO_LONG' : null
}

/** The vendor gives back what was passed on to it; nobody takes it. `ofVendor`: the shop is the vendor's own. */
export function refusePass(
  { kind, state, desk }: Standing,
  { to, side, ofVendor }: { to: ThreadDesk; side: ThreadDesk; ofVendor: boolean },
): StepRefusal | null {
  if (kind === 'older') return 'OLDER_AS_IT_IS'
  if (state === 'closed') return 'CLOSED_ALREADY'
  if (desk === to) return 'PASSED_ALREADY'
  if (isOthers({ desk }, side)) return 'WITH_VENDOR'
  return to === 'agent' && ofVendor ? 'VENDORS_OWN' : null
}

export function refuseAssign({ kind, state, desk }: Standing, side: ThreadDesk): StepRefusal | null {
  if (kind === 'older') return 'OLDER_AS_IT_IS'
  if (state === 'closed') return 'CLOSED_ALREADY'
  return desk === side ? null : 'NOT_YOUR_DESK'
}

/** What is said at the end of a thread; a shop is asked to rate once, however often it ends. */
export const closedText = (asks: boolean): string =>
  asks ? '本次反馈已关闭，欢迎您对处理结果作出评价。' : '本次反馈已关闭。'

/** `rates`: the message asks for it. */
export function refuseRating(message: {
  rates: boolean
  satisfaction: Satisfaction | null
}): keyof typeof RATING_REFUSALS | null {
  if (!message.rates) return 'RATING_NOT_ASKED'
  return message.satisfaction === null ? null : 'RATED_ALREADY'
}

export function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  const letters = [...line]
  return letters.length > THREAD_LIMITS.title ? `${letters.slice(0, THREAD_LIMITS.title).join('')}…` : line
}

/** Places of a canned reply, which whoever uses it sees filled before it is sent. */
export const ANSWER_PLACES = [
  { name: 'shop', label: '店铺名称' },
  { name: 'person', label: '联系人' },
  { name: 'me', label: '回复人' },
] as const
export type AnswerPlace = (typeof ANSWER_PLACES)[number]['name']

export function answerFor(text: string, values: Readonly<Record<AnswerPlace, string>>): string {
  return filled(text, values)
}

/** Minutes in the largest unit that tells them well. */
export function minutesText(minutes: number): string {
  if (minutes < 60) return `${Math.max(1, Math.round(minutes))} 分钟`
  const hours = minutes / 60
  return hours < 48 ? `${Math.round(hours * 10) / 10} 小时` : `${Math.round(hours / 24)} 天`
}
