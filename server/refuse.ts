// An expected refusal: a code of the operation's contract with the message a person reads.
import type { Fields } from '#kit/declare/fields.ts'
import { brokenOf } from '#kit/declare/form.ts'
import { COMMON_REFUSALS } from '#kit/declare/op.ts'

export class Refusal extends Error {
  readonly code: string
  readonly data: Record<string, unknown> | undefined
  /** What was written before the refusal stays written. */
  readonly keepsWrites: boolean

  constructor(code: string, message: string, data?: Record<string, unknown>, keepsWrites = false) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.data = data
    this.keepsWrites = keepsWrites
  }
}

/** Throws the refusal when a rule answered a code; `data` may name the field. */
export function refuse<T extends Readonly<Record<string, string>>>(
  code: (keyof T & string) | null,
  messages: T,
  data?: Record<string, unknown>,
): void {
  if (code !== null) throw new Refusal(code, messages[code] ?? code, data)
}

export function refuseCommon(code: keyof typeof COMMON_REFUSALS, data?: Record<string, unknown>): never {
  throw new Refusal(code, COMMON_REFUSALS[code], data)
}

/** What is the vendor's own, and no agent's row: refused to everybody else, whatever their role names. */
export function staffAlone({ actor }: { actor: { isVendorStaff: boolean } }): void {
  if (!actor.isVendorStaff) refuseCommon('FORBIDDEN')
}

/** Refuses the first text of a form that is not as its field declares it. */
export function refuseBroken(fields: Fields, form: object): void {
  const [broken] = brokenOf(fields, form)
  if (broken) throw new Refusal('INPUT_INVALID', broken.message, { field: broken.field })
}

/** The row, or the refusal that it does not exist (for this actor). */
export function found<T>(row: T | undefined | null): T {
  if (row === undefined || row === null) refuseCommon('NOT_FOUND')
  return row
}
