import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { linkAll } from '#features/overview/operation-log/server-link.ts'
import { bundleFile } from '#scripts/bundle-file.ts'
import { ROOT } from '#scripts/checks.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { openParts } from '#server/documents/zip-reading.ts'
import { redactRows } from '#server/redact-log.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makePaperFile, PDF } from '#test/make-papers.ts'
import { until } from '#test/patience.ts'
import { outerIn } from './server-certificate.ts'
import { checkArchive } from './server-check.ts'
import { archiveKey, deletePastArchives } from './server-shelf.ts'
import { openSnapshot } from './server-snapshot.ts'

/** Each archive starts the program once more: loaded from its sources it takes as long again. */
const BUNDLED = `.cache/agency-export-child-${process.pid}.js`
const HERS = '甲方独有的文字'
const OTHERS = '乙方独有的文字'
/** Both are called alike. */
const COMPANY = '同名科技有限公司'

let office: Office
let operator: Client
let operatorCookie: string
let agency: MadeAgent
let other: MadeAgent
let folder: string

before(async () => {
  await bundleFile(ROOT, 'app/export-child.ts', BUNDLED)
  process.env.BUNDLED_EXPORT_CHILD = join(ROOT, BUNDLED)
  folder = mkdtempSync(join(tmpdir(), 'agency-export-'))
  office = await openOffice({ exports: true })
  const made = await makeAgent(office, { operator: true })
  operatorCookie = await office.login(made.loginName)
  operator = office.as(operatorCookie)
  agency = await makeFull(HERS)
  other = await makeFull(OTHERS)
})
after(async () => {
  await office.stop()
  delete process.env.BUNDLED_EXPORT_CHILD
  rmSync(join(ROOT, BUNDLED))
  rmSync(folder, { recursive: true })
})

/** An agency with something of several kinds, `mark` in each, called as another is. */
async function makeFull(mark: string): Promise<MadeAgent> {
  const made = await makeAgent(office, { tokens: 1_000, sms: 50 })
  await office.owner.query('update agents set company_name = $2, address = $3 where id = $1', [
    made.id,
    `${COMPANY}${made.id}`,
    mark,
  ])
  const shop = await makeMerchant(office, made.id, { shop_name: '同名小店', remark: `=1+1 ${mark}` })
  const fileId = await makePaperFile(office, made, 'document')
  await office.owner.query(
    `insert into documents (agent_id, merchant_id, kind, file_id, sha256, state, created_by, created_by_name, created_at)
     values ($1, $2, 'businessLicence', $3, '', 'current', $4, $5, now())`,
    [made.id, shop, fileId, made.accountId, mark],
  )
  await office.owner.query(
    `insert into feedback_messages (agent_id, account_id, created_by_name, content, state, created_at) values ($1, $2, $3, $3, 'open', now())`,
    [made.id, made.accountId, mark],
  )
  // Something of its own in the log.
  const me = office.as(await office.login(made.loginName))
  await me.exports.start({ path: '/merchants/export.xlsx', query: {} })
  return made
}

async function ended(id: number) {
  let row = await find(id)
  await until(async () => {
    row = await find(id)
    return row.state !== 'queued' && row.state !== 'making'
  }, 'the archive never ended')
  return row
}

async function find(id: number) {
  const { rows } = await operator.agencyExports.list({ page: 1, size: 100 })
  const row = rows.find(one => one.id === id)
  assert.ok(row, `${id} is in the list`)
  return row
}

const fetched = (id: number, what: 'file' | 'certificate') =>
  office.app.http.inject({
    method: 'GET',
    url: `/api/agency-exports/${id}/${what}`,
    headers: { cookie: operatorCookie },
  })

async function madeFor(agentId: number): Promise<{ id: number; path: string }> {
  const { id } = await operator.agencyExports.start({ agentId, reason: '合作终止' })
  const row = await ended(id)
  assert.deepEqual([row.state, row.error], ['done', ''])
  const answer = await fetched(id, 'file')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.rawPayload.length, row.byteSize)
  const path = join(folder, `${id}.zip`)
  await writeFile(path, answer.rawPayload)
  return { id, path }
}

async function filesIn(path: string): Promise<Map<string, Buffer>> {
  const file = await open(path, 'r')
  try {
    const found = new Map<string, Buffer>()
    const parts = await openParts(file)
    for (const entry of parts.entries) {
      const pieces: Buffer[] = []
      for await (const bytes of parts.bytesOf(entry)) pieces.push(bytes)
      found.set(entry.name, Buffer.concat(pieces))
    }
    return found
  } finally {
    await file.close()
  }
}

const key = () => createPublicKey(checkpointKey(office.app.services.env))
const linesOf = (files: Map<string, Buffer>, name: string) =>
  (files.get(name) ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>)

let made: { id: number; path: string }
let files: Map<string, Buffer>

test('everything of the agency is in its archive, in forms for people and for programs, and its papers open', async () => {
  const client = await office.owner.connect()
  await linkAll(client)
  client.release()
  const preview = await operator.agencyExports.preview({ agentId: agency.id })
  assert.ok(preview.rows > 5 && preview.files === 1 && preview.byteSize > 0)
  assert.equal(preview.companyName, `${COMPANY}${agency.id}`)
  made = await madeFor(agency.id)
  files = await filesIn(made.path)
  const shops = (files.get('商户/商户.csv') ?? Buffer.alloc(0)).toString('utf8')
  assert.ok(shops.startsWith('\uFEFF商户ID,'), 'a spreadsheet reads it as UTF-8, with heads in Chinese')
  assert.ok(shops.includes(`,'=1+1 ${HERS},`), 'a formula stays a text')
  const { rows: called } = await office.owner.query(
    `select v.id, v.name from merchants m join versions v on v.id = m.version_id where m.agent_id = $1`,
    [agency.id],
  )
  assert.ok(shops.includes(`,${called[0].name},`), 'people read names')
  assert.ok(shops.includes(',广东省深圳市南山区,'))
  const [shop] = linesOf(files, '商户/商户.jsonl')
  assert.equal(shop?.versionId, called[0].id, 'programs read numbers')
  assert.deepEqual([shop?.shopName, shop?.remark], ['同名小店', `=1+1 ${HERS}`])
  assert.match(String(shop?.registeredAt), /^\d{4}-\d\d-\d\dT[\d:.]{12}\+08:00$/)
  assert.equal('passwordHash' in (shop ?? {}), false)
  const balances = linesOf(files, '账务/账户余额.jsonl')
  assert.deepEqual(balances.map(({ asset, balance }) => [asset, balance]).sort(), [
    ['sms', '50'],
    ['token', '1000.00'],
  ])
  const papers = [...files].filter(([name]) => name.startsWith('文件/证件资料/'))
  assert.equal(papers.length, 1)
  assert.match(papers[0]?.[0] ?? '', /_营业执照_同名小店（\d+）_[0-9a-f-]{36}\.pdf$/)
  assert.deepEqual(papers[0]?.[1], PDF)
  assert.match((files.get('说明.txt') ?? Buffer.alloc(0)).toString('utf8'), /没有什么/)
  const chain = linesOf(files, '记录/操作日志链.jsonl')
  const { rows } = await office.owner.query(
    'select count(*)::int as n from operation_log_links where agent_id = $1',
    [agency.id],
  )
  assert.ok(chain.length > 2 && chain.length <= rows[0].n + 2, 'each linked row of its own, and both ends')
})

test('nothing of another agency is in it, though both are called alike', async () => {
  const { rows: foreign } = await office.owner.query<{ word: string }>(
    `select id::text as word from merchants where agent_id = $1 union all select login_name from accounts where agent_id = $1
     union all select id::text from files where agent_id = $1`,
    [other.id],
  )
  const words = [OTHERS, ...foreign.map(({ word }) => word)]
  assert.ok(words.length > 3)
  for (const [name, bytes] of files)
    for (const word of words) {
      assert.equal(bytes.includes(word), false, `${name} tells ${word}`)
      assert.equal(name.includes(word), false, name)
    }
  const whole = Buffer.concat([...files.values()])
  assert.ok(whole.includes(HERS), 'its own is there')
})

test('the certificate tells what is in it; a changed byte is found wherever it is', async () => {
  const { sound, problems, inner, sha256 } = await checkArchive(made.path, key())
  assert.deepEqual([sound, problems], [true, []])
  assert.equal(inner?.agency.id, agency.id)
  const { rows } = await office.owner.query<{ certificate: string; sha256: string }>(
    'select certificate, sha256 from agency_exports where id = $1',
    [made.id],
  )
  const outer = outerIn(rows[0]?.certificate ?? '', key())
  assert.deepEqual([outer?.sha256, rows[0]?.sha256], [sha256, sha256])
  assert.equal(outer?.rows, inner?.rows)
  const paper = await fetched(made.id, 'certificate')
  assert.equal(paper.statusCode, 200)
  assert.equal(paper.rawPayload.subarray(0, 5).toString(), '%PDF-')
  const archive = await open(made.path, 'r')
  const bytes = await archive.readFile()
  await archive.close()
  const changed = join(folder, 'changed.zip')
  for (let nth = 0; nth < 60; nth++) {
    const at = nth < 30 ? Math.floor((bytes.length * nth) / 30) : bytes.length - 1 - (nth - 30) * 3
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 1
    await writeFile(changed, copy)
    assert.equal((await checkArchive(changed, key())).sound, false, `byte ${at} of ${bytes.length}`)
  }
  await writeFile(changed, Buffer.concat([bytes, Buffer.of(0)]))
  assert.equal((await checkArchive(changed, key())).sound, false, 'a byte behind its end')
})

test('the agency reads in its own log that it was made, for what reason and by whom', async () => {
  const me = office.as(await office.login(agency.loginName))
  const { rows } = await me.operationLog.list({ page: 1, size: 50 })
  const titles = rows.map(({ title }) => title)
  for (const title of ['移交代理商数据', '生成移交数据', '下载移交数据'])
    assert.ok(titles.includes(title), title)
})

test('of one agency one is made at a time, however often and from wherever it is asked for', async () => {
  const still = await openOffice()
  try {
    const { loginName } = await makeAgent(still, { operator: true })
    const me = still.as(await still.login(loginName))
    const { id: agentId } = await makeAgent(still)
    const asked = await Promise.all(
      [1, 2, 3].map(() =>
        me.agencyExports.start({ agentId, reason: '离开' }).then(
          () => 'begun',
          (error: { code?: string }) => error.code,
        ),
      ),
    )
    assert.deepEqual(asked.sort(), ['EXPORTING_ALREADY', 'EXPORTING_ALREADY', 'begun'])
    const vendor = await makeAgent(still, { staff: true })
    assert.equal(
      await refusalOf(me.agencyExports.start({ agentId: vendor.id, reason: '离开' })),
      'AGENCY_VENDOR',
    )
    const staff = still.as(await still.login(vendor.loginName))
    assert.equal(await refusalOf(staff.agencyExports.preview({ agentId })), 'FORBIDDEN')
  } finally {
    await still.stop()
  }
})

test('a program that is killed is followed by another, and a failed one says why and is tried again', async () => {
  const { id } = await operator.agencyExports.start({ agentId: other.id, reason: '合作终止' })
  await until(() => office.app.exports?.childPid !== null, 'no program is at work')
  process.kill(office.app.exports?.childPid ?? 0, 'SIGKILL')
  assert.equal((await ended(id)).state, 'done')
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into agency_exports (agent_id, reason, state, error, attempts, created_by, created_by_name, created_at)
     values ($1, '离开', 'failed', '生成失败', 3, 1, '运营', now()) returning id`,
    [other.id],
  )
  const failed = Number(rows[0]?.id)
  assert.equal((await fetched(failed, 'file')).json().code, 'NOT_READY')
  await operator.agencyExports.retry({ id: failed })
  const again = await ended(failed)
  assert.deepEqual([again.state, again.error], ['done', ''])
})

test('once its time is over its key is gone with its bytes, and the certificate stays', async () => {
  const { id } = await madeFor(other.id)
  const stored = archiveKey(id, 1)
  const { storage } = office.app.services
  const kept = await storage.get(stored)
  assert.ok(kept)
  let head = Buffer.alloc(0)
  for await (const bytes of kept.bytes) head = Buffer.concat([head, bytes as Buffer])
  assert.ok(!head.includes('说明.txt'), 'it lies sealed')
  assert.equal(head.subarray(0, 4).toString(), 'POB1')
  await office.owner.query(
    `update agency_exports set expires_at = now() - interval '1 second' where id = $1`,
    [id],
  )
  assert.equal((await fetched(id, 'file')).json().code, 'FILE_GONE')
  await deletePastArchives({ ...office.app.services, storage: olderBy(storage) })
  const { rows } = await office.owner.query('select state, sealed_key from agency_exports where id = $1', [
    id,
  ])
  assert.deepEqual(rows, [{ state: 'deleted', sealed_key: null }])
  assert.equal(await storage.head(stored), null)
  assert.equal((await fetched(id, 'certificate')).statusCode, 200)
})

/** A storage whose objects were written hours ago. */
function olderBy(storage: Office['app']['services']['storage']) {
  return {
    ...storage,
    async list(...asked: Parameters<typeof storage.list>) {
      const page = await storage.list(...asked)
      return { ...page, kept: page.kept.map(one => ({ ...one, modifiedAt: new Date(0) })) }
    },
  }
}

test('all of it is of one moment, and whoever wants a table for itself waits for no more than a part', async () => {
  const fresh = await makeAgent(office)
  await makeMerchant(office, fresh.id, { shop_name: '先有的店' })
  const snapshot = await openSnapshot(office.app.services.database.pool, fresh.id, { rest: 0 })
  const client = await office.owner.connect()
  try {
    await makeMerchant(office, fresh.id, { shop_name: '后来的店' })
    const at = (await snapshot.columnsOf('merchants')).findIndex(({ name }) => name === 'shop_name')
    const seen: unknown[] = []
    for await (const batch of snapshot.rows('merchants')) {
      // As a migration does.
      await client.query(`begin; lock table merchants in access exclusive mode nowait; rollback`)
      seen.push(...batch.map(cells => cells[at]))
    }
    assert.deepEqual(seen, ['先有的店'])
  } finally {
    client.release()
    snapshot.end()
  }
})

test('a row of the log of which a person was erased is told as it was signed, and one that nobody signed is found', async () => {
  const client = await office.owner.connect()
  try {
    await linkAll(client)
    const { redacted } = await redactRows(client, {
      where: `(t.agent_id = $1 and t.user_agent <> '已删除')`,
      set: [['user_agent', `'已删除'`]],
      values: [agency.id],
      erasure: 'PE1',
      key: checkpointKey(office.app.services.env),
    })
    assert.ok(redacted > 0)
  } finally {
    client.release()
  }
  const erased = await madeFor(agency.id)
  assert.deepEqual((await checkArchive(erased.path, key())).problems, [])
  const chain = linesOf(await filesIn(erased.path), '记录/操作日志链.jsonl')
  assert.ok(chain.some(({ erasure }) => erasure === 'PE1'))
  await office.owner.query(
    `update operation_log_erasures set signature = '\\x00' where id = (select min(id) from operation_log_erasures where agent_id = $1)`,
    [agency.id],
  )
  const forged = await madeFor(agency.id)
  assert.deepEqual((await checkArchive(forged.path, key())).problems, [
    '1 rows of the operation log do not follow from the one before',
  ])
})
