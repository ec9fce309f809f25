// What every simulator stands on: an HTTP server on loopback with raw bodies, a clock of its own, faults by rule, and the
// control plane /__sim/*. It shares no code with the clients, so that the two cannot share a mistake.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type SimRequest = {
  method: string
  path: string
  /** Path and query exactly as they were sent. */
  target: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}
export type SimAnswer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

/**
 * What happens to a matching request, or (callback-*) to a callback. `reset-after` does the work and cuts the connection, `silence`
 * does it and answers nothing: the outcome that nobody knows. `wrong-signature` and `stale-timestamp` sign the answer or callback badly. Anything else,
 * such as `quota-exhausted`, is the simulator's own to apply: it asks `control.takes(effect, name)`.
 */
export type Effect =
  | { kind: 'latency'; ms: number }
  | { kind: 'reset-before' }
  | { kind: 'reset-after' }
  | { kind: 'silence' }
  | { kind: 'status'; status: number; body?: string }
  | { kind: 'error'; code: string; message?: string }
  | { kind: 'malformed' }
  | { kind: 'wrong-signature' }
  | { kind: 'stale-timestamp' }
  | { kind: 'callback-drop' }
  | { kind: 'callback-duplicate' }
  | { kind: 'callback-delay'; ms: number }
  | { kind: 'callback-reorder' }
  | { kind: 'quota-exhausted' }
  | { kind: 'token-revoked' }
/** `match`: the endpoint's name, or `*`. `times`: how often it still applies. */
export type FaultRule = { match: string; times: number; effect: Effect }

export type Control = {
  /** The simulator's clock: the machine's, moved by what the control plane said. */
  now(): Date
  /** Takes one use of a rule for this endpoint with this effect, or answers null. */
  take<K extends Effect['kind']>(kind: K, name: string): Extract<Effect, { kind: K }> | null
  faults: FaultRule[]
  moveClock(ms: number): void
}

export type SimulatorParts = {
  /** The endpoint's name for fault rules; null: there is none (404). */
  nameOf(request: SimRequest): string | null
  /** Does the work. It signs its answer itself, badly where a rule says so. */
  handle(name: string, request: SimRequest, control: Control): SimAnswer | Promise<SimAnswer>
  /** The provider's own form of an error that a rule asks for, signed as its answers are. */
  errorOf(code: string, message: string, request: SimRequest, control: Control): SimAnswer
  /** More of the control plane, by path below /__sim/, such as `phone` or `inbox`. */
  control?(path: string, request: SimRequest, control: Control): SimAnswer | null | Promise<SimAnswer | null>
  stop?(): void | Promise<void>
}

export type RunningSimulator = {
  url: string
  control: Control
  stop(): Promise<void>
}

/** Starts on loopback; `port` 0 takes any. */
export async function startSimulator(parts: SimulatorParts, port = 0): Promise<RunningSimulator> {
  const control = makeControl()
  const server = createServer((request, response) => {
    answer(parts, control, request, response).catch(error => {
      process.stderr.write(`simulator: ${error instanceof Error ? error.stack : String(error)}\n`)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const sockets = trackSockets(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    control,
    async stop() {
      await parts.stop?.()
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function makeControl(): Control {
  let movedMs = 0
  const faults: FaultRule[] = []
  return {
    now: () => new Date(Date.now() + movedMs),
    faults,
    moveClock(ms) {
      movedMs += ms
    },
    take<K extends Effect['kind']>(kind: K, name: string) {
      const rule = faults.find(
        ({ match, times, effect }) => times > 0 && effect.kind === kind && (match === '*' || match === name),
      )
      if (!rule) return null
      rule.times--
      return rule.effect as Extract<Effect, { kind: K }>
    },
  }
}

function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return sockets
}

async function readRequest(request: IncomingMessage): Promise<SimRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', 'http://simulator')
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    target: request.url ?? '/',
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks),
  }
}

async function answer(
  parts: SimulatorParts,
  control: Control,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await readRequest(raw)
  if (request.path.startsWith('/__sim/')) {
    send(response, await answerControl(parts, control, request))
    return
  }
  const name = parts.nameOf(request)
  if (name === null) {
    send(response, { status: 404, body: 'no such endpoint' })
    return
  }
  // Taken as the request comes in: one that is kept waiting must not take what is meant for a later one.
  const latency = control.take('latency', name)
  const effect =
    control.take('reset-before', name) ??
    control.take('status', name) ??
    control.take('malformed', name) ??
    control.take('error', name) ??
    control.take('silence', name) ??
    control.take('reset-after', name)
  if (latency) await new Promise(resolve => setTimeout(resolve, latency.ms).unref())
  switch (effect?.kind) {
    case 'reset-before':
      raw.socket.destroy()
      return
    case 'status':
      return send(response, { status: effect.status, body: effect.body ?? '' })
    case 'malformed':
      return send(response, { status: 200, body: '{"half":' })
    case 'error':
      return send(response, parts.errorOf(effect.code, effect.message ?? effect.code, request, control))
  }
  const made = await parts.handle(name, request, control)
  if (effect?.kind === 'silence') return
  if (effect) raw.socket.destroy()
  else send(response, made)
}

/** GET faults and clock; POST faults (a rule or a list), clock {moveMs}, reset. The rest is the simulator's own. */
async function answerControl(
  parts: SimulatorParts,
  control: Control,
  request: SimRequest,
): Promise<SimAnswer> {
  const path = request.path.slice('/__sim/'.length)
  const isPost = request.method === 'POST'
  if (path === 'faults') {
    if (isPost) control.faults.push(...([JSON.parse(request.body.toString())].flat() as FaultRule[]))
    return json({ faults: control.faults.filter(rule => rule.times > 0) })
  }
  if (path === 'clock') {
    if (isPost) control.moveClock((JSON.parse(request.body.toString()) as { moveMs: number }).moveMs)
    return json({ now: control.now().toISOString() })
  }
  if (path === 'reset' && isPost) {
    control.faults.length = 0
    return json({ faults: [] })
  }
  const own = await parts.control?.(path, request, control)
  return own ?? { status: 404, body: 'no such control' }
}

export function json(value: unknown, status = 200): SimAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

function send(response: ServerResponse, { status, headers, body }: SimAnswer): void {
  response.writeHead(status, headers)
  response.end(body)
}
