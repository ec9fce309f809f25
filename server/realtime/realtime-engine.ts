// What carries socket.io: its engine's protocol (revision 4) over the WebSockets of `ws` alone. A page is few small objects and all
// share one clock, since there are thousands; the engine that comes with socket.io keeps several times as much of each.
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
const CLOSED = { normally: 1000, broken: 1002, unfit: 1003, refused: 1008 }
const AS_TEXT = { binary: false }
/** A volatile packet would ask; none is dropped. */
const TRANSPORT = { writable: true }

/** On the process's own clock, which nobody sets. */
const nowS = () => Math.floor(performance.now() / 1_000)

type Listener = (text: string) => void
const WIRE = Symbol('wire')
type Carrying = WebSocket & { [WIRE]?: Wire<unknown> }

/** A page's connection, as socket.io expects one. */
export class Wire<Guest> {
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
  private beatAtS = nowS() + BEAT.everyS

  constructor(guest: Guest, socket: WebSocket) {
    this.guest = guest
    this.socket = socket
    const offer = {
      sid: this.id,
      upgrades: [],
      pingInterval: BEAT.everyS * 1_000,
      pingTimeout: BEAT.answerWithinS * 1_000,
    }
    socket.send(PACKET.open + JSON.stringify({ ...offer, maxPayload: PAYLOAD_MAX_BYTES }))
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

  /** Sends a message. What goes to many comes as a frame, head and packet, and its packet is taken: it is encoded once for all. */
  write(text: string, { wsPreEncodedFrame }: { wsPreEncodedFrame?: Buffer[] } = {}): void {
    if (this.readyState !== 'open') return
    this.socket.send(wsPreEncodedFrame?.[1] ?? PACKET.message + text, AS_TEXT)
    if (this.socket.bufferedAmount > UNREAD_MAX_BYTES) this.cut()
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
    const text = bytes.toString()
    if (isBinary) this.close(CLOSED.unfit)
    else if (text.startsWith(PACKET.message)) this.onData?.(text.slice(1))
    else if (text !== PACKET.pong) this.close(CLOSED.broken)
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
      this.beatAtS = atS + BEAT.everyS
      this.socket.send(PACKET.ping)
    }
  }

  /** The socket is closed. */
  tell(): void {
    this.onClose?.('transport close')
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

/** Takes over the upgrades of a server at a path. `admit` answers who may come in, or null; it may fail. */
export function openEngine<Guest>(
  server: Server,
  path: string,
  admit: (request: IncomingMessage) => Promise<Guest | null>,
): Engine {
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

  function open(guest: Guest, socket: Carrying): void {
    const wire = new Wire(guest, socket)
    socket[WIRE] = wire
    wires.add(wire)
    if (wires.size === MANY_PAGES.count) setFlagsFromString(MANY_PAGES.flag)
    events.emit('connection', wire)
    socket.on('close', forget).on('error', ignore).on('message', hear).on('ping', count).on('pong', count)
  }

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (closed || !isOurs(request, path)) return socket.destroy()
    socket.on('error', ignore)
    admit(request).then(
      guest => {
        if (socket.destroyed) return
        if (guest === null || closed) return refuse(socket, '403 Forbidden')
        socket.off('error', ignore)
        websockets.handleUpgrade(request, socket, head, websocket => open(guest, websocket))
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

/** Whoever names a socket would take it over without being asked who they are. */
function isOurs({ url = '' }: IncomingMessage, path: string): boolean {
  const [asked, query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  return (
    asked === `${path}/` &&
    parameters.get('EIO') === '4' &&
    parameters.get('transport') === 'websocket' &&
    !parameters.has('sid')
  )
}

function refuse(socket: Socket, status: string): void {
  socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  socket.destroySoon()
}
