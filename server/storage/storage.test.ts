// One contract, both homes: whoever is given a storage need not know which it is.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readEnv } from '#server/env.ts'
import { times } from '#test/lane.ts'
import { type S3Server, startS3Server } from '#test/s3-server.ts'
import { openStorage } from './open-storage.ts'
import { type Storage, wholeOf } from './storage.ts'

const MIB = 1_048_576
const PART = 8 * MIB
/** More than may lie in memory. */
const LARGE_MIB = times(256, 512)
/** What may lie in memory of a file on its way: a few parts, ours and the service's, more of them on a busy machine. */
const FLAT_MIB = 160
const LOOK_EVERY = 32 * MIB

const server: S3Server = await startS3Server()
const { bucket } = server
const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-storage-'))
after(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const onDisk = openStorage({ dataDir, bucket: null })
const inBucket = openStorage({ dataDir: '/nowhere', bucket })
after(() => inBucket.close())

type Home = {
  storage: Storage
  leftovers(): unknown[]
  /** By the clock that stamps its files. */
  nowMs(): number
}
const HOMES: Record<string, Home> = {
  'the disk': {
    storage: onDisk,
    leftovers: () => readdirSync(dataDir, { recursive: true }).filter(name => String(name).endsWith('.part')),
    nowMs() {
      const probe = join(dataDir, 'probe')
      writeFileSync(probe, '')
      return statSync(probe).mtimeMs
    },
  },
  'a bucket': { storage: inBucket, leftovers: () => [...server.uploads.keys()], nowMs: () => Date.now() },
}

for (const [name, { storage, leftovers, nowMs }] of Object.entries(HOMES))
  describe(name, () => {
    const read = (key: string) => wholeOf(storage, key)

    test('gives the same bytes back, of a buffer and of a stream, empty or across parts', async () => {
      for (const size of [0, 1, 70_000, PART - 1, PART, PART + 1]) {
        const bytes = randomBytes(size)
        await storage.put('files/ab/buffer', bytes)
        await storage.put('files/ab/stream', Readable.from(pieces(bytes)))
        for (const key of ['files/ab/buffer', 'files/ab/stream']) {
          assert.ok((await read(key))?.equals(bytes), `${key} of ${size} bytes`)
          assert.equal((await storage.get(key).then(drained))?.byteSize, size)
          const head = await storage.head(key)
          assert.deepEqual([head?.key, head?.byteSize], [key, size])
          assert.ok(Math.abs((head?.modifiedAt.getTime() ?? 0) - nowMs()) < 60_000)
        }
      }
    })

    test('gives a part back, and says how large it is', async () => {
      const bytes = randomBytes(70_000)
      await storage.put('files/ab/parts', bytes)
      for (const [from, to] of [
        [0, 0],
        [10, 60_000],
        [69_999, 69_999],
        [0, 69_999],
      ] as const) {
        const opened = await storage.get('files/ab/parts', { from, to })
        assert.equal(opened?.byteSize, to - from + 1)
        assert.ok(opened && (await buffer(opened.bytes)).equals(bytes.subarray(from, to + 1)))
      }
      assert.equal(await storage.get('files/ab/nothing', { from: 0, to: 1 }), null)
    })

    test('has nothing under a key that was never put, nor under half of one', async () => {
      await storage.put('files/cd/whole', Buffer.from('x'))
      for (const key of [
        'files/cd/other',
        'files/cd',
        'files/zz/nothing',
        'files/cd/whole/below',
        'exports/1',
      ])
        assert.deepEqual([await storage.get(key), await storage.head(key)], [null, null], key)
    })

    test('keeps what was put last, whichever was longer', async () => {
      for (const text of ['first and long', 'second', ''])
        for (const body of [Buffer.from(text), Readable.from([Buffer.from(text)])]) {
          await storage.put('exports/1.xlsx', body)
          assert.equal(String(await read('exports/1.xlsx')), text)
        }
    })

    test('deletes once, and says nothing the second time', async () => {
      await storage.put('exports/2.xlsx', Buffer.from('x'))
      await storage.delete('exports/2.xlsx')
      assert.equal(await storage.get('exports/2.xlsx'), null)
      await storage.delete('exports/2.xlsx')
      await storage.delete('files/zz/zz/zz')
    })

    test('lists what begins alike, in the order of whole keys, page by page', async () => {
      const keys = ['a', 'a-1', 'a.x', 'a/b', 'a/c/d', 'a0', 'b/1', 'b/2', 'c'].map(end => `sealed/l/${end}`)
      const inHomes = keys.filter(key => key !== 'sealed/l/a')
      for (const key of inHomes.toReversed()) await storage.put(key, Buffer.from(key))
      const listed = async (prefix: string, most?: number) => {
        const found: string[] = []
        for (let after: string | null = ''; after !== null; ) {
          const page: Awaited<ReturnType<Storage['list']>> = await storage.list(prefix, after, most)
          assert.ok(page.kept.length <= (most ?? 1_000))
          found.push(...page.kept.map(({ key }) => key))
          after = page.next
        }
        return found
      }
      for (const most of [1, 2, 3, inHomes.length, undefined])
        assert.deepEqual(await listed('sealed/l/', most), inHomes.toSorted(), `pages of ${most}`)
      assert.deepEqual(await listed('sealed/l/a/', 1), ['sealed/l/a/b', 'sealed/l/a/c/d'])
      assert.deepEqual(await listed('sealed/l/b', 1), ['sealed/l/b/1', 'sealed/l/b/2'])
      assert.deepEqual(await listed('sealed/none/'), [])
      const { kept } = await storage.list('sealed/l/c')
      assert.deepEqual([kept.length, kept[0]?.byteSize], [1, 'sealed/l/c'.length])
    })

    test('refuses keys that lead elsewhere, hide, or belong to nobody', async () => {
      writeFileSync(join(dataDir, 'secret-key'), 'secret')
      for (const key of [
        '',
        'secret-key',
        'files',
        'files/',
        '/files/ab/x',
        'files//x',
        'files/../secret-key',
        'files/..',
        'files/./x',
        'files/.hidden',
        'files/x/',
        'files/a\\b',
        'files/a b',
        'files/a\0b',
        'files/a%2fb',
        'files/A',
        'files/图',
        'files/x\n',
        'files/x.part',
        'postgres/base',
        'exports/1.xlsx?versionId=1',
        `files/${'a'.repeat(101)}`,
        'files/1/2/3/4/5',
      ]) {
        const words = /is no key of the storage/
        await assert.rejects(storage.get(key), words, key)
        await assert.rejects(storage.head(key), words, key)
        await assert.rejects(storage.delete(key), words, key)
        await assert.rejects(storage.put(key, Buffer.from('x')), words, key)
      }
      for (const prefix of ['', '.', 'files', '/', 'files/../', 'postgres/', 'files/.', 'files//'])
        await assert.rejects(storage.list(prefix), /cannot be listed/, prefix)
      const stream = Readable.from([Buffer.from('x')])
      await assert.rejects(storage.put('files/../x', stream))
      assert.ok(stream.destroyed)
    })

    test('half a stream leaves nothing, and what was there before stays', async () => {
      for (const size of [10, 70_000, PART + 10, 2 * PART + 10]) {
        await storage.delete('exports/3.xlsx')
        await assert.rejects(storage.put('exports/3.xlsx', broken(size)), /the source broke/)
        assert.equal(await storage.head('exports/3.xlsx'), null)
        await storage.put('exports/3.xlsx', Buffer.from('before'))
        await assert.rejects(storage.put('exports/3.xlsx', broken(size)), /the source broke/)
        assert.equal(String(await read('exports/3.xlsx')), 'before')
      }
      assert.deepEqual(leftovers(), [])
      assert.deepEqual(
        (await storage.list('exports/3')).kept.map(({ key }) => key),
        ['exports/3.xlsx'],
      )
    })

    test('a stream that is ended from outside is half a stream', async () => {
      const stream = new Readable({ read: () => undefined })
      stream.push(Buffer.alloc(10))
      const put = storage.put('exports/4.xlsx', stream)
      stream.destroy()
      await assert.rejects(put)
      assert.equal(await storage.head('exports/4.xlsx'), null)
      assert.deepEqual(leftovers(), [])
    })

    test('what a killed program left is cleared when it is old, and nothing else', async () => {
      await storage.put('exports/5.xlsx', Buffer.from('whole'))
      if (name === 'the disk') writeFileSync(join(dataDir, 'exports', '6.xlsx.0.part'), 'half')
      else await leaveUpload('exports/6.xlsx')
      await storage.clearUnfinished(new Date(nowMs() - 60_000))
      assert.equal(leftovers().length, 1, 'it may still be at work')
      await storage.clearUnfinished(new Date(nowMs() + 60_000))
      assert.deepEqual(leftovers(), [])
      assert.equal(String(await read('exports/5.xlsx')), 'whole')
    })

    test('many at once do not mix', async () => {
      const all = Array.from({ length: 40 }, (_, i) => randomBytes(1_000 + i))
      await Promise.all(all.map((bytes, i) => storage.put(`files/m/${i}`, bytes)))
      const back = await Promise.all(all.map((_, i) => read(`files/m/${i}`)))
      assert.ok(all.every((bytes, i) => back[i]?.equals(bytes)))
    })

    test('a file that was asked to be whole is refused when it is too large for that', async () => {
      await storage.put('exports/7.xlsx', Readable.from(pieces(Buffer.alloc(17 * MIB))))
      await assert.rejects(read('exports/7.xlsx'), /too many to be read at once/)
    })

    test(`${LARGE_MIB} MiB go in and out with flat memory`, async () => {
      const sent = createHash('sha256')
      const watched = watchMemory()
      const source = Readable.from(
        (async function* () {
          for (let i = 0; i < LARGE_MIB; i++) {
            const bytes = randomBytes(MIB)
            sent.update(bytes)
            watched.passed(bytes)
            yield bytes
          }
        })(),
      )
      await storage.put('exports/8.xlsx', source)
      const opened = await storage.get('exports/8.xlsx')
      assert.equal(opened?.byteSize, LARGE_MIB * MIB)
      const back = createHash('sha256')
      for await (const chunk of opened?.bytes ?? []) {
        back.update(chunk as Buffer)
        watched.passed(chunk as Buffer)
      }
      assert.equal(back.digest('hex'), sent.digest('hex'))
      assert.ok(watched.mostMib() < FLAT_MIB, `${watched.mostMib()} MiB were held`)
      await storage.delete('exports/8.xlsx')
    })
  })

test('both homes list the same keys in the same order', async () => {
  const keysOf = async (storage: Storage) => (await storage.list('sealed/')).kept.map(({ key }) => key)
  assert.deepEqual(await keysOf(inBucket), await keysOf(onDisk))
})

test('without a setting files lie on the disk; with some of a bucket the start is refused in words', () => {
  const all = {
    STORAGE_S3_ENDPOINT: 'https://s3.example.com',
    STORAGE_S3_BUCKET: 'office-files',
    STORAGE_S3_ACCESS_KEY_ID: 'id',
    STORAGE_S3_SECRET_ACCESS_KEY: 'secret',
  }
  assert.equal(readEnv({}).bucket, null)
  assert.deepEqual(readEnv(all).bucket, {
    ...{ endpoint: 'https://s3.example.com', name: 'office-files', region: 'us-east-1' },
    ...{ accessKeyId: 'id', secretAccessKey: 'secret', style: 'path' },
  })
  for (const name of Object.keys(all))
    assert.throws(() => readEnv({ ...all, [name]: '' }), new RegExp(`${name}: is required to keep files`))
  for (const [name, value] of [
    ['STORAGE_S3_ENDPOINT', 's3.example.com'],
    ['STORAGE_S3_ENDPOINT', 'https://s3.example.com/bucket'],
    ['STORAGE_S3_ENDPOINT', 'https://id:secret@s3.example.com'],
    ['STORAGE_S3_BUCKET', '../other'],
    ['STORAGE_S3_REGION', 'a b'],
    ['STORAGE_S3_STYLE', 'dns'],
  ] as const)
    assert.throws(
      () => readEnv({ ...all, [name]: value }),
      new RegExp(`${name}: must be|${name}: must start`),
    )
})

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

function broken(size: number): Readable {
  return Readable.from(
    (function* () {
      yield* pieces(randomBytes(size))
      throw new Error('the source broke')
    })(),
  )
}

async function drained<T extends { bytes: Readable } | null>(opened: T): Promise<T> {
  if (opened) await buffer(opened.bytes)
  return opened
}

async function leaveUpload(key: string): Promise<void> {
  const { CreateMultipartUploadCommand, S3Client } = await import('@aws-sdk/client-s3')
  const { endpoint, region, name, accessKeyId, secretAccessKey } = bucket
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateMultipartUploadCommand({ Bucket: name, Key: key }))
  client.destroy()
}

/** Looks now and then at what is held while bytes pass, and not at what waits to be collected. */
function watchMemory() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    collect()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return (arrayBuffers + heapUsed) / MIB
  }
  const before = held()
  let most = 0
  let since = 0
  return {
    passed(bytes: Buffer) {
      since += bytes.length
      if (since < LOOK_EVERY) return
      since = 0
      most = Math.max(most, held() - before)
    },
    mostMib: () => Math.round(most),
  }
}
