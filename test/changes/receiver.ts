// A receiver of webhooks as a POS vendor would write it: a real server on loopback that lets the published library judge each message.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Message = {
  id: string
  type: string
  shopId: number | null
  seq: number | null
  data: Record<string, unknown>
  /** How many signatures it carried. */
  signatures: number
}
/** What is answered: a status, with a body; or nothing at all. */
export type Answer = { status: number; body?: string } | 'silence'

export type Receiver = {
  url: string
  /** Every message that came with a signature that is one, in the order in which they came. */
  messages: Message[]
  /** What the library would not let in. */
  forged: string[]
  /** Whoever has one of these secrets may tell us something. */
  secrets: string[]
  answer: (message: Message) => Answer
  stop(): Promise<void>
}

const OK: Answer = { status: 200, body: 'ok' }

export async function openReceiver(port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const read = readMessage(receiver.secrets, body, headers)
    if (typeof read === 'string') {
      receiver.forged.push(read)
      response.writeHead(401).end('forged')
      return
    }
    receiver.messages.push(read)
    const answer = receiver.answer(read)
    if (answer !== 'silence') response.writeHead(answer.status).end(answer.body)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    messages: [],
    forged: [],
    secrets: [],
    answer: () => OK,
    async stop() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

function readMessage(
  secrets: readonly string[],
  body: string,
  headers: Record<string, string>,
): Message | string {
  let why = 'no secret'
  for (const secret of secrets)
    try {
      const { type, data } = new Webhook(secret).verify(body, headers) as {
        type: string
        data: Record<string, unknown> & { seq: number | null; shopId: number | null }
      }
      const { seq, shopId, ...rest } = data
      const signatures = (headers['webhook-signature'] ?? '').split(' ').length
      return { id: headers['webhook-id'] ?? '', type, seq, shopId, data: rest, signatures }
    } catch (error) {
      why = String(error)
    }
  return why
}
