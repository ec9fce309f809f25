// An agency's logo and name where people without an account see them.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { brandAt, brandOf } from '#features/office/agents/server-brand.ts'
import { bytesOf } from '#kit/picture.ts'
import { readAsSystem } from '#server/system.ts'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { LOGO_KB } from './rules.ts'

const LOGO_BYTES = bytesOf(LOGO_KB.initial)

const SUFFIX = 'partners.example.com'

let office: Office
let agent: MadeAgent
let owner: string

before(async () => {
  const settings = { AGENT_DOMAIN_SUFFIX: SUFFIX, PUBLIC_URL: 'https://office.example.com', TRUST_PROXY: '1' }
  office = await openOffice({ settings })
  agent = await makeAgent(office)
  owner = await office.login(agent.loginName)
})
after(() => office.stop())

function upload(bytes: Buffer, cookie: string, purpose = 'logo') {
  return office.app.http.inject({
    method: 'POST',
    url: `/api/files?purpose=${purpose}`,
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie },
    payload: bytes,
  })
}

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#1f5fd680' } })
    .png()
    .toBuffer()

/** A picture of about so many bytes that no codec makes smaller. */
async function heavy(side: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
  return sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

const show = (id: string, cookie?: string) =>
  office.app.http.inject({ url: `/api/files/${id}`, headers: cookie ? { cookie } : {} })

test('a logo is shown without a session and kept by caches, other pictures are not', async () => {
  const { id } = (await upload(await drawn(1_040, 280), owner)).json() as { id: string }
  const shown = await show(id)
  assert.equal(shown.statusCode, 200)
  assert.equal(shown.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(shown.headers['cross-origin-resource-policy'], 'cross-origin', 'pages of a POS show it')
  const { format, width, height, hasAlpha } = await sharp(shown.rawPayload).metadata()
  assert.deepEqual(
    { format, width, height, hasAlpha },
    { format: 'webp', width: 520, height: 140, hasAlpha: true },
  )
  const other = (await upload(await drawn(40, 40), owner, 'portrait')).json() as { id: string }
  assert.equal((await show(other.id)).statusCode, 401)
  const seen = await show(other.id, owner)
  assert.equal(seen.statusCode, 200)
  assert.match(String(seen.headers['cache-control']), /^private, /)
  assert.equal(seen.headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal((await show(crypto.randomUUID())).statusCode, 401)
})

test('a logo may have 2 MB, and no more; other pictures still one', async () => {
  const [some, much] = [await heavy(760), await heavy(860)]
  assert.ok(some.length > 1024 * 1024 && some.length < LOGO_BYTES && much.length > LOGO_BYTES)
  assert.equal((await upload(some, owner)).statusCode, 200)
  const tooMuch = await upload(much, owner)
  assert.deepEqual([tooMuch.statusCode, tooMuch.json().message], [409, '图片大小不能超过2MB'])
  const other = await upload(some, owner, 'portrait')
  assert.deepEqual([other.statusCode, other.json().message], [409, '图片大小不能超过1MB'])
})

test('who may not change the agency’s data sends no logo', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [27, 51] })
  assert.equal((await upload(await drawn(40, 40), await office.login(loginName))).statusCode, 403)
})

test('a domain names the agency that chose it; nobody’s and a disabled one’s name none', async () => {
  const other = await makeAgent(office)
  await office.owner.query(
    `update agents set domain_label = 'xinyuan', company_name = '鑫源' where id = $1`,
    [other.id],
  )
  const { services } = office.app
  const brand = { companyName: '鑫源', logoId: null }
  assert.deepEqual(await brandAt(services, `XINYUAN.${SUFFIX}:8443`), brand)
  assert.deepEqual(await readAsSystem(services, ctx => brandOf(ctx, other.id)), brand)
  for (const host of [`nobody.${SUFFIX}`, SUFFIX, 'xinyuan.example.com', 'office.example.com', undefined])
    assert.equal(await brandAt(services, host), null, host)
  await office.owner.query(`update agents set status = 'closed' where id = $1`, [other.id])
  assert.equal(await brandAt(services, `xinyuan.${SUFFIX}`), null)
  assert.equal(await readAsSystem(services, ctx => brandOf(ctx, other.id)), null)
})

test('people sign in under an agent’s domain as under the office’s own, and a page of one sends nothing to the other', async () => {
  const signIn = (host: string, origin: string) =>
    office.app.http.inject({
      method: 'POST',
      url: '/api/session',
      headers: { 'x-requested-with': 'partner-office', host, origin },
      payload: { loginName: agent.loginName, password: 'wrong-password' },
    })
  const ours = 'office.example.com'
  const cases: [host: string, origin: string, status: number][] = [
    [ours, `https://${ours}`, 409],
    [`any.${SUFFIX}`, `https://any.${SUFFIX}`, 409],
    [`any.${SUFFIX}`, `https://other.${SUFFIX}`, 403],
    [`any.${SUFFIX}`, `https://${ours}`, 403],
    [ours, `https://any.${SUFFIX}`, 403],
    [`a.b.${SUFFIX}`, `https://a.b.${SUFFIX}`, 403],
    ['evil.example', 'https://evil.example', 403],
  ]
  for (const [host, origin, status] of cases)
    assert.equal((await signIn(host, origin)).statusCode, status, `${host} ${origin}`)
})
