// What docs/API.md says works: its first call, in a shell and in a program, as it stands there but for the key and the port.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import test, { after, before } from 'node:test'
import { promisify } from 'node:util'
import { COMMON_REFUSALS, statusOf } from '#kit/declare/op.ts'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey } from '#test/make-api-keys.ts'

const DOCUMENT = readFileSync(new URL('../../../docs/API.md', import.meta.url), 'utf8')
const run = promisify(execFile)

/** The first block in this language, with our key and address in it. */
function blockOf(language: string, token: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)?.[1]
  assert.ok(block, `docs/API.md has a block in ${language}`)
  assert.ok(block.includes('http://127.0.0.1:3000'))
  return block.replaceAll('pok_…', token).replaceAll('http://127.0.0.1:3000', office.url)
}

let office: Office
let token: string
let shop: number
before(async () => {
  office = await openOffice({ listen: true })
  const agent = await makeAgent(office)
  shop = await makeMerchant(office, agent.id, { shop_name: '文档里的店' })
  const key = await makeKey(office, await office.login(agent.loginName), ['merchants.list'])
  token = key.token
})
after(() => office.stop())

test('the first call works as it is pasted into a shell', async () => {
  assert.match(DOCUMENT, /key in place of `pok_…`/)
  const { stdout } = await run('sh', ['-c', blockOf('sh', token)])
  const { rows, total } = JSON.parse(stdout) as { rows: { id: number; shopName: string }[]; total: number }
  assert.deepEqual([total, rows[0]?.id, rows[0]?.shopName], [1, shop, '文档里的店'])
})

test('and fails loudly with another key', async () => {
  const other = blockOf('sh', `pok_${'A'.repeat(43)}`)
  await assert.rejects(run('sh', ['-c', other]), (error: { stdout?: string }) => {
    assert.match(error.stdout ?? '', /KEY_INVALID/)
    return true
  })
})

test('the same in a program', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', blockOf('js', token)], {
    env: { ...process.env, PARTNER_OFFICE_KEY: token },
  })
  assert.match(stdout, new RegExp(`^1 \\[ '${shop} 文档里的店' \\]`))
})

test('its table of refusals says the codes and statuses that are answered', () => {
  const told = [...DOCUMENT.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)]
  const codes = told.flatMap(([, status, list]) =>
    [...(list ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => [String(code), Number(status)] as const),
  )
  for (const [code, status] of codes) {
    assert.ok(code in COMMON_REFUSALS, code)
    assert.equal(statusOf(code), status, code)
  }
  const known = codes.map(([code]) => code)
  for (const code of Object.keys(COMMON_REFUSALS))
    if (code.startsWith('KEY_') && !['KEY_MISSING', 'KEY_MALFORMED', 'KEY_REUSED'].includes(code))
      assert.ok(known.includes(code), code)
})
