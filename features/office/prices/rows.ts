// The one maker of a price's row beside its operations, for demo and tests: what is not given is made up.
import { BY_SYSTEM } from './rules.ts'
import type { prices } from './tables.ts'

type Row = typeof prices.$inferInsert

export function priceRow(
  given: Partial<Row> & Pick<Row, 'book' | 'item' | 'part' | 'cents' | 'startsAt'>,
): Row {
  return { ...BY_SYSTEM, kind: 'list', createdAt: given.startsAt, ...given }
}
