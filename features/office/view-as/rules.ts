// Owns how long one looks through another's account, and whom one may look through (D3 §6). Must never read a clock or a database.

/** A look ends by itself after so long. */
export const VIEW_MINUTES = 30

export const REFUSALS = {
  VIEW_SELF: '不能查看自己的账号',
  VIEW_DISABLED: '该账号已停用，无法查看',
  VIEW_OWNER_ONLY: '仅主账号可以查看员工账号',
} as const
export type ViewRefusal = keyof typeof REFUSALS

export type Viewed = { accountId: number; agentId: number; isEnabled: boolean }

/** Why this account is not looked through, or null. */
export function refuseView(
  viewer: { accountId: number; agentId: number },
  viewed: Viewed,
): ViewRefusal | null {
  if (viewed.accountId === viewer.accountId) return 'VIEW_SELF'
  return viewed.isEnabled ? null : 'VIEW_DISABLED'
}
