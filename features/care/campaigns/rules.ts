// Owns messages to many shops: whom they reach, what is written, when, and their states (messageEditing, D3 §2).
// Must never read a clock or a database.
import type { MerchantStatus } from '#features/shops/merchants/rules.ts'
import { type MessageStatus, refuseReceiver, renderTemplate } from '#features/shops/messages/rules.ts'
import { type Machine, nextState } from '#kit/declare/machine.ts'
import { formatCount } from '#kit/money.ts'
import { segmentsOf } from '#kit/words/segments.ts'

/** queueing: its messages are being written into the outbox. sending: all of them are there. */
export const CAMPAIGN_STATUSES = {
  draft: '草稿',
  scheduled: '待发送',
  queueing: '排队中',
  sending: '发送中',
  done: '已完成',
  cancelled: '已取消',
  refused: '未发送',
} as const
export type CampaignStatus = keyof typeof CAMPAIGN_STATUSES
export const CAMPAIGN_STATUS_KEYS = Object.keys(CAMPAIGN_STATUSES) as CampaignStatus[]

export const CAMPAIGN_STEPS = {
  schedule: { from: ['draft'], to: 'scheduled', by: ['campaigns.send'] },
  begin: { from: ['draft', 'scheduled'], to: 'queueing', by: ['campaigns.send', 'program'] },
  handOver: { from: ['queueing'], to: 'sending', by: ['program'] },
  refuse: { from: ['scheduled', 'queueing'], to: 'refused', by: ['program'] },
  finish: { from: ['sending'], to: 'done', by: ['program'] },
  cancel: { from: ['scheduled', 'queueing', 'sending'], to: 'cancelled', by: ['campaigns.send'] },
  continue: { from: ['sending', 'done', 'refused'], to: 'queueing', by: ['campaigns.send'] },
} as const satisfies Machine<CampaignStatus>

/** Whether its messages are on their way, so that its figures still move. */
export function isMoving(status: CampaignStatus): boolean {
  return status === 'queueing' || status === 'sending'
}

export const CAMPAIGN_LIMITS = {
  name: 30,
  /** What the SMS services take for one variable, in characters as people count them. */
  param: 35,
  scheduleDays: 90,
  /** A campaign that could not begin so long after its time is not sent any more. */
  lateHours: 24,
  samples: 3,
} as const

export const CAMPAIGN_REFUSALS = {
  NAME_REQUIRED: '请输入任务名称',
  NAME_TOO_LONG: `任务名称不得超过${CAMPAIGN_LIMITS.name}字`,
  TEMPLATE_REQUIRED: '请选择短信模板',
  TEMPLATE_UNKNOWN: '该短信模板已停用，请选择其他模板',
  PARAM_REQUIRED: '请输入该项内容',
  PARAM_TOO_LONG: `每项内容不得超过${CAMPAIGN_LIMITS.param}字`,
  PARAM_FORBIDDEN: '内容不能包含链接、换行或【】',
  SCHEDULE_PAST: '计划时间已过，请重新选择',
  SCHEDULE_TOO_FAR: `计划时间须在${CAMPAIGN_LIMITS.scheduleDays}天以内`,
  AUDIENCE_EMPTY: '没有可发送的商户，请调整筛选条件',
  COST_CHANGED: '可发送的商户或条数有变化，请重新确认',
  NOT_DRAFT: '该任务已提交发送，不能修改',
  NOT_CANCELLABLE: '该任务已结束，不能取消',
  NOT_STOPPED: '该任务没有未发送的商户',
  SMS_INSUFFICIENT: '短信余额不足，请充值后再发送',
} as const
export type CampaignRefusal = keyof typeof CAMPAIGN_REFUSALS

/** The variable that every shop fills by itself. */
export const SHOP_VARIABLE = 'shop'

export type CampaignTemplate = {
  key: string
  text: string
  variables: readonly { name: string; label: string }[]
}

/** The variables that the sender writes, the same for all shops. */
export function writtenVariables(template: Pick<CampaignTemplate, 'variables'>) {
  return template.variables.filter(({ name }) => name !== SHOP_VARIABLE)
}

export type Draft = {
  name: string
  templateKey: string
  params: Readonly<Record<string, string>>
  /** Null: at once. */
  scheduledAt: string | null
}
export type FieldRefusal = { field: string; code: CampaignRefusal }

/**
 * All that is wrong with a draft that is only kept, in the form's order: too long, not allowed or past, but nothing still to be
 * written. `now`: the database's clock.
 */
export function brokenInDraft(draft: Draft, now: Date): FieldRefusal[] {
  const texts = Object.entries(draft.params).filter(([, value]) => value.trim() !== '')
  return brokenOf([
    ['name', refuseName(draft.name)],
    ...texts.map(([name, value]): Judged => [`params.${name}`, refuseParam(value)]),
    ['scheduledAt', refuseSchedule(draft.scheduledAt, now)],
  ])
}

/** All that keeps a campaign from being sent, in the form's order. `now`: the database's clock. */
export function brokenForSending(
  draft: Draft,
  template: CampaignTemplate | undefined,
  now: Date,
): FieldRefusal[] {
  const missing = draft.templateKey === '' ? 'TEMPLATE_REQUIRED' : template ? null : 'TEMPLATE_UNKNOWN'
  const variables = template ? writtenVariables(template) : []
  return brokenOf([
    ['name', refuseName(draft.name)],
    ['templateKey', missing],
    ...variables.map(({ name }): Judged => [`params.${name}`, refuseParam(draft.params[name] ?? '')]),
    ['scheduledAt', refuseSchedule(draft.scheduledAt, now)],
  ])
}

type Judged = [field: string, code: CampaignRefusal | null]

function brokenOf(judged: readonly Judged[]): FieldRefusal[] {
  return judged.flatMap(([field, code]) => (code ? [{ field, code }] : []))
}

function refuseName(name: string): CampaignRefusal | null {
  const text = name.trim()
  if (text === '') return 'NAME_REQUIRED'
  return [...text].length > CAMPAIGN_LIMITS.name ? 'NAME_TOO_LONG' : null
}

/** An address also without https:// before it; other words with a dot (8.5折, v2.0, Node.js) are none. */
export const LINK =
  /\bwww\.|[a-z0-9-]\.(com|cn|net|org|top|xyz|vip|shop|store|cc|co|me|io|tv|info|biz|site|club|link|ltd|wang|mobi|app|url|im|ly|gl|fun|online)(?![a-z0-9])/i

export function refuseParam(value: string): CampaignRefusal | null {
  const text = value.trim()
  if (text === '') return 'PARAM_REQUIRED'
  if ([...text].length > CAMPAIGN_LIMITS.param) return 'PARAM_TOO_LONG'
  return /[【】\r\n]|:\/\//.test(text) || LINK.test(text) ? 'PARAM_FORBIDDEN' : null
}

export function refuseSchedule(scheduledAt: string | null, now: Date): CampaignRefusal | null {
  if (scheduledAt === null) return null
  const waitMs = Date.parse(scheduledAt) - now.getTime()
  if (!(waitMs > 0)) return 'SCHEDULE_PAST'
  return waitMs > CAMPAIGN_LIMITS.scheduleDays * 86_400_000 ? 'SCHEDULE_TOO_FAR' : null
}

export type Reach = { shops: number; segments: number }

/** Pieces of an agent. `reserved`: what its other campaigns were accepted for and still need of them. */
export type Credit = { balance: number; reserved: number }

/** Pieces that are missing for these segments. */
export function missingOf(segments: number, { balance, reserved }: Credit): number {
  return Math.max(0, segments + reserved - balance)
}

/** Why what was confirmed cannot be sent now, or null. */
export function refuseReach(now: Reach, confirmed: Reach, credit: Credit): CampaignRefusal | null {
  if (now.shops === 0) return 'AUDIENCE_EMPTY'
  if (now.shops !== confirmed.shops || now.segments !== confirmed.segments) return 'COST_CHANGED'
  return missingOf(now.segments, credit) > 0 ? 'SMS_INSUFFICIENT' : null
}

export function refuseEditing(status: CampaignStatus): CampaignRefusal | null {
  return status === 'draft' ? null : 'NOT_DRAFT'
}

export function refuseCancelling(status: CampaignStatus): CampaignRefusal | null {
  return nextState(CAMPAIGN_STEPS, status, 'cancel') === null ? 'NOT_CANCELLABLE' : null
}

/** Only what stopped with a reason, before it came to all, can be continued. */
export function refuseContinuing(campaign: {
  status: CampaignStatus
  problem: string
}): CampaignRefusal | null {
  const isStopped = campaign.problem !== '' && nextState(CAMPAIGN_STEPS, campaign.status, 'continue') !== null
  return isStopped ? null : 'NOT_STOPPED'
}

export type Sender = { isAgentEnabled: boolean; isAccountEnabled: boolean }

/** Why nothing is sent for them any more, in a few words, or null. */
export function senderProblem({ isAgentEnabled, isAccountEnabled }: Sender): string | null {
  if (!isAgentEnabled) return '代理商已停用'
  return isAccountEnabled ? null : '发送人账号已停用'
}

/** Why a campaign does not begin although its time has come, or null. */
export function startProblem(campaign: Sender & { isLate: boolean }): string | null {
  const late = campaign.isLate ? `已超过计划时间 ${CAMPAIGN_LIMITS.lateHours} 小时` : null
  const problem = senderProblem(campaign) ?? late
  return problem && `${problem}，未发送`
}

/** Whether a shop gets a message at all. */
export function isReached(shop: { status: MerchantStatus; account: string }): boolean {
  return refuseReceiver(shop) === null
}

/** Trimmed values of the template's own variables; what the draft holds beyond them is left out. */
export function paramsFor(
  template: Pick<CampaignTemplate, 'variables'>,
  params: Readonly<Record<string, string>>,
  shopName: string,
): Record<string, string> {
  const written = writtenVariables(template).map(({ name }) => [name, (params[name] ?? '').trim()])
  const hasShop = template.variables.some(({ name }) => name === SHOP_VARIABLE)
  return Object.fromEntries(hasShop ? [...written, [SHOP_VARIABLE, shopName]] : written)
}

export function textFor(
  template: CampaignTemplate,
  params: Readonly<Record<string, string>>,
  shopName: string,
): string {
  return renderTemplate(template.text, paramsFor(template, params, shopName))
}

/** Segments of the message to a shop whose name has so many UTF-16 units. */
export function segmentsFor(
  signature: string,
  template: CampaignTemplate,
  params: Readonly<Record<string, string>>,
  nameLength: number,
): number {
  return segmentsOf(signature, textFor(template, params, '店'.repeat(nameLength)))
}

/** Messages of a campaign by state, and the pieces that its agent is charged for them now. */
export type Progress = { messages: Partial<Record<MessageStatus, number>>; charged: number }

export function countOf({ messages }: Pick<Progress, 'messages'>, states: readonly MessageStatus[]): number {
  return states.reduce((sum, state) => sum + (messages[state] ?? 0), 0)
}

/** Messages of which something will still be heard. */
export const OPEN_STATES: readonly MessageStatus[] = ['queued', 'sending', 'submitted', 'unknown']
export const FAILED_STATES: readonly MessageStatus[] = ['failed', 'expired']
const OUT_STATES: readonly MessageStatus[] = ['submitted', 'delivered']

/** What whoever sent it is told at its end: what is known then. A receipt may yet say that a message failed. */
export function endWords(
  campaign: { name: string; problem: string },
  progress: Pick<Progress, 'messages'>,
): { title: string; body: string } {
  const counts = [
    { count: countOf(progress, OUT_STATES), words: (n: string) => `已提交 ${n} 条短信` },
    { count: countOf(progress, ['unknown']), words: (n: string) => `${n} 条待确认` },
    { count: countOf(progress, FAILED_STATES), words: (n: string) => `${n} 条发送失败` },
  ].filter(({ count }) => count > 0)
  const failed = countOf(progress, FAILED_STATES)
  const all = Object.values(progress.messages).reduce((sum, count) => sum + count, 0)
  const parts = [...counts.map(({ count, words }) => words(formatCount(count))), campaign.problem]
  return {
    title: endTitle({ all, failed, isWhole: campaign.problem === '' }),
    body: `「${campaign.name}」${parts.filter(Boolean).join('，')}。`,
  }
}

function endTitle({ all, failed, isWhole }: { all: number; failed: number; isWhole: boolean }): string {
  if (all === 0) return '群发未发送'
  if (failed === all) return '群发失败'
  if (!isWhole) return '群发未全部发送'
  return failed > 0 ? '群发部分失败' : '群发已完成'
}
