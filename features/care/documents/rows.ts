// The one maker of a paper's row beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { documents } from './tables.ts'

type Row = typeof documents.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'sha256' | 'createdAt'>

/** The front of an identity card in use. */
export function documentRow(given: Given): Row {
  return { kind: 'idCardFront', state: 'current', createdBy: 0, createdByName: '王小明', ...given }
}
