// Owns messages to many shops: whom they reach, what is written, when, and their states (messageEditing, D3 §2).
// Must never read a clock or a database.
import type { MerchantStatus } from '#features/merchants/rules.ts'
import { type MessageStatus, refuseReceiver, renderTemplate } from '#features/messages/rules.ts'
import { nextState, type Step } from '#kit/machine.ts'
import { segmentsOf } from '#kit/segments.ts'

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

export type CampaignAction = 'schedule' | 'begin' | 'hand-over' | 'refuse' | 'finish' | 'cancel'

const STEPS: readonly Step<CampaignStatus, CampaignAction>[] = [
  { from: 'draft', action: 'schedule', to: 'scheduled' },
  { from: 'draft', action: 'begin', to: 'queueing' },
  { from: 'scheduled', action: 'begin', to: 'queueing' },
  { from: 'scheduled', action: 'refuse', to: 'refused' },
  { from: 'scheduled', action: 'cancel', to: 'cancelled' },
  { from: 'queueing', action: 'hand-over', to: 'sending' },
  { from: 'queueing', action: 'refuse', to: 'refused' },
  { from: 'queueing', action: 'cancel', to: 'cancelled' },
  { from: 'sending', action: 'finish', to: 'done' },
  { from: 'sending', action: 'cancel', to: 'cancelled' },
]

/** The state after the action, or null where it cannot be done. */
export function statusAfter(status: CampaignStatus, action: CampaignAction): CampaignStatus | null {
  return nextState(STEPS, status, action)
}

/** Whether its messages are on their way, so that its figures still move. */
export function isMoving(status: CampaignStatus): boolean {
  return status === 'queueing' || status === 'sending'
}

export const CAMPAIGN_LIMITS = {
  name: 30,
  /** What the SMS services take for one variable, in UTF-16 units. */
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
  PARAM_REQUIRED: '请填写该项内容',
  PARAM_TOO_LONG: `每项内容不得超过${CAMPAIGN_LIMITS.param}字`,
  PARAM_FORBIDDEN: '内容不能包含链接、换行或【】',
  SCHEDULE_PAST: '计划时间已过，请重新选择',
  SCHEDULE_TOO_FAR: `计划时间须在${CAMPAIGN_LIMITS.scheduleDays}天以内`,
  AUDIENCE_EMPTY: '没有可发送的商户，请调整筛选条件',
  COST_CHANGED: '可发送的商户或条数有变化，请重新确认',
  NOT_DRAFT: '该任务已提交发送，不能修改',
  NOT_CANCELLABLE: '该任务已结束，不能取消',
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

/** What is wrong with a draft that is only kept: texts that are too long, but nothing that is still to be written. */
export function refuseDraft(draft: Draft): FieldRefusal | null {
  if (draft.name.trim() === '') return { field: 'name', code: 'NAME_REQUIRED' }
  if ([...draft.name.trim()].length > CAMPAIGN_LIMITS.name) return { field: 'name', code: 'NAME_TOO_LONG' }
  for (const [name, value] of Object.entries(draft.params)) {
    const code = value.trim() === '' ? null : refuseParam(value)
    if (code) return { field: `params.${name}`, code }
  }
  return null
}

/** The first thing that keeps a campaign from being sent, or null. `now`: the database's clock. */
export function refuseSending(
  draft: Draft,
  template: CampaignTemplate | undefined,
  now: Date,
): FieldRefusal | null {
  const broken = refuseDraft(draft)
  if (broken) return broken
  if (draft.templateKey === '') return { field: 'templateKey', code: 'TEMPLATE_REQUIRED' }
  if (!template) return { field: 'templateKey', code: 'TEMPLATE_UNKNOWN' }
  for (const { name } of writtenVariables(template)) {
    const code = refuseParam(draft.params[name] ?? '')
    if (code) return { field: `params.${name}`, code }
  }
  const code = refuseSchedule(draft.scheduledAt, now)
  return code ? { field: 'scheduledAt', code } : null
}

export function refuseParam(value: string): CampaignRefusal | null {
  const text = value.trim()
  if (text === '') return 'PARAM_REQUIRED'
  if (text.length > CAMPAIGN_LIMITS.param) return 'PARAM_TOO_LONG'
  return /[【】\r\n]|https?:|www\./i.test(text) ? 'PARAM_FORBIDDEN' : null
}

export function refuseSchedule(scheduledAt: string | null, now: Date): CampaignRefusal | null {
  if (scheduledAt === null) return null
  const waitMs = Date.parse(scheduledAt) - now.getTime()
  if (!(waitMs > 0)) return 'SCHEDULE_PAST'
  return waitMs > CAMPAIGN_LIMITS.scheduleDays * 86_400_000 ? 'SCHEDULE_TOO_FAR' : null
}

export type Reach = { shops: number; segments: number }

/** Why what was confirmed cannot be sent now, or null. */
export function refuseReach(now: Reach, confirmed: Reach, balance: number): CampaignRefusal | null {
  if (now.shops === 0) return 'AUDIENCE_EMPTY'
  if (now.shops !== confirmed.shops || now.segments !== confirmed.segments) return 'COST_CHANGED'
  return now.segments > balance ? 'SMS_INSUFFICIENT' : null
}

export function refuseEditing(status: CampaignStatus): CampaignRefusal | null {
  return status === 'draft' ? null : 'NOT_DRAFT'
}

export function refuseCancelling(status: CampaignStatus): CampaignRefusal | null {
  return statusAfter(status, 'cancel') === null ? 'NOT_CANCELLABLE' : null
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
