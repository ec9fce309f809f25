// Papers from their upload to their erasure, in both homes of the storage; what a thief of the home, or of the database, has of them;
// and many papers in one file.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before, describe } from 'node:test'
import sharp from 'sharp'
import { makeSecrets } from '#server/secrets.ts'
import { unseal } from '#server/storage/sealing.ts'
import { AREAS, wholeOf } from '#server/storage/storage.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { type S3Server, startS3Server } from '#test/s3-server.ts'
import { DOCUMENT_FILE, maskNumber } from './rules.ts'
import { sealFacts } from './server-look.ts'
import { makeDocument } from './walk.ts'

/** As the directory of an archive names its files. */
function namesIn(archive: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; ; at += 46) {
    at = archive.indexOf('PK\u0001\u0002', at)
    if (at < 0) return names
    names.push(archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)))
  }
}

const NUMBER = '110101199003070012'

for (const home of ['the disk', 'a bucket'] as const)
  describe(home, () => {
    let server: S3Server | null = null
    let office: Office
    let agent: MadeAgent
    let cookie: string
    let me: Client
    let shop: number

    before(async () => {
      server = home === 'a bucket' ? await startS3Server() : null
      office = await openOffice(server ? { settings: server.settings } : {})
      agent = await makeAgent(office)
      cookie = await office.login(agent.loginName)
      me = office.as(cookie)
      shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
    })
    after(async () => {
      await office.stop()
      await server?.stop()
    })

    const get = (url: string, as = cookie) =>
      office.app.http.inject({ url: `/api${url}`, headers: { cookie: as } })
    /** Everything that lies in the home, as a thief has it. */
    async function stolen(): Promise<Buffer[]> {
      const { storage, env } = office.app.services
      const below = readdirSync(env.dataDir, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => readFileSync(join(entry.parentPath, entry.name)))
      if (!server) return below
      const keys = (await Promise.all(AREAS.map(area => storage.list(`${area}/`)))).flatMap(
        ({ kept }) => kept,
      )
      return [
        ...below,
        ...(await Promise.all(keys.map(async ({ key }) => (await wholeOf(storage, key)) ?? Buffer.of()))),
      ]
    }
    async function upload(background: string): Promise<{ fileId: string; plain: Buffer }> {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
      const payload = await sharp({ create: { width: 320, height: 200, channels: 3, background, noise } })
        .png()
        .toBuffer()
      const answer = await office.app.http.inject({
        method: 'POST',
        url: `/api/files?purpose=${DOCUMENT_FILE}`,
        headers: { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie },
        payload,
      })
      assert.equal(answer.statusCode, 200, answer.body)
      return { fileId: (answer.json() as { id: string }).id, plain: payload }
    }

    test('whoever steals it has no picture and no number of a paper; whoever steals the database has no key', async () => {
      const { fileId } = await upload('#d8e0d0')
      const { id } = await me.documents.keep({ merchantId: shop, kind: 'idCardFront', fileId })
      await acting(office, cookie, ctx =>
        sealFacts(ctx, id, { name: '示例姓名', number: NUMBER }, maskNumber(NUMBER)),
      )
      for (const what of ['picture', 'file'])
        assert.equal((await get(`/documents/${id}/${what}?purpose=support`)).statusCode, 200)
      assert.equal((await get(`/documents/shop/${shop}/zip?purpose=support`)).statusCode, 200)
      const all = await stolen()
      assert.ok(all.length > 0)
      for (const bytes of all) {
        await assert.rejects(sharp(bytes).metadata())
        for (const sign of ['RIFF', 'WEBP', '\x89PNG', 'JFIF', NUMBER, '示例姓名'])
          assert.equal(bytes.subarray(0, 64).includes(sign), false)
        for (const text of [NUMBER, '示例姓名']) assert.equal(bytes.includes(text), false)
      }
      const { rows } = await office.owner.query(
        'select f.id, f.sealed_key, d.facts, d::text as row from documents d join files f on f.id = d.file_id where d.id = $1',
        [id],
      )
      const [{ sealed_key: key, facts, row }] = rows
      assert.ok(!row.includes(NUMBER) && !row.includes(Buffer.from(NUMBER).toString('hex')))
      // With both, but without the office's own key, nothing opens.
      const guessed = makeSecrets('5a'.repeat(32))
      for (const bytes of [...all, facts])
        assert.throws(() => unseal(guessed, key, `facts of document ${id}`, bytes))
    })

    test('a paper is looked at, taken, packed and erased; then nothing of it lies there', async () => {
      const { fileId } = await upload('#113355')
      const { id } = await me.documents.keep({ merchantId: shop, kind: 'businessLicence', fileId })
      const taken = await get(`/documents/${id}/file?purpose=support`)
      assert.equal((await sharp(taken.rawPayload).metadata()).width, 320)
      const lying = (await stolen()).length
      await me.documents.erase({ id, reason: '商户要求删除' })
      for (let tried = 0; tried < 100 && (await stolen()).length === lying; tried++)
        await new Promise(resolve => setTimeout(resolve, 20))
      assert.equal((await stolen()).length, lying - 1)
      assert.equal((await get(`/documents/${id}/file?purpose=support`)).statusCode, 404)
      assert.equal((await get(`/documents/${id}/certificate`)).statusCode, 200)
    })

    test('papers of a shop come in one file, each under a name of its own, with a row in the log', async () => {
      const merchantId = await makeMerchant(office, agent.id, { shop_name: '../打包' })
      const createdAt = '2026-03-04T02:00:00.000Z'
      const made = { by: agent, merchantId, createdAt }
      for (const kind of ['permit', 'permit', 'shopFront'] as const)
        await makeDocument(office, { ...made, kind })
      await makeDocument(office, { ...made, kind: 'businessLicence', state: 'replaced' })
      const answer = await get(`/documents/shop/${merchantId}/zip?purpose=paymentApplication`)
      assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'application/zip'])
      const names = namesIn(answer.rawPayload)
      assert.deepEqual(names, [
        `${merchantId}_行业许可证_2026-03-04.jpg`,
        `${merchantId}_行业许可证_2026-03-04_2.jpg`,
        `${merchantId}_门头照片_2026-03-04.jpg`,
        `${merchantId}_营业执照_2026-03-04.jpg`,
      ])
      const first = answer.rawPayload.indexOf(Buffer.from('ffd8ff', 'hex'))
      assert.equal((await sharp(answer.rawPayload.subarray(first)).metadata()).format, 'jpeg')
      const { rows } = await office.owner.query(
        `select subject, changes from operation_logs where title = '打包下载证件资料' and merchant_id = $1`,
        [merchantId],
      )
      assert.deepEqual(rows[0].changes, [
        { name: '目的', before: null, after: '支付进件' },
        { name: '份数', before: null, after: '4 份' },
      ])
      const empty = await makeMerchant(office, agent.id)
      assert.equal((await get(`/documents/shop/${empty}/zip?purpose=support`)).json().code, 'NO_DOCUMENTS')
      assert.equal((await get(`/documents/shop/${merchantId}/zip?purpose=curiosity`)).statusCode, 422)
    })
  })

test('another agent, a colleague who sees other shops, and who looks through the account have neither picture, original nor file', async () => {
  const office = await openOffice()
  try {
    const agent = await makeAgent(office)
    const merchantId = await makeMerchant(office, agent.id)
    const id = await makeDocument(office, { by: agent, merchantId })
    const urls = [
      `/api/documents/${id}/picture?purpose=support`,
      `/api/documents/${id}/file?purpose=support`,
      `/api/documents/shop/${merchantId}/zip?purpose=support`,
    ]
    const answers = (cookie: string) =>
      Promise.all(
        urls.map(async url => (await office.app.http.inject({ url, headers: { cookie } })).statusCode),
      )
    assert.deepEqual(await answers(await office.login(agent.loginName)), [200, 200, 200])
    const foreign = await office.login((await makeAgent(office)).loginName)
    assert.deepEqual(await answers(foreign), [404, 404, 404])
    const colleague = await makeAccount(office, agent.id, { nodeIds: [2285, 2287], dataScope: 'own' })
    const theirs = await office.login(colleague.loginName)
    assert.deepEqual(await answers(theirs), [404, 404, 404])
    const own = await makeMerchant(office, agent.id, { manager_id: colleague.accountId })
    const seen = await makeDocument(office, { by: agent, merchantId: own })
    const { statusCode } = await office.app.http.inject({
      url: `/api/documents/${seen}/picture?purpose=support`,
      headers: { cookie: theirs },
    })
    assert.equal(statusCode, 200)
    const viewer = await office.login((await makeAgent(office, { operator: true })).loginName)
    const looked = await office.app.http.inject({
      method: 'POST',
      url: `/api/agents/${agent.id}/view`,
      headers: { 'x-requested-with': 'partner-office', cookie: viewer },
      payload: {},
    })
    const view = looked.cookies.find(({ name }) => name.endsWith('view'))
    assert.ok(view, looked.body)
    assert.deepEqual(await answers(`${viewer}; ${view.name}=${view.value}`), [403, 403, 403])
    const { rows } = await office.owner.query(
      'select account_id::int as account from operation_logs where objects @> array[$1]',
      [`document:${id}`],
    )
    assert.deepEqual([...new Set(rows.map(({ account }) => account))], [agent.accountId])
  } finally {
    await office.stop()
  }
})
