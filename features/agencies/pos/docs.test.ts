// What docs/POS.md says works: its first call and its receiver in each language that this machine has, its sign-in and its message, as they
// stand there but for the key, port and shop; and its tables are those of the code.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
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
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { quickHash } from '#test/quick-hash.ts'

const DOCUMENT = readFileSync(new URL('../../../docs/POS.md', import.meta.url), 'utf8')
const run = promisify(execFile)

type Described = {
  requestBody: { content: Record<string, { schema: { properties: Record<string, Schema> } }> }
}
type Schema = { minLength?: number; maxLength?: number }
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
  const columns = { shop_name: '文档里的店', account: '13800000000', password_hash: quickHash(PASSWORD) }
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
    .replaceAll('"password":"…"', `"password":"${PASSWORD}"`)
}
const env = () => ({ ...process.env, PARTNER_OFFICE_KEY: token })

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

    test('the receiver verifies what the office sends, and nothing else', async () => {
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

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
  const calls: Record<string, [string, string]> = {
    'POST /pos/v1/shops': ['/v1/shops', 'post'],
    'PUT …/contact': ['/v1/shops/{id}/contact', 'put'],
    'POST …/requests': ['/v1/shops/{id}/requests', 'post'],
    'POST …/verification': ['/v1/shops/{id}/verification', 'post'],
    'POST …/feedback': ['/v1/shops/{id}/feedback', 'post'],
  }
  const inputs = [...DOCUMENT.matchAll(/^\| `(\w+ [^`]+)` \| `(\w+)` \| (\d+)–(\d+) \|/gm)]
  assert.ok(inputs.length > 15)
  for (const [, call = '', field = '', least, most] of inputs) {
    const [path, method] = calls[call] ?? ['', '']
    const schema =
      description.paths[path]?.[method]?.requestBody.content['application/json']?.schema.properties[field]
    assert.deepEqual(
      [schema?.minLength ?? 0, schema?.maxLength],
      [Number(least), Number(most)],
      `${call} ${field}`,
    )
  }
})

test('its message is one that an endpoint is sent', () => {
  const message = JSON.parse(blockOf('json', 0).replaceAll(String(shop), '10000001')) as Message
  const { example } = description.webhooks['shop.changed']?.post.requestBody.content['application/json'] ?? {}
  assert.deepEqual(message, example)
})
