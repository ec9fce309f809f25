// Owns the page's way to the server: typed calls, refusals, expired sessions, network failures (D3 §8). Knows no feature.

import { contract as known } from 'virtual:contract/login'
import { createORPCClient, ORPCError } from '@orpc/client'
import type {
  AnyContractProcedure,
  AnyContractRouter,
  ContractProcedure,
  InferSchemaInput,
  InferSchemaOutput,
} from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import type { QueryKey } from '@tanstack/react-query'
import { isToldFailure } from '#kit/declare/told-failures.ts'
import { reportBusy } from '../controls/toast.ts'
import { startAnew } from '../shell/view-changes.ts'
import { readEarly, takeEarly } from './early.ts'
import { busyWhile, whileAsked } from './ready.ts'
import { endSignedIn } from './welcome.ts'

export type Routes = Record<string, AnyContractRouter>

export type CallOptions = {
  /** Made with `newKey` when the form opens; the same key makes a repeated call the same call. */
  idempotencyKey?: string
  signal?: AbortSignal
}

type Sent<Input> = undefined extends Input ? [input?: Input] : [input: Input]

/** One operation of a contract: to be called, or asked by the query client. */
export type Operation<Input, Output> = {
  (...args: [...Sent<Input>, options?: CallOptions]): Promise<Output>
  /** The key of what was answered to this input; without one, the key of all its answers. */
  key(input?: Input): QueryKey
  /** What was answered before the code had arrived, to be drawn at once. */
  early(...args: Sent<Input>): Output | undefined
  query(...args: Sent<Input>): {
    queryKey: QueryKey
    initialData: () => Output | undefined
    queryFn: (context: { signal: AbortSignal }) => Promise<Output>
  }
}

/** The operations of one feature's contract. */
export type Api<C> = {
  [K in keyof C]: C[K] extends ContractProcedure<infer I, infer O, infer _E, infer _M>
    ? Operation<InferSchemaInput<I>, InferSchemaOutput<O>>
    : never
}

type Context = { idempotencyKey?: string }
type AnyCall = (input: unknown, options: { context: Context; signal?: AbortSignal }) => Promise<unknown>

const link = new OpenAPILink<Context>(known, {
  url: () => `${location.origin}/api`,
  headers: ({ context }) => ({
    'x-requested-with': 'partner-office',
    ...(context.idempotencyKey ? { 'idempotency-key': context.idempotencyKey } : {}),
  }),
  fetch: send,
  customErrorResponseBodyDecoder: (body, response) => errorOf(body, response.status),
})

const client = createORPCClient(link) as Record<string, Record<string, AnyCall>>

/** Adds the routes of more features; a call asks for its route when it is made. */
export function learnRoutes(more: Routes): void {
  Object.assign(known, more)
}

let onAnswer: (operation: string) => void = () => undefined

/** Tells of each operation that was answered, by its dotted name. */
export function listenToAnswers(listener: (operation: string) => void): void {
  onAnswer = listener
}

let onForbidden: () => void = () => undefined

/** Tells of each answer that what was asked is not permitted: what one may do is not what the page believes. */
export function listenToForbidden(listener: () => void): void {
  onForbidden = listener
}

/** The operations of the feature of this name. */
export function api<C>(feature: string): Api<C> {
  return new Proxy({} as Api<C>, { get: (_operations, name) => operation(feature, String(name)) })
}

function operation(feature: string, name: string) {
  const call = (input?: unknown, options: CallOptions = {}) => {
    const send = client[feature]?.[name]
    if (!send) throw new Error(`no operation ${feature}.${name}`)
    const { idempotencyKey, signal } = options
    const once = () => busyWhile(send(input, { context: { idempotencyKey }, signal }))
    return withFactor(once).then(answer => {
      onAnswer(`${feature}.${name}`)
      return answer
    })
  }
  const key = (input?: unknown) => (input === undefined ? [feature, name] : [feature, name, input])
  const early = (input?: unknown) => {
    const path = pathOf(feature, name)
    return path && readEarly(`/api${path}${inAddress(input)}`)
  }
  const query = (input?: unknown) => ({
    queryKey: key(input),
    initialData: () => early(input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(input, { signal }),
  })
  return Object.assign(call, { key, early, query })
}

/** The path of an operation that reads; undefined for others. */
function pathOf(feature: string, name: string): string | undefined {
  const procedure = (known as Record<string, Record<string, AnyContractProcedure>>)[feature]?.[name]
  const { method, path } = procedure?.['~orpc'].route ?? {}
  return method === 'GET' ? path : undefined
}

function inAddress(input: unknown = {}): string {
  const entries = Object.entries(input as object).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

/** The dialog that asks comes with code of its own: a press may be quicker. */
const ASKER_WITHIN_MS = 10_000
const { promise: askerIsThere, resolve: tellAsker } = Promise.withResolvers<void>()
let askFactor: () => Promise<boolean> = async () => false
let asking: Promise<boolean> | null = null

/** Who asks a person for the second factor; `asker` answers whether it was proven. */
export function askFactorWith(asker: () => Promise<boolean>): void {
  askFactor = asker
  tellAsker()
}

async function askOnceThere(): Promise<boolean> {
  await Promise.race([askerIsThere, new Promise(resolve => setTimeout(resolve, ASKER_WITHIN_MS))])
  return askFactor()
}

/** Calls, and the same once more where a fresh factor was wanted and proven; calls refused together are asked for together. */
async function withFactor<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (refusalOf(error)?.code !== 'FACTOR_REQUIRED') throw error
    asking ??= whileAsked(askOnceThere()).finally(() => {
      asking = null
    })
    if (!(await asking)) throw error
    return call()
  }
}

/** A key for the Idempotency-Key header. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

export type RefusalOf = { code: string; message: string; field?: string; data?: Record<string, unknown> }

/** The server's expected refusal in an error, or null when the answer is missing or the server failed. */
export function refusalOf(error: unknown): RefusalOf | null {
  if (!(error instanceof ORPCError)) return null
  if (error.status >= 500 && !isToldFailure(error.code)) return null
  const data = (error.data ?? undefined) as Record<string, unknown> | undefined
  const field = typeof data?.field === 'string' ? data.field : undefined
  return { code: error.code, message: error.message, field, data }
}

/** What to tell a person about any failed call. */
export function messageOf(error: unknown): string {
  return refusalOf(error)?.message ?? '服务器繁忙，请稍后再试'
}

async function send(request: Request, init: RequestInit): Promise<Response> {
  const early = request.method === 'GET' ? takeEarly(request.url) : undefined
  const response = await (early ?? fetch(request, init)).catch((error: unknown) => {
    if (!request.signal.aborted) reportBusy()
    throw error
  })
  if (response.status >= 500) reportBusy()
  if (response.status === 401) goToLogin()
  if (response.status === 403) onForbidden()
  return response
}

function errorOf(body: unknown, status: number): ORPCError<string, unknown> | null {
  const { code, message, data } = (body ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  if (typeof code !== 'string' || typeof message !== 'string') return null
  if (code === 'VIEW_ENDED') leaveView()
  return new ORPCError(code, { status, message, data })
}

/** Fetches a file and gives it to the browser to keep, under the name that the server gave it. */
export async function saveFile(href: string): Promise<void> {
  const response = await withFactor(async () => {
    const answer = await busyWhile(fetch(href, { headers: { 'x-requested-with': 'partner-office' } }))
    if (answer.ok) return answer
    throw (
      errorOf(await answer.json().catch(() => null), answer.status) ?? new Error(`${answer.status} ${href}`)
    )
  })
  const [, name = ''] =
    /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = decodeURIComponent(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

let leaving = false
/** The page is on its way to the login: what fails now, fails because of that. */
export const isLeaving = () => leaving

/** The look through another's account is over: the pages are one's own again. */
function leaveView(): void {
  if (leaving) return
  leaving = true
  startAnew()
}

/**
 * The login page, which leads back here, and says so where a session ended that nobody had signed out of. It loads afresh, so
 * that nothing of the former account stays in memory.
 */
export function goToLogin(): void {
  const ended = endSignedIn()
  const { pathname, search } = location
  if (pathname === '/login') return
  leaving = true
  const query = new URLSearchParams(pathname === '/' ? {} : { from: pathname + search })
  if (ended) query.set('ended', '1')
  location.replace(`/login?${query}`)
}
