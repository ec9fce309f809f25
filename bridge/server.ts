// The door of the desk's print program: loopback alone, pages of the listed offices alone, a token before anything else.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import {
  ASK_PATH,
  BRIDGE_CAPS,
  BRIDGE_LIMITS,
  BRIDGE_PROGRAM,
  BRIDGE_VERSION,
  type BridgeAnswer,
  CLOSED,
  type Desk,
  PAIRING,
  TARGET_STATES,
  UNCALIBRATED,
  type Unpaired,
} from '#kit/print/bridge/bridge.ts'
import { AskMessage, BridgeMessage, StrangerMessage } from '#kit/print/bridge/bridge-messages.ts'
import { openAsks } from './asks.ts'
import { allowOrigin, type Config, writeTargets } from './config.ts'
import { findPrinters, settingsOf } from './found.ts'
import { openJobLog } from './job-log.ts'
import { openJobs } from './jobs.ts'
import { openKeep } from './keep.ts'
import { answerOwn, type Deed, type Own, ownAddress, ownKey } from './own-page.ts'
import { placeOf } from './places.ts'
import type { Updating, UpdatingDesk } from './updating.ts'

/** A page says who it is as soon as it is connected. */
const LET_IN_WITHIN_MS = 10_000
const HANDSHAKE_WITHIN_MS = 5_000
const ALIVE_EVERY_MS = 30_000
/** Lines that the own page shows. */
const SAID_MOST = 100

type Page = {
  socket: WebSocket
  origin: string
  token: string | null
  faults: number
  isAlive: boolean
  /** One at `ASK_PATH`: it may ask to be paired and say nothing else. */
  asks: boolean
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
  /** Of a program that replaces itself. */
  updating?: (desk: Pick<UpdatingDesk, 'dir' | 'offices' | 'isIdle' | 'say' | 'now'>) => Updating
}
export type Bridge = {
  port: number
  isPaired: () => boolean
  /** Of the program's own page, with its key. */
  ownAddress: string
  stop(): Promise<void>
}

export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { dir } = options
  const said: string[] = []
  const say = (line: string) => {
    said.push(line)
    if (said.length > SAID_MOST) said.shift()
    options.say?.(line)
  }
  const { config } = options
  // First of all: who holds the port holds the folder.
  const http = await listen(config.port, options.handshakeMs ?? HANDSHAKE_WITHIN_MS)
  const port = (http.address() as AddressInfo).port
  const keep = openKeep(dir, options.now)
  const log = openJobLog(dir, config)
  const pages = new Set<Page>()
  const asks = openAsks(options.now ?? Date.now)
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

  function hearAsk(page: Page, given: unknown): void {
    const { success, data } = AskMessage.safeParse(given)
    if (!success) {
      fault(page)
      return
    }
    const ask = asks.add(page.origin, data.office, answered => {
      if (answered !== 'allowed') {
        turnAway(page, answered, 0)
        return
      }
      say(`已配对：${page.origin}`)
      tell(page, { type: 'paired', token: keep.issue(page.origin, data.office) })
      // It comes in again as a page of an office that is known.
      page.socket.close(1000)
    })
    page.socket.once('close', () => asks.takeBack(ask.id))
    say(`请求配对：${page.origin}，核对数字 ${ask.code}`)
    tell(page, { type: 'asked', code: ask.code })
  }

  const updating =
    options.updating?.({
      ...{ dir, say, now: options.now ?? Date.now },
      offices: () => keep.offices().map(({ origin }) => origin),
      isIdle: () => jobs.targets().every(({ state }) => state !== 'busy'),
    }) ?? null

  const own: Own = {
    key: ownKey(dir),
    asks: asks.list,
    offices: keep.offices,
    printers: () =>
      jobs.targets().map(({ settings, state, waiting }) => ({
        ...{ id: settings.id, name: settings.name, place: placeOf(settings, dir) },
        ...{ language: settings.language, state: TARGET_STATES[state], waiting },
      })),
    found: () => findPrinters(config.targets),
    log: () => [...said],
    update: () => updating?.state() ?? null,
    async act(deed) {
      if (deed.deed === 'decide') return decide(deed)
      if (deed.deed === 'add') return addPrinter(deed)
      if (deed.deed === 'remove') return removePrinter(deed)
      return change(deed.deed)
    },
  }

  function change(deed: 'update' | 'back'): string | null {
    if (!updating) return '这个打印程序不会自己更新，请在后台的“打印设置”里下载'
    if (deed === 'update') updating.ask()
    else if (!updating.back()) return '没有可以换回的版本'
    return null
  }

  function decide({ id, allows }: Extract<Deed, { deed: 'decide' }>): string | null {
    const ask = asks.list().find(one => one.id === id)
    if (ask && allows && !config.origins.includes(ask.origin)) {
      allowOrigin(dir, ask.origin)
      config.origins.push(ask.origin)
    }
    return ask && asks.decide(id, allows) ? null : '这个请求已经过期，请在后台再点一次“请求配对”'
  }

  async function addPrinter({
    way,
    place,
    language,
  }: Extract<Deed, { deed: 'add' }>): Promise<string | null> {
    const found = (await findPrinters(config.targets)).find(one => one.way === way && one.place === place)
    if (!found) return '系统里没有这台打印机，或者它已经添加'
    if (language === 'pdf' && way !== 'cups') return '这台打印机只能打标签或小票，请选打印语言'
    const settings = settingsOf(
      found,
      language,
      config.targets.map(({ id }) => id),
    )
    writeTargets(dir, [...config.targets, settings])
    config.targets.push(settings)
    jobs.add(settings)
    say(`已添加打印机：${settings.name}`)
    return null
  }

  function removePrinter({ id }: Extract<Deed, { deed: 'remove' }>): string | null {
    const at = config.targets.findIndex(one => one.id === id)
    if (at === -1) return null
    if (!jobs.remove(id)) return '还有任务在等这台打印机，请先取消或等它们打完'
    const [removed] = config.targets.splice(at, 1)
    writeTargets(dir, config.targets)
    say(`已移除打印机：${removed?.name}`)
    return null
  }

  function hearStranger(page: Page, given: unknown): void {
    const { success, data } = StrangerMessage.safeParse(given)
    if (page.asks) hearAsk(page, given)
    else if (!success) fault(page)
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

  function takeIn(socket: WebSocket, request: IncomingMessage, raw: Duplex, head: Buffer): void {
    const asksHere = request.url === ASK_PATH
    const origin = request.headers.origin as string
    const page: Page = {
      ...{ socket, origin, token: null, faults: 0, isAlive: true, admits: makeRate(), asks: asksHere },
    }
    pages.add(page)
    countStranger(page, raw, head)
    const within = asksHere ? PAIRING.askMinutes * 60_000 + LET_IN_WITHIN_MS : LET_IN_WITHIN_MS
    const late = setTimeout(() => page.token === null && socket.close(CLOSED.tooLate), within)
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
    const asking = [...pages].filter(page => page.asks).length
    const isFull = request.url === ASK_PATH ? asking >= BRIDGE_LIMITS.asks : false
    const why = whyNot(request, config.origins, port) ?? (!isFull && makeRoom() ? null : 503)
    if (why) return refuse(socket, why)
    door.handleUpgrade(request, socket, head, opened => takeIn(opened, request, socket, head))
  })
  http.on('request', (request, reply) => {
    answerOwn(own, port, request, reply).catch(error => {
      say(String(error))
      reply.destroy()
    })
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
    ownAddress: ownAddress(port, own.key),
    async stop() {
      clearInterval(alive)
      updating?.stop()
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
  const http = createServer(limits)
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
  // Whoever asks to be paired is of no list yet: a person decides.
  if (url === ASK_PATH) return /^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(headers.origin ?? '') ? null : 403
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
