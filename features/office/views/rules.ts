// Owns what a saved view and a column setting may hold, and who may share, rename and delete (D3 §9).
// Must never know which lists there are.
import type { ColumnSetting } from '#kit/declare/columns.ts'

export type { ColumnSetting }

export const NAME_MAX = 20
export const VIEWS_MAX = 20
/** Lists whose columns one account may arrange; more do not exist. */
export const LISTS_MAX = 100

export const REFUSALS = {
  NAME_REQUIRED: '请输入视图名称',
  NAME_TOO_LONG: `视图名称不能超过${NAME_MAX}个字符`,
  NAME_TAKEN: '已有同名视图，请换一个名称',
  TOO_MANY: `每个列表最多保存 ${VIEWS_MAX} 个视图，请先删除不用的视图`,
  NOT_OWNER: '只有主账号可以共享视图',
  NOT_YOURS: '只能修改自己的视图',
  TOO_MANY_LISTS: '列设置过多，无法保存',
} as const
export type Refusal = keyof typeof REFUSALS

export function refuseName(name: string, taken: readonly string[]): Refusal | null {
  const trimmed = name.trim()
  if (trimmed === '') return 'NAME_REQUIRED'
  if ([...trimmed].length > NAME_MAX) return 'NAME_TOO_LONG'
  return taken.includes(trimmed) ? 'NAME_TAKEN' : null
}

export function refuseShare(isShared: boolean, isOwner: boolean): Refusal | null {
  return isShared && !isOwner ? 'NOT_OWNER' : null
}

export function refuseAnother(ownViews: number): Refusal | null {
  return ownViews >= VIEWS_MAX ? 'TOO_MANY' : null
}

/** Its maker changes a view; a shared one also whoever owns the agent's account. */
export function refuseChange(
  view: { accountId: number; isShared: boolean },
  actor: { accountId: number; isOwner: boolean },
): Refusal | null {
  if (view.accountId === actor.accountId) return null
  return view.isShared && actor.isOwner ? null : 'NOT_YOURS'
}
