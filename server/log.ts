// What the log is told: which address was asked for and what went wrong, without the secrets and the people's data that stand
// in addresses and in the statements of a database.
import type { FastifyBaseLogger } from 'fastify'
import { CallbackRejected } from '#kit/ports/providers.ts'
import { CALLBACKS } from './callbacks.ts'

export function logOptions(level: string) {
  return {
    level,
    redact: ['req.headers.cookie', 'req.headers.authorization'],
    serializers: { err: (error: unknown) => errorForLog(error) },
  }
}

const CAUSES_MAX = 5
type ToldError = { type: string; message: string; stack: string; [more: string]: unknown }

type ErrorLike = {
  name?: string
  message: string
  stack?: string
  code?: unknown
  where?: unknown
  cause?: unknown
}

/** What works in the background tells of its errors as copies that are none. */
function isErrorLike(error: unknown): error is ErrorLike {
  return error instanceof Error || (typeof error === 'object' && typeof Object(error).message === 'string')
}

/** Drizzle repeats the values of a statement in its message, PostgreSQL those of a row in its detail: neither is told. */
function errorForLog(error: unknown, depth = 0): ToldError {
  if (!isErrorLike(error)) return { type: typeof error, message: String(error), stack: '' }
  if ('params' in error && error.cause !== undefined) return errorForLog(error.cause, depth)
  const { code, where, cause } = error
  return {
    type: error.name ?? typeof error,
    message: error.message,
    stack: error.stack ?? '',
    ...(code === undefined ? {} : { code }),
    ...(where === undefined ? {} : { where }),
    ...(error instanceof AggregateError ? { errors: error.errors.map(one => String(one)) } : {}),
    ...(cause === undefined || depth >= CAUSES_MAX ? {} : { cause: errorForLog(cause, depth + 1) }),
  }
}

/** What a terminal is told, as the log is: without values. */
export const messageForTerminal = (error: unknown): string => errorForLog(error).message

/** Paths below which the next part is a secret. */
const SECRET_AFTER = /^(\/c|\/s|\/api\/cashier|\/api\/shop-pages)\/[^/]+/

/** The path without its query; of a callback the template, of a cashier no token. */
export function addressForLog(request: { url: string; routeOptions: { url?: string | undefined } }): string {
  if (request.url.startsWith(CALLBACKS)) return request.routeOptions.url ?? CALLBACKS
  const [path = ''] = request.url.split('?', 1)
  return path.replace(SECRET_AFTER, '$1/…')
}

const REJECTED_EVERY_MS = 10_000

/** Tells of failures that no caller waits for; of forged callbacks, which anybody can send, not more than one at a time. */
export function problemLog(log: Pick<FastifyBaseLogger, 'warn'>): (error: unknown) => void {
  let passedOver = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return error => {
    if (!(error instanceof CallbackRejected)) {
      log.warn({ err: error }, 'failed in the background')
      return
    }
    if (performance.now() - toldAt < REJECTED_EVERY_MS) {
      passedOver++
      return
    }
    log.warn({ reason: error.message, passedOver }, 'callback rejected')
    toldAt = performance.now()
    passedOver = 0
  }
}
