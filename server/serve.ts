// The one path of every operation: session -> permission -> idempotency -> transaction -> log (house.md, "A verb").
import { implement, ORPCError } from '@orpc/server'
import { sql } from 'drizzle-orm'
import { COMMON_REFUSALS, type Contract, type OpMeta, statusOf } from '#kit/declare/op.ts'
import { admitKey } from './callers/api-keys.ts'
import { type Actor, type CallContext, type Ctx, identityOf, type LoggedBy, type Verb } from './ctx.ts'
import {
  databaseError,
  type Identity,
  isContention,
  isLinkFailure,
  isOutOfSpace,
  type Lent,
  SYSTEM,
} from './db.ts'
import type { Cleared } from './keeping.ts'
import { LOG_LOOP, logOperation, logWithCommit, objectKey } from './operation-log.ts'
import { type Issue, inputRefusal, Refusal, refuseCommon } from './refuse.ts'
import type { Reader } from './standby.ts'
import { type FieldChange, idempotencyKeys } from './tables.ts'

export type Verbs<C extends Contract> = { [K in keyof C]: Verb<C[K]> }

/** The router of a feature: each operation of its contract behind the same guards. */
export function serve<C extends Contract>(contract: C, verbs: Verbs<C>) {
  return Object.fromEntries(
    Object.entries(contract).map(([name, procedure]) => {
      const { meta, route } = procedure['~orpc']
      const operation: Operation = {
        name: `${route.path} ${name}`,
        changes: route.method !== 'GET',
        meta: meta as OpMeta,
        verb: verbs[name] as Operation['verb'],
      }
      // A middleware of the router runs before the input is parsed: who may not call learns nothing about the input.
      const guarded = implement({ procedure })
        .$context<CallContext>()
        .use(async ({ context, next }) => next({ context: { actor: await guard(operation, context) } }))
      return [
        name,
        guarded.procedure.handler(({ context, input }) => answer(operation, context, context.actor, input)),
      ]
    }),
  )
}

type Operation = {
  name: string
  changes: boolean
  meta: OpMeta
  verb: (ctx: Ctx, input: unknown) => Promise<unknown>
}

async function guard(operation: Operation, context: CallContext): Promise<Actor | null> {
  try {
    return await admit(operation.meta, context, operation.changes)
  } catch (error) {
    throw asAnswer(error)
  }
}

async function answer(
  operation: Operation,
  context: CallContext,
  actor: Actor | null,
  input: unknown,
): Promise<unknown> {
  try {
    return await run(operation, context, actor, input)
  } catch (error) {
    // What was rolled back has left no row.
    const { keyCall } = context.request
    if (keyCall && !operation.meta.unlogged && !keepsWrites(error)) keyCall.logged = false
    throw asAnswer(error)
  }
}

type Guarded = Pick<
  OpMeta,
  | 'permission'
  | 'stepUp'
  | 'enrolment'
  | 'whileViewing'
  | 'whileSuspended'
  | 'beforePassword'
  | 'forKeys'
  | 'unlogged'
>

/**
 * Who acts, or null for a public operation. Refuses a missing session, permission or second factor, who must change the password
 * first, to whoever looks through another's account every change but the way out of it, and to people of a suspended agency every change
 * that is not declared for them; `takes` is true of a change, and of
 * a file that is taken along. A program with an API key is let in by `admitKey`.
 */
export async function admit(meta: Guarded, context: CallContext, takes: boolean): Promise<Actor | null> {
  if (context.request.keyToken !== undefined) return admitKey(meta, context, takes)
  if (meta.forKeys === 'only') {
    context.request.askForKey()
    refuseCommon('KEY_REQUIRED')
  }
  if (meta.permission === 'public') return null
  const token = context.request.sessionToken
  const actor = token === undefined ? null : await context.services.actorOf(token, context.request.ip)
  if (!actor) refuseNobody(context.request)
  const mustChange = actor.mustChangePassword && !actor.viewer
  if (mustChange && !meta.beforePassword) refuseCommon('PASSWORD_CHANGE_REQUIRED')
  const { dueAt } = actor.factor
  const isDue = dueAt !== null && dueAt <= context.services.clock.now().getTime() && !actor.viewer
  if (!meta.enrolment && isDue) refuseCommon('ENROLMENT_REQUIRED')
  if (meta.permission !== 'session' && !actor.permissions.has(meta.permission)) refuseCommon('FORBIDDEN')
  if (takes && actor.viewer && !meta.whileViewing) refuseCommon('VIEW_ONLY')
  if (takes && actor.suspendedFor !== null && !actor.viewer && !meta.whileSuspended)
    refuseCommon('AGENT_SUSPENDED')
  if (meta.stepUp) await requireFactor(context, actor, meta.stepUp)
  return actor
}

/** Who takes a file along, which people of a suspended agency may too. Refuses as `admit` does. */
export async function admitDownload(download: Guarded, context: CallContext): Promise<Actor> {
  const actor = await admit({ ...download, whileSuspended: 'file' }, context, true)
  if (!actor) throw new Error('a download needs a session')
  return actor
}

/** The session is over, or only the look through another's account that stood before it. */
function refuseNobody({ isViewing, setView }: CallContext['request']): never {
  if (!isViewing) refuseCommon('UNAUTHENTICATED')
  setView(null)
  refuseCommon('VIEW_ENDED')
}

/** Refuses where this session has not proven the account's second factor, or where there is none its password, a few minutes ago. */
export async function requireFactor(
  { services }: CallContext,
  { factor, sessionId, key }: Actor,
  of: true | 'always' = true,
): Promise<void> {
  if (key) refuseCommon('KEY_STEP_UP')
  if (services.walls.stepUp === false || (!factor.has && of !== 'always')) return
  const isFresh = await services.isFactorFresh(sessionId, factor.has ? 'factor' : 'password')
  if (!isFresh) refuseCommon('FACTOR_REQUIRED')
}

async function run(
  operation: Operation,
  context: CallContext,
  actor: Actor | null,
  input: unknown,
): Promise<unknown> {
  const { services } = context
  if (operation.meta.detached) {
    const answer = await operation.verb(makeCtx(NO_CONNECTION, context, actor).ctx, input)
    if (operation.changes) context.request.noteChange()
    return answer
  }
  const identity: Identity = actor
    ? identityOf(actor, services.walls, operation.meta.scope)
    : { ...SYSTEM, party: { address: context.request.ip } }
  if (!operation.changes)
    return readerOf(context, operation.meta.mayLag).read(identity, lent =>
      read(operation, makeCtx(lent, context, actor), input),
    )
  let afterwards: () => void = () => undefined
  const answer = await services.database.write(
    identity,
    async lent => {
      const { ctx, noted, runAfterCommit } = makeCtx(lent, context, actor)
      afterwards = runAfterCommit
      const once = operation.meta.idempotent === true && actor !== null
      const earlier = once ? await claimKey(ctx, operation, input) : null
      if (earlier) return earlier.answer
      try {
        const result = await operation.verb(ctx, input)
        if (once) keepAnswer(ctx, result)
        writeLog(ctx, operation, noted)
        return result
      } catch (error) {
        // Any other refusal leaves nothing: its key too is rolled back.
        if (keepsWrites(error)) {
          if (once) await freeKey(ctx)
          await writeRefusal(ctx, operation, noted, error)
        }
        throw error
      }
    },
    keepsWrites,
  )
  // Whoever changed what is told of them reads it so, however late the database's own word comes.
  if (operation.meta.stale?.includes('access')) services.forgetActors()
  context.request.noteChange()
  services.wake(LOG_LOOP)
  afterwards()
  return answer
}

/**
 * Where it is read: at a standby what may be a moment old, unless this browser has just changed something. A program that changes and
 * reads keeps no mark of it, and reads at the primary.
 */
export function readerOf({ services, request }: CallContext, mayLag: true | undefined): Reader {
  const isSeen = request.hasChanged || request.keyToken !== undefined
  return mayLag && services.standby && !isSeen ? services.standby : services.database
}

async function read(
  { verb }: Operation,
  { ctx, noted }: Pick<ReturnType<typeof makeCtx>, 'ctx' | 'noted'>,
  input: unknown,
): Promise<unknown> {
  const result = await verb(ctx, input)
  const { keyCall } = ctx.request
  const { subject, objects, merchantId, aboutAgentId } = noted
  if (keyCall) keyCall.read = { subject, objects, merchantId, aboutAgentId }
  return result
}

const refuseConnection = () => {
  throw new Error('an operation that waits for the outside opens its own transactions')
}
const NO_CONNECTION = {
  prepared: refuseConnection,
  withCommit: refuseConnection,
  db: new Proxy({}, { get: refuseConnection }),
  client: new Proxy({}, { get: refuseConnection }),
} as unknown as Lent

function keepsWrites(error: unknown): error is Refusal {
  return error instanceof Refusal && error.keepsWrites
}

type Noted = {
  nothingChanged: boolean
  subject: string
  objects: string[]
  changes: FieldChange[]
  by: LoggedBy | null
  merchantId: number | null
  aboutAgentId: number | null
}

/** The context of one unit of work on a lent connection; whoever commits it runs what was left for afterwards. */
export function makeCtx(
  lent: Lent,
  context: CallContext,
  actor: Actor | null,
): { ctx: Ctx; noted: Noted; runAfterCommit: () => void } {
  const noted: Noted = {
    nothingChanged: false,
    subject: '',
    objects: [],
    changes: [],
    by: actor,
    merchantId: null,
    aboutAgentId: null,
  }
  const afterwards: (() => void | Promise<void>)[] = []
  const ctx: Ctx = {
    ...lent,
    services: context.services,
    request: context.request,
    now: context.services.clock.now(),
    get actor(): Actor {
      if (!actor) throw new Error('a public operation has no actor')
      return actor
    },
    nothingChanged() {
      noted.nothingChanged = true
    },
    afterCommit(work) {
      afterwards.push(work)
    },
    about(agentId, merchantId = null) {
      noted.aboutAgentId = agentId
      noted.merchantId = merchantId
    },
    object(kind, ...ids) {
      noted.objects.push(...ids.map(id => objectKey(kind, id)))
    },
    note(subject, changes = [], by) {
      noted.subject = subject
      noted.changes = changes
      if (by) noted.by = by
    },
  }
  const runAfterCommit = () => {
    for (const work of afterwards.splice(0)) Promise.resolve().then(work).catch(context.services.onProblem)
  }
  return { ctx, noted, runAfterCommit }
}

async function claimKey(ctx: Ctx, operation: Operation, input: unknown): Promise<{ answer: unknown } | null> {
  const key = ctx.request.idempotencyKey
  if (key === undefined || key === '') refuseCommon('KEY_MISSING')
  if (!/^[\w-]{16,64}$/.test(key)) refuseCommon('KEY_MALFORMED')
  // Keyed, since an input may hold a password.
  const inputHash = ctx.services.secrets.digest(JSON.stringify(input))
  const claimed = await ctx
    .prepared('claim_key', db =>
      db
        .insert(idempotencyKeys)
        .values({
          accountId: sql.placeholder('accountId'),
          key: sql.placeholder('key'),
          operation: sql.placeholder('operation'),
          inputHash: sql.placeholder('inputHash'),
          createdAt: sql`now()`,
        })
        .onConflictDoNothing()
        .returning({ key: idempotencyKeys.key })
        .prepare('claim_key'),
    )
    .execute({ accountId: ctx.actor.accountId, key, operation: operation.name, inputHash })
  if (claimed.length > 0) return null
  const { rows } = await ctx.client.query<{ operation: string; input_hash: Buffer; answer: unknown }>({
    name: 'find_key',
    text: 'select operation, input_hash, answer from idempotency_keys where account_id = $1 and key = $2',
    values: [ctx.actor.accountId, key],
  })
  const stored = rows[0]
  if (!stored) refuseCommon('BUSY')
  if (stored.operation !== operation.name || !inputHash.equals(stored.input_hash)) refuseCommon('KEY_REUSED')
  return { answer: stored.answer }
}

/** Together with the commit, before the log's row. */
function keepAnswer(ctx: Ctx, result: unknown): void {
  ctx.withCommit({
    name: 'keep_answer',
    text: 'update idempotency_keys set answer = $3 where account_id = $1 and key = $2',
    values: [ctx.actor.accountId, ctx.request.idempotencyKey, JSON.stringify(result ?? null)],
  })
}

export const CLEAR_ANSWERS: Cleared = { table: 'idempotency_keys', at: 'created_at', after: { hours: 48 } }

async function freeKey(ctx: Ctx): Promise<void> {
  await ctx.client.query({
    name: 'free_key',
    text: 'delete from idempotency_keys where account_id = $1 and key = $2',
    values: [ctx.actor.accountId, ctx.request.idempotencyKey],
  })
}

function writeLog(ctx: Ctx, operation: Operation, noted: Noted): void {
  const { ephemeral, unlogged } = operation.meta
  if (ephemeral || unlogged || noted.nothingChanged) return
  if (operation.meta.log === undefined)
    throw new Error(`${operation.name} changes something and has no log title`)
  if (!noted.by) throw new Error(`${operation.name} did not note who acts`)
  logWithCommit(ctx, { operation: operation.name, title: operation.meta.log, ...noted, by: noted.by })
}

/** An attempt that is refused and kept, where the verb noted whose it was and at what. */
async function writeRefusal(ctx: Ctx, operation: Operation, noted: Noted, refusal: Refusal): Promise<void> {
  const { by, subject, changes } = noted
  if (operation.meta.log === undefined || !by || subject === '') return
  await logOperation(ctx, {
    operation: operation.name,
    title: operation.meta.log,
    ...noted,
    by,
    outcome: 'refused',
    changes: [...changes, { name: '原因', before: null, after: refusal.message }],
  })
}

/** Values that the database cannot hold: a number or a date beyond its range, a text with a zero byte, no number at all. */
const INPUT_STATES = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05'])

/** What an operation would answer to a failure, where it is one that people are told of. */
export function answerTo(error: unknown): { status: number; body: { code: string; message: string } } | null {
  const told = asAnswer(error)
  return told instanceof ORPCError ? { status: told.status, body: told.toJSON() } : null
}

/** What the caller sees of an error: refusals as they are, contention and a lost link as "busy", a full disk as such, the rest as a 500. */
export function asAnswer(error: unknown): unknown {
  if (error instanceof ORPCError) return error
  if (error instanceof Refusal)
    return new ORPCError(error.code, {
      status: statusOf(error.code),
      message: error.message,
      data: error.data,
    })
  const refused = databaseError(error)
  const state = refused?.code ?? ''
  if (isContention(error) || isLinkFailure(error))
    return new ORPCError('BUSY', { status: 503, message: COMMON_REFUSALS.BUSY, cause: error })
  if (isOutOfSpace(error))
    return new ORPCError('DISK_FULL', { status: 503, message: COMMON_REFUSALS.DISK_FULL, cause: error })
  // Within a posting it is no value of the caller's: the books themselves would not fit.
  if (INPUT_STATES.has(state) && !refused?.where?.includes('ledger_'))
    return new ORPCError('INPUT_INVALID', {
      status: statusOf('INPUT_INVALID'),
      message: COMMON_REFUSALS.INPUT_INVALID,
      cause: error,
    })
  return error
}

/** An input that does not fit the contract becomes the refusal that people can read; anything else stays as it is. */
export function asRefusedInput(error: unknown): unknown {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_REQUEST') return error
  const issues = (error.data as { issues?: Issue[] } | undefined)?.issues ?? []
  return new ORPCError('INPUT_INVALID', {
    status: statusOf('INPUT_INVALID'),
    ...inputRefusal(issues),
    cause: error,
  })
}
