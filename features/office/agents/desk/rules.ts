// Owns what the operator does for an agent's owner who cannot sign in, and what is asked for first. Pure.

/** How the person on the line was found to be the owner; it stands in the log. */
export const CHECKED_MAX = 50

export const OWNER_REFUSALS = {
  CHECKED_REQUIRED: '请输入核实本人的方式',
  CHECKED_TOO_LONG: `核实方式不得超过${CHECKED_MAX}字`,
  OWNER_SELF: '不能重置自己的账号',
  NO_FACTOR: '该账号没有设置二次验证',
} as const
export type OwnerRefusal = keyof typeof OWNER_REFUSALS

export function refuseChecked(text: string): OwnerRefusal | null {
  if (text.trim() === '') return 'CHECKED_REQUIRED'
  return text.trim().length > CHECKED_MAX ? 'CHECKED_TOO_LONG' : null
}

export type Owner = { id: number; hasFactor: boolean }

/** Why the second factors of this owner are not taken away. */
export function refuseReset(actorId: number, owner: Owner): OwnerRefusal | null {
  if (owner.id === actorId) return 'OWNER_SELF'
  return owner.hasFactor ? null : 'NO_FACTOR'
}
