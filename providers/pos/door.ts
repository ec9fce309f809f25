// Calls to the office as its description says: addresses, and what of an input stands in the path, the query or the body, are read from
// /pos/openapi.json. Nothing else of the office is known here.
import { setTimeout as pause } from 'node:timers/promises'

const ANSWER_WITHIN_MS = 30_000
const TRIES = 5

type Described = {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: object
}
type Operation = Described & { method: string; url: string }
export type Answered = { status: number; etag: string | null; body: unknown }
/** `seen`: the ETag of what one has; `act`: the Idempotency-Key of a change. */
export type CallOptions = { seen?: string | null; act?: string }
export type Door = {
  call(operationId: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Answered>
}

/** The office said no. `message` is what it tells people. */
export class DoorRefused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'DoorRefused'
    this.status = status
    this.code = code
  }
}

/** `withinMs`: how long an answer may take; 30 s where nothing is said. */
export type DoorSettings = { office: string; key: string; withinMs?: number | undefined }

export function makeDoor({ office, key, withinMs = ANSWER_WITHIN_MS }: DoorSettings): Door {
  let reading: Promise<Map<string, Operation>> | null = null
  const described = () => {
    reading ??= readDescription(office, key, withinMs).catch(error => {
      reading = null
      throw error
    })
    return reading
  }
  return {
    async call(operationId, input = {}, options = {}) {
      const operation = (await described()).get(operationId)
      if (!operation) throw new Error(`the office describes no ${operationId}`)
      const request = requestOf(operation, input, options, key)
      for (let tries = 1; ; tries++) {
        const response = await fetch(request.url, {
          ...request.init,
          signal: AbortSignal.timeout(withinMs),
        })
        const isBusy = response.status === 429 || response.status === 503
        if (!isBusy || tries === TRIES) return answerOf(response)
        await response.body?.cancel()
        await pause(1_000 * Number(response.headers.get('retry-after') ?? tries))
      }
    },
  }
}

async function readDescription(
  office: string,
  key: string,
  withinMs: number,
): Promise<Map<string, Operation>> {
  const address = new URL('/pos/openapi.json', office)
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(withinMs),
  })
  if (!response.ok) throw new Error(`${address.pathname} answered ${response.status}`)
  const { servers, paths } = (await response.json()) as {
    servers: { url: string }[]
    paths: Record<string, Record<string, Described>>
  }
  const base = new URL(servers[0]?.url ?? '/', address).href
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => [
        one.operationId,
        { ...one, method: method.toUpperCase(), url: `${base}${path}` },
      ]),
    ),
  )
}

function requestOf(
  { method, url, parameters = [], requestBody }: Operation,
  input: Record<string, unknown>,
  { seen, act }: CallOptions,
  key: string,
): { url: URL; init: RequestInit } {
  const rest = { ...input }
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (seen) headers['if-none-match'] = seen
  const query = new URLSearchParams()
  let filled = url
  for (const { name, in: place } of parameters) {
    if (place === 'header') {
      if (act && name === 'Idempotency-Key') headers['idempotency-key'] = act
      continue
    }
    const value = rest[name]
    delete rest[name]
    if (value === undefined) continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
    else query.set(name, String(value))
  }
  const address = new URL(filled)
  address.search = query.toString()
  if (!requestBody) return { url: address, init: { method, headers } }
  headers['content-type'] = 'application/json'
  return { url: address, init: { method, headers, body: JSON.stringify(rest) } }
}

async function answerOf(response: Response): Promise<Answered> {
  const { status } = response
  const etag = response.headers.get('etag')
  if (status === 304) return { status, etag, body: null }
  const text = await response.text()
  const body = text === '' ? null : (JSON.parse(text) as unknown)
  if (response.ok) return { status, etag, body }
  const { code = `HTTP_${status}`, message = '' } = (body ?? {}) as { code?: string; message?: string }
  throw new DoorRefused(status, code, message)
}
