// One POST to an address that somebody gave us: to the public internet alone, at the very address that was looked at, without
// following where it points, within a time, and reading little of the answer.
import { lookup as resolveName } from 'node:dns/promises'
import { request as plainRequest } from 'node:http'
import { request as sealedRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './addresses.ts'

type Address = { address: string; family: number }
export type Resolve = (host: string) => Promise<Address[]>

export type OutsidePost = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  withinMs: number
  /** Bytes of the answer that are read. */
  answerMost: number
  /** The operator lets requests go to this machine, without TLS there. */
  toLoopback: boolean
  /** Stops it. */
  signal?: AbortSignal
  resolve?: Resolve
}
export type OutsideAnswer = { status: number; answer: string }

/** The name leads, or may lead, to where nobody outside may send us. */
export class AddressRefused extends Error {}

const resolveAll: Resolve = host => resolveName(host, { all: true })

/** Rejects with AddressRefused before anything is sent, and where no answer came; any HTTP status is an answer. */
export async function postOutside(post: OutsidePost): Promise<OutsideAnswer> {
  const late = AbortSignal.timeout(post.withinMs)
  const signal = post.signal ? AbortSignal.any([late, post.signal]) : late
  const target = new URL(post.url)
  const addresses = await unlessAborted(signal, checked(target, post))
  return send(target, addresses, post, signal)
}

/** All addresses of the target; refuses it where one of them is closed, since any may be the one that is called. */
async function checked(target: URL, { toLoopback, resolve = resolveAll }: OutsidePost): Promise<Address[]> {
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  const isOpen = ({ address }: Address) =>
    isPublicAddress(address) || (toLoopback && isLoopbackAddress(address))
  if (addresses.length === 0 || !addresses.every(isOpen)) throw new AddressRefused(`${host} is not public`)
  const isHere = addresses.every(({ address }) => isLoopbackAddress(address))
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && isHere))
    throw new AddressRefused(`${target.protocol} is not sealed`)
  return addresses
}

function send(
  target: URL,
  addresses: readonly Address[],
  { headers, body, answerMost }: OutsidePost,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  const request = target.protocol === 'https:' ? sealedRequest : plainRequest
  const pinned: LookupFunction = (_host, options, found) => {
    const [first] = addresses
    if (options.all) found(null, [...addresses])
    else found(null, first?.address ?? '', first?.family)
  }
  return new Promise((resolve, reject) => {
    const call = request(target, {
      method: 'POST',
      // A connection of its own: none that was opened before leads elsewhere by now.
      agent: false,
      lookup: pinned,
      signal,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
    })
    const failed = (error: Error) => reject(signal.aborted ? signal.reason : error)
    call.on('error', failed)
    call.on('response', response => {
      const parts: Buffer[] = []
      let size = 0
      const done = () => {
        const answer = Buffer.concat(parts).subarray(0, answerMost).toString('utf8')
        resolve({ status: response.statusCode ?? 0, answer: answer.replaceAll('\0', '') })
      }
      response.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size < answerMost) return
        done()
        call.destroy()
      })
      response.on('end', done)
      response.on('error', failed)
    })
    call.end(body)
  })
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
