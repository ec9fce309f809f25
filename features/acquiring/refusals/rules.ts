// Owns when two refusals are the same, what advice may be, and how reasons of a rejection are kept and told, a field each.
// Must never read a clock or a database.
import { cleanLines, lengthOf } from '#kit/words/cleaned.ts'

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

/** By field, in the words of whoever rejects. */
type ReasonsOf<F extends string> = Readonly<Partial<Record<F, string>>>

/** `labels`: what may be said something of, in the order of its form; `other` is told without its label. `max`: of one reason, in characters. */
export function reasonRules<F extends string>(labels: Readonly<Record<F, string>>, max: number) {
  const fields = Object.keys(labels) as F[]

  /** Without the fields of which nothing is said. */
  const givenReasons = (reasons: ReasonsOf<F>): ReasonsOf<F> =>
    Object.fromEntries(
      fields.flatMap(field => {
        const text = cleanLines(reasons[field] ?? '')
        return text === '' ? [] : [[field, text]]
      }),
    ) as ReasonsOf<F>

  function refuseReasons(reasons: ReasonsOf<F>): 'REASONS_REQUIRED' | 'REASON_TOO_LONG' | null {
    const texts = Object.values<string | undefined>(givenReasons(reasons))
    if (texts.length === 0) return 'REASONS_REQUIRED'
    return texts.some(text => lengthOf(text ?? '') > max) ? 'REASON_TOO_LONG' : null
  }

  /** All of them in one line, as notices, lists and the log tell them. */
  const reasonsText = (reasons: ReasonsOf<F>): string =>
    fields
      .flatMap(field =>
        reasons[field] ? [field === 'other' ? reasons[field] : `${labels[field]}：${reasons[field]}`] : [],
      )
      .join('；')

  return { givenReasons, refuseReasons, reasonsText }
}
