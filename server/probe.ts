// How a request of the operator's own doctor (npm run doctor) was seen here: told to who holds the office's key alone, since it names
// the proxies in front.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Services } from './ctx.ts'
import type { Secrets } from './secrets.ts'

export const PROBE_PATH = '/probe'
export const PROBE_HEADER = 'x-office-probe'

export type Probed = {
  /** Who is taken for the caller. */
  address: string
  /** The other end of the connection itself. */
  socketAddress: string
  /** What proxies say of it, in their order; empty where none says anything. */
  forwardedFor: string[]
  /** The host that was asked for, as it came here. */
  host: string
}

const MINUTE_MS = 60_000

/** Good in this minute and the next. */
export function probeTicket(secrets: Secrets, at: Date): string {
  return ticketOf(secrets, Math.floor(at.getTime() / MINUTE_MS))
}

export function isProbe(secrets: Secrets, at: Date, ticket: unknown): boolean {
  if (typeof ticket !== 'string') return false
  const minute = Math.floor(at.getTime() / MINUTE_MS)
  return [minute - 1, minute, minute + 1].some(one => isSame(ticketOf(secrets, one), ticket))
}

const ticketOf = (secrets: Secrets, minute: number) => secrets.digest(`probe ${minute}`).toString('hex')

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

export function addProbe(
  app: FastifyInstance,
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
): void {
  app.get(PROBE_PATH, async (request, reply) => {
    if (!isProbe(secrets, clock.now(), request.headers[PROBE_HEADER])) return reply.callNotFound()
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
    const told: Probed = {
      address: request.ip,
      socketAddress: request.socket.remoteAddress ?? '',
      forwardedFor: forwarded.split(',').flatMap(one => (one.trim() === '' ? [] : [one.trim()])),
      host: request.headers.host ?? '',
    }
    return reply.header('cache-control', 'no-store').send(told)
  })
}

export type ProxyFinding = {
  /** `tooMany`: a caller names its own address and is believed; `tooFew`: all callers behind a proxy are one. */
  kind: 'right' | 'tooMany' | 'tooFew'
  /** How many stand in front. */
  proxies: number
}

/** What a probe that named `forged` as its address says of the number of proxies that are believed. */
export function judgeProxies(
  { socketAddress, forwardedFor }: Pick<Probed, 'socketAddress' | 'forwardedFor'>,
  { forged, believed }: { forged: string; believed: number },
): ProxyFinding {
  const chain = [...forwardedFor, socketAddress]
  // Whoever is named first besides the probe's own words is the caller, as the first proxy saw it.
  const proxies = chain.length - (chain[0] === forged ? 2 : 1)
  return { kind: proxies === believed ? 'right' : proxies < believed ? 'tooMany' : 'tooFew', proxies }
}
