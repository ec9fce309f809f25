// Everything a caller can ask for: the operations of the contract and the downloads, called over HTTP with any input.
import { randomUUID } from 'node:crypto'
import { contract, downloads, posContract } from '#app/joined.ts'
import type { App } from '#app/server.ts'
import { type Access, isForKeys, type ListedOp, listOps } from '#kit/declare/op.ts'
import type { Actor, CallContext } from '#server/ctx.ts'
import { admit, admitDownload } from '#server/serve.ts'
import { comesTrue } from './patience.ts'

const SOON_MS = 3_000

export type Walked = {
  /** "merchants.list", or "merchants.list (file)" for a download. */
  name: string
  method: string
  path: string
  permission: Access
  log: string | undefined
  idempotent: boolean
  /** Leaves no row in the operation log although it changes something. */
  ephemeral: boolean
  /** Asks for a fresh second factor. */
  stepUp: boolean | 'always'
  /** Open to a program whose key holds its permission, but for the factor that it may ask for. */
  forKeys: boolean
  /** Open to who must set up a second factor first. */
  enrolment: boolean
  /** Open to who looks through another's account, although it changes something. */
  whileViewing: boolean
  /** Open to people of a suspended agency, although it changes something. */
  whileSuspended: boolean
  isDownload: boolean
  /** Whether it may change something. */
  changes: boolean
  /** Its input may be large: it is let in before that is read. */
  isLarge: boolean
  /** Its guard alone, which refuses as a call of it would be. */
  admit(call: CallContext): Promise<Actor | null>
}

const walked = ({ name, method, path, meta }: ListedOp): Walked => ({
  name,
  method,
  path,
  permission: meta.permission,
  log: meta.log,
  idempotent: meta.idempotent ?? false,
  ephemeral: meta.ephemeral ?? false,
  stepUp: meta.stepUp ?? false,
  forKeys: isForKeys({ ...meta, stepUp: false }),
  enrolment: meta.enrolment ?? false,
  whileViewing: meta.whileViewing ?? false,
  whileSuspended: meta.whileSuspended !== undefined,
  isDownload: false,
  changes: method !== 'GET',
  isLarge: meta.bodyMost !== undefined,
  admit: call => admit(meta, call, method !== 'GET'),
})

/** What is answered at /pos: call it with `prefix`. */
export const everyPosOperation = (): Walked[] => listOps(posContract).map(walked)

/** What is answered below /api. */
export function everyOperation(): Walked[] {
  const operations = listOps(contract).map(walked)
  const files = Object.entries(downloads).flatMap(([feature, ofFeature]) =>
    Object.entries(ofFeature).map(([key, { download }]): Walked => {
      const { path, permission, log, stepUp = false } = download
      return {
        name: `${feature}.${key} (file)`,
        method: 'GET',
        path,
        permission,
        log,
        idempotent: false,
        ephemeral: false,
        stepUp,
        forKeys: isForKeys({ permission }),
        enrolment: false,
        whileViewing: false,
        whileSuspended: true,
        isDownload: true,
        changes: false,
        isLarge: false,
        admit: call => admitDownload(download, call),
      }
    }),
  )
  return [...operations, ...files]
}

export type Answered = {
  status: number
  /** The code of a refusal; undefined for an accepted call. */
  code: string | undefined
  message: string | undefined
  body: unknown
  bytes: Buffer
  headers: Record<string, unknown>
}

export type CallOptions = { key?: string; headers?: Record<string, string>; prefix?: '/pos' }

/** What a browser sends with a session's cookie, or a program with its key. */
export function sentAs(caller: string | null): Record<string, string> {
  if (caller?.startsWith('Bearer ')) return { authorization: caller }
  return { 'x-requested-with': 'partner-office', ...(caller === null ? {} : { cookie: caller }) }
}

/** Calls it with a session cookie, a key (Bearer …), or as nobody. Path parameters are taken out of the input; one that is missing is 1. */
export async function call(
  app: App,
  cookie: string | null,
  operation: Pick<Walked, 'method' | 'path'>,
  input: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Answered> {
  const rest = { ...input }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? 1
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const query = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  const answer = await app.http.inject({
    method: operation.method as 'GET',
    url: `${options.prefix ?? '/api'}${path}`,
    headers: {
      'idempotency-key': options.key ?? randomUUID(),
      ...sentAs(cookie),
      ...options.headers,
    },
    ...(operation.method === 'GET' ? { query } : { payload: rest }),
  })
  const isJson = String(answer.headers['content-type'] ?? '').includes('json')
  const body: unknown = isJson && answer.body !== '' ? answer.json() : undefined
  const refusal = answer.statusCode >= 400 ? (body as { code?: string; message?: string }) : undefined
  return {
    status: answer.statusCode,
    code: refusal?.code,
    message: refusal?.message,
    body,
    bytes: answer.rawPayload,
    headers: answer.headers,
  }
}

/** Whether it comes true in a moment, which a notice from the database takes. */
export const soon = (isTrue: () => Promise<boolean>): Promise<boolean> => comesTrue(isTrue, SOON_MS)
