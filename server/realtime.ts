// Sockets of signed-in pages: who they are comes from the session's cookie alone, and what is pushed reaches all instances.
// WebSocket only: long polling would bind a page to one instance, and every browser that runs the page has WebSocket.
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdapter } from '@socket.io/postgres-adapter'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Server, type Socket } from 'socket.io'
import type { Services } from './ctx.ts'
import { gather } from './gather.ts'
import { startLoop } from './loop.ts'
import { admission, type Guest } from './realtime-admission.ts'
import { type AdapterLink, adapterLink } from './realtime-link.ts'

export const REALTIME_PATH = '/realtime'

export type Arrival = Guest & { send(event: string, payload: unknown): void }

/** What the features do about it. */
export type RealtimeHooks = {
  /** Who holds each of these session tokens. */
  holders(tokens: readonly string[]): Promise<readonly (Guest | null)[]>
  /** Which of these sessions still stand. */
  standing(sessionIds: readonly number[]): Promise<ReadonlySet<number>>
  /** Pages that just came, and whose session stands. */
  arrived(arrivals: readonly Arrival[]): Promise<void>
  /** What a page may say, by the event's name. Its answer acknowledges it. */
  said: Readonly<Record<string, (guest: Guest, args: readonly unknown[]) => unknown>>
  /** What pages said has been done. */
  settled(): Promise<void>
}

export type Realtime = Pick<Services, 'push' | 'connected'> & {
  /** Sessions may have ended: those whose session is over are cut off. */
  accessChanged(): void
  /** Sends the pages away, who come back to another instance or later, and lets nobody in. */
  drain(): Promise<void>
  stop(): Promise<void>
}

const PAYLOAD_MAX_BYTES = 4 * 1024
/** What one socket may say within the window; whoever says more is cut off. */
const SAID_MAX = 200
const SAID_WINDOW_MS = 10_000
const ARRIVALS = { afterMs: 20, most: 500 }
const RECHECK = { everyMs: 60_000, afterMs: 200, most: 1_000 }
const CLOSE_WITHIN_MS = 500
const CLOSE_LOOK_MS = 20

/** What is kept of a page: nothing else is, since there are thousands. */
type Visit = Guest & { said: number; since: number }
type Conn = Socket['conn']

const ROOM = 'account:'
const roomOf = (accountId: number) => `${ROOM}${accountId}`

type Needed = Pick<Services, 'env' | 'database' | 'onProblem'>
type Visits = WeakMap<Conn, Visit>

/** `databaseUrl`: where the adapter listens for what other instances push. */
export async function startRealtime(
  services: Needed,
  http: FastifyInstance,
  hooks: RealtimeHooks,
  databaseUrl: string,
): Promise<Realtime> {
  let draining = false
  let stopped = false
  const visits: Visits = new WeakMap()
  const link = adapterLink(databaseUrl, services.database.pool, services.onProblem)
  const { io, door } = openServer(services, http, hooks, link, () => draining)
  const { adapter } = io.of('/')
  const forget = handOver(http, io, () => draining)
  const { countPacket, hear } = listening(visits, hooks)
  const guard = watchSessions(io, visits, hooks, services.onProblem)

  io.engine.on('connection', (conn: Conn) => {
    const guest = door.guestOf(conn.request)
    forget(conn)
    if (!guest || draining) return conn.close(true)
    visits.set(conn, { ...guest, said: 0, since: Date.now() })
    conn.on('packet', countPacket)
  })
  io.on('connection', socket => {
    const visit = visits.get(socket.conn)
    if (!visit) return socket.disconnect(true)
    ;(socket as { handshake: unknown }).handshake = null
    void socket.leave(socket.id)
    void socket.join(roomOf(visit.accountId))
    socket.onAny(hear)
    guard.arrived(socket)
  })

  return {
    push(accountIds, event, payload) {
      if (stopped || accountIds.length === 0) return
      io.to(accountIds.map(roomOf)).emit(event, payload)
    },
    connected: () =>
      [...adapter.rooms.keys()].flatMap(room =>
        room.startsWith(ROOM) ? Number(room.slice(ROOM.length)) : [],
      ),
    accessChanged: () => guard.recheck(),
    async drain() {
      draining = true
      await closeAll(io)
      await guard.stop()
      await hooks.settled()
    },
    async stop() {
      stopped = true
      await adapter.close()
      await link.close()
    },
  }
}

function openServer(
  services: Needed,
  http: FastifyInstance,
  hooks: RealtimeHooks,
  link: AdapterLink,
  isDraining: () => boolean,
) {
  const io = new Server({
    path: REALTIME_PATH,
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: PAYLOAD_MAX_BYTES,
    connectTimeout: 10_000,
    adapter: adapterOf(link, services.onProblem),
    allowRequest: (request, answer) =>
      door.admit(request).then(
        guest => answer(null, guest !== null),
        () => answer('busy', false),
      ),
  })
  const door = admission(services, http, hooks, isDraining)
  // A server that never listens: upgrades are handed over, and every other request stays the program's own.
  io.attach(createServer())
  return { io, door }
}

/** One function for all pages, called on the connection or the socket: one each would be what a page costs most. */
function listening(visits: Visits, { said }: Pick<RealtimeHooks, 'said'>) {
  return {
    countPacket(this: Conn): void {
      const visit = visits.get(this)
      if (!visit) return
      const now = Date.now()
      if (now - visit.since > SAID_WINDOW_MS) Object.assign(visit, { said: 0, since: now })
      visit.said++
      if (visit.said > SAID_MAX) this.close(true)
    },
    hear(this: Socket, event: string, ...args: unknown[]): void {
      const guest = visits.get(this.conn)
      if (!guest || !Object.hasOwn(said, event)) return
      const acknowledge = args.at(-1)
      const answer = said[event]?.(guest, args)
      if (typeof acknowledge === 'function') acknowledge(answer ?? null)
    },
  }
}

/** Cuts off whose session is over: when a page comes, when access changed anywhere, and now and then, since time ends sessions too. */
function watchSessions(
  io: Server,
  visits: Visits,
  hooks: RealtimeHooks,
  onProblem: (error: unknown) => void,
) {
  async function cutEnded(batch: readonly Socket[]): Promise<void> {
    const sessionIdOf = ({ conn }: Socket) => visits.get(conn)?.sessionId ?? 0
    const standing = await hooks.standing(batch.map(sessionIdOf))
    for (const socket of batch) if (!standing.has(sessionIdOf(socket))) socket.disconnect(true)
  }

  async function cutAllEnded(): Promise<boolean> {
    const all = [...io.of('/').sockets.values()]
    for (let from = 0; from < all.length; from += RECHECK.most)
      await cutEnded(all.slice(from, from + RECHECK.most))
    return false
  }

  const arrivals = gather<Socket>(
    ARRIVALS,
    async batch => {
      await cutEnded(batch)
      await hooks.arrived(
        batch.flatMap(socket => {
          const guest = visits.get(socket.conn)
          if (!guest || !socket.connected) return []
          return { ...guest, send: (event, payload) => void socket.emit(event, payload) }
        }),
      )
    },
    onProblem,
  )
  const recheck = startLoop(RECHECK, cutAllEnded, onProblem)
  return {
    arrived: (socket: Socket) => arrivals.add(socket),
    recheck: () => recheck.wake(),
    async stop() {
      await recheck.stop()
      await arrivals.stop()
    },
  }
}

function adapterOf(link: AdapterLink, onProblem: (error: unknown) => void) {
  return createAdapter(link as unknown as pg.Pool, {
    errorHandler: onProblem,
    // What the database takes as one notification ends just below 8,000 bytes.
    payloadThreshold: 7_500,
  })
}

/**
 * Hands the upgrades of our path to the engine. Answers what makes a connection forget the request it began with, whose
 * headers would otherwise stay as long as the page is open: the engine waits for the request's end too.
 */
function handOver(http: FastifyInstance, io: Server, isDraining: () => boolean): (conn: Conn) => void {
  const waiting = new WeakMap<IncomingMessage, ((...args: unknown[]) => void)[]>()
  http.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [path, query] = request.url?.split('?', 2) ?? []
    const isOurs = path === `${REALTIME_PATH}/`
    // Whoever names a socket would take it over without being asked who they are.
    const isTakingOver = new URLSearchParams(query).has('sid')
    if (!isOurs || isTakingOver || isDraining()) return socket.destroy()
    const before = new Set(socket.rawListeners('close'))
    io.engine.handleUpgrade(request, socket, head)
    waiting.set(request, socket.rawListeners('close').filter(listener => !before.has(listener)) as never)
  })
  return conn => {
    const { request } = conn
    for (const listener of waiting.get(request) ?? []) request.socket.off('close', listener)
    ;(conn as { request: unknown }).request = null
  }
}

/** Says goodbye; a page that does not answer is not waited for. */
/** As a WebSocket numbers it. */
const WIRE_CLOSED = 3

async function closeAll(io: Server): Promise<void> {
  type Closing = { transport: { socket?: { readyState: number; terminate(): void } } }
  const clients = Object.values((io.engine as unknown as { clients: Record<string, Closing> }).clients)
  // The engine calls a page closed at once; whether its wire is, the wire itself tells.
  const wires = clients.flatMap(({ transport }) => transport.socket ?? [])
  io.engine.close()
  const open = () => wires.filter(({ readyState }) => readyState !== WIRE_CLOSED)
  for (let waitedMs = 0; open().length > 0 && waitedMs < CLOSE_WITHIN_MS; waitedMs += CLOSE_LOOK_MS)
    await pause(CLOSE_LOOK_MS)
  for (const wire of open()) wire.terminate()
}
