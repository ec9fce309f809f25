// The one maker of a request's row beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { approvalRequests } from './tables.ts'

type Row = typeof approvalRequests.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'createdAt'>

/** A signature that waits. */
export function requestRow(given: Given): Row {
  return {
    kind: 'signature',
    content: '新签名',
    contentBefore: '',
    shopName: '测试店铺',
    state: 'pending',
    createdBy: 0,
    createdByName: '王小明',
    ...given,
  }
}
