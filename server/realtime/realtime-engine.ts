// What carries socket.io: its engine's protocol (revision 4) over the WebSockets of `ws` alone. A page is few small objects and all
// share one clock, since there are thousands; the engine that comes with socket.io keeps several times as much of each. What speaks
// another protocol comes in by a door of its own, and has the same limits.
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { WebSocket, WebSocketServer } from 'ws'

const PAYLOAD_MAX_BYTES = 4 * 1024
const WEBSOCKETS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: PAYLOAD_MAX_BYTES,
  // No page cuts what it says into pieces; a proxy may, a little.
  maxFragments: 64,
  maxBufferedChunks: 64,
  /** A page that does not answer a goodbye is cut off. */
  closeTimeout: 5_000,
}
/** What one page may say within the window; whoever says more is cut off. */
const SAID = { max: 200, withinS: 10 }
/** What may wait for a page that does not read. */
const UNREAD_MAX_BYTES = 1024 * 1024
const BEAT = { everyS: 25, answerWithinS: 20 }
/** From so many pages on the heap grows in small steps: what broadcasts leave behind would make up half of the memory. */
const MANY_PAGES = { count: 1_000, flag: '--heap-growing-percent=15' }
const DRAIN = { withinMs: 500, lookMs: 20 }

/** Kinds of packets, by the sign that each begins with. */
const PACKET = { open: '0', ping: '2', pong: '3', message: '4' }
/** Why a page is sent away, as the WebSocket protocol numbers it. */
export const CLOSED = { normally: 1000, broken: 1002, unfit: 1003, refused: 1008 }
const AS_TEXT = { binary: false }
/** A volatile packet would ask; none is dropped. */
const TRANSPORT = { writable: true }

/** On the process's own clock, which nobody sets. */
const nowS = () => Math.floor(performance.now() / 1_000)

type Listener = (text: string) => void
const WIRE = Symbol('wire')
type Carrying = WebSocket & { [WIRE]?: Wire<unknown> }

/** A connection, as socket.io expects one; what is said on it is its protocol's. */
export abstract class Wire<Guest> {
  readonly id = randomBytes(15).toString('base64url')
  readonly protocol = 4
  readonly transport = TRANSPORT
  readonly guest: Guest
  private readonly socket: WebSocket
  private onData: Listener | undefined = undefined
  private onClose: Listener | undefined = undefined
  private said = 0
  private saidSinceS = nowS()
  private heardAtS = nowS()
  private beatAtS = nowS() + this.beatEveryS

  constructor(guest: Guest, socket: WebSocket) {
    this.guest = guest
    this.socket = socket
  }

  /** Sends a message of socket.io. What goes to many comes as a frame, head and packet, too: it is encoded once for all. */
  abstract write(text: string, frame?: Framed): void
  /** A text came whole. */
  protected abstract hearText(text: string): void
  /** Asks for a sign of life. */
  protected abstract ask(): void

  /** Of its class, not its own: there are thousands. */
  protected get beatEveryS(): number {
    return BEAT.everyS
  }

  get readyState(): 'open' | 'closed' {
    return this.socket.readyState === WebSocket.OPEN ? 'open' : 'closed'
  }

  /** For `data`, a page's message, and `close`, with its reason: one listener each, since socket.io has one. */
  on(name: string, listener: Listener): void {
    if (name === 'data') this.onData = listener
    if (name === 'close') this.onClose = listener
  }

  removeListener(name: string): void {
    if (name === 'data') this.onData = undefined
    if (name === 'close') this.onClose = undefined
  }

  /** Says goodbye and lets the page close; one that does not is cut off a little later. */
  close(code = CLOSED.normally): void {
    this.socket.close(code)
  }

  cut(): void {
    this.socket.terminate()
  }

  /** A message came whole. */
  hear(bytes: Buffer, isBinary: boolean): void {
    if (!this.count()) return
    if (isBinary) this.close(CLOSED.unfit)
    else this.hearText(bytes.toString())
  }

  /** Counts a sign of the page; whether it may still say something. */
  count(): boolean {
    if (this.readyState !== 'open') return false
    this.heardAtS = nowS()
    if (this.heardAtS - this.saidSinceS > SAID.withinS) {
      this.said = 0
      this.saidSinceS = this.heardAtS
    }
    this.said++
    if (this.said > SAID.max) this.close(CLOSED.refused)
    return this.said <= SAID.max
  }

  tick(atS: number): void {
    if (this.readyState !== 'open') return
    if (atS - this.heardAtS > BEAT.everyS + BEAT.answerWithinS) this.cut()
    else if (atS >= this.beatAtS) {
      this.beatAtS = atS + this.beatEveryS
      this.ask()
    }
  }

  /** The socket is closed. */
  tell(): void {
    this.onClose?.('transport close')
  }

  /** Hands a packet of socket.io on to it. */
  protected take(packet: string): void {
    this.onData?.(packet)
  }

  protected send(data: string | Buffer): void {
    if (this.readyState !== 'open') return
    this.socket.send(data, AS_TEXT)
    if (this.socket.bufferedAmount > UNREAD_MAX_BYTES) this.cut()
  }

  /** As the WebSocket itself asks. */
  protected ping(): void {
    this.socket.ping()
  }
}

type Framed = { wsPreEncodedFrame?: Buffer[] }

/** Of a page of ours: the engine's protocol. */
class PageWire<Guest> extends Wire<Guest> {
  constructor(guest: Guest, socket: WebSocket) {
    super(guest, socket)
    const offer = {
      sid: this.id,
      upgrades: [],
      pingInterval: BEAT.everyS * 1_000,
      pingTimeout: BEAT.answerWithinS * 1_000,
    }
    this.send(PACKET.open + JSON.stringify({ ...offer, maxPayload: PAYLOAD_MAX_BYTES }))
  }

  write(text: string, { wsPreEncodedFrame }: Framed = {}): void {
    this.send(wsPreEncodedFrame?.[1] ?? PACKET.message + text)
  }

  protected hearText(text: string): void {
    if (text.startsWith(PACKET.message)) this.take(text.slice(1))
    else if (text !== PACKET.pong) this.close(CLOSED.broken)
  }

  protected ask(): void {
    this.send(PACKET.ping)
  }
}

// One function for all wires, called on their sockets: one each would be a good part of what a page costs.
function hear(this: Carrying, bytes: Buffer, isBinary: boolean): void {
  this[WIRE]?.hear(bytes, isBinary)
}
function count(this: Carrying): void {
  this[WIRE]?.count()
}
/** A socket that fails closes too, and that is heard. */
const ignore = () => undefined

export type Engine = {
  /** Tells socket.io of every new wire. */
  events: EventEmitter
  /** Sends the pages away and lets nobody in. A page that does not close is waited for shortly. */
  close(): Promise<void>
}

/** Where and how wires of one protocol come in. */
export type Door<Guest> = {
  isFor(path: string, asked: URLSearchParams): boolean
  /** Who may come in, or null; it may fail. */
  admit(request: IncomingMessage): Promise<Guest | null>
  open(guest: Guest, socket: WebSocket): Wire<Guest>
}

/** For pages of ours. Whoever names a socket would take it over without being asked who they are. */
export function pageDoor<Guest>(path: string, admit: Door<Guest>['admit']): Door<Guest> {
  return {
    isFor: (at, asked) =>
      at === `${path}/` &&
      asked.get('EIO') === '4' &&
      asked.get('transport') === 'websocket' &&
      !asked.has('sid'),
    admit,
    open: (guest, socket) => new PageWire(guest, socket),
  }
}

/** Takes over the upgrades of a server; those that no door is for are closed. */
export function openEngine<Guest>(server: Server, doors: readonly Door<Guest>[]): Engine {
  const events = new EventEmitter()
  const websockets = new WebSocketServer(WEBSOCKETS)
  const wires = new Set<Wire<unknown>>()
  let closed = false
  const clock = setInterval(() => {
    const atS = nowS()
    for (const wire of wires) wire.tick(atS)
  }, 1_000).unref()

  function forget(this: Carrying): void {
    const wire = this[WIRE]
    if (!wire) return
    wires.delete(wire)
    wire.tell()
  }

  function open(door: Door<Guest>, guest: Guest, socket: Carrying): void {
    const wire = door.open(guest, socket)
    socket[WIRE] = wire
    wires.add(wire)
    if (wires.size === MANY_PAGES.count) setFlagsFromString(MANY_PAGES.flag)
    events.emit('connection', wire)
    socket.on('close', forget).on('error', ignore).on('message', hear).on('ping', count).on('pong', count)
  }

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const door = closed ? undefined : doorFor(doors, request)
    if (!door) return socket.destroy()
    socket.on('error', ignore)
    door.admit(request).then(
      guest => {
        if (socket.destroyed) return
        if (guest === null || closed) return refuse(socket, '403 Forbidden')
        socket.off('error', ignore)
        websockets.handleUpgrade(request, socket, head, websocket => open(door, guest, websocket))
      },
      () => refuse(socket, '503 Service Unavailable'),
    )
  })

  return {
    events,
    async close() {
      closed = true
      for (const wire of wires) wire.close()
      for (let waitedMs = 0; wires.size > 0 && waitedMs < DRAIN.withinMs; waitedMs += DRAIN.lookMs)
        await pause(DRAIN.lookMs)
      for (const wire of wires) wire.cut()
      clearInterval(clock)
    },
  }
}

function doorFor<Guest>(
  doors: readonly Door<Guest>[],
  { url = '' }: IncomingMessage,
): Door<Guest> | undefined {
  const [path = '', query] = url.split('?', 2)
  const asked = new URLSearchParams(query)
  return doors.find(door => door.isFor(path, asked))
}

function refuse(socket: Socket, status: string): void {
  socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  socket.destroySoon()
}
