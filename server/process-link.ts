// What a process of an office with several says to the one that started it (scripts/processes.ts), and hears of it.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export type FromProcess =
  | { kind: 'ready' }
  /** An event loop that stands still does not say it. `open`: how many connections it has. */
  | { kind: 'alive'; open: number }
  /** The connection is this process's: whoever handed it over lets go of it. */
  | { kind: 'taken'; id: number; open: number }
  /** Work waits for these loops, which the first process has. */
  | { kind: 'wake'; names: readonly string[] }
  | { kind: 'figuresWanted'; id: string }
  | { kind: 'figures'; id: string; text: string }

export type ToProcess =
  /** With its socket. */
  | { kind: 'connection'; id: number }
  | { kind: 'wake'; names: readonly string[] }
  | { kind: 'figuresWanted'; id: string }
  | { kind: 'figures'; id: string; texts: readonly string[] }

export const ALIVE_EVERY_MS = 5_000
/** What is woken within that time is told at once. */
const WAKE_AFTER_MS = 5

export type Heard = {
  wake(name: string): void
  /** What this process tells of itself, for /metrics. */
  figures(): Promise<string>
}

export type ProcessLink = {
  /** From 1. */
  nth: number
  /** Whether it does what an office does once: jobs, loops, exports. */
  isFirst: boolean
  hear(heard: Heard): void
  /** The server is given connections from now on. */
  ready(server: Server): void
  /** Resolves when each connection has ended. */
  emptied(): Promise<void>
  /** Wakes a loop of the first process. */
  wake(name: string): void
  /** What all processes tell of themselves. */
  figures(): Promise<readonly string[]>
}

export type Channel = {
  send(message: FromProcess): void
  onMessage(hear: (message: ToProcess, socket: Socket | undefined) => void): void
}

/** The channel that the process was started with. */
export const ownChannel = (onProblem: (error: unknown) => void): Channel => ({
  send: message => void process.send?.(message, undefined, undefined, error => error && onProblem(error)),
  onMessage: hear =>
    void process.on('message', (message, socket) => hear(message as ToProcess, socket as Socket | undefined)),
})

export function openProcessLink(
  nth: number,
  { send, onMessage }: Channel,
  onProblem: (error: unknown) => void,
): ProcessLink {
  const asked = new Map<string, (texts: readonly string[]) => void>()
  const woken = new Set<string>()
  const connections = new Set<Socket>()
  let whenEmpty: (() => void) | null = null
  let heard: Heard | null = null
  let server: Server | null = null

  function take(socket: Socket, id: number): void {
    connections.add(socket)
    socket.once('close', () => {
      connections.delete(socket)
      if (connections.size === 0) whenEmpty?.()
    })
    // Said before anything is read: until then another process can have it.
    send({ kind: 'taken', id, open: connections.size })
    // As the server makes those that it accepts itself.
    socket.allowHalfOpen = true
    socket.setNoDelay(true)
    server?.emit('connection', socket)
  }

  onMessage((message, socket) => {
    if (message.kind === 'connection') {
      // It may have ended on its way here.
      if (socket) take(socket, message.id)
      else send({ kind: 'taken', id: message.id, open: connections.size })
    } else if (message.kind === 'wake') for (const name of message.names) heard?.wake(name)
    else if (message.kind === 'figures') {
      asked.get(message.id)?.(message.texts)
      asked.delete(message.id)
    } else
      Promise.resolve(heard?.figures() ?? '')
        .then(text => send({ kind: 'figures', id: message.id, text }))
        .catch(onProblem)
  })

  function tellWoken(): void {
    send({ kind: 'wake', names: [...woken] })
    woken.clear()
  }

  return {
    nth,
    isFirst: nth === 1,
    hear(now) {
      heard = now
    },
    ready(now) {
      server = now
      // From then on a server of Node's knows its connections: bounds how long a request may come, and closes those that are idle.
      now.emit('listening')
      send({ kind: 'ready' })
      setInterval(() => send({ kind: 'alive', open: connections.size }), ALIVE_EVERY_MS).unref()
    },
    emptied: () =>
      connections.size === 0
        ? Promise.resolve()
        : new Promise(resolve => {
            whenEmpty = resolve
          }),
    wake(name) {
      if (woken.size === 0) setTimeout(tellWoken, WAKE_AFTER_MS)
      woken.add(name)
    },
    figures() {
      const id = randomUUID()
      return new Promise(resolve => {
        asked.set(id, resolve)
        send({ kind: 'figuresWanted', id })
      })
    },
  }
}
