// Owns what holds for print templates of both kinds: names, sizes, drafts, versions, whom a version is for (D3 §4, §5).
// Must never read a clock or a database.
import { lengthOf } from '#kit/words/cleaned.ts'

/** Whose operations stand in the feature called like the value of TEMPLATE_FEATURES. */
export const TEMPLATE_KINDS = { label: '标签模板', receipt: '小票模板' } as const
export type TemplateKind = keyof typeof TEMPLATE_KINDS
export const TEMPLATE_KIND_KEYS = Object.keys(TEMPLATE_KINDS) as [TemplateKind, ...TemplateKind[]]

/** The feature of a kind, which its permissions begin with: labels.list, labels.edit, labels.publish. */
export const TEMPLATE_FEATURES = { label: 'labels', receipt: 'receipts' } as const

export const TEMPLATE_STATES = {
  draft: '未发布',
  published: '已发布',
  changed: '有修改未发布',
} as const
export type TemplateState = keyof typeof TEMPLATE_STATES

export const TEMPLATE_LIMITS = {
  name: 20,
  /** Bytes of a content as JSON. */
  content: 256 * 1_024,
  industries: 50,
  /** Shops that are chosen one by one. */
  shops: 500,
  reason: 200,
  faults: 100,
} as const

export const TEMPLATE_REFUSALS = {
  NAME_REQUIRED: '请输入模板名称',
  NAME_TOO_LONG: `模板名称不能超过${TEMPLATE_LIMITS.name}字`,
  CONTENT_TOO_LARGE: '模板内容过大，请减少元素后重试',
  INDUSTRY_INVALID: '所选行业不存在或已停用',
  PICTURE_UNKNOWN: '图片不存在或已失效，请重新上传',
  REVISION_STALE: '该模板已被他人修改，请刷新后重试',
  DELETED_ALREADY: '模板已删除',
  AUDIENCE_REQUIRED: '请选择至少一个行业或一家店铺',
  SHOP_UNKNOWN: '所选店铺不存在',
  AUDIENCE_NARROWER: '发布范围只能扩大。要缩小范围，请撤回该版本后重新发布',
  NOT_CHANGED: '草稿与已发布的版本相同，不需要再次发布',
  EMPTY: '模板是空的，打印不出任何内容，请添加内容后再发布',
  FAULTS: '模板有问题未解决。修改后再发布，或填写仍要发布的原因',
  REASON_TOO_LONG: `说明不能超过${TEMPLATE_LIMITS.reason}字`,
  NOT_PUBLISHED: '该版本没有在发布中',
  IN_USE: '有店铺正在使用该模板，删除后这些店铺不能再使用',
} as const
export type TemplateRefusal = keyof typeof TEMPLATE_REFUSALS

/** Whom a version is for: all shops, or the shops of some industries and some that are chosen. */
export type Audience = {
  all: boolean
  industryIds: readonly number[]
  shopIds: readonly number[]
}

export function refuseName(name: string): TemplateRefusal | null {
  if (lengthOf(name) === 0) return 'NAME_REQUIRED'
  return lengthOf(name) > TEMPLATE_LIMITS.name ? 'NAME_TOO_LONG' : null
}

/** What is new is none of an earlier revision; of an older one it is known that somebody saved meanwhile. */
export function isStale(kept: number, seen: number | null): boolean {
  return seen !== kept
}

/** The name of a copy, no longer than a name may be. */
export function nameOfCopy(name: string): string {
  const ending = ' 副本'
  return [...name].slice(0, TEMPLATE_LIMITS.name - [...ending].length).join('') + ending
}

export function stateOf({
  revision,
  publishedVersion,
  publishedRevision,
}: {
  revision: number
  publishedVersion: number | null
  publishedRevision: number | null
}): TemplateState {
  if (publishedVersion === null) return 'draft'
  return revision === publishedRevision ? 'published' : 'changed'
}

/** All means all, and nothing beside it; each industry and shop once, in order. */
export function audienceOf({ all, industryIds, shopIds }: Audience): Audience {
  const once = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)
  return all
    ? { all, industryIds: [], shopIds: [] }
    : { all, industryIds: once(industryIds), shopIds: once(shopIds) }
}

export function refuseAudience({ all, industryIds, shopIds }: Audience): TemplateRefusal | null {
  return all || industryIds.length > 0 || shopIds.length > 0 ? null : 'AUDIENCE_REQUIRED'
}

/** Whether every shop of the one is one of the other, whatever industries shops have. */
export function covers(wide: Audience, narrow: Audience): boolean {
  if (wide.all) return true
  const holds = (ids: readonly number[], of: readonly number[]) => of.every(id => ids.includes(id))
  return !narrow.all && holds(wide.industryIds, narrow.industryIds) && holds(wide.shopIds, narrow.shopIds)
}

export function refuseWidening(before: Audience, after: Audience): TemplateRefusal | null {
  return refuseAudience(after) ?? (covers(after, before) ? null : 'AUDIENCE_NARROWER')
}

/** A shop gets the newest version that is meant for it: see `server-live.ts`. */
export function isMeant(audience: Audience, shop: { id: number; industryId: number }): boolean {
  const { all, industryIds, shopIds } = audience
  return all || industryIds.includes(shop.industryId) || shopIds.includes(shop.id)
}

/** A published draft that has not been changed is published already; one of which nothing is printed is none to publish. */
export function refusePublishing(
  { state }: { state: TemplateState },
  { faults, isEmpty, reason }: { faults: number; isEmpty: boolean; reason: string },
): TemplateRefusal | null {
  if (lengthOf(reason) > TEMPLATE_LIMITS.reason) return 'REASON_TOO_LONG'
  if (state === 'published') return 'NOT_CHANGED'
  if (isEmpty) return 'EMPTY'
  return faults > 0 && lengthOf(reason) === 0 ? 'FAULTS' : null
}

/** Whom it is for in a line; names where they are known. */
export function audienceText(
  { all, industryIds, shopIds }: Audience,
  industryName: (id: number) => string,
): string {
  if (all) return '全部店铺'
  const industries = industryIds.map(industryName).join('、')
  const shops = shopIds.length > 0 ? `${shopIds.length} 家指定店铺` : ''
  return [industries, shops].filter(Boolean).join('，')
}

/** What happened to a template, as its history tells it. */
export const TEMPLATE_EVENTS = {
  published: '发布',
  widened: '扩大发布范围',
  withdrawn: '撤回',
  restored: '恢复为草稿',
  deleted: '删除',
  undeleted: '恢复模板',
} as const
export type TemplateEventKind = keyof typeof TEMPLATE_EVENTS
