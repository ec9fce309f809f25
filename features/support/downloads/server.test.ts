// Files to download through the router and over HTTP (D3 §2): uploaded as streams, taken whole or in parts, counted once.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import test, { after, before, describe } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { removeUnused } from '#server/storage/clear-files.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { makeSetting } from '#test/make-settings.ts'
import { DOWNLOAD_MB } from './rules.ts'

const MB = 1_048_576
let office: Office
let staff: Client
let partner: MadeAgent
let staffCookie: string
let cookie: string

before(async () => {
  office = await openOffice({ listen: true })
  staffCookie = await office.login((await makeAgent(office, { staff: true })).loginName)
  staff = office.as(staffCookie)
  partner = await makeAgent(office)
  cookie = await office.login(partner.loginName)
})
after(() => office.stop())

type Sent = { as?: string | null; purpose?: string; duplex?: 'half' }

async function upload(
  body: NonNullable<RequestInit['body']>,
  { as = staffCookie, purpose = 'downloadFile', duplex }: Sent = {},
) {
  const answer = await fetch(`${office.url}/api/large-files?purpose=${purpose}`, {
    method: 'POST',
    headers: {
      'x-requested-with': 'partner-office',
      'content-type': 'application/octet-stream',
      ...(as ? { cookie: as } : {}),
    },
    body,
    ...(duplex && { duplex }),
  } as RequestInit)
  return {
    status: answer.status,
    ...((await answer.json()) as { id?: string; sha256?: string; code?: string }),
  }
}

let made = 0
async function offer(bytes: Buffer, more: object = {}) {
  const { id: fileId } = await upload(new Uint8Array(bytes))
  const form = { system: 'windows' as const, name: `客户端${++made}`, version: '1.0', notes: '', link: '' }
  return staff.downloads.save({ ...form, fileId: fileId ?? null, fileName: '客户端 1.0.exe', ...more })
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of buffers that somebody still holds. */
function held(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

const take = (id: number, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${office.url}/api/downloads/files/${id}/file`, {
    method,
    headers: { cookie, 'accept-encoding': 'identity', ...headers },
  })
const countOf = async (id: number) =>
  (await office.as(cookie).downloads.shown()).rows.find(row => row.id === id)?.downloads
const logged = async (id: number) => {
  const { rows } = await office.owner.query<{ n: number }>(
    `select count(*)::int as n from operation_logs where title = '下载文件' and $1 = any(objects)`,
    [`download:${id}`],
  )
  return rows[0]?.n
}

describe('a download', () => {
  const bytes = randomBytes(300_000)
  let id: number
  before(async () => {
    id = (await offer(bytes)).id
  })

  test('is whole, with its name, size and tag, and nothing that makes a page of it', async () => {
    const answer = await take(id)
    assert.equal(answer.status, 200)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    assert.deepEqual(
      ['accept-ranges', 'content-length', 'etag', 'content-type', 'x-content-type-options'].map(name =>
        answer.headers.get(name),
      ),
      ['bytes', '300000', `"${sha256}"`, 'application/octet-stream', 'nosniff'],
    )
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment;.*%E5%AE%A2/)
  })

  test('goes on where it broke off, as long as the file is the same', async () => {
    const tag = (await take(id, {}, 'HEAD')).headers.get('etag') ?? ''
    const rest = await take(id, { range: 'bytes=299990-', 'if-range': tag })
    assert.equal(rest.status, 206)
    assert.equal(rest.headers.get('content-range'), 'bytes 299990-299999/300000')
    assert.equal(rest.headers.get('content-length'), '10')
    assert.deepEqual(Buffer.from(await rest.arrayBuffer()), bytes.subarray(299_990))
    const other = await take(id, { range: 'bytes=299990-', 'if-range': '"another"' })
    assert.equal(other.status, 200)
    assert.equal((await other.arrayBuffer()).byteLength, 300_000)
    const beyond = await take(id, { range: 'bytes=300000-' })
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */300000'])
    assert.equal(((await beyond.json()) as { code: string }).code, 'RANGE_BEYOND')
    const known = await take(id, { 'if-none-match': tag })
    assert.equal(known.status, 304)
  })

  test('is counted and logged once, however many parts it comes in', async () => {
    const { id: fresh } = await offer(randomBytes(1_000))
    await take(fresh, {}, 'HEAD')
    await (await take(fresh, { range: 'bytes=500-' })).arrayBuffer()
    await (await take(fresh, { range: 'bytes=1000-' })).arrayBuffer()
    assert.deepEqual([await countOf(fresh), await logged(fresh)], [0, 0])
    for (const range of ['bytes=0-0', 'bytes=0-99', 'bytes=100-499', 'bytes=500-'])
      await (await take(fresh, { range })).arrayBuffer()
    await (await take(fresh)).arrayBuffer()
    assert.deepEqual([await countOf(fresh), await logged(fresh)], [1, 1])
    await office.owner.query(
      `update download_takes set taken_at = now() - interval '61 minutes' where download_id = $1`,
      [fresh],
    )
    await (await take(fresh)).arrayBuffer()
    assert.deepEqual([await countOf(fresh), await logged(fresh)], [2, 2])
  })

  test('is for who is signed in, and not of what is withdrawn, but for staff', async () => {
    assert.equal((await take(id, { cookie: '' })).status, 401)
    const { id: gone } = await offer(randomBytes(10))
    await staff.downloads.withdraw({ id: gone, on: true })
    assert.equal((await take(gone)).status, 404)
    assert.equal((await take(gone, { cookie: staffCookie })).status, 200)
    assert.equal(await countOf(gone), undefined)
    assert.equal(await refusalOf(staff.downloads.withdraw({ id: gone, on: true })), 'WITHDRAWN_ALREADY')
    await staff.downloads.withdraw({ id: gone, on: false })
    assert.equal((await take(gone)).status, 200)
  })
})

describe('an upload', () => {
  test('of many megabytes passes through and is kept bit by bit, without being held', async () => {
    const pieces = 160
    const piece = randomBytes(MB)
    const hash = createHash('sha256')
    const begun = held()
    let most = 0
    async function* body() {
      for (let sent = 1; sent <= pieces; sent += 1) {
        hash.update(piece)
        if (sent % 20 === 0) most = Math.max(most, held())
        yield piece
      }
    }
    const request = httpRequest(`${office.url}/api/large-files?purpose=downloadFile`, {
      method: 'POST',
      headers: {
        'x-requested-with': 'partner-office',
        'content-type': 'application/octet-stream',
        cookie: staffCookie,
      },
    })
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    await pipeline(body, request)
    const [response] = await answered
    const answer = (await json(response)) as { id: string; sha256: string }
    assert.equal(answer.sha256, hash.digest('hex'))
    // Sender and office share this process, with whatever ran in it before: together they hold a small part of it.
    assert.ok(most - begun < (pieces / 3) * MB, `${Math.round((most - begun) / MB)} MB were held`)
    const { rows } = await office.owner.query<{ byte_size: number }>(
      'select byte_size from files where id = $1',
      [answer.id],
    )
    assert.equal(rows[0]?.byte_size, pieces * MB)
  })

  test('is for staff alone, for its own purposes, not empty and not too large', async () => {
    const small = new Uint8Array(10)
    assert.equal((await upload(small, { as: cookie })).code, 'FORBIDDEN')
    assert.equal((await upload(small, { as: null })).status, 401)
    assert.equal((await upload(small, { purpose: 'product' })).code, 'INPUT_INVALID')
    assert.equal((await upload(small, { purpose: 'constructor' })).code, 'INPUT_INVALID')
    assert.equal((await upload(new Uint8Array(0))).code, 'FILE_EMPTY')
    await makeSetting(office, DOWNLOAD_MB, 10)
    const { rows: before } = await office.owner.query('select count(*) from files')
    assert.equal((await upload(new Uint8Array(11 * MB))).code, 'FILE_TOO_LARGE')
    const endless = new ReadableStream<Uint8Array>({ pull: now => now.enqueue(new Uint8Array(MB)) })
    const told = await upload(endless, { duplex: 'half' }).then(
      ({ code }) => code,
      () => 'closed',
    )
    assert.ok(told === 'FILE_TOO_LARGE' || told === 'closed', told)
    assert.deepEqual((await office.owner.query('select count(*) from files')).rows, before)
    await makeSetting(office, DOWNLOAD_MB, null)
  })

  test('that breaks off leaves nothing', async () => {
    const keys = async () => (await office.app.services.storage.list('files/')).kept.length
    const { rows: rowsBefore } = await office.owner.query('select count(*) from files')
    const before = await keys()
    const { port, hostname } = new URL(office.url)
    const socket = connect(Number(port), hostname)
    const closed = new Promise(done => socket.once('close', done))
    socket.on('error', () => undefined)
    const head = [
      'POST /api/large-files?purpose=downloadFile HTTP/1.1',
      `host: ${hostname}:${port}`,
      `cookie: ${staffCookie}`,
      'x-requested-with: partner-office',
      'content-type: application/octet-stream',
      'content-length: 1000000',
    ]
    await new Promise(done => socket.write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(70_000)}`, done))
    socket.destroy()
    await closed
    for (let tries = 0; tries < 100 && (await keys()) !== before; tries += 1)
      await new Promise(done => setTimeout(done, 20))
    assert.equal(await keys(), before)
    assert.deepEqual((await office.owner.query('select count(*) from files')).rows, rowsBefore)
  })

  test('that nothing uses goes after a day, one that is offered stays', async () => {
    const { id: unused } = await upload(new Uint8Array([1, 2, 3]))
    const { id } = await offer(randomBytes(20))
    await office.owner.query(`update files set created_at = now() - interval '2 days'`)
    const { FILE_PURPOSES } = await import('#app/joined.ts')
    await removeUnused(office.owner, office.app.services.storage, FILE_PURPOSES)
    assert.equal(
      (await office.app.services.storage.head(`files/${unused?.slice(0, 2)}/${unused}`)) ?? null,
      null,
    )
    assert.equal((await take(id)).status, 200)
  })

  test('is no picture: nobody reads it by its id alone', async () => {
    const { id } = await upload(new Uint8Array([1, 2, 3]))
    for (const path of ['files', 'large-files']) {
      const answer = await fetch(`${office.url}/api/${path}/${id}`, { headers: { cookie: staffCookie } })
      assert.equal(answer.status, 404, path)
    }
  })
})

describe('a form', () => {
  test('takes a file that was uploaded for it, once for each version', async () => {
    const { id } = await offer(randomBytes(30), { name: '同名' })
    assert.equal(await refusalOf(offer(randomBytes(30), { name: '同名' })), 'VERSION_KNOWN')
    const row = (await staff.downloads.list({ search: '同名' })).rows[0]
    assert.ok(row)
    const form = { system: row.system, name: '同名', version: '2.0', notes: '改', link: '' }
    const file = { fileId: row.fileId, fileName: '新.exe', id, revision: row.revision }
    await staff.downloads.save({ ...form, ...file })
    assert.equal(await refusalOf(staff.downloads.save({ ...form, ...file })), 'STALE')
    const foreign = '00000000-0000-4000-8000-000000000000'
    assert.equal(
      await refusalOf(staff.downloads.save({ ...form, version: '3.0', fileId: foreign, fileName: 'x' })),
      'FILE_UNKNOWN',
    )
  })

  test('is for staff alone, whatever a role names', async () => {
    const form = { system: 'ios' as const, name: '甲', version: '1', notes: '', fileId: null, fileName: '' }
    const asked = office.as(cookie).downloads.save({ ...form, link: 'https://example.com' })
    assert.equal(await refusalOf(asked), 'FORBIDDEN')
  })
})
