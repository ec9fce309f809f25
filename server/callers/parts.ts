// Files that lie ready are handed out whole or in parts (RFC 9110, section 14), so that a download that broke off goes on.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Part } from '../storage/storage.ts'

/** `tag`: what its bytes are known by, in quotes; other bytes have another. */
export type Whole = { byteSize: number; tag: string }
export type Asking = {
  range?: string | undefined
  ifRange?: string | undefined
  ifNoneMatch?: string | undefined
  isHead?: boolean
}
/** null: all of it. 'beyond': nothing of what is asked for lies within. */
export type AskedPart = Part | null | 'beyond'

const ONE_PART = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * What a request asks for. Several parts at once, another unit and a range that is none are answered with all of it, as is who holds a
 * part of other bytes.
 */
export function askedPart({ range, ifRange, ifNoneMatch }: Asking, { byteSize, tag }: Whole): AskedPart {
  const [, first = '', last = ''] = ONE_PART.exec(range?.trim() ?? '') ?? []
  const holdsOther = ifRange !== undefined && ifRange !== tag
  if ((first === '' && last === '') || holdsOther || ifNoneMatch !== undefined) return null
  const end = byteSize - 1
  if (first === '') return Number(last) === 0 || end < 0 ? 'beyond' : partFrom(byteSize - Number(last), end)
  if (last !== '' && Number(last) < Number(first)) return null
  if (Number(first) > end) return 'beyond'
  return partFrom(Number(first), last === '' ? end : Math.min(Number(last), end))
}

const partFrom = (from: number, to: number): Part => ({ from: Math.max(0, from), to })

/** Whether no bytes are wanted: for the head alone, or who has them already, whom server/http.ts answers with 304. */
export function wantsNone({ isHead, ifNoneMatch = '' }: Asking, { tag }: Whole): boolean {
  return isHead === true || ifNoneMatch.split(',').some(one => one.trim().replace(/^W\//, '') === tag)
}

export function askingOf({ headers, method }: FastifyRequest): Asking {
  const one = (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(',') : value
  }
  return {
    range: one('range'),
    ifRange: one('if-range'),
    ifNoneMatch: one('if-none-match'),
    isHead: method === 'HEAD',
  }
}

/** Status and headers of what is asked for; answers what is sent: no bytes to who asks for the head alone. */
export function inParts(
  request: FastifyRequest,
  reply: FastifyReply,
  { byteSize, tag }: Whole,
  { asked, bytes }: { asked: AskedPart; bytes: Readable },
): Readable | object {
  reply.header('accept-ranges', 'bytes').header('etag', tag)
  if (asked === 'beyond') {
    reply.code(416).header('content-range', `bytes */${byteSize}`)
    reply.removeHeader('content-disposition')
    reply.type('application/json; charset=utf-8')
    return { code: 'RANGE_BEYOND', message: '文件已变化，请重新下载' }
  }
  if (asked) reply.code(206).header('content-range', `bytes ${asked.from}-${asked.to}/${byteSize}`)
  reply.header('content-length', asked ? asked.to - asked.from + 1 : byteSize)
  return request.method === 'HEAD' ? Readable.from([]) : bytes
}
