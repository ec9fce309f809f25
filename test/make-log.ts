// Rows of the operation log as the database takes them, where no operation writes them: of another day, or of an agent that is long gone.
import type pg from 'pg'

type Entry = {
  agentId: number
  accountId?: number
  accountName?: string
  subject?: string
  objects?: readonly string[]
  changes?: readonly { name: string; before: string | null; after: string | null }[]
  ip?: string
  userAgent?: string
}

/** What `log_operation` takes. */
export function logEntry(entry: Entry): string {
  return JSON.stringify({
    ...{ accountId: 1, accountName: '张三', operation: '/x x', title: '修改', subject: '甲', objects: [] },
    ...{ merchantId: null, aboutAgentId: null, outcome: 'done', changes: [] },
    ...{ requestId: 'r', ip: '', userAgent: '', ...entry },
  })
}

/** As if it had happened at a moment, ISO. The month is the caller's to make. */
export function logAt(owner: Pick<pg.ClientBase, 'query'>, at: string, entry: Entry) {
  return owner.query('select log_operation_at($1, $2)', [logEntry(entry), at])
}
