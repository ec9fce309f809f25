// Owns the page's way to the server: typed calls, refusals, expired sessions, network failures (D3 §8). Knows no feature.

import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract'
import type { QueryKey } from '@tanstack/react-query'
import { isToldFailure } from '#kit/declare/told-failures.ts'
import { reportBusy } from '../controls/toast.ts'
import { startAnew } from '../shell/view-changes.ts'
import { CallError, decodeAnswer, encodeCall, errorOf, methodOf, type Route, staleAfter } from './calls.ts'
import { readEarly, takeEarly } from './early.ts'
import { busyWhile, whileAsked } from './ready.ts'
import { endSignedIn } from './welcome.ts'

/** Of a feature's operations by their names. */
export type Routes = Readonly<Record<string, Route>>

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

let onAnswer: (stale: readonly string[]) => void = () => undefined

/** Tells of each operation that was answered what it made stale. */
export function listenToAnswers(listener: (stale: readonly string[]) => void): void {
  onAnswer = listener
}

let onForbidden: () => void = () => undefined

/** Tells of each answer that what was asked is not permitted: what one may do is not what the page believes. */
export function listenToForbidden(listener: () => void): void {
  onForbidden = listener
}

/**
 * The operations of the feature of this name. A call with the type of its contract and its name alone is given the routes by the build
 * (vite.config.ts), so that they come along with the code that asks; any other names them.
 */
export function api<C>(feature: string, routes: Routes = {}): Api<C> {
  return new Proxy({} as Api<C>, { get: (_operations, name) => operation(feature, String(name), routes) })
}

function operation(feature: string, name: string, routes: Routes) {
  const call = (input?: unknown, options: CallOptions = {}) => {
    const route = routes[name]
    if (!route) throw new Error(`no operation ${feature}.${name}`)
    const once = () => busyWhile(send(route, input, options))
    return withFactor(once).then(answer => {
      onAnswer(staleAfter(route))
      return answer
    })
  }
  const key = (input?: unknown) => (input === undefined ? [feature, name] : [feature, name, input])
  const early = (input?: unknown) => {
    const route = routes[name]
    return route && methodOf(route) === 'GET'
      ? readEarly(`/api${encodeCall(route, input).address}`)
      : undefined
  }
  const query = (input?: unknown) => ({
    queryKey: key(input),
    initialData: () => early(input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(input, { signal }),
  })
  return Object.assign(call, { key, early, query })
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
  if (!(error instanceof CallError)) return null
  if (error.status >= 500 && !isToldFailure(error.code)) return null
  const data = (error.data ?? undefined) as Record<string, unknown> | undefined
  const field = typeof data?.field === 'string' ? data.field : undefined
  return { code: error.code, message: error.message, field, data }
}

/** What to tell a person about any failed call. */
export function messageOf(error: unknown): string {
  return refusalOf(error)?.message ?? '服务器繁忙，请稍后再试'
}

async function send(route: Route, input: unknown, { idempotencyKey, signal }: CallOptions): Promise<unknown> {
  const method = methodOf(route)
  const { address, body } = encodeCall(route, input)
  const url = `${location.origin}/api${address}`
  const asked =
    fetchedEarly(method, url) ??
    fetch(url, { method, headers: headersOf(body, idempotencyKey), body, signal })
  const response = await asked.catch((error: unknown) => {
    if (!signal?.aborted) reportBusy()
    throw error
  })
  if (response.status >= 500) reportBusy()
  if (response.status === 401) goToLogin()
  if (response.status === 403) onForbidden()
  const text = await response.text()
  if (!response.ok) throw failureOf(text, response.status)
  return decodeAnswer(text)
}

function failureOf(text: string, status: number): Error {
  const error = errorOf(text, status)
  if (error instanceof CallError && error.code === 'VIEW_ENDED') leaveView()
  return error
}

function fetchedEarly(method: string, url: string): Promise<Response> | undefined {
  return method === 'GET' ? takeEarly(url) : undefined
}

/** A server that reads at a standby asks the primary for so long once something was told. */
const HEARD_MS = 5_000
let heardUntil = 0

/** What is asked next is to hold what this page was told of just now. */
export function noteHeard(): void {
  heardUntil = performance.now() + HEARD_MS
}

function headersOf(body: string | undefined, idempotencyKey: string | undefined): Record<string, string> {
  return {
    'x-requested-with': 'partner-office',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    ...(performance.now() < heardUntil ? { 'x-heard': '1' } : {}),
  }
}

/** Fetches a file and gives it to the browser to keep, under the name that the server gave it. */
export async function saveFile(href: string): Promise<void> {
  const response = await withFactor(async () => {
    const answer = await busyWhile(fetch(href, { headers: { 'x-requested-with': 'partner-office' } }))
    if (answer.ok) return answer
    throw failureOf(await answer.text(), answer.status)
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
