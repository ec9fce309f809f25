// A bucket whose service is slow, busy or gone, and what is loaded for it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import test, { after, afterEach, before, beforeEach } from 'node:test'
import { type S3Server, startS3Server, type Trouble } from '#test/s3-server.ts'
import { bucketHome } from './bucket.ts'
import type { Storage } from './storage.ts'

const KEY = 'files/ab/x'
const LARGE = 9 * 1_048_576

let server: S3Server
let storage: Storage

before(async () => {
  server = await startS3Server()
})
after(() => server.stop())
beforeEach(async () => {
  server.trouble = () => null
  // A line that has failed often asks less often.
  storage = bucketHome(server.bucket)
  await storage.put(KEY, Buffer.from('bytes'))
  server.asked.length = 0
})

afterEach(() => storage.close())

/** The first so many requests meet with it. */
function trouble(kind: Trouble, times = Number.POSITIVE_INFINITY, method?: string): void {
  let left = times
  server.trouble = asked => {
    if ((method && asked.method !== method) || left <= 0) return null
    left -= 1
    return kind
  }
}

const CALLS: Record<string, () => Promise<unknown>> = {
  get: async () => String(await storage.get(KEY).then(found => found && buffer(found.bytes))),
  head: async () => (await storage.head(KEY))?.byteSize,
  list: async () => (await storage.list('files/')).kept.length,
  put: async () => storage.put(KEY, Buffer.from('bytes')),
  delete: async () => storage.delete('files/ab/other'),
}

for (const [name, call] of Object.entries(CALLS))
  test(`${name} is asked again where the service is busy, cuts the line or says nothing, and three times at most`, async () => {
    const expected = await call()
    for (const kind of [503, 'cut'] as const) {
      trouble(kind, 1)
      assert.deepEqual(await call(), expected, kind.toString())
    }
    storage.close()
    storage = bucketHome(server.bucket, { answerWithinMs: 1_000 })
    trouble('silent', 1)
    assert.deepEqual(await call(), expected)
    server.asked.length = 0
    trouble('cut')
    await assert.rejects(call())
    assert.equal(server.asked.length, 3)
  })

test('a large put asks again for a part alone; what begins and ends it is asked once', async () => {
  const large = () => Readable.from([Buffer.alloc(LARGE, 7)])
  trouble(503, 1, 'PUT')
  await storage.put('exports/1.xlsx', large())
  assert.equal((await storage.head('exports/1.xlsx'))?.byteSize, LARGE)
  for (const name of ['uploads', 'uploadId']) {
    server.asked.length = 0
    server.trouble = ({ method, query }) => (method === 'POST' && name in query ? 503 : null)
    await assert.rejects(storage.put('exports/2.xlsx', large()))
    assert.equal(
      server.asked.filter(({ method }) => method === 'POST').filter(({ query }) => name in query).length,
      1,
    )
    assert.equal(await storage.head('exports/2.xlsx'), null)
    assert.equal(server.uploads.size, 0, 'it was aborted')
  }
})

test('half an answer is an error, never a short file', async () => {
  await storage.put('exports/3.xlsx', Buffer.alloc(LARGE))
  trouble('half', 1, 'GET')
  const found = await storage.get('exports/3.xlsx')
  await assert.rejects(buffer(found?.bytes ?? Readable.from([])))
})

test('a wrong secret, another bucket and a service that is gone are errors, not missing files', async () => {
  const { bucket } = server
  for (const wrong of [
    { secretAccessKey: 'wrong' },
    { accessKeyId: 'wrong' },
    { name: 'others' },
    { endpoint: 'http://127.0.0.1:1' },
  ]) {
    const other = bucketHome({ ...bucket, ...wrong })
    await assert.rejects(other.get(KEY), JSON.stringify(wrong))
    await assert.rejects(other.put(KEY, Buffer.from('x')), JSON.stringify(wrong))
    other.close()
  }
  assert.equal(String(await CALLS.get?.()), 'bytes')
})

test('an office that keeps its files on the disk loads nothing of the bucket; one with a bucket at the first use', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-lazy-'))
  try {
    assert.deepEqual(loadedFor({ dataDir, bucket: null }), [false, false])
    assert.deepEqual(loadedFor({ dataDir, bucket: { ...server.bucket, endpoint: 'http://127.0.0.1:1' } }), [
      false,
      true,
    ])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Whether a program has loaded the bucket's library when the storage is open, and when it was used. */
function loadedFor(env: object): boolean[] {
  const program = `
    import { registerHooks } from 'node:module'
    let loaded = false
    registerHooks({ resolve(name, context, next) {
      if (name.includes('aws-sdk')) loaded = true
      return next(name, context)
    } })
    const { openStorage } = await import('#server/storage/open-storage.ts')
    const storage = openStorage(${JSON.stringify(env)})
    const before = loaded
    await storage.put('files/ab/x', Buffer.from('x')).catch(() => undefined)
    await storage.get('files/ab/x').then(found => found?.bytes.destroy(), () => undefined)
    console.log(JSON.stringify([before, loaded]))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  return JSON.parse(stdout) as boolean[]
}
