// A number that the operator sets for the whole office: said once, beside the rule that asks for it. Pure.

export type Setting = {
  readonly key: string
  readonly group: string
  readonly label: string
  readonly unit: string
  /** What holds until it is set. */
  readonly initial: number
  readonly min: number
  readonly max: number
  readonly hint?: string
}

export function setting<const S extends Setting>(declared: S): S {
  return declared
}

/** Why a number cannot be set, or null. */
export function refuseValue({ label, unit, min, max }: Setting, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `请输入${label}`
  return value < min || value > max ? `${label}须在 ${min} 到 ${max} ${unit}之间` : null
}

/** The value where it is one, else what holds unless it is set. */
export function within({ initial, min, max }: Setting, value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? Math.min(max, Math.max(min, value))
    : initial
}
