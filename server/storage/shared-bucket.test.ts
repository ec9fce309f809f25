// Two instances of one office with a bucket: what one takes in the other hands out, and neither needs a folder of the other.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { JOBS } from '#app/jobs.ts'
import { FILE_PURPOSES } from '#app/joined.ts'
import { PDF_TYPE } from '#server/files.ts'
import { type Beside, type Office, openBeside, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { PDF } from '#test/make-papers.ts'
import { type S3Server, startS3Server } from '#test/s3-server.ts'
import { removeUnused } from './clear-files.ts'
import { wholeOf } from './storage.ts'

let server: S3Server
let office: Office
let beside: Beside
let operator: MadeAgent
let cookie: string

before(async () => {
  server = await startS3Server()
  office = await openOffice({ exports: true, settings: server.settings })
  beside = await openBeside(office)
  operator = await makeAgent(office, { staff: true, operator: true })
  cookie = await office.login(operator.loginName)
})
after(async () => {
  await beside.stop()
  await office.stop()
  await server.stop()
})

async function upload(purpose: string, bytes: Buffer, type: string): Promise<string> {
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/files?purpose=${purpose}`,
    headers: { 'x-requested-with': 'partner-office', 'content-type': type, cookie },
    payload: bytes,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return (answer.json() as { id: string }).id
}

const fromBeside = (url: string) => beside.app.http.inject({ url, headers: { cookie } })

test('a picture is uploaded to one and shown by the other', async () => {
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
  const id = await upload('product', png, 'image/png')
  assert.ok(server.keys().includes(`files/${id.slice(0, 2)}/${id}`))
  const { statusCode, rawPayload } = await fromBeside(`/api/files/${id}`)
  assert.equal(statusCode, 200)
  assert.equal((await sharp(rawPayload).metadata()).format, 'webp')
  assert.equal((await fromBeside('/api/files/00000000-0000-4000-8000-000000000000')).statusCode, 404)
})

test('a paper lies sealed in the bucket, and the other opens it', async () => {
  const partner = await makeAgent(office)
  const fileId = await upload('partnerPaper', PDF, PDF_TYPE)
  const { id } = await office
    .as(cookie)
    .partnerDesk.addPaper({ id: partner.id, kind: 'contract', name: '合作合同', fileId })
  const key = `sealed/${fileId.slice(0, 2)}/${fileId}`
  assert.ok(server.keys().includes(key))
  const bytes = (await wholeOf(office.app.services.storage, key)) ?? PDF
  assert.ok(bytes.length > PDF.length && !bytes.includes('PDF'))
  const { statusCode, rawPayload } = await fromBeside(`/api/agents/${partner.id}/papers/${id}/file`)
  assert.equal(statusCode, 200)
  assert.ok(rawPayload.equals(PDF))
})

test('a file that one made in the background is fetched from the other, and is cleared when its day is over', async () => {
  await makeMerchant(office, operator.id)
  const me = office.as(cookie)
  const { id } = await me.exports.start({ path: '/merchants/export.xlsx', query: {} })
  const stateOf = async () => (await me.exports.list({})).rows.find(row => row.id === id)
  while (['queued', 'running'].includes((await stateOf())?.state ?? '')) await pause(50)
  const { state, byteSize } = (await stateOf()) ?? {}
  assert.equal(state, 'done')
  const { statusCode, rawPayload } = await fromBeside(`/api/exports/${id}/file`)
  assert.deepEqual([statusCode, rawPayload.length], [200, byteSize])
  assert.deepEqual([...rawPayload.subarray(0, 2)], [...Buffer.from('PK')])
  await office.app.services.storage.delete(`exports/${id}.xlsx`)
  assert.equal((await fromBeside(`/api/exports/${id}/file`)).statusCode, 409)
})

test('the service away, a picture cannot be had for a while, an upload leaves no row, and afterwards all is well', async () => {
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
  const id = await upload('product', png, 'image/png')
  const { rows: before } = await office.owner.query('select count(*) from files')
  server.trouble = () => 'cut'
  assert.equal((await fromBeside(`/api/files/${id}`)).statusCode, 503)
  await assert.rejects(upload('product', png, 'image/png'))
  server.trouble = () => null
  assert.deepEqual((await office.owner.query('select count(*) from files')).rows, before)
  assert.equal((await fromBeside(`/api/files/${id}`)).statusCode, 200)
})

test('what nothing uses is removed from the bucket', async () => {
  await office.owner.query(`update files set created_at = now() - interval '25 hours'`)
  const { rows } = await office.owner.query<{ count: string }>(
    'select count(*) from files where not exists (select 1 from partner_papers where file_id = files.id)',
  )
  assert.ok(Number(rows[0]?.count) > 0)
  assert.equal(
    await removeUnused(office.owner, office.app.services.storage, FILE_PURPOSES),
    Number(rows[0]?.count),
  )
  assert.deepEqual(
    server.keys().map(key => key.split('/')[0]),
    ['sealed'],
    'the paper alone is used',
  )
})

test('the jobs run with a bucket, and no instance has kept a file of its own', async () => {
  const { services } = office.app
  for (const { name, run } of JOBS) if (/files$/.test(name)) await run(office.owner, services)
  const { dataDir } = services.env
  const exports = join(dataDir, 'exports')
  assert.deepEqual([existsSync(join(dataDir, 'files')), existsSync(join(dataDir, 'sealed'))], [false, false])
  assert.deepEqual(existsSync(exports) ? readdirSync(exports) : [], [])
})
