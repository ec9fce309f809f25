import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import test from 'node:test'
import { openStream, PIECE_BYTES, sealedBytes, sealStream, Unopened } from './seal-stream.ts'

const KEY = '3'.repeat(64)
const NAME = '20261130t120000z/base'

/** In chunks of so many bytes, as they come from a disk or a bucket. */
async function through(bytes: Buffer, by: ReturnType<typeof sealStream>, chunk = 70_000): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  )
  const [made] = await Promise.all([buffer(by), pipeline(Readable.from(chunks), by)])
  return made
}
const sealed = (bytes: Buffer) => through(bytes, sealStream(KEY, NAME))
const opened = (bytes: Buffer, key = KEY, name = NAME) => through(bytes, openStream(key, name))

test('what is sealed opens as it was, of any size, and is as large as is said', async () => {
  for (const size of [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES]) {
    const bytes = randomBytes(size)
    const made = await sealed(bytes)
    assert.equal(made.length, sealedBytes(size), String(size))
    assert.ok((await opened(made)).equals(bytes), String(size))
  }
})

test('the same bytes are never sealed alike, and stand nowhere as they are', async () => {
  const bytes = Buffer.alloc(1_000, 'a paper ')
  const [one, other] = [await sealed(bytes), await sealed(bytes)]
  assert.ok(!one.equals(other))
  assert.ok(!one.includes('a paper '))
})

test('another key, another name, and whatever was changed, cut, left out or put elsewhere does not open', async () => {
  const made = await sealed(randomBytes(2 * PIECE_BYTES + 10))
  const frame = PIECE_BYTES + 16
  const head = made.subarray(0, 20)
  const [first, second, last] = [
    made.subarray(20, 20 + frame),
    made.subarray(20 + frame, 20 + 2 * frame),
    made.subarray(20 + 2 * frame),
  ]
  await assert.rejects(opened(made, '4'.repeat(64)), Unopened)
  await assert.rejects(opened(made, KEY, '20261130t120000z/other'), Unopened)
  for (const at of [0, 5, 20, made.length - 1]) {
    const changed = Buffer.from(made)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    await assert.rejects(opened(changed), Unopened, String(at))
  }
  for (const parts of [
    [],
    [head],
    [head, first],
    [head, first, second],
    [head, second, first, last],
    [head, first, last],
  ])
    await assert.rejects(opened(Buffer.concat(parts)), Unopened, String(parts.length))
})
