// The one maker of an agent's row beside its operations, for demo, seed, benches and tests: what is not given is made up.
// Must never read a clock.
import type { agents } from './tables.ts'

type Row = typeof agents.$inferInsert

/** What makes an agent the operator. */
export const OPERATOR = {
  isOperator: true,
  isVendorStaff: true,
  hasFullMenu: true,
  accountFormat: 'any',
} as const

export function agentRow(given: Partial<Row> & Pick<Row, 'createdAt'>): Row {
  // No two have the same name.
  return {
    companyName: `代理商${given.id ?? ''}`,
    contactName: '联系人',
    mobile: '13800001234',
    levelId: 1,
    ...given,
  }
}
