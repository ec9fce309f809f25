// Sockets of signed-in pages: who they are comes from the session's cookie alone, and what is pushed reaches all instances. Where a hub is
// open, programs with a token hear of it in the same rooms (realtime-hub.ts).
// WebSocket only: long polling would bind a page to one instance, and every browser that runs the page has WebSocket.
import { createAdapter } from '@socket.io/postgres-adapter'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Server, type Socket } from 'socket.io'
import type { Services } from '#server/ctx.ts'
import { gather } from '#server/gather.ts'
import { startLoop } from '#server/loop.ts'
import { admission, type Guest, type Person, type Program, type Programs } from './realtime-admission.ts'
import { type Door, openEngine, pageDoor, type Wire } from './realtime-engine.ts'
import type { HubWords } from './realtime-hub.ts'
import { type AdapterLink, adapterLink } from './realtime-link.ts'

export const REALTIME_PATH = '/realtime'

export type Arrival = Guest & { send(event: string, payload: unknown): void }

/** What the features do about it. */
export type RealtimeHooks = {
  /** Who holds each of these session tokens. */
  holders(tokens: readonly string[]): Promise<readonly (Person | null)[]>
  /** Which of these sessions still stand. */
  standing(sessionIds: readonly number[]): Promise<ReadonlySet<number>>
  /** Programs that come in by a token, where a hub is open. */
  programs: Programs
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

const ARRIVALS = { afterMs: 20, most: 500 }
const RECHECK = { everyMs: 60_000, afterMs: 200, most: 1_000 }

const ROOM = 'account:'
const roomOf = (accountId: number) => `${ROOM}${accountId}`

type Needed = Pick<Services, 'env' | 'database' | 'onProblem'>

/** Who sits behind a socket. */
const guestOf = ({ conn }: Socket) => (conn as unknown as Wire<Person | Program>).guest

/** `databaseUrl`: where the adapter listens for what other instances push. `hub`: where programs come in, if they do. */
export async function startRealtime(
  services: Needed,
  http: FastifyInstance,
  hooks: RealtimeHooks,
  databaseUrl: string,
  hub: HubWords | null = null,
): Promise<Realtime> {
  let stopped = false
  const link = adapterLink(databaseUrl, services.database, services.onProblem)
  const admits = admission(services, http, hooks)
  const doors: Door<Person | Program>[] = [pageDoor(REALTIME_PATH, admits.admit)]
  if (hub) doors.push((await import('./realtime-hub.ts')).openHub(http, hub, admits, hooks.said))
  const engine = openEngine(http.server, doors)
  const io = new Server({ connectTimeout: 10_000, adapter: adapterOf(link, services.onProblem) })
  io.bind(engine.events as never)
  const { adapter } = io.of('/')
  const hear = hearing(hooks)
  const guard = watchSessions(io, hooks, services.onProblem)

  io.on('connection', socket => {
    // Nobody asks with what it came.
    ;(socket as { handshake: unknown }).handshake = null
    void socket.leave(socket.id)
    void socket.join(roomOf(guestOf(socket).accountId))
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
      await engine.close()
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

/** One function for all pages, called on the socket: one each would be a good part of what a page costs. */
function hearing({ said }: Pick<RealtimeHooks, 'said'>) {
  return function hear(this: Socket, event: string, ...args: unknown[]): void {
    if (!Object.hasOwn(said, event)) return
    const acknowledge = args.at(-1)
    const answer = said[event]?.(guestOf(this), args)
    if (typeof acknowledge === 'function') acknowledge(answer ?? null)
  }
}

/** Cuts off whose session is over: when a page comes, when access changed anywhere, and now and then, since time ends sessions too. */
function watchSessions(io: Server, hooks: RealtimeHooks, onProblem: (error: unknown) => void) {
  async function cutEnded(batch: readonly Socket[]): Promise<void> {
    const guests = batch.map(guestOf)
    const programs = guests.filter(guest => 'tokenHash' in guest)
    const [sessions, tokens] = await Promise.all([
      hooks.standing(guests.flatMap(guest => ('sessionId' in guest ? guest.sessionId : []))),
      programs.length > 0 ? hooks.programs.standing(programs) : new Set<Program>(),
    ])
    for (const [i, guest] of guests.entries())
      if (!('sessionId' in guest ? sessions.has(guest.sessionId) : tokens.has(guest)))
        batch[i]?.disconnect(true)
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
        batch
          .filter(({ connected }) => connected)
          .map(socket => ({
            ...guestOf(socket),
            send: (event, payload) => void socket.emit(event, payload),
          })),
      )
    },
    onProblem,
  )
  const recheck = startLoop(RECHECK, cutAllEnded, onProblem)
  void recheck.look()
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
