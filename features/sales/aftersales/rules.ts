// Owns the after-sales tools: what each may do to a shop, and why not (D2 screen 9, §4, §7, §8; D3 §2, §7).
// Must never read a clock or a database, and must never name a version's or an agent's id: rows and instants are passed in.
import type { MerchantStatus, StoreKind } from '#features/shops/merchants/rules.ts'
import { VERSION_REFUSALS } from '#features/shops/versions/rules.ts'

export const TOOL_KINDS = {
  extend: '账户延期',
  provider: '调整服务商',
  version: '调整版本',
  associate: '关联连锁',
  dissolve: '解除连锁',
  cancel: '撤销订单',
  clearTable: '清空数据',
  restoreTable: '恢复数据',
} as const
export type ToolKind = keyof typeof TOOL_KINDS
export const TOOL_KIND_KEYS = Object.keys(TOOL_KINDS) as ToolKind[]

export const LIMITS = { daysMin: 1, daysMax: 365, reason: 50 } as const

export const TOOL_REFUSALS = {
  SEARCH_REQUIRED: '请输入查找商户',
  ORDER_SEARCH_REQUIRED: '请输入订单号、商户ID、账号或店铺名称',
  SHOP_ID_REQUIRED: '请输入商户ID',
  SHOP_UNKNOWN: '请输入正确的ID/账号',
  MERCHANT_DISABLED: '请启用后再进行操作',
  PERMANENT: '该商户已永久有效，无需延期',
  AGENT_REQUIRED: '请选择新服务商',
  AGENT_UNKNOWN: '新服务商不存在，请重新选择',
  AGENT_SAME: '该商户已属于所选服务商',
  AGENT_DISABLED: '所选服务商已停用，请重新选择',
  BRANCH_MOVES_WITH_HEAD: '分店随总店一起调整，请先解除连锁或调整总店',
  VERSION_REQUIRED: '请选择调整后的版本',
  VERSION_FIXED: '该商户现用的版本不能调整为其他版本',
  VERSION_NOT_AUTHORIZED: VERSION_REFUSALS.VERSION_NOT_AUTHORIZED,
  VERSION_NOT_ADJUSTABLE: '该商户的版本不能调整为所选版本',
  HEAD_REQUIRED: '请先查找总店',
  BRANCH_REQUIRED: '请先查找分店',
  SAME_SHOP: '总店和分店不能是同一家商户',
  HEAD_IS_BRANCH: '该商户是分店，不能作为总店',
  OTHER_AGENT: '总店和分店不属于同一服务商',
  BRANCH_HAS_BRANCHES: '该商户名下有分店，不能作为分店',
  BRANCH_ELSEWHERE: '该商户已是其他总店的分店，请先解除连锁',
  BRANCH_ALREADY: '该商户已是此总店的分店',
  GROUP_FULL: '分店数量已满，请先增购分店',
  NOT_A_BRANCH: '该商户不是分店，无需解除',
} as const
export type ToolRefusal = keyof typeof TOOL_REFUSALS

type Shop = { status: MerchantStatus }

function refuseDisabled({ status }: Shop): ToolRefusal | null {
  return status === 'disabled' ? 'MERCHANT_DISABLED' : null
}

/** Why this shop's term cannot become longer at all, or null. */
export function refuseExtended(shop: Shop & { expiresAt: string | null }): ToolRefusal | null {
  return refuseDisabled(shop) ?? (shop.expiresAt === null ? 'PERMANENT' : null)
}

/** The end of the term `days` later: days are added where it ends, or now where it has ended. */
export function extendedExpiry(expiresAt: string, days: number, now: string): string {
  const from = Math.max(new Date(expiresAt).getTime(), new Date(now).getTime())
  return new Date(from + days * 86_400_000).toISOString()
}

/** Why this shop cannot go to another agent at all, or null. A disabled shop may: its agent may be why it is disabled. */
export function refuseMoved(shop: { storeKind: StoreKind }): ToolRefusal | null {
  return shop.storeKind === 'branch' ? 'BRANCH_MOVES_WITH_HEAD' : null
}

/** Why a shop of `agentId` cannot go to this agent, or null. */
export function refuseProvider(
  agentId: number,
  provider: { id: number; enabled: boolean } | null,
): ToolRefusal | null {
  if (!provider) return 'AGENT_REQUIRED'
  if (provider.id === agentId) return 'AGENT_SAME'
  return provider.enabled ? null : 'AGENT_DISABLED'
}

/** Why the shop's version cannot become `versionId`; `targets` are the versions that its version may become, those on
 * the page all its agent's to sell. */
export function refuseVersion(
  shop: Shop,
  targets: readonly { id: number; authorised?: boolean }[],
  versionId: number | null,
): ToolRefusal | null {
  const disabled = refuseDisabled(shop)
  if (disabled) return disabled
  if (targets.length === 0) return 'VERSION_FIXED'
  if (versionId === null) return 'VERSION_REQUIRED'
  const target = targets.find(({ id }) => id === versionId)
  if (!target) return 'VERSION_NOT_ADJUSTABLE'
  return target.authorised === false ? 'VERSION_NOT_AUTHORIZED' : null
}

export type ChainShop = Shop & {
  id: number
  agentId: number
  storeKind: StoreKind
  headId: number | null
  /** Shops that it paid for, itself included. */
  shopsBought: number
  /** Branches that it has now. */
  branches: number
}

/** Why this shop cannot be the head that branches are associated with, or null. */
export function refuseHead(head: ChainShop): ToolRefusal | null {
  return refuseDisabled(head) ?? (head.storeKind === 'branch' ? 'HEAD_IS_BRANCH' : null)
}

/** Why `branch` cannot become a branch of `head`, or null. */
export function refuseAssociate(head: ChainShop, branch: ChainShop): ToolRefusal | null {
  const broken = refuseHead(head)
  if (broken) return broken
  if (head.id === branch.id) return 'SAME_SHOP'
  if (head.agentId !== branch.agentId) return 'OTHER_AGENT'
  if (branch.headId === head.id) return 'BRANCH_ALREADY'
  if (branch.headId !== null || branch.storeKind === 'branch') return 'BRANCH_ELSEWHERE'
  if (branch.branches > 0) return 'BRANCH_HAS_BRANCHES'
  return refuseDisabled(branch) ?? (freePlaces(head) < 1 ? 'GROUP_FULL' : null)
}

/** Branches that may still be associated; the head takes one of the shops that were paid for. */
export function freePlaces(head: Pick<ChainShop, 'shopsBought' | 'branches'>): number {
  return Math.max(head.shopsBought - 1 - head.branches, 0)
}

/** Why this shop cannot leave its head, or null. A disabled branch may. */
export function refuseDissolve(branch: Pick<ChainShop, 'storeKind' | 'headId'>): ToolRefusal | null {
  return branch.storeKind === 'branch' && branch.headId !== null ? null : 'NOT_A_BRANCH'
}
