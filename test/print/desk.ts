// A desk for tests: the print program in a folder of its own, a printer on a port, and a page that speaks to the program.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'node:test'
import { WebSocket } from 'ws'
import { readConfig } from '#bridge/config.ts'
import { offerPairing } from '#bridge/keep.ts'
import { type Bridge, type BridgeOptions, startBridge } from '#bridge/server.ts'
import type { BridgeAnswer, PrintLanguage } from '#kit/print/bridge/bridge.ts'

type Ending = 'closing' | 'staying' | 'breaking'
export const ORIGIN = 'http://127.0.0.1:4999'

/**
 * A printer that listens for raw bytes, each job a connection; `pull` is its plug, `hold` its paper. It can be unplugged by the
 * very job that is its last, break the next one off in the middle, and end each as it is told: by closing, by leaving it open, or by
 * losing it with its last byte.
 */
export async function startPrinter(): Promise<{
  port: number
  jobs: Buffer[]
  pull(): Promise<void>
  plug(): Promise<void>
  hold(on: boolean): void
  pullAfter(jobs: number): void
  breakNext(): void
  endsBy(how: Ending): void
}> {
  const jobs: Buffer[] = []
  const sockets = new Set<Socket>()
  let held = false
  let last = Number.POSITIVE_INFINITY
  let breaks = false
  let ending: Ending = 'closing'
  let server: Server
  let port = 0
  const listen = () =>
    new Promise<void>(resolve => {
      server = createServer({ allowHalfOpen: true }, socket => {
        sockets.add(socket)
        const parts: Buffer[] = []
        if (held) socket.pause()
        socket.on('data', (part: Buffer) => {
          parts.push(part)
          if (!breaks) return
          breaks = false
          parts.length = 0
          socket.resetAndDestroy()
        })
        socket.on('end', () => {
          if (ending === 'breaking') return void socket.resetAndDestroy()
          if (ending === 'closing') socket.end()
          // Whoever has only looked whether it is there prints nothing.
          if (parts.length === 0) return
          jobs.push(Buffer.concat(parts))
          if (jobs.length === last) server.close()
        })
        socket.on('error', () => undefined)
        socket.on('close', () => sockets.delete(socket))
      })
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port
        resolve()
      })
    })
  await listen()
  return {
    port,
    jobs,
    async pull() {
      for (const socket of sockets) socket.resetAndDestroy()
      await new Promise(resolve => server.close(resolve))
    },
    plug: listen,
    pullAfter(count) {
      last = count
    },
    breakNext() {
      breaks = true
    },
    endsBy(how) {
      ending = how
    },
    hold(on) {
      held = on
      for (const socket of sockets) on ? socket.pause() : socket.resume()
    },
  }
}

export type TestDesk = {
  dir: string
  /** What lies in the folder that takes the place of a printer. */
  printed(): Buffer[]
  start(options?: Partial<BridgeOptions>): Promise<Bridge>
  pairingCode(): string
  remove(): void
}

/** A folder with settings: a file target, and a TCP target where there is a printer. */
export function makeDesk({
  port = 0,
  printerPort,
  language = 'tspl',
  origins = [ORIGIN],
  more = {},
}: {
  port?: number
  printerPort?: number
  /** Of the printer. */
  language?: PrintLanguage
  origins?: string[]
  more?: object
} = {}): TestDesk {
  const dir = mkdtempSync(join(tmpdir(), 'partner-office-bridge-'))
  const targets = [
    { way: 'file', id: 'folder', name: '打印到文件夹', language: 'zpl', folder: 'printed' },
    ...(printerPort === undefined
      ? []
      : [
          {
            way: 'tcp',
            id: 'front',
            name: '前台标签机',
            language,
            host: '127.0.0.1',
            port: printerPort,
          },
        ]),
  ]
  mkdirSync(join(dir, 'printed'))
  writeFileSync(
    join(dir, 'config.json'),
    JSON.stringify({ port, origins, targets, retryMs: 20, stallMs: 200, ...more }),
  )
  return {
    dir,
    printed: () =>
      readdirSync(join(dir, 'printed'))
        .toSorted()
        .map(name => readFileSync(join(dir, 'printed', name))),
    start: options => startBridge({ dir, config: readConfig(dir), ...options }),
    pairingCode: () => offerPairing(dir),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

type Answer<T extends BridgeAnswer['type']> = Extract<BridgeAnswer, { type: T }>
export type DeskPage = {
  socket: WebSocket
  heard: BridgeAnswer[]
  send(message: unknown): void
  /** The next answer of a kind that was not taken yet; of a job, where its id is given. */
  next<T extends BridgeAnswer['type']>(type: T, id?: string): Promise<Answer<T>>
  closed: Promise<number>
}

/** Connects as a page does. Rejects with the status where the door stays shut. */
export function connect(
  port: number,
  { origin = ORIGIN, host = `127.0.0.1:${port}`, path = '/' } = {},
): Promise<DeskPage> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { origin, headers: { host } })
  const heard: BridgeAnswer[] = []
  const waiters = new Set<() => void>()
  socket.on('message', raw => {
    heard.push(JSON.parse(String(raw)))
    for (const wake of waiters) wake()
    waiters.clear()
  })
  const closed = new Promise<number>(resolve => socket.on('close', code => resolve(code)))
  const page: DeskPage = {
    socket,
    heard,
    send: message => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed,
    async next(type, id) {
      for (;;) {
        const at = heard.findIndex(
          answer => answer.type === type && (!id || ('id' in answer && answer.id === id)),
        )
        if (at !== -1) return heard.splice(at, 1)[0] as never
        if (socket.readyState === socket.CLOSED)
          throw new Error(`closed before ${type}; heard ${JSON.stringify(heard).slice(0, 500)}`)
        await Promise.race([new Promise<void>(resolve => waiters.add(resolve)), closed])
      }
    },
  }
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(page))
    socket.once('unexpected-response', (_request, answer) => reject(new Error(String(answer.statusCode))))
    socket.on('error', reject)
  })
}

/** A page that is let in, with its token. */
export async function pairedPage(desk: TestDesk, port: number): Promise<{ page: DeskPage; token: string }> {
  const page = await connect(port)
  page.send({ type: 'pair', code: desk.pairingCode(), office: '测试' })
  const { token } = await page.next('paired')
  await page.next('welcome')
  return { page, token }
}

export async function letIn(port: number, token: string): Promise<DeskPage> {
  const page = await connect(port)
  page.send({ type: 'hello', token })
  await page.next('welcome')
  return page
}

export const printOf = (id: string, target: string, data: Buffer, more: object = {}) => ({
  ...{ type: 'print', id, target, kind: 'label', name: '价签', copies: 1, data: data.toString('base64') },
  ...more,
})

/** Desks, printers and programs of a test file, each gone after its test. */
export function openDesks() {
  let opened: AsyncDisposableStack
  beforeEach(() => {
    opened = new AsyncDisposableStack()
  })
  afterEach(() => opened.disposeAsync())
  return {
    atEnd: (end: () => Promise<void>) => opened.defer(end),
    newDesk(settings: Parameters<typeof makeDesk>[0] = {}): TestDesk {
      const desk = makeDesk(settings)
      opened.defer(() => desk.remove())
      return desk
    },
    async newPrinter() {
      const printer = await startPrinter()
      opened.defer(() => printer.pull())
      return printer
    },
    started: async (desk: TestDesk, options?: Partial<BridgeOptions>): Promise<Bridge> =>
      opened.adopt(await desk.start(options), bridge => bridge.stop()),
  }
}
