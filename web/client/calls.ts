// How an operation travels: its input in path, query or body, and what its answer says. The same as oRPC's OpenAPI codec for what this
// contract has (JSON), in a twentieth of its code; web/client/calls.test.tsx compares them.

/** Method and path of an operation, and what it makes stale: 'PUT /merchants/{id} merchants renewals'. */
export type Route = string

/** What the server refused, or failed at. */
export class CallError extends Error {
  readonly code: string
  readonly status: number
  readonly data: unknown
  constructor(code: string, { status, message, data }: { status: number; message: string; data?: unknown }) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

export const methodOf = (route: Route): string => route.slice(0, route.indexOf(' '))
export const pathOf = (route: Route): string => route.split(' ')[1] ?? ''
export const staleAfter = (route: Route): readonly string[] => route.split(' ').slice(2)

/** Address below /api and body of a call. What is not in the path is asked for by a reading operation, and sent by others. */
export function encodeCall(route: Route, input: unknown): { address: string; body: string | undefined } {
  const rest: Record<string, unknown> = { ...(input as object | undefined) }
  const path = pathOf(route).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (methodOf(route) === 'GET') return { address: path + inQuery(rest), body: undefined }
  const isWhole = path === pathOf(route)
  const isSent = isWhole ? input !== undefined : Object.keys(rest).length > 0
  return { address: path, body: isSent ? JSON.stringify(isWhole ? input : rest) : undefined }
}

function inQuery(input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    else if (value !== undefined && value !== null) query.append(name, String(value))
  }
  for (const [name, value] of Object.entries(input)) add(name, value)
  return query.size === 0 ? '' : `?${query}`
}

/** What was answered; nothing where there is no text. */
export function decodeAnswer(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

/** Of a refusal its words; what a proxy answers in its place has none. */
export function errorOf(text: string, status: number): Error {
  const { code, message, data } = recordIn(text)
  return typeof code === 'string' && typeof message === 'string'
    ? new CallError(code, { status, message, data })
    : new Error(`The server answered ${status}.`)
}

function recordIn(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
