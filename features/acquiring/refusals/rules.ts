// Owns when two refusals are the same, and what advice may be. Must never read a clock or a database.

export const LIMITS = {
  advice: 300,
  /** Shops of a cause that are shown at once. */
  shops: 200,
} as const

export const REFUSED_BY = { staff: '我方审核', service: '支付服务' } as const
export type RefusedBy = keyof typeof REFUSED_BY

/** What was refused: the field's name and label, and why, in the words of whoever refused. */
export type Refused = { field: string; label: string; reason: string }

/**
 * What the same refusals of different shops have in common: what differs by shop (names in quotes, numbers) and how it is written (signs,
 * spaces, width, case) are left out.
 */
export function causeOf(reason: string): string {
  return reason
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[“"「『《[【（(][^”"」』》\]】）)]*[”"」』》\]】）)]/g, '…')
    .replace(/[\p{N}*]+/gu, '0')
    .replace(/[^\p{L}0…]/gu, '')
}
