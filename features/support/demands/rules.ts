// Owns what a demand of shops is, what is refused of it, and how much it weighs (D3 §3, §5, §9 Demand). Must never read a clock or a
// database.
import { setting } from '#kit/declare/settings.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import { RICH_LIMITS } from '#kit/words/rich.ts'

export const FORM_PATH = '/admin/demandForm'

export const PRIORITIES = { normal: '一般', minor: '次要', major: '主要', critical: '严重' } as const
export type Priority = keyof typeof PRIORITIES
export const TYPES = { bug: 'Bug', improvement: '优化', requirement: '新需求', scenario: '用户场景' } as const
export type DemandType = keyof typeof TYPES
export const CLIENTS = {
  pcWeb: 'PC 网页版',
  pcGreen: 'PC 绿色客户端',
  pcBlue: 'PC 蓝色客户端',
  android: '安卓手持与大屏',
  ios: 'iOS 与 iPad',
  miniProgram: '小程序',
  microMall: '微商城',
  agentPlatform: '代理商平台',
  website: '官网',
  academy: '商学院',
} as const
export type Client = keyof typeof CLIENTS
/** A free choice: every change of it is in the log. */
export const STATUSES = {
  feedbacked: '已反馈',
  toSchedule: '待排期',
  developing: '开发中',
  testing: '测试中',
  online: '已上线',
  postponed: '暂缓',
  rejected: '已拒绝',
} as const
export type Status = keyof typeof STATUSES
/** Where a new one begins. */
export const NEW_STATUS: Status = 'feedbacked'
export const STATUS_KEYS = Object.keys(STATUSES) as Status[]

/** What is decided for good weighs nothing and waits no longer. */
export const isClosed = (status: Status) => status === 'online' || status === 'rejected'

export const SOURCE_KINDS = { shop: '店铺', thread: '商户反馈', feedback: '代理商反馈' } as const
export type SourceKind = keyof typeof SOURCE_KINDS

export const RELATIONS = { blocks: '阻塞', partOf: '属于' } as const
export type RelationKind = keyof typeof RELATIONS

export const DEMAND_LIMITS = {
  title: 30,
  path: 100,
  comment: 1_000,
  fileName: 60,
  files: 20,
  sources: 500,
  rows: 100,
  boardRows: 30,
} as const
export const DEMAND_PICTURE = 'demand-picture'
export const DEMAND_FILE = 'demand-file'
export const DEMAND_FILE_KB = setting({
  key: 'demand-file-kb',
  group: '上传',
  label: '需求附件大小',
  unit: 'KB',
  initial: 5_120,
  min: 500,
  max: 8_192,
})
/** How long one that was deleted can be brought back. */
export const RESTORE_DAYS = 30
/** How long a merge can be undone. */
export const UNMERGE_DAYS = 30
/** The range that means: past by now (D3 §9). */
export const EXPIRED_SINCE = '2017-01-01'
export const RANGE_DAYS = [7, 15, 30, 90, 365] as const

export const DEMAND_REFUSALS = {
  TITLE_REQUIRED: '请输入任务标题',
  TITLE_TOO_LONG: `请输入不多于${DEMAND_LIMITS.title}个字的标题`,
  PATH_TOO_LONG: `路径不得超过${DEMAND_LIMITS.path}字`,
  SHOP_INVALID: '请输入正确的店铺id',
  OWNER_REQUIRED: '请输入负责人',
  PRIORITY_REQUIRED: '请输入优先级',
  TYPE_REQUIRED: '请输入任务类型',
  CLIENT_REQUIRED: '请输入客户端',
  INDUSTRY_REQUIRED: '请输入行业类型',
  DEADLINE_PAST: '截止时间不能早于当前时间',
  TEXT_TOO_LONG: `备注不得超过${RICH_LIMITS.text}字`,
  PICTURES_TOO_MANY: `备注最多插入${RICH_LIMITS.pictures}张图片`,
  PICTURE_UNKNOWN: '图片插入失败',
  FEEDBACK_UNKNOWN: '反馈不存在或已被删除',
  THREAD_UNKNOWN: '反馈不存在，或已退回代理商',
  DELETED: '需求已删除，请先恢复',
  MERGED: '需求已合并到其他需求，不能修改',
} as const
export type DemandRefusal = keyof typeof DEMAND_REFUSALS

export const LINK_REFUSALS = {
  DELETED: DEMAND_REFUSALS.DELETED,
  MERGED: DEMAND_REFUSALS.MERGED,
  SHOP_INVALID: DEMAND_REFUSALS.SHOP_INVALID,
  FEEDBACK_UNKNOWN: DEMAND_REFUSALS.FEEDBACK_UNKNOWN,
  THREAD_UNKNOWN: DEMAND_REFUSALS.THREAD_UNKNOWN,
  OTHER_UNKNOWN: '没有这个需求，或它已删除、已合并',
  OTHER_SELF: '不能选择需求自己',
  RELATION_CIRCLE: '这样会互相阻塞或互相属于',
  SOURCE_KNOWN: '该来源已在列表中',
  SOURCES_TOO_MANY: `一个需求最多记录${DEMAND_LIMITS.sources}个来源`,
  SOURCE_OWN: '需求自己的店铺不能移除',
  FILE_UNKNOWN: '文件不存在或已失效，请重新上传',
  FILES_TOO_MANY: `一个需求最多${DEMAND_LIMITS.files}个附件`,
  FILE_NAME_REQUIRED: '请输入附件名称',
} as const

export const UNMERGE_REFUSALS = {
  NOT_MERGED: '需求没有合并到其他需求',
  MERGE_OLD: `合并已超过${UNMERGE_DAYS}天，不能撤销`,
  INTO_MERGED: '合并到的需求又合并到了其他需求，请先撤销那一次合并',
} as const

export type DemandForm = {
  title: string
  path: string
  /** As it is typed: eight digits. */
  merchantId: string
  ownerId: number | null
  priority: Priority | null
  type: DemandType | null
  client: Client | null
  industryId: number | null
  deadline: string | null
  status: Status
  description: string
}
type Broken = { code: DemandRefusal; field: keyof DemandForm }

const DAY_MS = 86_400_000

/** Broken rules in the order of the form. `kept`: the deadline that it has, which may have passed meanwhile. */
export function brokenIn(form: DemandForm, now: number, kept: string | null = null): Broken[] {
  const isPast = form.deadline !== null && form.deadline !== kept && Date.parse(form.deadline) < now
  const rules: readonly (readonly [boolean, keyof DemandForm, DemandRefusal])[] = [
    [lengthOf(form.title) === 0, 'title', 'TITLE_REQUIRED'],
    [lengthOf(form.title) > DEMAND_LIMITS.title, 'title', 'TITLE_TOO_LONG'],
    [lengthOf(form.path) > DEMAND_LIMITS.path, 'path', 'PATH_TOO_LONG'],
    [!isShopId(form.merchantId), 'merchantId', 'SHOP_INVALID'],
    [form.ownerId === null, 'ownerId', 'OWNER_REQUIRED'],
    [form.priority === null, 'priority', 'PRIORITY_REQUIRED'],
    [form.type === null, 'type', 'TYPE_REQUIRED'],
    [form.client === null, 'client', 'CLIENT_REQUIRED'],
    [form.industryId === null, 'industryId', 'INDUSTRY_REQUIRED'],
    [isPast, 'deadline', 'DEADLINE_PAST'],
  ]
  return rules.flatMap(([isBroken, field, code]) => (isBroken ? [{ code, field }] : []))
}

/** Eight digits, as shops are numbered. */
export function isShopId(text: string): boolean {
  return /^\d{8}$/.test(text.trim())
}

export function refuseText(rich: { text: string; pictures: readonly string[] }): DemandRefusal | null {
  if ([...rich.text].length > RICH_LIMITS.text) return 'TEXT_TOO_LONG'
  return rich.pictures.length > RICH_LIMITS.pictures ? 'PICTURES_TOO_MANY' : null
}

/** What becomes of a demand. */
export type Assessed = {
  status: Status
  ownerId: number
  priority: Priority
  deadline: string | null
}

/** What was changed of what was seen; the rest is left as it is. */
export function changedIn(seen: Assessed, wanted: Assessed): Partial<Assessed> {
  return {
    ...(wanted.status !== seen.status && { status: wanted.status }),
    ...(wanted.ownerId !== seen.ownerId && { ownerId: wanted.ownerId }),
    ...(wanted.priority !== seen.priority && { priority: wanted.priority }),
    ...(wanted.deadline !== seen.deadline && { deadline: wanted.deadline }),
  }
}

/** Why it is not saved. A deadline that has passed is refused only where it was chosen anew. */
export function refuseAssessment(
  seen: Assessed,
  wanted: Assessed,
  now: number,
): { field: keyof Assessed; message: string } | null {
  const { deadline, ...others } = changedIn(seen, wanted)
  if (deadline && Date.parse(deadline) < now)
    return { field: 'deadline', message: DEMAND_REFUSALS.DEADLINE_PAST }
  return deadline === undefined && Object.keys(others).length === 0
    ? { field: 'status', message: '请至少选择一项要修改的内容' }
    : null
}

/** Why nothing of it may be changed. */
export function refuseChange(demand: {
  deletedAt: string | null
  mergedIntoId: number | null
}): 'DELETED' | 'MERGED' | null {
  if (demand.mergedIntoId !== null) return 'MERGED'
  return demand.deletedAt === null ? null : 'DELETED'
}

/** Why a merge is not undone; `mergedAt` null: nobody knows what it changed. */
export function refuseUnmerge(
  demand: { mergedIntoId: number | null; mergedAt: string | null },
  now: number,
): keyof typeof UNMERGE_REFUSALS | null {
  if (demand.mergedIntoId === null) return 'NOT_MERGED'
  const until = demand.mergedAt === null ? 0 : Date.parse(demand.mergedAt) + UNMERGE_DAYS * DAY_MS
  return now > until ? 'MERGE_OLD' : null
}

/** What a demand that begins with these words is called: their first, in one line. */
export function titleFrom(text: string): string {
  const letters = [...text.trim().replace(/\s+/g, ' ')]
  if (letters.length <= DEMAND_LIMITS.title) return letters.join('')
  return `${letters.slice(0, DEMAND_LIMITS.title - 1).join('')}…`
}

/** Those of these people whom a text names as @name; of names that begin alike the longer one. */
export function mentionedIn<P extends { name: string }>(text: string, people: readonly P[]): P[] {
  let rest = text
  return [...people]
    .sort((a, b) => b.name.length - a.name.length)
    .filter(({ name }) => {
      if (name === '' || !rest.includes(`@${name}`)) return false
      rest = rest.replaceAll(`@${name}`, '')
      return true
    })
}

export type Weighed = {
  shops: number
  /** What renewing those whose term ends within 12 months costs for a year, in 1/100 token. */
  renewalCents: number
  /** Since when the first who asked waits. */
  oldestAskedAt: string
  status: Status
}
const PER_SHOP = 10
const CENTS_PER_POINT = 100_00
const DAYS_PER_POINT = 10

export const WEIGHT_WORDS = `每家店铺 ${PER_SHOP} 分，12 个月内到期店铺的续费金额每 100 代币 1 分，最早提出后每等待 ${DAYS_PER_POINT} 天 1 分；已上线和已拒绝的为 0`

/** Orders demands as their weights do whatever the time, so that it can stand in an index: all that wait grow alike. */
export function weightRank({ shops, renewalCents, oldestAskedAt, status }: Weighed): number {
  if (isClosed(status)) return CLOSED_RANK
  const waitedSince = Date.parse(oldestAskedAt) / DAY_MS / DAYS_PER_POINT
  return Math.round((shops * PER_SHOP + renewalCents / CENTS_PER_POINT - waitedSince) * 1_000)
}
const CLOSED_RANK = -1_000_000_000_000

/** What a rank weighs at a moment. */
export function weightAt(rank: number, now: number): number {
  if (rank <= CLOSED_RANK) return 0
  return Math.max(0, Math.round(rank / 1_000 + now / DAY_MS / DAYS_PER_POINT))
}
