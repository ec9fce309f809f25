// The door of the desk's print program: loopback alone, pages of the listed offices alone, a token before anything else.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import {
  BRIDGE_CAPS,
  BRIDGE_LIMITS,
  BRIDGE_PROGRAM,
  BRIDGE_VERSION,
  type BridgeAnswer,
  CLOSED,
  type Desk,
  UNCALIBRATED,
  type Unpaired,
} from '#kit/print/bridge/bridge.ts'
import { BridgeMessage, StrangerMessage } from '#kit/print/bridge/bridge-messages.ts'
import type { Config } from './config.ts'
import { openJobLog } from './job-log.ts'
import { openJobs } from './jobs.ts'
import { openKeep } from './keep.ts'

/** A page says who it is as soon as it is connected. */
const LET_IN_WITHIN_MS = 10_000
const HANDSHAKE_WITHIN_MS = 5_000
const ALIVE_EVERY_MS = 30_000

type Page = {
  socket: WebSocket
  origin: string
  token: string | null
  faults: number
  isAlive: boolean
  /** Whether one more message, or ping, is within its rate. */
  admits: () => boolean
}
type Say = (line: string) => void
export type BridgeOptions = {
  dir: string
  config: Config
  /** What an older program says of itself, in tests. */
  version?: number
  say?: Say
  now?: () => number
  /** How long the head of a request may take. */
  handshakeMs?: number
}
export type Bridge = { port: number; isPaired: () => boolean; stop(): Promise<void> }

export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { dir, say = () => undefined } = options
  const { config } = options
  // First of all: who holds the port holds the folder.
  const http = await listen(config.port, options.handshakeMs ?? HANDSHAKE_WITHIN_MS)
  const port = (http.address() as AddressInfo).port
  const keep = openKeep(dir, options.now)
  const log = openJobLog(dir, config)
  const pages = new Set<Page>()
  const jobs = openJobs(config, dir, log, {
    tell(origin, answer) {
      for (const page of pages) if (page.token !== null && page.origin === origin) tell(page, answer)
    },
    changed: () => tellDesk(),
  })

  const desk = (): Desk => ({
    targets: jobs.targets().map(({ settings: { id, name, way, language, dots, font }, state, waiting }) => ({
      ...{ id, name, way, language, state, waiting },
      speech: { mode: keep.modeOf(id), font },
      calibration: keep.calibrationOf(id) ?? { ...UNCALIBRATED, dots },
    })),
    defaults: keep.defaults(),
    copiesMost: config.copiesMost,
  })
  const tellDesk = () => {
    for (const page of pages) if (page.token !== null) tell(page, { type: 'desk', ...desk() })
  }

  function letIn(page: Page, token: string): void {
    page.token = token
    const version = options.version ?? BRIDGE_VERSION
    tell(page, { type: 'welcome', version, program: BRIDGE_PROGRAM, caps: [...BRIDGE_CAPS], ...desk() })
  }

  function hearStranger(page: Page, given: unknown): void {
    const { success, data } = StrangerMessage.safeParse(given)
    if (!success) fault(page)
    else if (data.type === 'pair') pair(page, data.code, data.office)
    else if (keep.knows(data.token, page.origin)) letIn(page, data.token)
    else turnAway(page, 'token', 0)
  }

  function pair(page: Page, code: string, office: string): void {
    const paired = keep.pair(code, page.origin, office)
    if ('reason' in paired) turnAway(page, paired.reason, paired.left)
    else {
      say(`已配对：${page.origin}`)
      tell(page, { type: 'paired', token: paired.token })
      letIn(page, paired.token)
    }
  }

  function hear(page: Page, given: unknown): void {
    const { success, data } = BridgeMessage.safeParse(given)
    if (!success) fault(page)
    else if (data.type === 'print') {
      const bytes = bytesOf(data.data)
      if (bytes) tell(page, jobs.take(page.origin, data, bytes))
      else fault(page)
    } else if (data.type === 'reprint') tell(page, jobs.reprint(page.origin, data.id, data.of, data.copies))
    else if (data.type === 'ask') tell(page, jobs.ask(page.origin, data.id))
    else if (data.type === 'cancel') tell(page, jobs.cancel(page.origin, data.id))
    else if (data.type === 'log') tell(page, { type: 'log', rows: jobs.rows(page.origin) })
    else if (data.type === 'check') void jobs.check(data.target).catch(error => say(String(error)))
    else if (data.type === 'forget') forget(page.token ?? '')
    else hearSetting(page, data)
  }

  /** Whoever has come in with it is out. */
  function forget(token: string): void {
    keep.forget(token)
    for (const page of pages) if (page.token === token) page.socket.close(CLOSED.unpaired)
  }

  function hearSetting(
    page: Page,
    data: Extract<BridgeMessage, { type: 'calibrate' | 'default' | 'mode' }>,
  ): void {
    const isKnown = data.target === null || config.targets.some(({ id }) => id === data.target)
    if (!isKnown) tell(page, { type: 'refused', reason: 'target-unknown' })
    else if (data.type === 'calibrate') keep.calibrate(data.target, data.calibration)
    else if (data.type === 'mode') keep.setMode(data.target, data.mode)
    else keep.setDefault(data.kind, data.target)
    tellDesk()
  }

  function fault(page: Page): void {
    page.faults += 1
    if (page.token === null || page.faults >= BRIDGE_LIMITS.faults) page.socket.close(CLOSED.refused)
    else tell(page, { type: 'refused', reason: 'message' })
  }

  /** Whoever is not let in yet makes room for who comes. */
  function makeRoom(): boolean {
    if (pages.size < BRIDGE_LIMITS.connections) return true
    const oldest = [...pages].find(({ token }) => token === null)
    if (!oldest) return false
    pages.delete(oldest)
    oldest.socket.terminate()
    return true
  }

  /** What a stranger sends is counted as it comes: also a message that never ends. */
  function countStranger(page: Page, raw: Duplex, head: Buffer): void {
    let bytes = head.length
    const count = (part: Buffer) => {
      bytes += part.length
      if (page.token !== null) raw.off('data', count)
      else if (bytes > BRIDGE_LIMITS.strangerBytes) page.socket.terminate()
    }
    raw.on('data', count)
  }

  function takeIn(socket: WebSocket, origin: string, raw: Duplex, head: Buffer): void {
    const page: Page = { socket, origin, token: null, faults: 0, isAlive: true, admits: makeRate() }
    pages.add(page)
    countStranger(page, raw, head)
    const late = setTimeout(() => page.token === null && socket.close(CLOSED.tooLate), LET_IN_WITHIN_MS)
    socket.on('message', (raw: RawData, isBinary: boolean) => {
      if (socket.readyState !== socket.OPEN) return
      if (!page.admits()) return socket.close(CLOSED.tooMany)
      const bytes = raw as Buffer
      if (isBinary || (page.token === null && bytes.length > BRIDGE_LIMITS.strangerMost))
        return socket.close(CLOSED.refused)
      try {
        const given = parsed(bytes)
        if (page.token === null) hearStranger(page, given)
        else hear(page, given)
      } catch (error) {
        // As where the disk is full: whoever asked is not told that it was accepted.
        say(String(error))
        socket.close(1011)
      }
    })
    // Answered by itself, each of them.
    socket.on('ping', () => {
      if (!page.admits()) socket.terminate()
    })
    socket.on('pong', () => {
      page.isAlive = true
      if (!page.admits()) socket.terminate()
    })
    // The end follows, which is all there is to do.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      pages.delete(page)
    })
  }

  const door = new WebSocketServer({
    noServer: true,
    maxPayload: BRIDGE_LIMITS.messageMost,
    perMessageDeflate: false,
  })
  http.on('upgrade', (request, socket, head) => {
    const why = whyNot(request, config.origins, port) ?? (makeRoom() ? null : 503)
    if (why) return refuse(socket, why)
    const { origin } = request.headers
    door.handleUpgrade(request, socket, head, opened => takeIn(opened, origin as string, socket, head))
  })
  const alive = setInterval(() => {
    for (const page of pages) {
      if (!page.isAlive) page.socket.terminate()
      page.isAlive = false
      page.socket.ping()
    }
  }, ALIVE_EVERY_MS)
  await jobs.resume()
  return {
    port,
    isPaired: keep.isPaired,
    async stop() {
      clearInterval(alive)
      await jobs.stop()
      for (const { socket } of pages) socket.terminate()
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
      log.close()
    },
  }
}

async function listen(port: number, handshakeMs: number): Promise<Server> {
  const limits = {
    ...{ headersTimeout: handshakeMs, requestTimeout: handshakeMs, keepAliveTimeout: 1 },
    connectionsCheckingInterval: Math.min(handshakeMs, 1_000),
  }
  const http = createServer(limits, (_request, reply) => void reply.writeHead(404).end())
  http.maxConnections = BRIDGE_LIMITS.sockets
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  return http
}

function turnAway(page: Page, reason: Unpaired, left: number): void {
  tell(page, { type: 'unpaired', reason, left })
  page.socket.close(CLOSED.unpaired)
}

/** A page that takes nothing of what it is told is not told on. */
function tell({ socket }: Page, answer: BridgeAnswer): void {
  if (socket.bufferedAmount > BRIDGE_LIMITS.unreadMost) socket.terminate()
  else socket.send(JSON.stringify(answer))
}

/** A page elsewhere, or a name that was bent to this machine, does not get as far as a connection. */
function whyNot(
  { headers, url }: IncomingMessage,
  origins: readonly string[],
  port: number,
): 403 | 404 | null {
  if (headers.host !== `127.0.0.1:${port}`) return 403
  if (headers.origin === undefined || !origins.includes(headers.origin)) return 403
  return url === '/' ? null : 404
}

function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** A bucket that fills by so many messages a second. */
function makeRate(): () => boolean {
  let left: number = BRIDGE_LIMITS.burst
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(BRIDGE_LIMITS.burst, left + ((now - at) / 1_000) * BRIDGE_LIMITS.rate)
    at = now
    left -= 1
    return left >= 0
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** Null where it is no base64. */
function bytesOf(text: string): Buffer | null {
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return null
  return Buffer.from(text, 'base64')
}
