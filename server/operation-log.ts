// The operation log: who did what, to what, with which outcome. One row for each operation, written with what it did.
import type { Ctx, LoggedBy, Request } from './ctx.ts'
import type { FieldChange, LogOutcome } from './tables.ts'

export type LogRow = {
  /** Its path and name; the path's first word is the module under which it is found. */
  operation: string
  title: string
  subject: string
  /** What it was about, as kind:id, what matters most first. */
  objects?: readonly string[]
  changes: readonly FieldChange[]
  by: LoggedBy
  merchantId?: number | null
  aboutAgentId?: number | null
  /** Done where absent. */
  outcome?: LogOutcome
}

/** How an object is named in the log. */
export function objectKey(kind: string, id: number | string): string {
  return `${kind}:${id}`
}

const AGENT_LENGTH_MAX = 300
/** What one row names; an operation on more objects leaves several rows, so that each has it in its history. */
const OBJECTS_MAX = 200

/** What puts rows into their agents' chains, by the name that wakes it. */
export const LOG_LOOP = 'operationLog'

/** Writes its row on the same connection. Its place in the agent's chain is made behind the commit (docs/decisions/0080). */
export async function logOperation(ctx: Pick<Ctx, 'client' | 'request'>, row: LogRow): Promise<void> {
  await ctx.client.query(statementOf(ctx, row))
  if (ctx.request.keyCall) ctx.request.keyCall.logged = true
}

/** Writes it together with the commit of the transaction, which it ends. */
export function logWithCommit(ctx: Pick<Ctx, 'withCommit' | 'request'>, row: LogRow): void {
  ctx.withCommit(statementOf(ctx, row))
  if (ctx.request.keyCall) ctx.request.keyCall.logged = true
}

function statementOf(ctx: Pick<Ctx, 'request'>, row: LogRow) {
  const { objects, ...logged } = loggedAs(row, ctx.request)
  const [first, ...others] = objects
  const rows: string[] = []
  for (let at = 0; at === 0 || at < others.length; at += OBJECTS_MAX) {
    const named = first === undefined ? [] : [first, ...others.slice(at, at + OBJECTS_MAX)]
    rows.push(JSON.stringify({ ...logged, objects: named }))
  }
  return {
    name: 'log_operation',
    text: 'select log_operation(row::jsonb) from unnest($1::text[]) row',
    values: [rows],
  }
}

/** The row as the database's function takes it. */
function loggedAs(
  row: LogRow,
  request: Pick<Request, 'id' | 'ip' | 'userAgent'> & Partial<Pick<Request, 'keyCall'>>,
) {
  const { by, merchantId = null, aboutAgentId = null } = row
  const aboutAnother = aboutAgentId !== null && aboutAgentId !== by.agentId
  const named = row.objects ?? []
  const shop = merchantId === null ? [] : [objectKey('merchant', merchantId)]
  const agent = aboutAnother && merchantId === null ? [objectKey('agent', aboutAgentId)] : []
  // Whatever a program does with a key stands in the key's history too.
  const key = request.keyCall ? [objectKey('apiKey', request.keyCall.by.key.id)] : []
  return {
    agentId: by.agentId,
    accountId: by.accountId,
    accountName: by.name,
    operation: row.operation,
    title: row.title,
    subject: row.subject,
    objects: [...new Set([...named, ...shop, ...agent, ...key])],
    merchantId,
    aboutAgentId: aboutAnother ? aboutAgentId : null,
    outcome: row.outcome ?? 'done',
    changes: row.changes,
    requestId: request.id,
    ip: request.ip,
    userAgent: request.userAgent.slice(0, AGENT_LENGTH_MAX),
  }
}
