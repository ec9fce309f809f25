// The one maker of a row of verification data beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { verifications } from './tables.ts'

type Row = typeof verifications.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'savedAt'>

/** A draft without papers. */
export function verificationRow(given: Given): Row {
  return {
    state: 'unverified',
    company: '深圳市老张餐饮有限公司',
    creditCode: '9144030071526726XG',
    legalPerson: '张三',
    personInCharge: '张三',
    signature: '老张面馆',
    phone: '13800138000',
    savedBy: 0,
    savedByName: '王小明',
    ...given,
  }
}
