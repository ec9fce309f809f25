// Archives of whole files, read by way of their directory as programs read them.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import test from 'node:test'
import { crc32 } from 'node:zlib'
import { type StoredFile, storedZip } from './stored-zip.ts'

async function* filesOf(...files: StoredFile[]): AsyncGenerator<StoredFile> {
  yield* files
}
const at = new Date('2026-11-26T03:04:06Z')
const file = (name: string, text: string): StoredFile => ({ name, bytes: Buffer.from(text), modifiedAt: at })
const archived = async (files: StoredFile[], zip64FromByte?: number) =>
  buffer(storedZip(filesOf(...files), zip64FromByte) as never)

/** What the directory names, with the bytes that lie where it says. */
function read(archive: Buffer): [name: string, text: string][] {
  const found: [string, string][] = []
  let entry = archive.readUInt32LE(archive.length - 22 + 16)
  if (entry === 0xffff_ffff) entry = Number(archive.readBigUInt64LE(archive.length - 22 - 20 - 56 + 48))
  while (archive.readUInt32LE(entry) === 0x0201_4b50) {
    const nameLength = archive.readUInt16LE(entry + 28)
    const size = archive.readUInt32LE(entry + 20)
    const said = archive.readUInt32LE(entry + 42)
    const begins = said === 0xffff_ffff ? Number(archive.readBigUInt64LE(entry + 46 + nameLength + 4)) : said
    const name = archive.toString('utf8', entry + 46, entry + 46 + nameLength)
    assert.equal(archive.readUInt16LE(entry + 8), 0x0800, 'its name is UTF-8, its size in its head')
    assert.equal(archive.readUInt16LE(entry + 10), 0, 'stored')
    assert.equal(archive.readUInt32LE(begins), 0x0403_4b50)
    assert.equal(archive.readUInt32LE(begins + 18), size)
    const from = begins + 30 + archive.readUInt16LE(begins + 26)
    const bytes = archive.subarray(from, from + size)
    assert.equal(crc32(bytes), archive.readUInt32LE(entry + 16))
    found.push([name, bytes.toString()])
    entry += 46 + nameLength + archive.readUInt16LE(entry + 30)
  }
  return found
}

test('files come back under their names, in their order, empty ones too', async () => {
  const files = [
    file('10001_营业执照_2026-11-26.jpg', '一'),
    file('b.jpg', ''),
    file('a.jpg', 'x'.repeat(70_000)),
  ]
  assert.deepEqual(
    read(await archived(files)),
    files.map(({ name, bytes }) => [name, bytes.toString()]),
  )
})

test('an archive of nothing is one', async () => assert.deepEqual(read(await archived([])), []))

test('beyond the 32-bit fields the directory has wider ones', async () => {
  const files = [file('a.jpg', 'first'), file('b.jpg', 'second'), file('c.jpg', 'third')]
  assert.deepEqual(
    read(await archived(files, 40)),
    files.map(({ name, bytes }) => [name, bytes.toString()]),
  )
})

test('the day and the time are those of Shanghai', async () => {
  const archive = await archived([file('a.jpg', 'x')])
  const [time, date] = [archive.readUInt16LE(10), archive.readUInt16LE(12)]
  assert.deepEqual([time >> 11, (time >> 5) & 63, (time & 31) * 2], [11, 4, 6])
  assert.deepEqual([(date >> 9) + 1980, (date >> 5) & 15, date & 31], [2026, 11, 26])
})

test('a name that leads elsewhere is none', async () => {
  for (const name of ['../a.jpg', 'a/b.jpg', 'a\\b.jpg', 'a\0.jpg'])
    await assert.rejects(archived([file(name, 'x')]), /no plain name/)
})
