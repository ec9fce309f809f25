// A program that comes in with an API key in place of a session: what it may call, from where and how often, and its row in the
// operation log for every call. Whose a key is, and what is in its bucket, is said by `Services.keyOf` and `takeCall`.
import { isForKeys, type OpMeta } from '#kit/declare/op.ts'
import { isWithin } from '#kit/words/addresses.ts'
import { type ActingKey, type Actor, type CallContext, identityOf } from '#server/ctx.ts'
import { logOperation } from '#server/operation-log.ts'
import { refuseCommon } from '#server/refuse.ts'
import type { LogOutcome } from '#server/tables.ts'

/** What making a key gives out; anything else is nobody's, and is not asked for. */
export const KEY_TOKEN = /^pok_[\w-]{43}$/

/** The token of `Authorization: Bearer`; undefined where that is not said. */
export function bearerOf(authorization: string | undefined): string | undefined {
  const said = /^bearer(?:\s+(.*))?$/i.exec(authorization ?? '')
  return said ? (said[1] ?? '').trim() : undefined
}

type Guarded = Pick<OpMeta, 'permission' | 'stepUp' | 'forKeys' | 'whileSuspended' | 'unlogged'>

/** Who acts with the request's key. An unknown, ended or expired key is answered alike, after the same look-up. */
export async function admitKey(meta: Guarded, context: CallContext, takes: boolean): Promise<Actor> {
  const { services, request } = context
  if (request.isMixed) refuseCommon('KEY_MIXED')
  const actor = await services.keyOf(request.keyToken ?? '', request.ip)
  const now = services.clock.now().getTime()
  if (!isByKey(actor) || actor.key.until <= now) {
    request.askForKey()
    refuseCommon('KEY_INVALID')
  }
  const { key } = actor
  if (key.addresses.length > 0 && !isWithin(request.ip, key.addresses)) {
    // From elsewhere its bucket is not emptied, and its log not filled.
    if (await services.noteForeign(key, request.ip)) request.keyCall = { by: actor, logged: false }
    refuseCommon('KEY_ADDRESS')
  }
  const left = await services.takeCall(actor, request.ip)
  request.tellLimit(key.perMinute, left)
  if (left.retryInS !== null) {
    request.retryAfter(left.retryInS)
    refuseCommon('KEY_THROTTLED', { secondsLeft: left.retryInS })
  }
  request.keyCall = { by: actor, logged: false }
  const { dueAt } = actor.factor
  if (actor.mustChangePassword || (dueAt !== null && dueAt <= now)) refuseCommon('KEY_HELD')
  const { permission, stepUp } = meta
  const stands = services.walls.keys !== false
  if (stands && !isForKeys({ ...meta, stepUp: false })) refuseCommon('KEY_CLOSED')
  if (stands && stepUp) refuseCommon('KEY_STEP_UP')
  if (permission !== 'session' && permission !== 'public' && !actor.permissions.has(permission))
    refuseCommon('FORBIDDEN')
  if (takes && actor.suspendedFor !== null && !goesOn(meta)) refuseCommon('AGENT_SUSPENDED')
  if (meta.unlogged) request.keyCall.logged = true
  return actor
}

/** What is declared for people of a suspended agency is their own to do, unless there is nobody but keys to do it. */
function goesOn({ whileSuspended, forKeys }: Guarded): boolean {
  return whileSuspended === 'file' || (forKeys === 'only' && whileSuspended === true)
}

function isByKey(actor: Actor | null): actor is Actor & { key: ActingKey } {
  return actor !== null && actor.key !== null
}

/** What was called, for the log: its path and name, what changing it is called, and the address without what was asked. */
export type Called = { operation: string; title: string | undefined; reads: boolean; address: string }

/** Does the work of a call; where an API key makes it and the work has left no row in the log, leaves one. */
export async function withKeyRow<T>(
  context: CallContext,
  called: Called,
  work: () => Promise<T>,
): Promise<T> {
  let answer: T
  try {
    answer = await work()
  } catch (error) {
    if (owesRow(context)) await leaveRefusal(context, called, error)
    throw error
  }
  if (owesRow(context)) await leaveRow(context, called, called.reads ? 'read' : 'done')
  return answer
}

const owesRow = ({ request: { keyCall } }: CallContext) => keyCall !== null && !keyCall.logged

async function leaveRefusal(context: CallContext, called: Called, error: unknown): Promise<void> {
  await leaveRow(context, called, 'refused', reasonOf(error)).catch(context.services.onProblem)
}

/** What the caller was told; of what went wrong within nothing is. */
function reasonOf(error: unknown): string {
  const { status = 500, message } = error as { status?: number; message?: string }
  return status < 500 && message ? message : '未完成'
}

const READ_TITLE = '接口读取'
const CALL_TITLE = '接口调用'

async function leaveRow(
  context: CallContext,
  { operation, title, reads, address }: Called,
  outcome: LogOutcome,
  reason?: string,
): Promise<void> {
  const { services, request } = context
  const { by, read } = request.keyCall ?? {}
  if (!by) return
  await services.database.write(identityOf(by, services.walls), async ({ client }) => {
    // Who only read loses nothing with the row: the end of the chain is held for an insert, not for the disk. A reading that has a
    // title of its own is to be known for sure.
    if (reads && title === undefined) await client.query('set local synchronous_commit = off')
    await logOperation(
      { client, request },
      {
        operation,
        title: title ?? (reads ? READ_TITLE : CALL_TITLE),
        ...read,
        subject: (read?.subject || address).slice(0, SUBJECT_MAX),
        changes: reason === undefined ? [] : [{ name: '原因', before: null, after: reason }],
        by,
        outcome,
      },
    )
  })
}

const SUBJECT_MAX = 200

/** The address of a call as the log shows it: what was searched for is not kept. */
export function addressOf(request: { method: string; url: string }): string {
  return `${request.method} ${request.url.split('?', 1)[0]}`
}
