// HTTP around the operations: sessions in cookies, origin check, limits, security headers, health, metrics, description.
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fastifyCookie from '@fastify/cookie'
import { OpenAPIHandler } from '@orpc/openapi/fastify'
import { ORPCError, onError, type Router } from '@orpc/server'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import {
  COMMON_REFUSALS,
  listOps,
  type OpMeta,
  REQUEST_REFUSALS,
  statusOf,
  toProgram,
} from '#kit/declare/op.ts'
import { isToldFailure } from '#kit/declare/told-failures.ts'
import { PICTURE_TYPES, type PictureRefusal, pictureRefusalText } from '#kit/picture.ts'
import { isWithin } from '#kit/words/addresses.ts'
import { seenIn } from '#kit/words/cleaned.ts'
import { ownOrigin } from '#server/own-origin.ts'
import { addCallbacks, CALLBACKS, type CallbackHandler } from './callbacks.ts'
import { addressOf, bearerOf, type Called, withKeyRow } from './callers/api-keys.ts'
import { callRequest, tokensOf } from './callers/call-request.ts'
import { type AnyDownload, addDownload } from './callers/downloads.ts'
import { addLargeBodies } from './callers/large-bodies.ts'
import { addLargeFiles, LARGE_FILES } from './callers/large-files.ts'
import type { Actor, CallContext, Services } from './ctx.ts'
import { firstCause } from './db.ts'
import {
  admitUpload,
  type FilePurposes,
  mostBytes,
  mostBytesFor,
  PDF_TYPE,
  readPicture,
  storePicture,
} from './files.ts'
import { addressForLog, logOptions } from './log.ts'
import { labeller, type Metrics } from './metrics.ts'
import { addProbe } from './probe.ts'
import { refuseCommon } from './refuse.ts'
import { admit, asAnswer, asRefusedInput } from './serve.ts'
import { paces, weightOf } from './shares.ts'
import type { Traces } from './traces.ts'

/** Operations below a prefix of their own; `describe`: what is told of them as JSON beside them. */
export type Door = {
  prefix: `/${string}`
  router: Record<string, unknown>
  describe: () => Promise<object>
  /** For programs with keys alone: a page's origin says nothing there. */
  forKeys?: true
}

export type HttpOptions = {
  services: Services
  /** The office's own, then those of programs. */
  doors: readonly Door[]
  downloads: readonly AnyDownload[]
  /** What pictures may be uploaded for, and by whom. */
  files: FilePurposes
  /** What outside services call. */
  callbacks: readonly CallbackHandler[]
  /** Other addresses at which programs come in with a token of their own: a page's origin says nothing there, and no cookie is read. */
  tokenPaths: readonly string[]
  metrics: Metrics
  traces: Traces | null
  /** False while the program must get no traffic. */
  isReady: () => Promise<{ ready: boolean; checks: Record<string, boolean> }>
}

const BODY_LIMIT = 256 * 1024
/** A request comes whole within that time; a large file, of which something always comes, within the other. */
const SENT_WITHIN_MS = 30_000
const UPLOADED_WITHIN_MS = 6 * 3_600_000
const LOGGED_ERRORS = 500

/** The contract checks what comes and goes; what would compile schemas of routes is not loaded. */
const noSchemas = (): never => {
  throw new Error('a route has no schema')
}

/** The Fastify instance with everything under its doors, /healthz, /readyz and /metrics. Pages are added by the caller. */
export async function makeHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { services, metrics } = options
  const { env } = services
  const app = Fastify({
    logger: env.logLevel === 'silent' ? false : logOptions(env.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: env.trustProxy > 0 && ((_address, hop) => hop < env.trustProxy),
    requestTimeout: UPLOADED_WITHIN_MS,
    // Java's client offers HTTP/2 with its first request: that is a request like any other, and no socket.
    http: { headersTimeout: SENT_WITHIN_MS, shouldUpgradeCallback: isSocket },
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) =>
      answerError(error, request as FastifyRequest, reply as FastifyReply),
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  })
  const labelOf = labeller([
    ...options.doors.flatMap(({ prefix, router }) => [
      ...listOps(router).map(({ path }) => `${prefix}${path}`),
      `${prefix}/openapi.json`,
    ]),
    ...options.downloads.map(({ download }) => `/api${download.path}`),
    ...options.tokenPaths.map(inBraces),
    '/api/files',
    '/api/files/{id}',
    LARGE_FILES,
    `${LARGE_FILES}/{id}`,
    ...options.callbacks.map(({ path }) => inBraces(`${CALLBACKS}${path.slice(1)}`)),
  ])
  takeEmptyBodies(app)
  await app.register(fastifyCookie)
  const { traces } = options
  if (traces) app.addHook('onRequest', (request, _reply, done) => traces.begin(request, done))
  const atPace = paces()
  app.addHook('onRequest', (request, _reply, done) =>
    atPace(partyOf(request, services), done, weightOf(bodyBytesOf(request))),
  )
  const warnOfProxy = proxyWarning(app, env.trustProxy)
  const unasked = [
    CALLBACKS,
    ...options.doors.flatMap(({ prefix, forKeys }) => (forKeys ? `${prefix}/` : [])),
  ]
  const tokenPaths = new Set(options.tokenPaths)
  app.addHook('onRequest', async (request, reply) => {
    warnOfProxy(request)
    cutSlowBody(request)
    setSecurityHeaders(reply, env.publicUrl)
    const isChange = request.method !== 'GET' && request.method !== 'HEAD'
    // A page of another origin can send no key, since nothing here allows it to; and with a key no cookie is read.
    const isByKey = bearerOf(request.headers.authorization) !== undefined
    const isByToken = tokenPaths.has(request.routeOptions.url ?? '')
    const isAsked = !isByToken && !unasked.some(prefix => request.url.startsWith(prefix))
    if (isChange && !isByKey && isAsked) refuseForeignOrigin(request, env)
  })
  app.addHook('onResponse', async (request, reply) => {
    const label = labelOf(request.url)
    metrics.observe(request, reply, label)
    traces?.end(request, label, reply.statusCode)
    const told = {
      url: addressForLog(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (reply.statusCode >= LOGGED_ERRORS || reply.elapsedTime > 1_000)
      request.log.warn(told, 'slow or failed')
    else request.log.debug(told, 'answered')
  })
  app.setErrorHandler((error, request, reply) => {
    const told = asAnswer(error)
    warnOfCause(told, request.id, app)
    return answerError(told, request, reply)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const tag = reply.getHeader('etag')
    if (typeof tag !== 'string' || reply.statusCode !== 200 || !isKnown(request, tag)) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
  for (const door of options.doors) addDoor(app, services, door)
  for (const handler of options.downloads) addDownload(app, services, handler)
  addFiles(app, options)
  addLargeFiles(app, services, options.files)
  addCallbacks(app, services, options.callbacks)
  addProbe(app, services)
  app.get('/healthz', async () => ({ alive: true }))
  app.get('/readyz', async (_request, reply) => {
    const state = await options.isReady()
    return reply.code(state.ready ? 200 : 503).send(state)
  })
  app.get('/metrics', async (request, reply) => {
    if (!isMonitor(request, services.env)) refuseCommon('FORBIDDEN')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
  return app
}

function addDoor(
  app: FastifyInstance,
  services: Services,
  { prefix, router, describe, forKeys }: Door,
): void {
  type Addressed = CallContext & { address: string; sent: Sent }
  const handler = new OpenAPIHandler<Addressed>(router as Router<never, Addressed>, {
    ...(forKeys && { customErrorResponseBodyEncoder: asOneShape }),
    clientInterceptors: [
      onError((error, { context }) => {
        const told = asToldError(error, context.request.id, app)
        if (told instanceof ORPCError && told.status === 429)
          context.request.retryAfter(secondsLeftOf(told.data) ?? RETRY_AFTER_S)
        throw forKeys || context.request.keyToken !== undefined ? inProgramWords(told) : told
      }),
      options => {
        const { context, path, procedure, input, next } = options
        const { route, meta } = procedure['~orpc'] as unknown as Declared
        const called = {
          operation: `${route.path} ${path.at(-1)}`,
          title: meta.log,
          reads: route.method === 'GET',
          address: context.address,
        }
        const given = forKeys ? withStrays(input, context.sent, route) : input
        const answered = () =>
          next({ ...options, input: seenIn(given) }).catch((error: unknown) => {
            const refused = asRefusedInput(error)
            return Promise.reject(forKeys && wantsBody(refused, context.sent, route) ? noBody() : refused)
          })
        return withKeyRow(context, called, answered)
      },
    ],
  })
  const contextOf = (request: FastifyRequest, reply: FastifyReply) => ({
    services,
    request: callRequest(request, reply, services),
    address: addressOf(request),
    sent: { query: request.query, body: request.body },
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    const { matched } = await handler.handle(request, reply, {
      prefix,
      context: contextOf(request, reply),
    })
    if (!matched) reply.code(404).send({ code: 'NOT_FOUND', message: '接口不存在' })
    return reply
  }
  app.all(`${prefix}/*`, answer)
  addLargeBodies(app, { prefix, operations: listOps(router) }, contextOf, answer)
  // Few ask for it, and it is large.
  let description: Promise<object> | null = null
  app.get(`${prefix}/openapi.json`, async (request, reply) => {
    if (!isMonitor(request, services.env)) {
      const context = contextOf(request, reply)
      const called = { ...READING, operation: '/openapi.json', address: context.address }
      await withKeyRow(context, called, () => admit({ permission: 'session', forKeys: true }, context, false))
    }
    description ??= describe()
    return description
  })
}

/** A path of the library's as ours. */
const inBraces = (path: string) => path.replace(/:(\w+)/g, '{$1}')

const READING = { title: undefined, reads: true } as const

/** Whether it comes from an address that the office is watched from; one behind a proxy that is not believed could be anybody's. */
function isMonitor({ ip, headers }: FastifyRequest, { monitorsFrom, trustProxy }: Services['env']): boolean {
  const isUnknown = trustProxy === 0 && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined
  return !isUnknown && isWithin(ip, monitorsFrom)
}

/** A refusal as every caller of programs reads it, whoever found it. */
function asOneShape({ code, message, data }: ORPCError<string, unknown>) {
  return { code, message, ...(data !== undefined && { data }) }
}

type Sent = { query: unknown; body: unknown }

/**
 * The input with what was sent in a place that nobody looks at: the query of a change, the body of a reading, a name in the body that the
 * path has already. No input has such names, so they are refused like any other that is unknown.
 */
function withStrays(
  input: unknown,
  { query, body }: Sent,
  { path = '', method }: Declared['route'],
): unknown {
  const namesOf = (one: unknown) => (isPlain(one) ? Object.keys(one) : [])
  const inBody = namesOf(body).filter(name => method === 'GET' || path.includes(`{${name}}`))
  const inQuery = namesOf(query).filter(name => method !== 'GET' || path.includes(`{${name}}`))
  const strays = [...inQuery.map(name => `query.${name}`), ...inBody.map(name => `body.${name}`)]
  // A list in place of an object would be left out beside what the path says.
  if (body !== undefined && !isPlain(body) && path.includes('{')) strays.push('body')
  if (strays.length === 0) return input === undefined ? {} : input
  return { ...(isPlain(input) ? input : {}), ...Object.fromEntries(strays.map(name => [name, true])) }
}

/** Nothing was sent where something is needed: that is told, and not each of its fields. */
function wantsBody(refused: unknown, { body }: Sent, { path = '', method }: Declared['route']): boolean {
  if (method === 'GET' || body !== undefined) return false
  if (!(refused instanceof ORPCError) || refused.code !== 'INPUT_INVALID') return false
  const { field } = (refused.data ?? {}) as { field?: string }
  return field !== undefined && !path.includes(`{${field}}`) && !field.startsWith('query.')
}

const noBody = () =>
  new ORPCError('BODY_BROKEN', { status: statusOf('BODY_BROKEN'), message: REQUEST_REFUSALS.BODY_BROKEN })

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** Programs that always name a type send it without a body, too: that is no body, where the operation asks for none. A text is none. */
function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

/** Who sends a body byte by byte holds a connection no longer than that. */
function cutSlowBody({ raw, routeOptions }: FastifyRequest): void {
  const isLarge = routeOptions.url === LARGE_FILES
  if (raw.complete || raw.method === 'GET' || raw.method === 'HEAD' || isLarge) return
  const cut = setTimeout(() => raw.complete || raw.destroy(), SENT_WITHIN_MS).unref()
  for (const over of ['end', 'close']) raw.once(over, () => clearTimeout(cut))
}

/** Whose turn a request is: the agent's whose session or key it names, where that is known, else that of its address. */
function partyOf(request: FastifyRequest, services: Services): string | number {
  const { sessionToken, keyToken } = tokensOf(request, services.env)
  return services.agentOf(keyToken ?? sessionToken ?? '') ?? request.ip
}

/** Of its body, as it declares them. A large file is written as it comes. */
function bodyBytesOf({ headers, routeOptions }: FastifyRequest): number {
  if (routeOptions.url === LARGE_FILES) return 0
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : BODY_LIMIT
}

type Declared = { route: { path?: string; method?: string }; meta: OpMeta }

function isKnown(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match'] ?? ''
  return known.split(',').some(one => one.trim().replace(/^W\//, '') === tag)
}

/** Where a refusal does not say when it ends. */
const RETRY_AFTER_S = 60

function secondsLeftOf(data: unknown): number | undefined {
  const seconds = (data as { secondsLeft?: unknown } | undefined)?.secondsLeft
  return typeof seconds === 'number' ? seconds : undefined
}

/** Expected refusals as they are; anything else is logged, and the caller learns only the request id to ask about. */
function asToldError(error: unknown, requestId: string, app: FastifyInstance): unknown {
  const told = asRefusedInput(error)
  if (told instanceof ORPCError && told.code !== 'INTERNAL_SERVER_ERROR') {
    warnOfCause(told, requestId, app)
    return told
  }
  app.log.error({ err: error, reqId: requestId }, 'operation failed')
  return new ORPCError('INTERNAL', {
    status: 500,
    message: COMMON_REFUSALS.BUSY,
    data: { requestId },
    cause: error,
  })
}

function inProgramWords(error: unknown): unknown {
  if (!(error instanceof ORPCError)) return error
  const { code, status, data, cause } = error
  return new ORPCError(code, { status, message: toProgram(error), data, cause })
}

/** "Busy", or an input that only the database found wrong: the caller is told no more, the log keeps why. */
function warnOfCause(told: unknown, requestId: string, app: FastifyInstance): void {
  if (told instanceof ORPCError && told.cause !== undefined && !(told.cause instanceof ORPCError))
    app.log.warn({ err: firstCause(told.cause), reqId: requestId, code: told.code }, 'operation refused')
}

/** Pictures come as the raw body of a request and go out under their id, which never names other bytes. */
function addFiles(app: FastifyInstance, { services, files }: HttpOptions): void {
  const uploaders = new WeakMap<FastifyRequest, Actor>()
  const contextOf = (request: FastifyRequest, reply: FastifyReply) => ({
    services,
    request: callRequest(request, reply, services),
  })
  const purposeOf = (request: FastifyRequest) => (request.query as { purpose?: unknown }).purpose
  const mostFor = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = uploaders.get(request)
    return actor
      ? mostBytesFor(files, contextOf(request, reply), actor, String(purposeOf(request)))
      : mostBytes(files)
  }
  app.register(async pictures => {
    pictures.removeAllContentTypeParsers()
    for (const type of [...PICTURE_TYPES, PDF_TYPE])
      pictures.addContentTypeParser(
        type,
        { parseAs: 'buffer', bodyLimit: mostBytes(files) },
        (_request, body, done) => done(null, body),
      )
    pictures.setErrorHandler(async (error, request, reply) => {
      const told = asPictureRefusal(asAnswer(error), await mostFor(request, reply))
      warnOfCause(told, request.id, app)
      return answerError(told, request, reply)
    })
    pictures.get<{ Params: { id: string } }>('/api/files/:id', async (request, reply) => {
      const context = contextOf(request, reply)
      const read = () => readPicture(files, context, request.params.id)
      const picture = await withKeyRow(context, calledFiles(request, true), read)
      // What a shop sees of its agent is shown by pages of its POS.
      if (picture.isPublic) reply.header('cross-origin-resource-policy', 'cross-origin')
      return reply
        .header('cache-control', `${picture.isPublic ? 'public' : 'private'}, max-age=31536000, immutable`)
        .type(picture.mime)
        .send(picture.bytes)
    })
    pictures.post('/api/files', {
      async onRequest(request, reply) {
        reply.header('cache-control', 'no-store')
        const context = contextOf(request, reply)
        const admitted = () => admitUpload(files, context, purposeOf(request))
        uploaders.set(request, await withKeyRow(context, calledFiles(request, false), admitted))
      },
      async handler(request, reply) {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const upload = { purpose: String(purposeOf(request)), bytes }
        return storePicture(files, contextOf(request, reply), uploaders.get(request) as Actor, upload)
      },
    })
  })
}

const calledFiles = (request: FastifyRequest, reads: boolean): Called => ({
  operation: '/files',
  title: undefined,
  reads,
  address: addressOf(request),
})

const UPLOAD_FAILURES: Readonly<Record<string, PictureRefusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PICTURE_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'PICTURE_FORMAT',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'PICTURE_BROKEN',
}

/** What Fastify refuses before the body is read to its end, in our words. */
function asPictureRefusal(error: unknown, maxBytes: number): unknown {
  const { code, statusCode } = error as Failure
  const refusal = UPLOAD_FAILURES[code ?? '']
  return refusal ? { statusCode, code: refusal, message: pictureRefusalText(refusal, maxBytes) } : error
}

/**
 * Behind a proxy that is not believed everybody seems to come from it: one limit then covers all. Says so loudly, once, at the
 * first request that came through one.
 */
function proxyWarning(app: FastifyInstance, trustProxy: number): (request: FastifyRequest) => void {
  let told = trustProxy > 0
  return ({ headers, ip }) => {
    if (told || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) return
    told = true
    app.log.error(
      { ip },
      'TRUST_PROXY is 0, yet a request came through a proxy: all people behind it count as one address, and share the limits of signing in. Set TRUST_PROXY to the number of proxies in front.',
    )
  }
}

/** Changes are accepted from our own page only: same origin, and a header that no foreign form can send. */
function refuseForeignOrigin(request: FastifyRequest, env: Services['env']): void {
  const { origin, host } = request.headers
  const own = ownOrigin(env, { host, scheme: request.protocol })
  const sameOrigin = origin === undefined || origin === own
  const site = request.headers['sec-fetch-site'] ?? 'same-origin'
  const sameSite = site === 'same-origin' || site === 'none'
  if (sameOrigin && sameSite && request.headers['x-requested-with'] === 'partner-office') return
  throw Object.assign(new Error('请求来源不被允许'), { statusCode: 403, code: 'FORBIDDEN_ORIGIN' })
}

function setSecurityHeaders(reply: FastifyReply, publicUrl: string | undefined): void {
  reply.headers({
    'content-security-policy': API_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  })
  if (publicUrl?.startsWith('https:'))
    reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}

/**
 * The page's policy: own files only; styles that the page makes carry the nonce of its answer. `foreign` names the origins of
 * a third party's puzzle, where one is configured; `bridge` is the port of this machine's print program, which pages alone reach.
 */
export function contentSecurityPolicy(nonce: string, foreign = '', bridge: number | null = null): string {
  const styles = nonce === '' ? `'self'` : `'self' 'nonce-${nonce}'`
  const theirs = foreign === '' ? '' : ` ${foreign}`
  // What a page prints by the browser it lays into a frame.
  const frames = `${bridge === null ? '' : ' blob:'}${theirs}`
  return [
    `default-src 'none'`,
    `script-src 'self'${theirs}`,
    `style-src ${styles}${theirs}`,
    `img-src 'self' data: blob:${theirs}`,
    `font-src 'self'`,
    `media-src 'self'`,
    `connect-src 'self'${theirs}${bridge === null ? '' : ` ws://127.0.0.1:${bridge}`}`,
    ...(frames === '' ? [] : [`frame-src${frames}`]),
    `manifest-src 'self'`,
    `form-action 'self'`,
    `object-src 'none'`,
    // A third party's puzzle writes its own markup.
    ...(foreign === '' ? [`require-trusted-types-for 'script'`, 'trusted-types default dompurify'] : []),
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; ')
}

const API_POLICY = contentSecurityPolicy('')

export function makeNonce(): string {
  return randomBytes(16).toString('base64')
}

type Failure = { statusCode?: number; status?: number; code?: string; message?: string; data?: unknown }

/** What the server's library finds wrong with a request before any of our code sees it, in our words, by the status that it answers. */
const BROKEN_REQUESTS: Readonly<Record<number, keyof typeof REQUEST_REFUSALS>> = {
  413: 'BODY_TOO_LARGE',
  415: 'BODY_TYPE',
}

function inOurWords(error: unknown): Failure {
  const failure = error as Failure
  const { statusCode = 500, code = 'FST_' } = failure
  if (statusCode >= 500 || !code.startsWith('FST_')) return failure
  const told = code === 'FST_ERR_BAD_URL' ? 'ADDRESS_BROKEN' : (BROKEN_REQUESTS[statusCode] ?? 'BODY_BROKEN')
  return { statusCode, code: told, message: REQUEST_REFUSALS[told] }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = inOurWords(error)
  const status = failure.statusCode ?? failure.status ?? 500
  if (status >= 500 && !isToldFailure(failure.code)) {
    request.log.error({ err: error, url: addressForLog(request) }, 'request failed')
    return reply
      .code(status)
      .send({ code: 'INTERNAL', message: COMMON_REFUSALS.BUSY, data: { requestId: request.id } })
  }
  if (status === 429 && !reply.hasHeader('retry-after'))
    reply.header('retry-after', secondsLeftOf(failure.data) ?? RETRY_AFTER_S)
  const { code = '', message = '', data } = failure
  const isByKey = bearerOf(request.headers.authorization) !== undefined
  return reply.code(status).send({ code, message: isByKey ? toProgram({ code, message }) : message, data })
}
