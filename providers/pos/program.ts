// A point-of-sale server to try the office's door with: it knows /pos/openapi.json, a key and the secret of its webhooks.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Copy, keepCopy } from './copy.ts'
import { type Door, DoorRefused, makeDoor } from './door.ts'
import { type Feedback, makeFeedback } from './feedback.ts'
import type { Told } from './feedback-pages.ts'
import type { Said } from './markup.ts'
import {
  type AskedFor,
  listPage,
  missingPage,
  type PrintTemplate,
  type ShopTable,
  STYLES,
  shopPage,
  signInPage,
  type Template,
} from './pages.ts'
import { isGenuine } from './wire.ts'

/** Five pictures of 500 KB, and what is said with them. */
const BODY_MOST = 3_000_000
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data: http: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

export type PosOptions = {
  /** Where the office is, such as http://127.0.0.1:3000. */
  office: string
  key: string
  secrets: readonly string[]
  /** Keeps the copy over restarts; null: it is listed anew. */
  file: string | null
  port?: number
  /** What its own service keeps of a shop; it shows none where absent. */
  tables?: TablesOf
  /** How long the office may take to answer; 30 s where nothing is said. */
  withinMs?: number
}
type TablesOf = (shopId: number) => Promise<readonly ShopTable[]>
export type Pos = { url: string; hooks: string; copy: Copy; stop(): Promise<void> }

type Sent = { status: number; headers?: Record<string, string>; body?: string | Buffer }
type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: Buffer; ip: string }
type Parts = {
  door: Door
  copy: Copy
  feedback: Feedback
  secrets: readonly string[]
  origin: () => string
  tables: TablesOf
}

export async function startPos({
  office,
  key,
  secrets,
  file,
  port = 0,
  tables = async () => [],
  withinMs,
}: PosOptions): Promise<Pos> {
  const door = makeDoor({ office, key, withinMs })
  const copy = keepCopy(door, file)
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      process.stderr.write(`pos: ${error.stack}\n`)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const parts: Parts = { door, copy, feedback: makeFeedback(door, copy), secrets, origin: url, tables }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const asked = await read(request)
    const { status, headers, body } = asked ? await route(parts, asked) : { status: 413 }
    response.writeHead(status, headers).end(body)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  copy.wake()
  return {
    url: url(),
    hooks: `${url()}/hooks`,
    copy,
    async stop() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
      await copy.stop()
    },
  }
}

async function read(request: IncomingMessage): Promise<Asked | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > BODY_MOST) return null
    chunks.push(chunk as Buffer)
  }
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'http://pos'),
    headers: request.headers,
    body: Buffer.concat(chunks),
    ip: request.socket.remoteAddress ?? '127.0.0.1',
  }
}

async function route(parts: Parts, asked: Asked): Promise<Sent> {
  const { pathname } = asked.url
  if (pathname === '/hooks' && asked.method === 'POST') return hear(parts, asked)
  // Another name for this machine, or another page's form, is nobody who sits before it.
  if (asked.headers.host !== new URL(parts.origin()).host) return { status: 421 }
  if (asked.method === 'POST') {
    const { origin } = asked.headers
    return origin === parts.origin() ? take(parts, asked) : { status: 403 }
  }
  if (asked.method !== 'GET') return { status: 405 }
  if (pathname === '/pos.css')
    return { status: 200, headers: { 'content-type': 'text/css; charset=utf-8' }, body: STYLES }
  if (pathname === '/') return page(listPage(parts.copy, (asked.url.searchParams.get('q') ?? '').trim()))
  if (pathname === '/sign-in') return page(signInPage(parts.copy, null))
  const picture = /^\/pictures\/([\da-f-]{36})$/.exec(pathname)?.[1]
  if (picture !== undefined) return showPicture(parts, picture)
  const [, ofShop, thread] = /^\/shops\/(\d{1,12})\/feedback\/(\d{1,12})$/.exec(pathname) ?? []
  if (ofShop !== undefined) return showFeedback(parts, Number(ofShop), Number(thread), saidIn(asked.url))
  const id = /^\/shops\/(\d{1,12})$/.exec(pathname)?.[1]
  return id === undefined
    ? page(missingPage(parts.copy), 404)
    : showShop(parts, Number(id), saidIn(asked.url))
}

/** Answered at once: the feed tells what has changed, and its cursor is written down. */
function hear({ copy, secrets }: Parts, { headers, body }: Asked): Sent {
  if (!isGenuine({ headers, body }, secrets, new Date())) return { status: 401, body: 'forged' }
  copy.wake()
  return { status: 204 }
}

async function showShop({ door, copy, feedback, tables }: Parts, id: number, told: Said): Promise<Sent> {
  let said = told
  let asked: AskedFor[] = []
  let templates: Template[] = []
  let written: Told[] = []
  let kept: readonly ShopTable[] = []
  let prints: PrintTemplate[] = []
  try {
    await copy.refresh(id)
    asked = ((await door.call('approvals.requests', { id })).body as { requests: AskedFor[] }).requests
    templates = ((await door.call('pos.messageTemplates')).body as { templates: Template[] }).templates
    written = await feedback.listOf(id)
    kept = await tables(id)
    prints = ((await door.call('printTemplates.templates', { id })).body as { templates: PrintTemplate[] })
      .templates
  } catch (error) {
    if (error instanceof DoorRefused && error.status === 404) return page(missingPage(copy), 404)
    said = { text: whyNot(error), isError: true }
  }
  const shop = copy.shop(id)
  if (!shop) return page(missingPage(copy), 404)
  return page(
    shopPage(copy, {
      ...{ shop, asked, templates, prints, said },
      ...{ feedback: written, tables: kept, act: randomUUID },
    }),
  )
}

async function showFeedback(parts: Parts, shopId: number, id: number, said: Said): Promise<Sent> {
  const { copy, feedback } = parts
  try {
    await copy.refresh(shopId)
    const shop = copy.shop(shopId)
    return shop ? page(await feedback.pageOf(shop, id, said)) : page(missingPage(copy), 404)
  } catch (error) {
    if (error instanceof DoorRefused && error.status === 404) return page(missingPage(copy), 404)
    return showShop(parts, shopId, { text: whyNot(error), isError: true })
  }
}

async function showPicture({ feedback }: Parts, id: string): Promise<Sent> {
  try {
    const { type, bytes } = await feedback.picture(id)
    const headers = { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'private' }
    return { status: 200, headers, body: bytes }
  } catch (error) {
    if (error instanceof DoorRefused) return { status: error.status }
    throw error
  }
}

/** What the forms of a conversation say; they come as multipart, with pictures. */
async function takeFeedback(parts: Parts, { url, headers, body }: Asked): Promise<Sent | null> {
  const [, shop, thread, what] =
    /^\/shops\/(\d{1,12})\/feedback(?:\/(\d{1,12})\/(messages|rating))?$/.exec(url.pathname) ?? []
  if (shop === undefined) return null
  const shopId = Number(shop)
  const id = thread === undefined ? null : Number(thread)
  try {
    const type = headers['content-type'] ?? ''
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    if (what === 'rating' && id !== null) await parts.feedback.rate(id, form)
    const shown = what === 'rating' ? id : await parts.feedback.write(shopId, form, id)
    const location = `/shops/${shopId}/feedback/${shown}?done=${what ?? 'feedback'}`
    return { status: 303, headers: { location } }
  } catch (error) {
    const said = { text: whyNot(error), isError: true }
    return id === null ? showShop(parts, shopId, said) : showFeedback(parts, shopId, id, said)
  }
}

/** What a form asks for. */
async function take(parts: Parts, asked: Asked): Promise<Sent> {
  const ofFeedback = await takeFeedback(parts, asked)
  if (ofFeedback) return ofFeedback
  const form = new URLSearchParams(asked.body.toString('utf8'))
  if (asked.url.pathname === '/sign-in') return signIn(parts, form, asked.ip)
  const [, shop, what] = /^\/shops\/(\d{1,12})\/(requests|withdraw|messages)$/.exec(asked.url.pathname) ?? []
  if (shop === undefined) return page(missingPage(parts.copy), 404)
  const id = Number(shop)
  const text = (name: string) => form.get(name)?.trim() ?? ''
  const act = { act: text('act') }
  try {
    if (what === 'requests')
      await parts.door.call(
        'approvals.submitRequest',
        { id, kind: text('kind'), content: text('content') },
        act,
      )
    else if (what === 'withdraw')
      await parts.door.call('approvals.withdrawRequest', { id: Number(text('request')) }, act)
    else {
      const message = { phone: text('phone'), params: paramsOf(form) }
      await parts.door.call('pos.sendMessages', { id, template: text('template'), messages: [message] }, act)
    }
  } catch (error) {
    return showShop(parts, id, { text: whyNot(error), isError: true })
  }
  return { status: 303, headers: { location: `/shops/${id}?done=${what}` } }
}

const DONE: Record<string, string> = {
  requests: '申请已提交',
  withdraw: '已撤回',
  messages: '短信已提交发送',
  feedback: '反馈已提交',
  rating: '感谢您的评价',
}

function saidIn(url: URL): Said {
  const done = url.searchParams.get('done') ?? ''
  const text = done === 'messages' && url.pathname.includes('/feedback/') ? '已发送' : DONE[done]
  return text === undefined ? null : { text, isError: false }
}

function paramsOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith('param.') ? [[name.slice('param.'.length), value]] : [],
    ),
  )
}

async function signIn({ door, copy }: Parts, form: URLSearchParams, ip: string): Promise<Sent> {
  const [account, password] = [form.get('account') ?? '', form.get('password') ?? '']
  try {
    const { body } = await door.call('pos.signIn', { account, password, ip })
    const { shopId, status } = body as { shopId: number; status: string }
    if (status !== 'disabled') return { status: 303, headers: { location: `/shops/${shopId}` } }
    return page(signInPage(copy, { text: '店铺已被禁用，请联系服务商', isError: true }))
  } catch (error) {
    return page(signInPage(copy, { text: whyNot(error), isError: true }))
  }
}

function whyNot(error: unknown): string {
  if (error instanceof DoorRefused) return error.message || error.code
  return `无法读取后台：${error instanceof Error ? error.message : String(error)}`
}

const page = (body: string, status = 200): Sent => ({ status, headers: HEADERS, body })
