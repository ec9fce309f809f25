// Papers through the router, with real files: kept once, looked at with a mark and a row in the log, and nothing to be read by a thief.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before, beforeEach } from 'node:test'
import sharp from 'sharp'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { PDF } from '#test/make-papers.ts'
import { DOCUMENT_FILE, maskNumber } from './rules.ts'
import { useDocuments } from './server-keep.ts'
import { openDocument, readFacts, sealFacts } from './server-look.ts'

const NUMBER = '110101199003070012'

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
})

const picture = (background: string) =>
  sharp({ create: { width: 640, height: 400, channels: 3, background } })
    .png()
    .toBuffer()

async function upload(bytes: Buffer, as = cookie, type = 'image/png'): Promise<string> {
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/files?purpose=${DOCUMENT_FILE}`,
    headers: { 'x-requested-with': 'partner-office', 'content-type': type, cookie: as },
    payload: bytes,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return (answer.json() as { id: string }).id
}

const keep = async (kind: 'idCardFront' | 'permit' | 'businessLicence', background: string, more = {}) =>
  (
    await me.documents.keep({
      merchantId: shop,
      kind,
      fileId: await upload(await picture(background)),
      ...more,
    })
  ).id

const fetched = (id: number, what: 'picture' | 'file', purpose = 'support', as = cookie) =>
  office.app.http.inject({
    url: `/api/documents/${id}/${what}?purpose=${purpose}`,
    headers: { cookie: as },
  })

const kept = async () =>
  (await me.documents.ofShop({ merchantId: shop })).rows.map(({ id, kind, state }) => [id, kind, state])

const logOf = async (id: number) =>
  (
    await office.owner.query(
      `select title, subject, changes, merchant_id::int as shop from operation_logs where objects @> array[$1] order by id`,
      [`document:${id}`],
    )
  ).rows

test('the same picture is the same paper; another takes the place of what a shop has once', async () => {
  const first = await keep('businessLicence', '#aa0000')
  assert.equal(await keep('businessLicence', '#aa0000'), first)
  const second = await keep('businessLicence', '#00aa00')
  assert.deepEqual(await kept(), [
    [second, 'businessLicence', 'current'],
    [first, 'businessLicence', 'replaced'],
  ])
  assert.equal(await keep('businessLicence', '#aa0000'), first)
  assert.deepEqual(await kept(), [
    [second, 'businessLicence', 'replaced'],
    [first, 'businessLicence', 'current'],
  ])
  const permits = [await keep('permit', '#0000aa'), await keep('permit', '#0000bb')]
  const third = await keep('permit', '#0000cc', { replaces: permits[0] })
  const current = (await kept()).filter(([, kind, state]) => kind === 'permit' && state === 'current')
  assert.deepEqual(
    current.map(([id]) => id),
    [third, permits[1]],
  )
  const again = { merchantId: shop, kind: 'permit', fileId: await upload(await picture('#123456')) } as const
  assert.equal(await refusalOf(me.documents.keep({ ...again, replaces: permits[0] })), 'DOCUMENT_REPLACED')
})

test('what is no picture of this purpose is refused, and so is a day that is none', async () => {
  const pdf = await upload(PDF, cookie, 'application/pdf')
  const other = await office.login((await makeAgent(office)).loginName)
  const theirs = await upload(await picture('#777777'), other)
  for (const [fileId, code] of [
    [pdf, 'DOCUMENT_NO_PICTURE'],
    [theirs, 'DOCUMENT_FILE_UNKNOWN'],
    ['00000000-0000-4000-8000-000000000000', 'DOCUMENT_FILE_UNKNOWN'],
  ] as const)
    assert.equal(await refusalOf(me.documents.keep({ merchantId: shop, kind: 'other', fileId })), code)
  const id = await keep('permit', '#112233', { expiresOn: '2030-05-01' })
  assert.equal(await refusalOf(me.documents.setExpiry({ id, expiresOn: '0030-05-01' })), 'EXPIRY_WRONG')
  await me.documents.setExpiry({ id, expiresOn: '2031-05-01', isLongTerm: true })
  const [row] = (await me.documents.ofShop({ merchantId: shop })).rows
  assert.deepEqual([row?.expiresOn, row?.isLongTerm], [null, true])
})

test('a look carries who looks in its pixels, a download does not; both are in the log with their purpose', async () => {
  const id = await keep('idCardFront', '#d8e0d0')
  const looked = await fetched(id, 'picture', 'verification')
  const taken = await fetched(id, 'file')
  assert.deepEqual([looked.statusCode, taken.statusCode], [200, 200])
  assert.equal(looked.headers['cache-control'], 'no-store')
  const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer()
  const shown = await pixels(looked.rawPayload)
  const original = await pixels(taken.rawPayload)
  assert.equal(shown.length, original.length)
  const changed =
    shown.filter((value, at) => Math.abs(value - (original[at] ?? 0)) > 12).length / shown.length
  assert.ok(changed > 0.01 && changed < 0.5, `${changed} of the pixels carry the mark`)
  assert.deepEqual(
    (await logOf(id)).map(row => [row.title, row.subject, row.changes.at(-1)?.after, row.shop]),
    [
      ['上传证件资料', `老张面馆 (${shop})`, '身份证人像面', shop],
      ['查看证件资料', `老张面馆 (${shop}) 身份证人像面`, '核对实名资料', shop],
      ['下载证件资料', `老张面馆 (${shop}) 身份证人像面`, '协助商户', shop],
    ],
  )
  assert.equal((await fetched(id, 'picture', 'curiosity')).statusCode, 422)
})

test('a stolen disk shows no picture, a stolen database no number', async () => {
  const id = await keep('idCardFront', '#334455')
  await acting(office, cookie, ctx =>
    sealFacts(ctx, id, { name: '示例姓名', number: NUMBER }, maskNumber(NUMBER)),
  )
  const sealed = join(office.app.services.env.dataDir, 'sealed')
  const all = readdirSync(sealed, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  assert.ok(all.length > 0)
  for (const entry of all) {
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    await assert.rejects(sharp(bytes).metadata(), /unsupported image format/)
  }
  const { rows } = await office.owner.query(
    `select d::text as paper, f::text as file from documents d join files f on f.id = d.file_id where d.id = $1`,
    [id],
  )
  const stolen = JSON.stringify(rows)
  for (const text of [NUMBER, '示例姓名', Buffer.from(NUMBER).toString('hex')])
    assert.ok(!stolen.includes(text))
  assert.ok(stolen.includes(maskNumber(NUMBER)))
  const read = await acting(office, cookie, ctx => readFacts(ctx, id, 'verification'))
  assert.deepEqual(read, { name: '示例姓名', number: NUMBER })
  assert.deepEqual((await logOf(id)).at(-1)?.changes, [{ name: '目的', before: null, after: '核对实名资料' }])
})

test('a paper goes along with its shop: the new agent looks at it, the old one does not', async () => {
  const id = await keep('permit', '#998877')
  await acting(office, cookie, ctx => useDocuments(ctx, shop, { feature: 'verification', objectId: 1 }, [id]))
  const next = await makeAgent(office)
  const theirs = await office.login(next.loginName)
  assert.equal((await fetched(id, 'file', 'support', theirs)).statusCode, 404)
  await office.owner.query('update merchants set agent_id = $1 where id = $2', [next.id, shop])
  assert.equal((await fetched(id, 'file', 'support', theirs)).statusCode, 200)
  assert.equal((await fetched(id, 'file')).statusCode, 404)
  const { rows } = await office.as(theirs).documents.ofShop({ merchantId: shop })
  assert.deepEqual(rows[0]?.usedBy, ['verification'])
})

test('what uses papers names them anew each time, and names none of another shop', async () => {
  const [first, second] = [await keep('permit', '#101010'), await keep('permit', '#202020')]
  const use = (ids: number[]) =>
    acting(office, cookie, ctx => useDocuments(ctx, shop, { feature: 'verification', objectId: 7 }, ids))
  const used = async () =>
    (await me.documents.ofShop({ merchantId: shop })).rows
      .filter(row => row.usedBy.length > 0)
      .map(row => row.id)
  await use([first, second, second])
  assert.deepEqual((await used()).sort(), [first, second].sort())
  await use([second])
  assert.deepEqual(await used(), [second])
  const elsewhere = await makeMerchant(office, agent.id)
  await assert.rejects(
    acting(office, cookie, ctx =>
      useDocuments(ctx, elsewhere, { feature: 'verification', objectId: 7 }, [first]),
    ),
    { code: 'NOT_FOUND' },
  )
  await use([])
  assert.deepEqual(await used(), [])
})

test('the program reads a paper outside of a transaction, and its reading is logged', async () => {
  const id = await keep('permit', '#303030')
  const { services } = office.app
  const opened = await acting(office, cookie, async ({ actor, request }) => ({
    services,
    actor,
    request,
  })).then(ctx => openDocument(ctx, id, 'verification'))
  assert.equal((await sharp(opened.bytes).metadata()).width, 640)
  assert.equal((await logOf(id)).at(-1)?.title, '读取证件图片')
})
