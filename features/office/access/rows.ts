// The one maker of an account's row, for demo, seed, benches and tests: what is not given is made up. Must never read a clock.
import type { accounts } from './tables.ts'

type Row = typeof accounts.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'loginName' | 'passwordHash' | 'createdAt'>

export function accountRow(given: Given): Row {
  return { name: '姓名', mobile: '13900005678', isOwner: false, ...given }
}
