// Pictures that people upload, from hostile ones to forgotten ones (reliability.md S5).
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { FILE_PURPOSES } from '#app/joined.ts'
import { bytesOf, PICTURE_KB } from '#kit/picture.ts'
import { type Office, openOffice } from '#test/app.ts'
import { hugePng } from '#test/huge-png.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { removeUnused } from './storage/clear-files.ts'

const MAX_BYTES = bytesOf(PICTURE_KB.initial)

let office: Office
let dataDir: string
let staff: MadeAgent
let staffCookie: string
let partner: MadeAgent
let partnerCookie: string

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partner-office-files-'))
  office = await openOffice({ settings: { DATA_DIR: dataDir } })
  staff = await makeAgent(office, { staff: true })
  partner = await makeAgent(office)
  staffCookie = await office.login(staff.loginName)
  partnerCookie = await office.login(partner.loginName)
})
after(async () => {
  await office.stop()
  await rm(dataDir, { recursive: true, force: true })
})

type Sent = { cookie?: string | null; type?: string; purpose?: string; headers?: Record<string, string> }

async function upload(bytes: Buffer, sent: Sent = {}) {
  const cookie = sent.cookie === undefined ? staffCookie : sent.cookie
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/files?purpose=${sent.purpose ?? 'product'}`,
    headers: {
      'x-requested-with': 'partner-office',
      'content-type': sent.type ?? 'image/png',
      ...(cookie ? { cookie } : {}),
      ...sent.headers,
    },
    payload: bytes,
  })
  return { status: answer.statusCode, ...(answer.json() as { id?: string; code?: string; message?: string }) }
}

const download = (id: string, cookie: string | null = staffCookie) =>
  office.app.http.inject({ url: `/api/files/${id}`, headers: cookie ? { cookie } : {} })

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#246' } })

/** Bytes that no codec makes smaller. */
function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
}

async function storedPath(id: string): Promise<string> {
  return join(dataDir, 'files', id.slice(0, 2), id)
}

test('a JPEG and a PNG are kept as small upright pictures of our own, without their metadata', async () => {
  const photo = await noise(2_400, 900)
    .jpeg({ quality: 30 })
    .withExif({ IFD0: { Copyright: 'SECRET-PLACE', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  assert.ok(photo.length <= MAX_BYTES, `the test's photo has ${photo.length} bytes`)
  for (const [bytes, type] of [
    [photo, 'image/jpeg'],
    [await solid(40, 30).png().toBuffer(), 'image/png'],
  ] as const) {
    const { id, status } = await upload(bytes, { type })
    assert.equal(status, 200)
    const answer = await download(id as string)
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'image/webp')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.match(String(answer.headers['cache-control']), /^private, .*immutable/)
    const kept = await sharp(answer.rawPayload).metadata()
    assert.equal(kept.format, 'webp')
    assert.ok(Math.max(kept.width, kept.height) <= 1_600)
    assert.ok(answer.rawPayload.length <= 500 * 1024)
    assert.deepEqual([kept.exif, kept.icc, kept.xmp, kept.orientation], Array(4).fill(undefined))
    if (type === 'image/jpeg') assert.ok(kept.height > kept.width, 'the photo was turned upright')
  }
})

test('a picture of nearly a megabyte is accepted and kept below 500 KB', async () => {
  const bytes = await noise(1_500, 1_500).jpeg({ quality: 48 }).toBuffer()
  assert.ok(bytes.length > 600 * 1024 && bytes.length <= MAX_BYTES, String(bytes.length))
  const { id } = await upload(bytes, { type: 'image/jpeg' })
  const { rawPayload } = await download(id as string)
  assert.ok(rawPayload.length <= 500 * 1024, String(rawPayload.length))
})

test('what is no still JPEG or PNG, is damaged, too large or too big unfolded, is refused and leaves nothing', async () => {
  const png = await solid(200, 200).png().toBuffer()
  const noisy = await noise(200, 200).png().toBuffer()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const gif = await solid(9, 9).gif().toBuffer()
  const webp = await solid(9, 9).webp().toBuffer()
  const zip = Buffer.from('504b0304140000000800', 'hex')
  const announced = Buffer.concat([
    png.subarray(0, 33),
    Buffer.from('000000086163544c0000000200000000f38d9370', 'hex'),
    png.subarray(33),
  ])
  const cases: [name: string, bytes: Buffer, code: string, sent?: Sent][] = [
    ['svg', svg, 'PICTURE_FORMAT'],
    ['svg by its own type', svg, 'PICTURE_FORMAT', { type: 'image/svg+xml' }],
    ['html named png', html, 'PICTURE_FORMAT'],
    ['png magic before html', Buffer.concat([png.subarray(0, 8), html]), 'PICTURE_BROKEN'],
    ['png of which only the magic is there', png.subarray(0, 8), 'PICTURE_BROKEN'],
    ['truncated png', noisy.subarray(0, noisy.length / 2), 'PICTURE_BROKEN'],
    [
      'truncated jpeg',
      (await noise(200, 200).jpeg().toBuffer()).subarray(0, 900),
      'PICTURE_BROKEN',
      { type: 'image/jpeg' },
    ],
    ['100 million pixels in 13 KB', hugePng(10_000, 10_000), 'PICTURE_DIMENSIONS'],
    ['a strip of a million by hundred', hugePng(1_000_000, 100), 'PICTURE_DIMENSIONS'],
    ['animated png', announced, 'PICTURE_FORMAT'],
    ['gif', gif, 'PICTURE_FORMAT'],
    ['gif by its own type', gif, 'PICTURE_FORMAT', { type: 'image/gif' }],
    ['webp', webp, 'PICTURE_FORMAT'],
    ['zip', zip, 'PICTURE_FORMAT'],
    ['empty', Buffer.alloc(0), 'PICTURE_BROKEN'],
    ['1 MB + 1 byte', Buffer.concat([png, Buffer.alloc(MAX_BYTES + 1 - png.length)]), 'PICTURE_TOO_LARGE'],
    ['a png as text', png, 'PICTURE_FORMAT', { type: 'text/html' }],
    ['a png as bytes', png, 'PICTURE_FORMAT', { type: 'application/octet-stream' }],
    ['a form', png, 'PICTURE_FORMAT', { type: 'multipart/form-data; boundary=x' }],
    ['an unknown purpose', png, 'INPUT_INVALID', { purpose: 'constructor' }],
  ]
  const { rows } = await office.owner.query('select count(*) from files')
  for (const [name, bytes, code, sent] of cases) {
    const answer = await upload(bytes, sent)
    assert.equal(answer.code, code, `${name} answered ${answer.status} ${answer.code} ${answer.id}`)
    assert.ok(answer.status >= 400 && answer.status < 500, `${name} answered ${answer.status}`)
    assert.match(answer.message ?? '', /\p{Script=Han}/u, name)
  }
  assert.deepEqual((await office.owner.query('select count(*) from files')).rows, rows)
})

test('a body without end is refused when it has passed 1 MB, not when it has ended', async () => {
  const address = await office.app.http.listen({ port: 0, host: '127.0.0.1' })
  let sent = 0
  // Far more than may be on its way before the answer is heard, on a busy machine too.
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536
      if (sent > 400 * MAX_BYTES) controller.close()
      else controller.enqueue(new Uint8Array(65_536))
    },
  })
  const answer = await fetch(`${address}/api/files?purpose=product`, {
    method: 'POST',
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie: staffCookie },
    body: endless,
    duplex: 'half',
  } as RequestInit).then(
    response => response.status,
    () => 'closed',
  )
  assert.ok(answer === 413 || answer === 'closed', String(answer))
  assert.ok(sent < 200 * MAX_BYTES, `${sent} bytes were taken`)
})

test('a page hidden behind, inside or in the comment of a picture does not come out again', async () => {
  const html = '<html><script>alert(document.cookie)</script></html>'
  const jpeg = await noise(120, 80).jpeg().toBuffer()
  const comment = Buffer.alloc(4)
  comment.set([0xff, 0xfe])
  comment.writeUInt16BE(html.length + 2, 2)
  const inComment = Buffer.concat([jpeg.subarray(0, 2), comment, Buffer.from(html), jpeg.subarray(2)])
  const behind = Buffer.concat([jpeg, Buffer.from(html)])
  const inExif = await sharp(jpeg)
    .withExif({ IFD0: { ImageDescription: html } })
    .toBuffer()
  for (const bytes of [inComment, behind, inExif]) {
    assert.ok(bytes.includes('<script>'), 'the picture holds the page')
    const { id } = await upload(bytes, { type: 'image/jpeg' })
    const { rawPayload } = await download(id as string)
    assert.ok(rawPayload.length > 0 && !rawPayload.includes('script'))
  }
})

test('uploading needs a session, the permission of the purpose, our own origin and our own header', async () => {
  const png = await solid(9, 9).png().toBuffer()
  const statusOf = async (sent: Sent) => {
    const { status, code } = await upload(png, sent)
    return `${status} ${code}`
  }
  assert.equal(await statusOf({ cookie: null }), '401 UNAUTHENTICATED')
  assert.equal(await statusOf({ cookie: null, purpose: 'nothing' }), '401 UNAUTHENTICATED')
  assert.equal(await statusOf({ cookie: partnerCookie }), '403 FORBIDDEN')
  const clerk = await makeAccount(office, staff.id, { nodeIds: [27] })
  assert.equal(await statusOf({ cookie: await office.login(clerk.loginName) }), '403 FORBIDDEN')
  assert.equal(await statusOf({ headers: { origin: 'https://evil.example' } }), '403 FORBIDDEN_ORIGIN')
  assert.equal(await statusOf({ headers: { 'x-requested-with': '' } }), '403 FORBIDDEN_ORIGIN')
})

test('an upload is in the operation log; without that row there is no upload', async () => {
  const png = await solid(9, 9).png().toBuffer()
  const { id } = await upload(png)
  const log = await office.owner.query('select * from operation_logs where subject = $1', [id])
  assert.equal(log.rows[0]?.title, '上传商品图片')
  assert.equal(Number(log.rows[0].account_id), staff.accountId)
  await office.owner.query('revoke execute on function log_operation(jsonb) from partner_office_app')
  const before = await office.owner.query('select count(*) from files')
  try {
    assert.equal((await upload(png)).status, 500)
  } finally {
    await office.owner.query('grant execute on function log_operation(jsonb) to partner_office_app')
  }
  assert.deepEqual((await office.owner.query('select count(*) from files')).rows, before.rows)
})

test('pictures of products are for every agent, others for their own agent and vendor staff, none without a session', async () => {
  const { id } = await upload(await solid(9, 9).png().toBuffer())
  const status = async (cookie: string | null) => (await download(id as string, cookie)).statusCode
  assert.deepEqual(
    [await status(staffCookie), await status(partnerCookie), await status(null)],
    [200, 200, 401],
  )
  const other = await makeAgent(office)
  const otherCookie = await office.login(other.loginName)
  await office.owner.query(`update files set purpose = 'private', agent_id = $2 where id = $1`, [
    id,
    other.id,
  ])
  assert.deepEqual(
    [await status(otherCookie), await status(staffCookie), await status(partnerCookie)],
    [200, 200, 404],
  )
})

test('no other name than the id of an upload is answered', async () => {
  for (const id of [
    'x',
    '..%2f..%2fsecret.key',
    '00000000-0000-4000-8000-000000000000',
    '%00',
    'a'.repeat(150),
  ])
    assert.equal((await download(id)).statusCode, 404, id)
})

test('what nothing uses a day after it came is removed with its bytes; what is used or new stays', async () => {
  const png = await solid(9, 9).png().toBuffer()
  const [used, unused, fresh] = await Promise.all([upload(png), upload(png), upload(png)])
  const ids = [used.id, unused.id, fresh.id] as string[]
  await office.owner.query(
    `insert into hardware_products (name, stock, picture_id, created_at) values ('打印机', 1, $1, now())`,
    [used.id],
  )
  await office.owner.query(`update files set created_at = now() - interval '25 hours' where id = any($1)`, [
    [used.id, unused.id],
  ])
  assert.ok(await readFile(await storedPath(unused.id as string)))
  const removed = await removeUnused(office.owner, office.app.services.storage, FILE_PURPOSES)
  assert.equal(removed, 1)
  const { rows } = await office.owner.query('select id from files where id = any($1)', [ids])
  assert.deepEqual(rows.map(row => row.id).sort(), [used.id, fresh.id].sort())
  const paths = await Promise.all(ids.map(storedPath))
  assert.deepEqual(paths.map(existsSync), [true, false, true])
  assert.equal((await download(unused.id as string)).statusCode, 404)
  assert.equal(await removeUnused(office.owner, office.app.services.storage, FILE_PURPOSES), 0)
})

test('a picture that is just being taken into use is not removed', async () => {
  const { id } = await upload(await solid(9, 9).png().toBuffer())
  await office.owner.query(`update files set created_at = now() - interval '25 hours' where id = $1`, [id])
  const client = await office.owner.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into hardware_products (name, stock, picture_id, created_at) values ('钱箱', 1, $1, now())`,
      [id],
    )
    assert.equal(await removeUnused(office.owner, office.app.services.storage, FILE_PURPOSES), 0)
    await client.query('commit')
  } finally {
    client.release()
  }
  assert.equal(await removeUnused(office.owner, office.app.services.storage, FILE_PURPOSES), 0)
  assert.equal((await download(id as string)).statusCode, 200)
})
