// What docs/POS.md says works: its first call and its receiver in each language that this machine has, its sign-in and its message, as they
// stand there but for the key, port and shop; and its tables are those of the code.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after, before, describe } from 'node:test'
import { promisify } from 'node:util'
import { posContract } from '#app/joined.ts'
import { deliverWebhooks } from '#features/agencies/webhooks/server-deliver.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { listOps, REQUEST_REFUSALS, statusOf } from '#kit/declare/op.ts'
import { type Client, type Office, openOffice, PASSWORD } from '#test/app.ts'
import { freePort } from '#test/free-port.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { quickHash } from '#test/quick-hash.ts'
import { call, everyPosOperation, type Walked } from '#test/walk.ts'
import type { PosAttempt } from '#test/walk-types.ts'
import { WALKS } from '#test/walks.ts'

const DOCUMENT = readFileSync(new URL('../../../docs/POS.md', import.meta.url), 'utf8')
const run = promisify(execFile)

type Described = {
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  enum?: string[]
  contentEncoding?: string
  format?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
}
type Description = {
  paths: Record<string, Record<string, Described>>
  webhooks: Record<
    string,
    { post: { summary: string; requestBody: { content: Record<string, { example: Message }> } } }
  >
}
type Message = { type: string; data: Record<string, unknown> }

let office: Office
let mine: Client
let token: string
let shop: number
let folder: string
let description: Description
before(async () => {
  office = await openOffice({ listen: true, settings: { WEBHOOKS_TO_LOOPBACK: 'on' } })
  const agent = await makeAgent(office, { sms: 10 })
  const columns = { shop_name: '文档里的店', account: '18010100002', password_hash: quickHash(PASSWORD) }
  shop = await makeMerchant(office, agent.id, columns)
  await giveSms(office, { agentId: agent.id, merchantId: shop, pieces: 10 })
  const cookie = await office.login(agent.loginName)
  mine = office.as(cookie)
  token = (await makeKey(office, cookie, ['pos.read', 'pos.signIn', 'pos.sms'])).token
  folder = mkdtempSync(join(tmpdir(), 'partner-office-docs-'))
  description = (await office.app.http.inject('/pos/openapi.json')).json()
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await office.stop()
})

/** The n-th block in this language, with our key, address, shop and password in it. */
function blockOf(language: string, n: number): string {
  const [, block] = [...DOCUMENT.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][n] ?? []
  assert.ok(block, `docs/POS.md has such a block in ${language}`)
  return block
    .replaceAll('pok_…', token)
    .replaceAll('http://127.0.0.1:3000', office.url)
    .replaceAll('10000001', String(shop))
    .replaceAll('"password":"demo2026"', `"password":"${PASSWORD}"`)
}
// Where no language is set Java prints a question mark for each Chinese character.
const env = () => ({ ...process.env, LC_ALL: 'C.UTF-8', PARTNER_OFFICE_KEY: token })

/** How a file of each language is run, where its program is there. */
const LANGUAGES = [
  { language: 'ts', program: process.execPath, files: ['first-call.ts', 'receiver.ts'] },
  { language: 'python', program: 'python3', files: ['first_call.py', 'receiver.py'] },
  { language: 'java', program: 'java', files: ['FirstCall.java', 'Receiver.java'] },
] as const
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

function written(language: string, n: number, file: string): string {
  const path = join(folder, file)
  writeFileSync(path, blockOf(language, n))
  return path
}

test('the first call works as it is pasted into a shell', async () => {
  const { stdout } = await run('sh', ['-c', blockOf('sh', 0)])
  const { shops, more } = JSON.parse(stdout) as { shops: { id: number; shopName: string }[]; more: boolean }
  assert.deepEqual([shops.length, shops[0]?.id, shops[0]?.shopName, more], [1, shop, '文档里的店', false])
})

test('a first call that offers HTTP/2 beside, as Java’s client does, is answered like any other', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAA' }
  const sent = request(`${office.url}/pos/v1/shops`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
  }).end()
  const [answer] = await once(sent, 'response')
  answer.resume()
  assert.equal(answer.statusCode, 200)
})

for (const { language, program, files } of LANGUAGES)
  describe(`in ${language}`, {
    skip: isThere(program) ? false : `there is no ${program} on this machine`,
  }, () => {
    test('the first call works, and says why where it is refused', async () => {
      const path = written(language, 0, files[0])
      const { stdout } = await run(program, [path], { env: env() })
      assert.ok(stdout.includes(String(shop)) && stdout.includes('文档里的店'), stdout)
      const wrong = { ...env(), PARTNER_OFFICE_KEY: `pok_${'A'.repeat(43)}` }
      await assert.rejects(run(program, [path], { env: wrong }), /401[\s\S]*KEY_INVALID/)
    })

    // A program of another language goes by the machine's clock, which no test moves.
    const isMoved = process.env.TEST_ON !== undefined && language !== 'ts'
    const skip = isMoved && 'the day was moved'
    test('the receiver verifies what the office sends, and nothing else', { skip }, async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/`
      const { id, secret } = await mine.webhooks.add({ url, topics: ['shop.changed'] })
      const path = written(language, 1, files[1])
      const receiver = spawn(program, [path], {
        env: { ...env(), WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const lines = linesOf(receiver)
      try {
        assert.equal(await lines.next(), 'listening')
        await mine.webhooks.sendTest({ id })
        await settle()
        assert.equal(await lines.next(), 'verified webhook.test')
        await office.owner.query('update merchants set short_name = $2 where id = $1', [shop, language])
        await settle()
        assert.equal(await lines.next(), 'verified shop.changed')
        const [row] = (await mine.webhooks.deliveries({ endpointId: id })).rows
        assert.equal(row?.state, 'delivered')
        const forged = await fetch(url, {
          method: 'POST',
          body: '{"type":"shop.changed"}',
          headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA v2,x' },
        })
        assert.equal(forged.status, 401)
        assert.equal(await lines.next(), 'not verified')
      } finally {
        receiver.kill()
        await once(receiver, 'exit')
        await mine.webhooks.remove({ id })
      }
    })
  })

function linesOf(child: ChildProcess) {
  assert.ok(child.stdout)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { next: async () => (await lines.next()).value as string | undefined }
}

async function settle(): Promise<void> {
  while (await sequenceChanges(office.app.services));
  while (await deliverWebhooks(office.app.services));
}

test('so does a sign-in', async () => {
  const { stdout } = await run('sh', ['-c', blockOf('sh', 1)], { env: env() })
  assert.equal((JSON.parse(stdout) as { shopId: number }).shopId, shop)
})

test('and a message in a program', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', blockOf('js', 0)], {
    env: env(),
  })
  assert.match(stdout, /^200 /)
})

test('its table of refusals has each code that is answered there, with its status, and no other', () => {
  const told = [...DOCUMENT.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [
    code,
    Number(status),
  ])
  const codes = new Set([
    ...listOps(posContract).flatMap(({ op }) => Object.keys(op['~orpc'].errorMap)),
    ...Object.keys(REQUEST_REFUSALS),
  ])
  const answered = [...codes].map(code => [code, statusOf(code)])
  // A fault of the program has no code of a contract.
  assert.deepEqual(told.toSorted(), [...answered, ['INTERNAL', 500]].toSorted())
})

/** The calls that the words of its column name. */
const CALLS: Readonly<Record<string, (operation: Walked) => boolean>> = {
  'every call': () => true,
  'calls of a verb': ({ permission }) => permission !== 'session',
  'calls with an id': ({ path, name }) => path.includes('{') || name === 'pos.findShop',
  changes: ({ changes }) => changes,
  'sign-ins': ({ name }) => name === 'pos.signIn',
  registration: ({ name }) => name === 'pos.register',
  contact: ({ name }) => name === 'pos.setContact',
  requests: ({ name }) => name === 'approvals.submitRequest',
  withdraw: ({ name }) => name === 'approvals.withdrawRequest',
  pictures: ({ name }) => name.endsWith('.keepPicture'),
  papers: ({ name }) => name === 'verification.keepPaper',
  verification: ({ name }) => name === 'verification.submitVerification',
  feedback: ({ name }) => name === 'threads.file' || name === 'threads.answer',
  rating: ({ name }) => name === 'threads.rate',
  messages: ({ name }) => name === 'pos.sendMessages',
  '`/pos/v1/changes`': ({ path }) => path === '/v1/changes',
}

test('and names the calls that answer each, as their description does', () => {
  const operations = everyPosOperation()
  const isAnswered = ({ path, method }: Walked, code: string) =>
    Object.values(description.paths[path]?.[method.toLowerCase()]?.responses ?? {}).some(({ content }) =>
      content?.['application/json']?.schema.properties?.code?.enum?.includes(code),
    )
  const rows = [...DOCUMENT.matchAll(/^\| \d{3} \| `(\w+)` \| ([^|]+) \|/gm)]
  for (const [, code = '', where = ''] of rows) {
    const named = operations.filter(one => where.split(', ').some(word => CALLS[word]?.(one)))
    const answering = operations.filter(one => isAnswered(one, code))
    // Of the changes some: which, says the description.
    if (where === 'changes')
      assert.ok(answering.length > 0 && answering.every(one => named.includes(one)), code)
    else assert.deepEqual(names(answering), names(named), code)
  }
})

const names = (operations: readonly Walked[]) => operations.map(({ name }) => name)

test('its tables of topics and inputs are those of the description', () => {
  const topics = [...DOCUMENT.matchAll(/^\| `([a-z.]+)` \| (\S+) \| `(\{.*\})` \|$/gm)]
  assert.deepEqual(
    topics.map(([, topic, summary, data]) => [topic, summary, JSON.parse(data ?? '')]),
    Object.entries(description.webhooks).map(([topic, { post }]) => {
      const {
        seq: _,
        shopId: __,
        agentId: ___,
        ...data
      } = post.requestBody.content['application/json']?.example.data ?? {}
      return [topic, post.summary, data]
    }),
  )
  const inputs = [...DOCUMENT.matchAll(/^\| `((?:POST|PUT) [^`]+)` \| `(\w+)` \| (.+?) \| (.*)\|$/gm)]
  assert.deepEqual(
    inputs
      .map(([, call, field, takes, more = '']) => [call, field, takes, more.startsWith('optional')])
      .toSorted(),
    described()
      .flatMap(({ call, schema: { properties = {}, required = [] } }) =>
        Object.entries(properties).map(([field, schema]) => [
          call,
          field,
          takesOf(schema),
          !required.includes(field),
        ]),
      )
      .toSorted(),
  )
})

/** The changes of the description, each with what its body is. */
function described() {
  return everyPosOperation()
    .filter(({ changes }) => changes)
    .map(operation => {
      const { path, method } = operation
      const body = description.paths[path]?.[method.toLowerCase()]?.requestBody
      const schema = body?.content['application/json']?.schema ?? {}
      return { operation, schema, call: `${method} ${path.replace('/v1/', '')}` }
    })
}

/** What a field takes, in the words of the table. */
function takesOf({ anyOf, enum: words, contentEncoding, format, ...more }: Schema): string {
  if (anyOf) return anyOf.map(takesOf).join(' or ')
  if (words) return words.map(word => `\`${word}\``).join(', ')
  const { type = '', minLength = 0, maxLength, minItems = 0, maxItems, items = {} } = more
  if (type === 'string') return contentEncoding ?? format ?? `${minLength}–${maxLength}`
  return type === 'array' ? `${minItems}–${maxItems} of ${takesOf(items)}` : type
}

/** What a sample can only name: it is ours here. */
const NAMED = /^(?:id|revision|data|picture|upTo|account|\w+Id)$/

test('each of its sample bodies is taken as it stands, but for the ids in it, and none is missing', async () => {
  const [, block = ''] = /```http\n([\s\S]*?)```/.exec(DOCUMENT) ?? []
  const samples = block.trim().split('\n\n')
  const agent = await makeAgent(office, { sms: 10 })
  const account = '18655550000'
  const id = await makeMerchant(office, agent.id, { account, password_hash: quickHash(PASSWORD) })
  await giveSms(office, { agentId: agent.id, merchantId: id, pieces: 10 })
  const key = await makeKey(office, await office.login(agent.loginName), [
    ...['pos.write', 'pos.register', 'pos.sms'],
  ])
  const entries: Record<string, PosAttempt> = Object.assign({}, ...WALKS.map(({ pos }) => pos))
  const sampled = described().filter(({ call }) => call !== 'POST sign-ins')
  assert.equal(samples.length, sampled.length)
  for (const sample of samples) {
    const [line = '', text = '{}'] = sample.split('\n')
    const path = line.replace(/\/\d+/, '/{id}').replace('/pos/v1/', '')
    const { operation } = sampled.find(({ call }) => call === path) ?? {}
    assert.ok(operation, line)
    const { rows } = await office.owner.query('select revision from merchants where id = $1', [id])
    const shopNow = { id, account, revision: rows[0].revision }
    const scene = { office, agentId: agent.id, shop: shopNow, freeAccount: () => '18666660001' }
    const good = await (entries[operation.name] as PosAttempt).as(scene)
    const body = Object.entries(JSON.parse(text) as object).map(([name, value]) => [
      name,
      NAMED.test(name) && name in good ? good[name] : value,
    ])
    const sent = { ...Object.fromEntries(body), ...('id' in good && { id: good.id }) }
    const answer = await call(office.app, key.bearer, operation, sent, { prefix: '/pos' })
    assert.equal(answer.status, 200, `${line} ${JSON.stringify(answer.body)}`)
  }
})

test('its message is one that an endpoint is sent', () => {
  const message = JSON.parse(blockOf('json', 0).replaceAll(String(shop), '10000001')) as Message
  const { example } = description.webhooks['shop.changed']?.post.requestBody.content['application/json'] ?? {}
  assert.deepEqual(message, example)
})
