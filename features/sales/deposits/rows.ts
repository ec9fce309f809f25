// The one maker of a deposit's row beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { deposits } from './tables.ts'

type Row = typeof deposits.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'orderNo' | 'code' | 'askedAt'>

/** One that waits to be paid. */
export function depositRow(given: Given): Row {
  return {
    kind: 'device',
    subject: '扫码机 2 台',
    amountFen: 50_000,
    state: 'waiting',
    askedBy: 0,
    askedByName: '李四',
    ...given,
  }
}
