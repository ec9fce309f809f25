// Many pages in one process: engine.io and WebSocket by hand over plain sockets, so that they take little of the machine.
import { connect, type Socket } from 'node:net'

export type ClientOrder =
  /** With the cookies of sessions, or the tokens of old clients at the hub. */
  | { kind: 'open'; port: number; by: Door; secrets: string[] }
  | { kind: 'cut'; count: number }
  /** Waits until each open page has heard this title, or the time is over. */
  | { kind: 'heard'; title: string; withinMs: number }
  | { kind: 'clear' }
export type Door = 'page' | 'hub'
export type HeardResult = {
  pages: number
  /** When each page heard it, on the machine's monotonic clock. */
  atMs: number[]
  /** Pages that heard it more than once. */
  twice: number
}

type Page = { socket: Socket; open: boolean; times: Map<string, number[]> }

const HANDSHAKES_AT_ONCE = 100
const pages: Page[] = []

process.on('message', (order: ClientOrder) => {
  follow(order).then(
    result => process.send?.(result),
    error => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function follow(order: ClientOrder): Promise<object> {
  switch (order.kind) {
    case 'open': {
      const secrets = [...order.secrets]
      const work = async () => {
        for (let secret = secrets.pop(); secret; secret = secrets.pop())
          pages.push(await openPage(order.port, WAYS[order.by], secret))
      }
      await Promise.all(Array.from({ length: HANDSHAKES_AT_ONCE }, work))
      return { open: pages.filter(page => page.open).length }
    }
    case 'cut': {
      const cut = pages.splice(0, order.count)
      for (const { socket } of cut) socket.destroy()
      return { cut: cut.length }
    }
    case 'heard':
      return waitUntilHeard(order.title, order.withinMs)
    case 'clear':
      for (const page of pages) page.times.clear()
      return {}
  }
}

async function waitUntilHeard(title: string, withinMs: number): Promise<HeardResult> {
  const endMs = monotonicMs() + withinMs
  while (monotonicMs() < endMs && !pages.every(page => page.times.has(title)))
    await new Promise(resolve => setTimeout(resolve, 20))
  const times = pages.map(page => page.times.get(title) ?? [])
  return {
    pages: pages.filter(page => page.open).length,
    atMs: times.flatMap(([first]) => first ?? []),
    twice: times.filter(all => all.length > 1).length,
  }
}

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

const HEAD_END = '\r\n\r\n'

/** Resolves once the server has let the page in. */
function openPage(port: number, way: Way, secret: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const page: Page = { socket, open: true, times: new Map() }
    let rest: Buffer = Buffer.alloc(0)
    let upgraded = false
    socket.on('error', reject)
    socket.on('close', () => {
      page.open = false
      reject(new Error(`the server closed a page: ${rest.toString('latin1').slice(0, 200)}`))
    })
    socket.on('connect', () =>
      socket.write(
        [
          ...way.head(port, secret),
          `host: 127.0.0.1:${port}`,
          'connection: Upgrade',
          'upgrade: websocket',
          'sec-websocket-version: 13',
          `sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==${HEAD_END}`,
        ].join('\r\n'),
      ),
    )
    socket.on('data', chunk => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (!upgraded) {
        const end = rest.indexOf(HEAD_END)
        if (end === -1) return
        if (!rest.toString('latin1', 0, 12).endsWith('101')) {
          socket.destroy()
          return
        }
        upgraded = true
        rest = rest.subarray(end + HEAD_END.length)
        way.begin(page)
      }
      for (let frame = takeFrame(rest); frame; frame = takeFrame(rest)) {
        rest = frame.rest
        if (way.hear(page, frame.text) === 'let in') resolve(page)
      }
      // The chunk itself would be kept by a piece of it.
      rest = Buffer.from(rest)
    })
  })
}

function takeFrame(bytes: Buffer): { text: string; rest: Buffer } | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 0x7f
  const start = short === 126 ? 4 : 2
  if (short === 127) throw new Error('a frame is longer than any notice')
  if (bytes.length < start) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  if (bytes.length < start + length) return null
  return { text: bytes.toString('utf8', start, start + length), rest: bytes.subarray(start + length) }
}

type Way = {
  head(port: number, secret: string): string[]
  /** Says what comes first, if it is the client. */
  begin(page: Page): void
  hear(page: Page, text: string): 'let in' | null
}

const WAYS: Record<Door, Way> = {
  page: {
    head: (port, cookie) => [
      'GET /realtime/?EIO=4&transport=websocket HTTP/1.1',
      `origin: http://127.0.0.1:${port}`,
      `cookie: ${cookie}`,
    ],
    begin: () => undefined,
    hear: hearPage,
  },
  hub: {
    head: (_port, token) => [`GET /NoticeHub?access_token=${token} HTTP/1.1`],
    begin: page => say(page, `{"protocol":"json","version":1}${END}`),
    hear: hearHub,
  },
}

/** engine.io: 0 open, 2 ping, 4 message; socket.io in a message: 0 connect, 2 event. */
function hearPage(page: Page, text: string): 'let in' | null {
  if (text.startsWith('0')) say(page, '40')
  else if (text === '2') say(page, '3')
  else if (text.startsWith('40')) return 'let in'
  else if (text.startsWith('42')) {
    const [event, message] = JSON.parse(text.slice(2)) as [string, Heard]
    if (event !== 'NoticeAsync') return null
    note(page, message)
    say(page, `42${JSON.stringify(['OnClientReceivedNotice', message.traceId, true])}`)
  }
  return null
}

/** SignalR: {} the answer to the handshake, 1 an invocation, 6 a ping. */
function hearHub(page: Page, text: string): 'let in' | null {
  if (text === `{}${END}`) return 'let in'
  if (!text.endsWith(END)) return null
  const message = JSON.parse(text.slice(0, -END.length)) as { type: number; arguments: [string, Heard] }
  if (message.type === 6) say(page, text)
  else if (message.type === 1) {
    const [, notice] = message.arguments
    note(page, notice)
    say(page, JSON.stringify(confirming(notice)) + END)
  }
  return null
}

const END = '\x1e'
const confirming = ({ traceId }: Heard) => ({
  type: 1,
  target: 'OnClientReceivedNotice',
  arguments: [traceId, true],
})

type Heard = { traceId: string; title: string }

function note(page: Page, { title }: Heard): void {
  page.times.set(title, [...(page.times.get(title) ?? []), monotonicMs()])
}

/** A client masks what it says; a mask of zeros leaves it as it is. */
function say({ socket }: Page, text: string): void {
  const body = Buffer.from(text)
  if (body.length > 125) throw new Error('longer than a short frame')
  if (socket.writable)
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]))
}
