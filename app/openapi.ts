// The description of the API for programs: every operation with how one comes in, which permission it asks for, and the files.
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { z } from 'zod'
import { TEST_DATA, TEST_TOPIC } from '#features/agencies/webhooks/rules.ts'
import { TOPIC_DATA } from '#features/shops/pos-changes/contract-pos.ts'
import { type ChangeTopic, TOPICS } from '#features/shops/pos-changes/rules.ts'
import {
  type Access,
  COMMON_REFUSALS,
  type Download,
  isForKeys,
  type ListedOp,
  listOps,
  type OpMeta,
  REQUEST_REFUSALS,
  statusOf,
} from '#kit/declare/op.ts'
import { saidOf } from '#kit/declare/said.ts'
import { contract, downloadHandlers, PERMISSION_NODES, posContract } from './joined.ts'

type Described = {
  parameters?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses?: Record<string, object>
  description?: string
  [more: string]: unknown
}
type Document = { paths: Record<string, Record<string, Described>> }
type Schemes = Record<string, Record<string, string>>

const BY_KEY = { apiKey: [] }
const BY_SESSION = { session: [] }
const NAMES = new Map(PERMISSION_NODES.map(({ key, name }) => [key, name]))

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'One for each act, 16 to 64 letters, digits, - and _: the same key with the same input gets the stored answer, for 48 hours.',
  schema: { type: 'string', pattern: '^[\\w-]{16,64}$' },
}

const LIMIT_HEADERS = {
  RateLimit: {
    description: 'Calls that are left and seconds until the bucket is full',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: 'Calls (q) for each 60 seconds (w)', schema: { type: 'string' } },
}
const THROTTLED = {
  description: 'Too many calls with this key',
  headers: {
    ...LIMIT_HEADERS,
    'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  },
}

const KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'pok_…',
  description:
    'A key that is made in the office under 账户管理, 接口密钥. It does what its verbs say and its maker may.',
}
const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description: 'A person who has signed in',
}

/** What a shape says of itself stands over what can be read out of it; that of a whole body is put in once the rest is there. */
const CONVERTER = new ZodToJsonSchemaConverter({
  interceptors: [
    ({ schema, next }) => {
      const [required, json] = next() as [boolean, object]
      const words = saidOf(schema)
      return [required, words && schema._zod.def.type !== 'object' ? { ...json, ...words } : json]
    },
  ],
})

export async function describe(): Promise<object> {
  const document = await described(contract, {
    title: 'Partner Office',
    description:
      'Programs come in with an API key. docs/API.md has a first call, the limits and what keys are not for.',
    url: '/api',
    schemes: { apiKey: KEY_SCHEME, session: SESSION_SCHEME },
  })
  for (const { download } of downloadHandlers) document.paths[download.path] = { get: fileOf(download) }
  return document
}

/** The door for point-of-sale software, by itself. */
export async function describePos(): Promise<object> {
  const document = await described(posContract, {
    refused: refusedAtPos,
    title: 'Partner Office for point-of-sale software',
    description:
      'What a shop has bought, its sign-in and its messages, for API keys alone. docs/POS.md is the guide: a first call, the first copy, ETag, refusals.',
    url: '/pos',
    schemes: { apiKey: KEY_SCHEME },
  })
  return { ...document, webhooks: toldOf() }
}

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => ({
  ...{ name, in: 'header', required: true, schema: { type: 'string' } },
}))

/** What else a request may be answered, whatever it asks for. */
const OF_ANY = { ...REQUEST_REFUSALS, INTERNAL: COMMON_REFUSALS.BUSY }

/** The refusals of an operation by their status, each as `code`, `message` and `data`. */
function refusedAtPos({ op, method }: ListedOp): Record<string, object> {
  const hasBody = method !== 'GET'
  const refusals = op['~orpc'].errorMap as Readonly<Record<string, { message?: string } | undefined>>
  const own = Object.entries(refusals).map(([code, one]) => [code, one?.message ?? ''] as const)
  const ofAny = Object.entries(OF_ANY).filter(([code]) => hasBody || !code.startsWith('BODY_'))
  const byStatus = Map.groupBy([...own, ...ofAny], ([code]) => statusOf(code))
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = {
        type: 'object',
        properties: {
          code: { type: 'string', enum: codes.map(([code]) => code) },
          message: { type: 'string', description: 'In Chinese, for people' },
          data: REFUSAL_DATA,
        },
        required: ['code', 'message'],
      }
      return [
        String(status),
        {
          description: codes.map(([code, message]) => `${code}: ${message}`).join('\n'),
          ...(status === 429 && { headers: THROTTLED.headers }),
          ...(status === 503 && { headers: { 'Retry-After': THROTTLED.headers['Retry-After'] } }),
          content: { 'application/json': { schema } },
        },
      ]
    }),
  )
}

const REFUSAL_DATA = {
  type: 'object',
  description: 'What more there is to say; other names may come',
  properties: {
    field: { type: 'string', description: 'Where in the input' },
    issues: { type: 'array', items: { type: 'string' }, description: 'INPUT_INVALID: all that is wrong' },
    secondsLeft: { type: 'integer', description: 'Of 429: how long to wait, as Retry-After says' },
    missing: { type: 'integer', description: 'SMS_INSUFFICIENT: pieces that are wanting' },
    warnings: {
      type: 'array',
      items: {
        type: 'object',
        properties: { key: { type: 'string' }, text: { type: 'string' } },
        required: ['key', 'text'],
      },
      description: 'WARNING_UNEXPLAINED: those without a sentence, which `explanations` gives by `key`',
    },
    requestId: { type: 'string', description: 'INTERNAL: finds it in the log' },
  },
}

const IF_NONE_MATCH = {
  name: 'if-none-match',
  in: 'header',
  required: false,
  description: 'The ETag of what you have: 304 without a body where it is still so',
  schema: { type: 'string' },
}
const UNCHANGED = { description: 'As you have it', headers: { ETag: { schema: { type: 'string' } } } }

/** What an endpoint is sent, by topic, and what 发送测试 sends. */
function toldOf(): object {
  const text = z.string()
  const asTest = z.object({
    type: z.literal(TEST_TOPIC),
    timestamp: z.string().describe('ISO 8601, UTC'),
    data: z.object({ seq: z.null(), shopId: z.null(), agentId: z.number(), text }),
  })
  const data = { seq: null, shopId: null, agentId: 101, ...TEST_DATA }
  const test = { type: TEST_TOPIC, timestamp: '2026-11-28T08:15:30.000Z', data }
  return { ...topicsTold(), [TEST_TOPIC]: toldAs('发送测试', asTest, test) }
}

function toldAs(summary: string, message: z.ZodType, example: object): object {
  // Whoever reads them takes names that come later.
  const schema = z.toJSONSchema(message, { io: 'input' })
  return {
    post: {
      summary,
      parameters: SIGNED,
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        200: { description: 'Any 2xx: it has arrived' },
        410: { description: 'No more, please' },
      },
    },
  }
}

function topicsTold(): object {
  return Object.fromEntries(
    Object.entries(TOPIC_DATA).map(([topic, { shape, example }]) => {
      const message = z.object({
        type: z.literal(topic),
        timestamp: z.string().describe('When it changed: ISO 8601, UTC'),
        data: z.object({
          seq: z.number().describe('The number of the change, as GET /v1/changes has it'),
          shopId: z.number().nullable().describe('null: of the agency'),
          agentId: z.number().describe('Whose shop it is, or, of a shop that left, was'),
          ...shape.shape,
        }),
      })
      const whose = { seq: 4_711, shopId: 10_000_001, agentId: 101 }
      const sent = { type: topic, timestamp: '2026-11-28T08:15:30.000Z', data: { ...whose, ...example } }
      return [topic, toldAs(TOPICS[topic as ChangeTopic], message, sent)]
    }),
  )
}

async function described(
  operations: object,
  {
    title,
    description,
    url,
    schemes,
    refused,
  }: {
    title: string
    description: string
    url: string
    schemes: Schemes
    /** Where an operation's refusals have another shape than its library says. */
    refused?: (one: ListedOp) => Record<string, object>
  },
): Promise<Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [CONVERTER] })
  const document = (await generator.generate(operations as typeof contract, {
    info: { title, version: '1', description },
    servers: [{ url }],
    components: { securitySchemes: schemes as never },
  })) as unknown as Document
  for (const listed of listOps(operations)) {
    const { method, path, meta, op } = listed
    const one = document.paths[path]?.[method.toLowerCase()]
    if (!one) throw new Error(`${method} ${path} is not described`)
    const forKeys = isForKeys(meta)
    Object.assign(one, access(meta.permission, meta))
    if (forKeys) one.responses = { ...one.responses, 429: THROTTLED }
    // An empty value is none.
    one.parameters = one.parameters?.map(
      ({ allowEmptyValue: _, allowReserved: __, ...parameter }) => parameter,
    )
    const whole = saidOf((op['~orpc'].inputSchema as object | undefined) ?? {})
    if (refused) {
      const { 200: good } = one.responses ?? {}
      one.responses = { ...(good && { 200: good }), ...refused(listed) }
      if (meta.tagged) {
        one.parameters = [...(one.parameters ?? []), IF_NONE_MATCH]
        one.responses[304] = UNCHANGED
      }
    }
    if (whole) Object.assign(one.requestBody?.content['application/json']?.schema ?? {}, whole)
    if (meta.idempotent) one.parameters = [...(one.parameters ?? []), IDEMPOTENCY_KEY]
  }
  return document
}

/** How one comes in, and what for: the permission stands there with the name that the tree gives it. */
function access(permission: Access, meta: Partial<OpMeta> = {}) {
  if (permission === 'public') return { security: [] }
  const byKey = isForKeys({ ...meta, permission }) ? [BY_KEY] : []
  const security = meta.forKeys === 'only' ? byKey : [...byKey, BY_SESSION]
  const name = NAMES.get(permission)
  return name === undefined
    ? { security }
    : { security, 'x-permission': permission, 'x-permission-name': name }
}

const FILE_TYPES = {
  pdf: 'application/pdf',
  png: 'image/png',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

function fileOf({ path, permission, stepUp, input, fileName, format }: Download): Described {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const meta = stepUp ? { stepUp } : {}
  const forKeys = isForKeys({ permission, ...meta })
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const type = FILE_TYPES[format ?? 'xlsx']
  return {
    summary: `File: ${fileName}`,
    ...access(permission, meta),
    parameters: Object.entries(properties).map(([name, schema]) => ({
      name,
      in: named.includes(name) ? 'path' : 'query',
      required: named.includes(name),
      schema,
    })),
    responses: {
      200: { description: 'The file', content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
      ...(forKeys && { 429: THROTTLED }),
    },
  }
}
