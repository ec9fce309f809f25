// The load client: keep-alive connections over plain sockets, so that it takes as little of the machine as can be.
import { connect, type Socket } from 'node:net'

export type LoadOrder = {
  port: number
  /** Whole HTTP/1.1 requests as text; taken in turn. */
  requests: string[]
  callers: number
  ms: number
  /** Stops when every request was sent once. */
  once: boolean
}

export type LoadResult = {
  answered: number
  elapsedMs: number
  latenciesMs: number[]
  failures: number
  /** The first answer that was no success. */
  failure: string | null
}

type Answer = { status: number; text: string }

process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    result => process.send?.(result),
    error => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: order.callers }, () => open(order.port)))
  const result: LoadResult = { answered: 0, elapsedMs: 0, latenciesMs: [], failures: 0, failure: null }
  const startedMs = performance.now()
  const endMs = startedMs + order.ms
  let next = 0
  const call = async (socket: Socket) => {
    for (;;) {
      const sentMs = performance.now()
      if (sentMs >= endMs || (order.once && next >= order.requests.length)) return
      const request = order.requests[next++ % order.requests.length] as string
      const answer = await exchange(socket, request)
      result.latenciesMs.push(performance.now() - sentMs)
      result.answered++
      if (answer.status >= 200 && answer.status < 300) continue
      result.failures++
      result.failure ??= `${answer.status} ${answer.text.slice(0, 300)}`
    }
  }
  await Promise.all(sockets.map(call))
  result.elapsedMs = performance.now() - startedMs
  for (const socket of sockets) socket.destroy()
  return result
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends one request and reads its answer to the end; the connection carries one exchange at a time. */
function exchange(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const settle = (act: () => void) => {
      socket.off('data', onData)
      socket.off('error', onEnd)
      socket.off('close', onEnd)
      act()
    }
    const onEnd = (error?: unknown) =>
      settle(() => reject(error instanceof Error ? error : new Error('connection closed')))
    const onData = (piece: Buffer) => {
      received = received.length === 0 ? piece : Buffer.concat([received, piece])
      const answer = readAnswer(received)
      if (answer) settle(() => resolve(answer))
    }
    socket.on('data', onData)
    socket.once('error', onEnd)
    socket.once('close', onEnd)
    socket.write(request)
  })
}

/** The answer once it is whole. Both servers say its length beforehand. */
function readAnswer(received: Buffer): Answer | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = received.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  if (!length) throw new Error(`an answer without content-length: ${head}`)
  if (received.length < headEnd + 4 + Number(length[1])) return null
  const status = Number(head.slice(9, 12))
  return { status, text: status < 300 ? '' : received.toString('utf8', headEnd + 4) }
}
