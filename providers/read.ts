// Reading what a provider sent: nothing of it is believed to have the form it should.
import { ProviderUnknown } from '#kit/ports/providers.ts'

export type Members = Record<string, unknown>

/** What an answer to `action` says. Rejects with ProviderUnknown where it is not JSON. */
export function parseAnswer(action: string, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (error) {
    throw new ProviderUnknown(`${action} answered what is not JSON`, error)
  }
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** Null for an empty text too. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Whole and above zero, as a number or in digits. */
export function countOrNull(value: unknown): number | null {
  const count = Number(value)
  return Number.isInteger(count) && count > 0 ? count : null
}
