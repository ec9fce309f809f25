// The description of the API for programs: every operation with how one comes in, which permission it asks for, and the files.
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { z } from 'zod'
import { type Access, type Download, isForKeys, listOps } from '#kit/op.ts'
import { contract, downloadHandlers, PERMISSION_NODES } from './joined.ts'

type Described = {
  parameters?: object[]
  responses?: Record<string, object>
  description?: string
  [more: string]: unknown
}
type Document = { paths: Record<string, Record<string, Described>> }

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

export async function describe(): Promise<object> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const document = (await generator.generate(contract, {
    info: {
      title: 'Partner Office',
      version: '1',
      description:
        'Programs come in with an API key. docs/API.md has a first call, the limits and what keys are not for.',
    },
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pok_…',
          description:
            'A key that is made in the office under 账户管理, 接口密钥. It does what its verbs say and its maker may.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'A person who has signed in' },
      },
    },
  })) as unknown as Document
  for (const { method, path, meta } of listOps(contract)) {
    const described = document.paths[path]?.[method.toLowerCase()]
    if (!described) throw new Error(`${method} ${path} is not described`)
    const forKeys = isForKeys(meta)
    Object.assign(described, access(meta.permission, forKeys))
    if (forKeys) described.responses = { ...described.responses, 429: THROTTLED }
    if (meta.idempotent) described.parameters = [...(described.parameters ?? []), IDEMPOTENCY_KEY]
  }
  for (const { download } of downloadHandlers) document.paths[download.path] = { get: fileOf(download) }
  return document
}

/** How one comes in, and what for: the permission stands there with the name that the tree gives it. */
function access(permission: Access, forKeys: boolean) {
  if (permission === 'public') return { security: [] }
  const security = forKeys ? [BY_KEY, BY_SESSION] : [BY_SESSION]
  const name = NAMES.get(permission)
  return name === undefined
    ? { security }
    : { security, 'x-permission': permission, 'x-permission-name': name }
}

function fileOf({ path, permission, input, fileName, format }: Download): Described {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const forKeys = isForKeys({ permission })
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const type =
    format === 'pdf' ? 'application/pdf' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return {
    summary: `File: ${fileName}`,
    ...access(permission, forKeys),
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
