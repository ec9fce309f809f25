// The prices and discounts that a fresh database starts with: in force since before anything was sold.
import { AGENT_LEVELS } from '#features/office/agents/reference.ts'
import { type ReferenceRows, rowsOf } from '#server/feature.ts'
import { ALWAYS, type Book, BY_SYSTEM } from './rules.ts'
import { type discounts, prices } from './tables.ts'

/** The first prices of a book's items, for the feature that has the items. */
export function firstPrices(
  book: Book,
  items: readonly { item: number; part: string; cents: number | null }[],
): ReferenceRows {
  return rowsOf(
    prices,
    items
      .filter(({ cents }) => cents !== null)
      .map(one => ({ ...BY_SYSTEM, ...one, book, kind: 'list' as const, startsAt: ALWAYS })),
  )
}

/** Their ids are below those that the database gives, so that they are written once. */
export const LEVEL_DISCOUNTS = AGENT_LEVELS.map(({ id, discountBasisPoints }) => ({
  ...BY_SYSTEM,
  id: -id,
  levelId: id,
  book: null,
  basisPoints: discountBasisPoints,
  startsAt: ALWAYS,
})) satisfies (typeof discounts.$inferInsert)[]
