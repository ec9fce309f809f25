// The one maker of an application's row beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { paymentApplications } from './tables.ts'

type Row = typeof paymentApplications.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'savedAt'>

/** A draft without papers. */
export function applicationRow(given: Given): Row {
  return {
    state: 'draft',
    payType: 'corporate',
    phone: '13800138000',
    email: 'shop@example.com',
    bankRegion: '440305',
    bankName: '招商银行',
    branchName: '招商银行深圳科技园支行',
    savedBy: 0,
    savedByName: '王小明',
    ...given,
  }
}
