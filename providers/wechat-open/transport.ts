// One call to WeChat's open platform: JSON or a file, under a token; what it answers is a refusal by its number, an object, or bytes.
import type { z } from 'zod'
import {
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
  ProviderUnreadable,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { call } from '../call.ts'
import { type Members, membersOf, parseAnswer } from '../read.ts'

const ANSWER_MOST = 4 * 1024 * 1024
/** Too many calls or too busy: nothing was done. */
const BUSY = new Set(['-1', '45009', '45011', '89401', '9402202'])

export type Ask = {
  path: string
  query?: Readonly<Record<string, string>>
  /** A GET where absent. */
  body?: unknown
  /** One file of a form in place of a body. */
  file?: { bytes: Buffer; name: string; type: string }
}
export type Transport = {
  ask(ask: Ask): Promise<Members>
  /** Of what is answered with a picture, and with JSON where it is refused. */
  picture(ask: Ask): Promise<Buffer>
}

export function makeTransport(baseUrl: string, surroundings: Surroundings): Transport {
  async function send({ path, query = {}, body, file }: Ask) {
    const search = new URLSearchParams(query).toString()
    const url = `${baseUrl}${path}${search && `?${search}`}`
    const answer = await call(surroundings, url, initOf(body, file), ANSWER_MOST)
    if (answer.status !== 200) throw new ProviderUnknown(`${path} answered ${answer.status}`)
    return answer
  }
  return {
    async ask(ask) {
      const { body } = await send(ask)
      return accepted(ask.path, parseAnswer(ask.path, body))
    },
    async picture(ask) {
      const { headers, body } = await send(ask)
      const isPicture = /^image\//.test(headers.get('content-type') ?? '') || isJpeg(body) || isPng(body)
      if (isPicture && body.length > 0) return body
      accepted(ask.path, parseAnswer(ask.path, body))
      throw new ProviderUnreadable(`${ask.path} answered no picture`)
    },
  }
}

export const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.of(0xff, 0xd8, 0xff))
export const isPng = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.of(0x89, 0x50, 0x4e, 0x47))

function initOf(body: unknown, file: Ask['file']): RequestInit {
  if (file) {
    const form = new FormData()
    form.append('media', new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
    return { method: 'POST', body: form }
  }
  if (body === undefined) return { method: 'GET' }
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

function accepted(path: string, answer: unknown): Members {
  const members = membersOf(answer)
  const { errcode = 0, errmsg } = members
  if (typeof errcode !== 'number') throw new ProviderUnreadable(`${path} answered an errcode that is none`)
  if (errcode === 0) return members
  const said = typeof errmsg === 'string' ? errmsg : ''
  const reference = /\brid: ?([\w-]+)/.exec(said)?.[1] ?? ''
  const message = said.replace(/\s*\brid: ?[\w-]+/, '')
  const Refused = BUSY.has(String(errcode)) ? ProviderBusy : ProviderRefused
  throw new Refused(String(errcode), message, reference)
}

/** Rejects with ProviderUnreadable where the answer has another form than is agreed. */
export function readShape<T>(shape: z.ZodType<T>, path: string, answer: Members): T {
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  const where = read.error.issues.map(issue => issue.path.join('.')).join(', ')
  throw new ProviderUnreadable(`${path} answered another form than is agreed: ${where}`)
}
