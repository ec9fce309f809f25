// What /pos/openapi.json says of an input is what is enforced: values are made from its schemas, whole and broken, and sent. Nothing that a
// schema forbids is accepted, and nothing that it lets be is refused for its shape. The judge is Ajv, which reads schemas as programs do.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { REQUESTS_PER_DAY } from '#features/care/approvals/rules.ts'
import { THREAD_MESSAGES_PER_DAY, THREADS_PER_DAY } from '#features/care/threads/rules.ts'
import { TRIALS_PER_DAY } from '#features/sales/selling/rules.ts'
import { CLEANED } from '#kit/declare/said.ts'
import { CLEANERS } from '#kit/declare/text-kinds.ts'
import { seenText } from '#kit/words/cleaned.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { times } from '#test/lane.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { type MadeKey, makeKey, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { makeSetting } from '#test/make-settings.ts'
import { quickHash } from '#test/quick-hash.ts'
import { objects, type Schema } from '#test/schema-values.ts'
import { everyPosOperation, type Walked } from '#test/walk.ts'
import { MARK, type PosAttempt, type PosScene } from '#test/walk-types.ts'
import { WALKS } from '#test/walks.ts'

const SEED = 20_261_128
const RUNS = times(5, 100)

/** What no schema can say: what stands in the books, whether a number checks, what a picture shows, how often something was done. */
const BEYOND_SHAPE: readonly string[] = [
  ...[
    'NOT_FOUND',
    'STALE',
    'CURSOR_GONE',
    'LOGIN_FAILED',
    'LOGIN_TOO_SOON',
    'LOGIN_THROTTLED',
    'AGENT_SUSPENDED',
  ],
  ...[
    'ACCOUNT_TAKEN',
    'ACCOUNT_FORMAT',
    'DIVISION_REQUIRED',
    'INDUSTRY_REQUIRED',
    'VERSION_REQUIRED',
    'VERSION_RETIRED',
  ],
  ...['VERSION_NOT_AUTHORIZED', 'TEMPLATE_UNKNOWN', 'PARAM_REQUIRED', 'PHONE_TWICE', 'SMS_INSUFFICIENT'],
  ...[
    'PICTURE_FORMAT',
    'PICTURE_BROKEN',
    'PICTURE_UNKNOWN',
    'CONTENT_UNCHANGED',
    'ASKED_ALREADY',
    'RATING_NOT_ASKED',
  ],
  ...[
    'WARNING_UNEXPLAINED',
    'CREDIT_CODE_CHECK',
    'CREDIT_CODE_ORGANIZATION',
    'ID_NUMBER_DIVISION',
    'ID_NUMBER_BIRTH',
    'ID_NUMBER_CHECK',
  ],
]

type Described = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: false }))
const judges = new WeakMap<object, ValidateFunction>()
function fits(schema: object, value: unknown): boolean {
  const judge = judges.get(schema) ?? ajv.compile(schema)
  judges.set(schema, judge)
  return judge(value) as boolean
}

let office: Office
let key: MadeKey
let scene: PosScene
let paths: Record<string, Record<string, Described>>

before(async () => {
  office = await openOffice()
  const agent = await makeAgent(office, { sms: 100_000 })
  const account = '18655550000'
  const id = await makeMerchant(office, agent.id, {
    ...{ shop_name: MARK, account, password_hash: quickHash(PASSWORD) },
  })
  await giveSms(office, { agentId: agent.id, merchantId: id, pieces: 100_000 })
  let accounts = 0
  const freeAccount = () => `1866${String(++accounts).padStart(7, '0')}`
  scene = { office, agentId: agent.id, shop: { id, account, revision: 1 }, freeAccount }
  const verbs = everyPosOperation().map(({ permission }) => permission)
  key = await makeKey(
    office,
    await office.login(agent.loginName),
    [...new Set(verbs)].filter(verb => verb !== 'session'),
  )
  await withoutLimit(office, key)
  for (const limit of [TRIALS_PER_DAY, REQUESTS_PER_DAY, THREADS_PER_DAY, THREAD_MESSAGES_PER_DAY])
    await makeSetting(office, limit, limit.max)
  paths = (await office.app.http.inject('/pos/openapi.json')).json().paths
})
after(() => office.stop())

const ENTRIES: Record<string, PosAttempt> = Object.assign({}, ...WALKS.map(({ pos }) => pos))

/** A name in a query that no call has. */
const UNKNOWN = 'unknown'
const ADDRESSED = [
  '0',
  '-1',
  '1',
  '1000',
  '1001',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '1.5',
  '1e3',
  'x',
  ' 1',
  '99999999999999999',
]

/** As a program reads it out of an address: a number where one is meant. */
function read({ type }: Schema, text: string): unknown {
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
}

/** A text is judged once it is cleaned as the word of its schema says (docs/POS.md). */
function cleaned(value: unknown, schema: Schema | undefined): unknown {
  if (typeof value === 'string') return CLEANERS[schema?.[CLEANED] ?? 'made'](seenText(value))
  if (Array.isArray(value)) return value.map(one => cleaned(one, schema?.items))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'password'
        ? one
        : cleaned(one, schema?.properties?.[name] ?? (schema?.additionalProperties || undefined)),
    ]),
  )
}

type Sent = { addressed: Record<string, string>; body: unknown }

async function send({ method, path, idempotent }: Walked, { addressed, body }: Sent) {
  const rest = { ...addressed }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? ''
    delete rest[name]
    return encodeURIComponent(value)
  })
  const answer = await office.app.http.inject({
    method: method as 'GET',
    url: `/pos${filled}`,
    query: rest,
    headers: {
      authorization: key.bearer,
      ...(idempotent && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, text: answer.body }
}

for (const operation of everyPosOperation())
  test(`${operation.name} takes what its description lets be, and nothing else`, async () => {
    const described = paths[operation.path]?.[operation.method.toLowerCase()] as Described
    const parameters = (described.parameters ?? []).filter(one => one.in !== 'header')
    const schema = described.requestBody?.content['application/json'].schema
    const known = async () => {
      const { rows } = await office.owner.query('select revision from merchants where id = $1', [
        scene.shop.id,
      ])
      const now = { ...scene, shop: { ...scene.shop, revision: rows[0].revision } }
      const input = { ...(await (ENTRIES[operation.name] as PosAttempt).as(now)) }
      const addressed: Record<string, string> = {}
      for (const { name } of parameters) {
        if (input[name] !== undefined) addressed[name] = String(input[name])
        delete input[name]
      }
      return { addressed, body: schema ? input : undefined }
    }
    const good = await send(operation, await known())
    assert.equal(good.status, 200, good.text)
    const first = await known()
    const wholeBodies = fc.constantFrom<unknown>(null, [], 'x', 5)
    const other = fc.record({
      addressed: fc.dictionary(
        fc.constantFrom('', UNKNOWN, ...parameters.map(({ name }) => name)),
        fc.constantFrom(...ADDRESSED, String(Object.values(first.addressed)[0] ?? '7').toUpperCase()),
        { maxKeys: 1 },
      ),
      body: schema
        ? fc.oneof(
            { weight: 12, arbitrary: objects(schema, first.body ?? {}) },
            { weight: 1, arbitrary: wholeBodies },
          )
        : fc.constant(undefined),
    })
    const fields = Object.keys(schema?.properties ?? {}).length + parameters.length
    await fc.assert(
      fc.asyncProperty(other, async changed => {
        const now = await known()
        const { '': _, ...addressed } = { ...now.addressed, ...changed.addressed }
        // What was not changed is as it is known to be good now: ids that are used up, accounts that are taken.
        const body = renewed(changed.body, first.body, now.body)
        const { status, text } = await send(operation, { addressed, body })
        const allowed =
          addressed[UNKNOWN] === undefined &&
          parameters.every(({ name, required = false, schema: one }) =>
            addressed[name] === undefined ? !required : fits(one, cleaned(read(one, addressed[name]), one)),
          ) &&
          (schema === undefined || fits(schema, cleaned(JSON.parse(JSON.stringify(body)), schema)))
        const code = status === 200 ? 'OK' : (JSON.parse(text) as { code: string }).code
        const told = `${JSON.stringify({ addressed, body })} was answered ${status} ${text.slice(0, 300)}`
        assert.ok(status < 500, told)
        if (code !== 'OK') {
          const answer = described.responses[status]?.content?.['application/json'].schema
          assert.ok(answer && fits(answer, JSON.parse(text)), `told nowhere: ${told}`)
        }
        if (!allowed) assert.notEqual(status, 200, `forbidden and accepted: ${told}`)
        else assert.ok(code === 'OK' || BEYOND_SHAPE.includes(code), `allowed and refused: ${told}`)
      }),
      { seed: SEED, numRuns: fields === 0 ? 1 : RUNS * fields, endOnFailure: true },
    )
  })

function renewed(body: unknown, first: unknown, now: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const [before, after] = [first, now] as Record<string, unknown>[]
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === before?.[name] ? after?.[name] : value]),
  )
}
