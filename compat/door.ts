// The second door: the documents' calls at their addresses. Each is put into the words of an operation (translate.ts, by its row), asked
// of the same router in this process with the client's token as a program's key, and its answer is put back.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COMMON_REFUSALS, REQUEST_REFUSALS } from '#kit/declare/op.ts'
import type { Answers, Call, Deed, Sent, Step } from './call.ts'
import { CALLS, pathsOf } from './calls.ts'
import { answered, applies, at, nameOf, taken, Unreadable } from './translate.ts'

export type Operation = { name: string; method: string; path: string }

export type CompatOptions = {
  /** Ours, with the prefix of their door in their paths. */
  operations: readonly Operation[]
  /** Files that are streamed, likewise. */
  files: readonly Operation[]
  /** Whether it is a token that this door gives out. */
  isToken(text: string): boolean
  /** Whether it stands. */
  stands(token: string, ip: string): Promise<boolean>
  /** Whether the operator has closed a call. */
  isClosed(call: string): Promise<boolean>
  /** Notes that somebody has made a call. */
  used(call: string, token: string, ip: string): void
  /** The key of an act, by its digest: the same for what is sent twice at once, to whichever process. */
  actKey(digest: string): Promise<string>
  /** What a form of several parts may hold. */
  mostBytes: number
}

export const COMPAT_PATHS: readonly string[] = CALLS.flatMap(pathsOf)

const BODY_MOST = 1024 * 1024
/** The documents are of 2026; since then there is the other door. */
const DEPRECATED_SINCE = Date.parse('2026-11-30T00:00:00+08:00') / 1_000

class Refused extends Error {
  readonly status: number
  readonly retryAfter: string | undefined
  constructor(message: string, status = 200, retryAfter?: string) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

type Part = { name: string; type: string; bytes: Buffer }
type Asked = { sent: Sent; parts: readonly Part[] }

/** Adds every row of the table; nothing else is answered here. */
export function addCompat(app: FastifyInstance, options: CompatOptions): void {
  const ask = asker(app, options)
  app.register(async door => {
    takeForms(door, options.mostBytes)
    door.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', deprecation: `@${DEPRECATED_SINCE}` })
      reply.header('link', '</api/openapi.json>; rel="successor-version"')
    })
    for (const [call, url] of CALLS.flatMap(call => pathsOf(call).map(path => [call, path] as const)))
      door.route({
        method: [...call.methods],
        url,
        // Whoever has no token sends no body either.
        onRequest: async (request, reply) => {
          const refusal = await refusalBefore(call, request, options)
          if (refusal !== null) return reply.send(enveloped(call, { refused: refusal }))
        },
        errorHandler: (error, request, reply) => answerFailure(call, error, request, reply),
        handler: async (request, reply) => {
          const token = tokenOf(request)
          if (!call.isOpen) options.used(call.name, token, request.ip)
          return ask(call, request, reply, { ...askedBy(request), token })
        },
      })
  })
}

/** The token of `key`, in the address or in the header of that name. */
function tokenOf({ query, headers }: FastifyRequest): string {
  const said = (query as { key?: unknown }).key ?? headers.key
  return typeof said === 'string' ? said : ''
}

async function refusalBefore(
  call: Call,
  request: FastifyRequest,
  { isToken, stands, isClosed }: CompatOptions,
): Promise<string | null> {
  const token = tokenOf(request)
  // Whoever made one up costs no more than this.
  const isIn = call.isOpen || (isToken(token) && (await stands(token, request.ip)))
  if (!isIn) return COMMON_REFUSALS.UNAUTHENTICATED
  return (await isClosed(call.name)) ? CLOSED : null
}

const CLOSED = '此接口已停用，请联系管理员'

function askedBy({ query, body, params }: FastifyRequest): Asked {
  const { key: _, ...asked } = query as Record<string, unknown>
  const form = body instanceof Form ? body : new Form(body, [])
  return { sent: { ...asked, ...form.fields, ...(params as object) }, parts: form.parts }
}

/** What came in a body: fields, and files beside them. */
class Form {
  readonly fields: Sent
  readonly parts: readonly Part[]
  constructor(fields: unknown, parts: readonly Part[]) {
    const isPlain = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
    // A list in place of an object is known by the name that the documents have for a body alone.
    this.fields = isPlain ? (fields as Sent) : fields === undefined || fields === null ? {} : { body: fields }
    this.parts = parts
  }
}

function takeForms(door: FastifyInstance, mostBytes: number): void {
  door.removeAllContentTypeParsers()
  const parse = door.getDefaultJsonParser('error', 'error')
  door.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_MOST },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else parse(request, body as string, done)
    },
  )
  door.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_MOST },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
  door.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: mostBytes + BODY_MOST },
    (request, body, done) => {
      partsOf(request.headers['content-type'] ?? '', body as Buffer).then(
        form => done(null, form),
        () => done(new Refused(REQUEST_REFUSALS.BODY_BROKEN)),
      )
    },
  )
}

async function partsOf(type: string, body: Buffer): Promise<Form> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = {}
  const parts: Part[] = []
  for (const [name, value] of form)
    if (typeof value === 'string') fields[name] = value
    else parts.push({ name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) })
  return new Form(fields, parts)
}

type Client = Asked & { token: string }

function asker(app: FastifyInstance, { operations, files, actKey }: CompatOptions) {
  const byName = new Map(operations.map(one => [one.name, one]))
  const fileByName = new Map(files.map(one => [one.name, one]))

  /** The client's own, else the same for what is sent twice at once. */
  async function keyOfAct(own: unknown, act: readonly unknown[]): Promise<string> {
    if (typeof own === 'string') return own
    return actKey(createHash('sha256').update(JSON.stringify(act)).digest('base64url'))
  }

  async function asks(
    { method, path }: Operation,
    input: Record<string, unknown>,
    request: FastifyRequest,
    more: { takes?: Step['takes']; token: string; act?: string },
  ) {
    const left = { ...input }
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = left[name]
      delete left[name]
      if (typeof value === 'string' ? value === '' : typeof value !== 'number')
        throw refusedField(name, more.takes)
      return encodeURIComponent(String(value))
    })
    const isRead = method === 'GET'
    const query = isRead
      ? new URLSearchParams(
          Object.entries(left).map(([name, value]): [string, string] => [name, String(value)]),
        )
      : ''
    return app.inject({
      method: method as 'GET',
      url: `${filled}${String(query) === '' ? '' : `?${query}`}`,
      remoteAddress: request.ip,
      headers: {
        'user-agent': request.headers['user-agent'] ?? '',
        'x-requested-with': 'partner-office',
        ...(more.token !== '' && { authorization: `Bearer ${more.token}` }),
        ...(more.act !== undefined && { 'idempotency-key': more.act }),
      },
      ...(!isRead && { payload: left }),
    })
  }

  async function step(call: Call, one: Step, client: Client, request: FastifyRequest, answers: Answers) {
    const operation = byName.get(one.operation)
    if (!operation) throw new Error(`${call.name} is put into ${one.operation}, which is not there`)
    const { token, sent } = client
    const input = taken(one.takes ?? {}, sent, answers)
    const { shown, is } = taken(one.sameAs ? { shown: one.sameAs[0], is: one.sameAs[1] } : {}, sent, answers)
    if (shown !== undefined && shown !== is) throw new Refused('价格已变化，请重新确认')
    const act = [token, call.name, one.operation, input]
    const told = await asks(operation, input, request, {
      token: call.isOpen ? '' : token,
      ...(operation.method !== 'GET' && { act: await keyOfAct(request.headers['idempotency-key'], act) }),
      ...(one.takes && { takes: one.takes }),
    })
    const answer: unknown = told.json()
    if (told.statusCode >= 400) throw refusalIn(told.statusCode, answer, one, told.headers['retry-after'])
    const refusal = one.refusedBy === undefined ? null : at(answer, one.refusedBy)
    if (typeof refusal === 'string' && refusal !== '') throw new Refused(refusal)
    const [path, words] = one.notFound ?? []
    if (path !== undefined && (at(answer, path) ?? null) === null) throw new Refused(words ?? '')
    if (one.only === undefined) return answer
    const { is: wanted } = taken({ is: one.only.is }, sent, answers)
    const { of, where } = one.only
    const found = (at(answer, of) as readonly Record<string, unknown>[]).filter(row => row[where] === wanted)
    if (found.length === 0) throw new Refused(COMMON_REFUSALS.NOT_FOUND)
    return { ...(answer as object), [of]: found }
  }

  const opens = (token: string, sent: Sent) => (path: string) => {
    const asked = Object.entries(sent).filter(([, value]) => ['string', 'number'].includes(typeof value))
    return `${path}?${new URLSearchParams([...asked.map(([name, value]): [string, string] => [name, String(value)]), ['key', token]])}`
  }

  async function upload(
    { field, purpose }: NonNullable<Extract<Deed, { steps: unknown }>['upload']>,
    client: Client,
    request: FastifyRequest,
  ) {
    const part = client.parts.find(({ name }) => name === field) ?? client.parts[0]
    if (!part) throw new Refused(`缺少参数：${field}`)
    const told = await app.inject({
      method: 'POST',
      url: `/api/files?purpose=${encodeURIComponent(String(taken({ purpose }, client.sent, {}).purpose))}`,
      remoteAddress: request.ip,
      headers: {
        'content-type': part.type,
        'x-requested-with': 'partner-office',
        authorization: `Bearer ${client.token}`,
      },
      payload: part.bytes,
    })
    const answer: unknown = told.json()
    if (told.statusCode >= 400) throw refusalIn(told.statusCode, answer, {}, told.headers['retry-after'])
    return answer
  }

  async function file(
    deed: Extract<Deed, { file: string }>,
    client: Client,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const other = deed.others?.find(({ when }) => applies(when, client.sent))
    const found = fileByName.get((other ?? deed).file)
    if (!found) throw new Error(`${deed.file} is no file`)
    const told = await asks(found, taken(deed.takes ?? {}, client.sent, {}), request, {
      token: client.token,
      ...(deed.takes && { takes: deed.takes }),
    })
    if (told.statusCode >= 400)
      throw refusalIn(told.statusCode, told.json(), deed, told.headers['retry-after'])
    for (const name of ['content-type', 'content-disposition'])
      if (told.headers[name] !== undefined) reply.header(name, told.headers[name])
    return told.rawPayload
  }

  return async (call: Call, request: FastifyRequest, reply: FastifyReply, client: Client) => {
    const { does } = call
    if ('none' in does) throw new Refused(does.none)
    if ('file' in does) return file(does, client, request, reply)
    const meant = does.steps.filter(({ when }) => applies(when, client.sent))
    const choices = does.steps.filter(({ when, isOptional }) => !isOptional && isChoice(when))
    if (choices.length > 0 && !choices.some(one => meant.includes(one)))
      throw new Refused(`参数有误：${choiceOf(choices[0]?.when)}`)
    const answers: Record<string, unknown> = {}
    if (does.upload) answers.last = answers.uploaded = await upload(does.upload, client, request)
    for (const one of meant) {
      const answer = await step(call, one, client, request, answers)
      answers.last = answer
      if (one.as !== undefined) answers[one.as] = answer
    }
    const from = { ...answers, ...(answers.last as object) }
    const by = { sent: client.sent, opens: opens(client.token, client.sent) }
    return enveloped(call, { answer: answered(does.tells, from, by) })
  }
}

const isChoice = (when: Step['when']): boolean => choiceOf(when) !== ''

/** The parameter by whose value a step is chosen. */
function choiceOf(when: Step['when']): string {
  if (when === undefined) return ''
  if ('both' in when) return when.both.map(choiceOf).find(name => name !== '') ?? ''
  return 'is' in when ? when.sent : ''
}

const refusedField = (field: string, takes: Step['takes']) =>
  new Refused(`参数有误：${nameOf(takes, field) ?? field}`)

type Refusal = { code?: string; message?: string; data?: { field?: string } }

/** In the documents' words and names; what is busy or too much stays what it is for whoever looks at the status alone. */
function refusalIn(
  status: number,
  told: unknown,
  { takes }: Pick<Step, 'takes'>,
  retryAfter: unknown,
): Refused {
  const { code = '', message = '', data } = told as Refusal
  if (code === 'INPUT_INVALID' && data?.field) return refusedField(data.field, takes)
  const words = WORDS[code] ?? message
  const isKept = status === 429 || status >= 500
  return new Refused(words, isKept ? status : 200, retryAfter === undefined ? undefined : String(retryAfter))
}

/** Programs are told of keys; whoever comes in here knows of none. */
const WORDS: Readonly<Record<string, string>> = {
  FORBIDDEN: COMMON_REFUSALS.FORBIDDEN,
  KEY_INVALID: COMMON_REFUSALS.UNAUTHENTICATED,
  KEY_CLOSED: '此操作不能通过旧接口完成，请登录后台操作',
  KEY_STEP_UP: '此操作需要本人当场验证，请登录后台操作',
  KEY_THROTTLED: COMMON_REFUSALS.THROTTLED,
  INPUT_INVALID: COMMON_REFUSALS.INPUT_INVALID,
}

type Outcome = { answer: unknown } | { refused: string }

/** A refusal stands in both places of (a) that the documents read it from. */
function enveloped({ envelope }: Call, outcome: Outcome): object {
  if ('refused' in outcome)
    return envelope === 'values'
      ? { succeed: false, values: outcome.refused, errmsg: outcome.refused }
      : { code: 0, data: null, msg: outcome.refused }
  return envelope === 'values'
    ? { succeed: true, values: outcome.answer, errmsg: '' }
    : { code: 1, data: outcome.answer, msg: '' }
}

const TOO_MUCH = new Set(['FST_ERR_CTP_BODY_TOO_LARGE'])

function answerFailure(call: Call, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Refused) {
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    return reply.code(error.status).send(enveloped(call, { refused: error.message }))
  }
  if (error instanceof Unreadable)
    return reply.send(enveloped(call, { refused: `参数有误：${error.message}` }))
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string }
  if (statusCode < 500)
    return reply.code(200).send(
      enveloped(call, {
        refused: TOO_MUCH.has(code) ? REQUEST_REFUSALS.BODY_TOO_LARGE : REQUEST_REFUSALS.BODY_BROKEN,
      }),
    )
  request.log.error({ err: error, call: call.name }, 'compat call failed')
  return reply.code(500).send(enveloped(call, { refused: COMMON_REFUSALS.BUSY }))
}
