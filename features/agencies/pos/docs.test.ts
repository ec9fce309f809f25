// What docs/POS.md says works: its first call, its sign-in and its message, as they stand there but for the key, port and shop.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import test, { after, before } from 'node:test'
import { promisify } from 'node:util'
import { COMMON_REFUSALS, statusOf } from '#kit/declare/op.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey } from '#test/make-api-keys.ts'
import { giveSms } from '#test/make-messages.ts'
import { quickHash } from '#test/quick-hash.ts'

const DOCUMENT = readFileSync(new URL('../../../docs/POS.md', import.meta.url), 'utf8')
const run = promisify(execFile)

let office: Office
let token: string
let shop: number
before(async () => {
  office = await openOffice({ listen: true })
  const agent = await makeAgent(office, { sms: 10 })
  const columns = { shop_name: '文档里的店', account: '13800000000', password_hash: quickHash(PASSWORD) }
  shop = await makeMerchant(office, agent.id, columns)
  await giveSms(office, { agentId: agent.id, merchantId: shop, pieces: 10 })
  const verbs = ['pos.read', 'pos.signIn', 'pos.sms']
  token = (await makeKey(office, await office.login(agent.loginName), verbs)).token
})
after(() => office.stop())

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

test('the first call works as it is pasted into a shell', async () => {
  const { stdout } = await run('sh', ['-c', blockOf('sh', 0)])
  const { shops, more } = JSON.parse(stdout) as { shops: { id: number; shopName: string }[]; more: boolean }
  assert.deepEqual([shops.length, shops[0]?.id, shops[0]?.shopName, more], [1, shop, '文档里的店', false])
})

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

test('its table of refusals says the codes and statuses that are answered', () => {
  const told = [...DOCUMENT.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)]
  assert.ok(told.length > 5)
  for (const [, status, code = ''] of told) assert.equal(statusOf(code), Number(status), code)
  assert.ok(told.some(([, , code]) => code === 'KEY_REQUIRED') && 'KEY_REQUIRED' in COMMON_REFUSALS)
})
