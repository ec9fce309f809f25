// The program's own page on loopback: who asks to be paired, printers, log. Opened with a key that only this user's folder has: other
// programs and pages of the machine read an empty shell and change nothing.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import {
  BRIDGE_LIMITS,
  BRIDGE_PROGRAM,
  PRINT_LANGUAGE_KEYS,
  PRINT_LANGUAGES,
} from '#kit/print/bridge/bridge.ts'
import type { Ask } from './asks.ts'
import { writeWhole } from './files.ts'
import type { Found } from './found.ts'
import { SHELL } from './own-page-shell.ts'
import type { UpdateState } from './updating.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** The key of this folder, made where there is none. */
export function ownKey(dir: string): string {
  const path = join(dir, 'own-key')
  if (!existsSync(path)) writeWhole(path, randomBytes(32).toString('base64url'))
  return readFileSync(path, 'utf8').trim()
}

/** Behind the hash: it comes into no request and no log. */
export const ownAddress = (port: number, key: string) => `http://127.0.0.1:${port}/#${key}`

const Deed = z.discriminatedUnion('deed', [
  z.strictObject({ deed: z.literal('decide'), id: z.string().max(80), allows: z.boolean() }),
  z.strictObject({
    deed: z.literal('add'),
    way: z.enum(['cups', 'serial', 'spool']),
    place: z.string().min(1).max(300),
    language: z.enum(PRINT_LANGUAGE_KEYS),
  }),
  z.strictObject({ deed: z.literal('remove'), id: z.string().max(40) }),
  z.strictObject({ deed: z.literal('update') }),
  z.strictObject({ deed: z.literal('back') }),
])
export type Deed = z.infer<typeof Deed>
export type Own = {
  key: string
  asks(): Ask[]
  offices(): { origin: string; office: string }[]
  printers(): { id: string; name: string; place: string; language: string; state: string; waiting: number }[]
  found(): Promise<Found[]>
  log(): string[]
  /** Null: this program does not replace itself. */
  update(): UpdateState | null
  /** Null: done; else why not, in words. */
  act(deed: Deed): Promise<string | null>
}

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Answers every plain request; `port` is the one it came to. */
export async function answerOwn(own: Own, port: number, request: IncomingMessage, reply: ServerResponse) {
  const send = (status: number, type: string, text: string) =>
    reply
      .writeHead(status, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      })
      .end(text)
  const json = (status: number, value: object) => send(status, 'application/json', JSON.stringify(value))
  if (request.headers.host !== `127.0.0.1:${port}`) return send(403, 'text/plain', '')
  if (request.method === 'GET' && request.url === '/') return send(200, 'text/html', SHELL)
  if (request.url !== '/own') return send(404, 'text/plain', '')
  const given = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  if (!timingSafeEqual(hashOf(given), hashOf(own.key)))
    return json(403, { problem: '请双击打印程序的图标打开本页' })
  if (request.method === 'GET') return json(200, await stateOf(own))
  if (request.method !== 'POST') return send(405, 'text/plain', '')
  const deed = Deed.safeParse(await bodyOf(request))
  if (!deed.success) return json(400, { problem: '请求的内容不对' })
  const problem = await own.act(deed.data)
  return json(problem === null ? 200 : 409, problem === null ? await stateOf(own) : { problem })
}

async function stateOf(own: Own) {
  return {
    ...{ program: BRIDGE_PROGRAM, languages: PRINT_LANGUAGES },
    ...{ asks: own.asks(), offices: own.offices(), printers: own.printers() },
    ...{ found: await own.found(), log: own.log(), update: own.update() },
  }
}

/** Undefined where it is no JSON, or more than a deed can be. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of request) {
    text += String(part)
    if (text.length > BRIDGE_LIMITS.strangerMost) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
