// Papers lie sealed: what is uploaded now, and what was uploaded before.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before, beforeEach } from 'node:test'
import pg from 'pg'
import sharp from 'sharp'
import { FILE_PURPOSES } from '#app/joined.ts'
import { rotateKeys } from '#app/sealed.ts'
import { PDF_TYPE } from '#server/files.ts'
import { makeSecrets } from '#server/secrets.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { PDF } from '#test/make-papers.ts'
import { removeUnused } from './clear-files.ts'
import { plainPlace, writeBytes } from './file-bytes.ts'
import { sealFiles } from './seal-files.ts'
import type { Storage } from './storage.ts'

const FIELD_KEYS = `2:${'ab'.repeat(32)},1`

let office: Office
let operator: MadeAgent
let partner: MadeAgent
let cookie: string
let dataDir: string

before(async () => {
  office = await openOffice({ settings: { FIELD_KEYS } })
  dataDir = office.app.services.env.dataDir
  operator = await makeAgent(office, { staff: true, operator: true })
  partner = await makeAgent(office)
  cookie = await office.login(operator.loginName)
})
after(() => office.stop())
beforeEach(async () => {
  await office.owner.query('delete from partner_papers')
  await office.owner.query('delete from files')
  for (const area of ['files', 'sealed']) rmSync(join(dataDir, area), { recursive: true, force: true })
})

const at = () => office.app.services
const seal = (storage: Storage = at().storage) =>
  sealFiles(office.owner, { storage, secrets: at().secrets }, FILE_PURPOSES)

async function upload(bytes: Buffer, type: string): Promise<string> {
  const answer = await office.app.http.inject({
    method: 'POST',
    url: '/api/files?purpose=partnerPaper',
    headers: { 'x-requested-with': 'partner-office', 'content-type': type, cookie },
    payload: bytes,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return (answer.json() as { id: string }).id
}

async function asPaper(fileId: string): Promise<number> {
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into partner_papers (agent_id, kind, name, file_id, created_by, created_by_name, created_at)
     values ($1, 'contract', '合作合同', $2, $3, '运营', now()) returning id`,
    [partner.id, fileId, operator.accountId],
  )
  return Number(rows[0]?.id)
}

async function download(paperId: number) {
  const url = `/api/agents/${partner.id}/papers/${paperId}/file`
  return office.app.http.inject({ url, headers: { cookie } })
}

/** As an office of before kept it. */
async function makePlain(): Promise<string> {
  const { id } = await writeBytes(at(), PDF)
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values ($1, $2, 'partnerPaper', $3, 0, 0, $4, $5, now())`,
    [id, operator.id, PDF_TYPE, PDF.length, operator.accountId],
  )
  return id
}

const rowOf = async (id: string) =>
  (await office.owner.query('select * from files where id = $1', [id])).rows[0]

function everythingOnDisk(): Buffer[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name)))
}

const TRACES = ['%PDF', '%%EOF', 'endobj', 'WEBP', 'RIFF', 'VP8', '\x89PNG', '\xff\xd8\xff', 'Exif'].map(
  text => Buffer.from(text, 'latin1'),
)

test('a stolen disk shows nothing of a paper, a stolen database no key; the one who may read it does', async () => {
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a40' } })
    .png()
    .toBuffer()
  const ids = [await upload(PDF, PDF_TYPE), await upload(png, 'image/png')]
  const papers = [await asPaper(ids[0] as string), await asPaper(ids[1] as string)]
  const stolen = everythingOnDisk()
  assert.equal(stolen.length, 2)
  for (const bytes of stolen)
    for (const trace of TRACES) assert.ok(!bytes.subarray(0, 64).includes(trace), String(trace))
  assert.ok(stolen.every(bytes => !bytes.includes(PDF.subarray(0, 12))))
  const row = await rowOf(ids[0] as string)
  assert.throws(() => makeSecrets('1'.repeat(64), FIELD_KEYS.replaceAll('ab', 'cd')).decrypt(row.sealed_key))
  assert.ok(!JSON.stringify(row).includes(at().secrets.decrypt(row.sealed_key)))
  const [pdf, picture] = [await download(papers[0] as number), await download(papers[1] as number)]
  assert.deepEqual([pdf.statusCode, picture.statusCode], [200, 200])
  assert.ok(pdf.rawPayload.equals(PDF))
  const { width, height, format } = await sharp(picture.rawPayload).metadata()
  assert.deepEqual([width, height, format], [300, 200, 'png'])
})

test('a sealed paper whose bytes were changed is not handed out', async () => {
  const id = await upload(PDF, PDF_TYPE)
  const paper = await asPaper(id)
  const key = `sealed/${id.slice(0, 2)}/${id}`
  const changed = Buffer.concat([readFileSync(join(dataDir, key)).subarray(0, -1), Buffer.of(0, 0)])
  await at().storage.put(key, changed)
  const { statusCode, rawPayload } = await download(paper)
  assert.equal(statusCode, 500)
  assert.ok(!rawPayload.includes('%PDF'))
})

test('what lay plain is readable before, is sealed, and nothing plain remains', async () => {
  const ids = [await makePlain(), await makePlain(), await makePlain()]
  const papers: number[] = []
  for (const id of ids) papers.push(await asPaper(id))
  const all = async () =>
    Promise.all(papers.map(async paper => (await download(paper)).rawPayload.equals(PDF)))
  assert.deepEqual(await all(), [true, true, true])
  assert.equal(await seal(), 3)
  assert.deepEqual(await all(), [true, true, true])
  for (const id of ids) {
    assert.equal(await at().storage.head(plainPlace(id)), null)
    const row = await rowOf(id)
    assert.deepEqual([row.sealed_key === null, row.plain_remains], [false, false])
  }
  assert.ok(everythingOnDisk().every(bytes => !bytes.includes('%PDF')))
  assert.equal(await seal(), 0)
})

test('other pictures stay as they are', async () => {
  const id = await makePlain()
  await office.owner.query(`update files set purpose = 'product' where id = $1`, [id])
  assert.equal(await seal(), 0)
  assert.ok(await at().storage.head(plainPlace(id)))
})

/** A storage whose program is killed before, or just after, so many of its changes. */
function dying(after: number, done: boolean): Storage {
  const { storage } = at()
  let left = after
  const change = async (work: () => Promise<void>) => {
    if (left-- > 0) return work()
    if (done) await work()
    throw new Error('killed')
  }
  return {
    ...storage,
    put: (key, bytes) => change(() => storage.put(key, bytes)),
    delete: key => change(() => storage.delete(key)),
  }
}

test('killed at any step, every paper can be read, and the next run ends it', async () => {
  for (const step of [0, 1, 2, 3])
    for (const done of [false, true]) {
      const ids = [await makePlain(), await makePlain()]
      const papers = [await asPaper(ids[0] as string), await asPaper(ids[1] as string)]
      await assert.rejects(seal(dying(step, done)), /killed/)
      for (const paper of papers) assert.ok((await download(paper)).rawPayload.equals(PDF), `${step} ${done}`)
      await seal()
      for (const paper of papers) assert.ok((await download(paper)).rawPayload.equals(PDF), `${step} ${done}`)
      for (const id of ids) assert.equal(await at().storage.head(plainPlace(id)), null)
    }
})

test('two that seal at once do not disturb each other, nor those who read meanwhile', async () => {
  const papers: number[] = []
  for (let i = 0; i < 20; i++) papers.push(await asPaper(await makePlain()))
  const reading = async () => {
    for (const paper of papers) assert.ok((await download(paper)).rawPayload.equals(PDF))
  }
  await Promise.all([seal(), seal(), reading(), reading()])
  await reading()
  assert.ok(everythingOnDisk().every(bytes => !bytes.includes('%PDF')))
})

test('keys:rotate wraps the keys of files anew; files stay where they are and open', async () => {
  const id = await upload(PDF, PDF_TYPE)
  const paper = await asPaper(id)
  const { sealed_key: before } = await rowOf(id)
  const fileKey = makeSecrets(TEST_SECRET, FIELD_KEYS).decrypt(before)
  const bytes = everythingOnDisk()
  const client = new pg.Client({ connectionString: office.ownerUrl })
  await client.connect()
  const back = makeSecrets(TEST_SECRET, `1,${FIELD_KEYS.split(',')[0]}`)
  try {
    const { figures } = await rotateKeys(client, back)
    assert.deepEqual([figures.encrypted, figures.left, figures.unreadable], [1, 0, 0])
  } finally {
    await client.end()
  }
  const { sealed_key: now } = await rowOf(id)
  assert.deepEqual([before[0], now[0]], [2, 1])
  assert.equal(makeSecrets(TEST_SECRET).decrypt(now), fileKey)
  assert.deepEqual(everythingOnDisk(), bytes)
  assert.ok((await download(paper)).rawPayload.equals(PDF))
})

test('a paper that nothing uses goes with its bytes, also when the storage fails first', async () => {
  const id = await upload(PDF, PDF_TYPE)
  await office.owner.query(`update files set created_at = now() - interval '25 hours'`)
  await assert.rejects(removeUnused(office.owner, dying(0, false), FILE_PURPOSES), /killed/)
  assert.equal(await rowOf(id), undefined)
  assert.equal(everythingOnDisk().length, 1)
  assert.equal(await removeUnused(office.owner, at().storage, FILE_PURPOSES), 0)
  assert.equal(everythingOnDisk().length, 0)
  assert.equal((await office.owner.query('select 1 from removed_files')).rowCount, 0)
})
