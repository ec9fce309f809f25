// The one maker of such a row beside its operations, for demo and tests: what is not given is made up. Must never read a clock.
import type { acquirerOnboardings } from './tables.ts'

type Row = typeof acquirerOnboardings.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'createdAt'>

/** A draft, without papers. */
export function acquirerRow(given: Given): Row {
  return {
    channel: 'xl',
    approvalState: 'draft',
    state: 'waiting',
    shortName: '老张面馆',
    contactName: '张三',
    contactPhone: '13800138000',
    category: '餐饮美食',
    accountName: '张三',
    rate: '0.38',
    ...given,
  }
}
