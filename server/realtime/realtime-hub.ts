// A second wire to the same rooms, for programs that speak SignalR's JSON hub protocol over WebSocket: what socket.io says is put into its
// messages, and what its clients call is answered as it is to pages. No id of a connection is kept: a token lets in, at any instance.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { Admission, Program } from './realtime-admission.ts'
import { CLOSED, type Door, Wire } from './realtime-engine.ts'

/** What a hub calls its methods. */
export type HubWords = {
  path: string
  /** Where a client asks what it may connect by. */
  negotiation: string
  /** How what is pushed is told, or null: it is not. */
  told(event: string, payload: unknown): { target: string; arguments: readonly unknown[] } | null
}

/** What a client may call, by its name. */
type Said = Readonly<Record<string, (guest: Program, args: readonly unknown[]) => unknown>>

/** Stands at the end of each message. */
const END = '\x1e'
const TYPES = {
  invocation: 1,
  streamItem: 2,
  completion: 3,
  streamInvocation: 4,
  cancel: 5,
  ping: 6,
  close: 7,
}
/** Clients give up a server of which they hear nothing for 30 s. */
const BEAT_EVERY_S = 15
/** The second is for connections that resume, which are not offered; what it says is the same without. */
const VERSIONS: readonly unknown[] = [1, 2]
const NEGOTIATED_VERSION_MAX = 1
const INVOCATION_ID_MAX = 64
const CONNECTS = '0'
const EVENT = '2['

const REASONS: Readonly<Record<number, string>> = {
  [CLOSED.broken]: 'The message is not understood.',
  [CLOSED.unfit]: 'Only text is understood.',
  [CLOSED.refused]: 'Too many messages.',
}

type Message = Readonly<Record<string, unknown>>

const record = (message: object) => JSON.stringify(message) + END

/** What all wires of a hub say and answer alike. */
type Speech = { said: Said; messageOf(packet: string): Buffer | null }

class HubWire extends Wire<Program> {
  private isShaken = false
  private readonly speech: Speech

  constructor(guest: Program, socket: WebSocket, speech: Speech) {
    super(guest, socket)
    this.speech = speech
  }

  protected override get beatEveryS(): number {
    return BEAT_EVERY_S
  }

  write(packet: string): void {
    const message = this.speech.messageOf(packet)
    if (message) this.send(message)
  }

  override close(code = CLOSED.normally): void {
    const error = REASONS[code]
    const told = error === undefined ? { allowReconnect: true } : { error }
    this.send(record(this.isShaken ? { type: TYPES.close, ...told } : { error: error ?? 'The hub closes.' }))
    super.close(code)
  }

  protected hearText(text: string): void {
    const isWhole = text.endsWith(END)
    for (const [i, said] of text.slice(0, -END.length).split(END).entries()) {
      // The first is counted as it comes.
      if (i === 0 ? this.readyState !== 'open' : !this.count()) return
      if (!isWhole || !this.isUnderstood(messageIn(said))) this.close(CLOSED.broken)
    }
  }

  protected ask(): void {
    if (this.isShaken) this.send(record({ type: TYPES.ping }))
    // Clients of old say nothing by themselves; the WebSocket below answers for them.
    this.ping()
  }

  private isUnderstood(message: Message | null): boolean {
    if (!message) return false
    return this.isShaken ? this.answer(message) : this.shake(message)
  }

  private shake({ protocol, version }: Message): boolean {
    if (protocol !== 'json' || !VERSIONS.includes(version)) return false
    this.isShaken = true
    this.send(record({}))
    this.take(CONNECTS)
    return true
  }

  private answer({ type, invocationId, target, arguments: args }: Message): boolean {
    if (type === TYPES.close) this.close()
    if (type !== TYPES.invocation && type !== TYPES.streamInvocation) return typeof type === 'number'
    const isAsked = typeof invocationId === 'string' && invocationId.length <= INVOCATION_ID_MAX
    if (typeof target !== 'string' || !Array.isArray(args)) return false
    if (!isAsked && (invocationId ?? null) !== null) return false
    const { said } = this.speech
    const call = type === TYPES.invocation && Object.hasOwn(said, target) ? said[target] : undefined
    const outcome = call
      ? { result: call(this.guest, args) ?? null }
      : { error: 'The hub has no such method.' }
    if (isAsked) this.send(record({ type: TYPES.completion, invocationId, ...outcome }))
    return true
  }
}

function messageIn(text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : null
  } catch {
    return null
  }
}

/** Puts packets of socket.io into messages; what goes to many is put once. */
function puttingOnce({ told }: HubWords): Speech['messageOf'] {
  let last: { packet: string; message: Buffer | null } = { packet: '', message: null }
  return packet => {
    if (!packet.startsWith(EVENT)) return null
    if (packet === last.packet) return last.message
    const [event, payload] = JSON.parse(packet.slice(1)) as [string, unknown]
    const invocation = told(event, payload)
    const message = invocation && Buffer.from(record({ type: TYPES.invocation, ...invocation }))
    last = { packet, message }
    return message
  }
}

const connectionId = () => randomBytes(15).toString('base64url')

/** Adds where clients negotiate, and answers the door for their wires. */
export function openHub(
  http: FastifyInstance,
  words: HubWords,
  { admitProgram, programOf }: Pick<Admission, 'admitProgram' | 'programOf'>,
  said: Said,
): Door<Program> {
  http.route({
    method: 'POST',
    url: words.negotiation,
    // What its body says is not looked at.
    async onRequest({ raw, query }, reply) {
      reply.header('cache-control', 'no-store')
      if (!(await programOf(raw))) return reply.code(401).send({ error: 'The token is unknown or over.' })
      const asked = Number((query as { negotiateVersion?: unknown }).negotiateVersion)
      const id = { connectionId: connectionId() }
      return reply.send({
        ...(asked >= NEGOTIATED_VERSION_MAX
          ? { negotiateVersion: NEGOTIATED_VERSION_MAX, ...id, connectionToken: connectionId() }
          : id),
        availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
      })
    },
    handler: (_request, reply) => reply,
  })
  const speech = { said, messageOf: puttingOnce(words) }
  return {
    isFor: path => path === words.path,
    admit: admitProgram,
    open: (guest, socket) => new HubWire(guest, socket, speech),
  }
}
