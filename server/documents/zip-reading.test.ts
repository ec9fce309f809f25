import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import { type ZipPiece, zip } from './zip.ts'
import { Altered, openParts } from './zip-reading.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'zip-reading-'))
})
after(() => rmSync(folder, { recursive: true }))

async function* pieces(...given: ZipPiece[]): AsyncGenerator<ZipPiece> {
  yield* given
}

async function readBack(bytes: Buffer): Promise<[string, string][]> {
  const path = join(folder, 'archive.zip')
  await writeFile(path, bytes)
  const file = await open(path, 'r')
  try {
    const parts = await openParts(file)
    const read: [string, string][] = []
    for (const entry of parts.entries) {
      const found: Buffer[] = []
      for await (const part of parts.bytesOf(entry)) found.push(part)
      read.push([entry.name, Buffer.concat(found).toString()])
    }
    return read
  } finally {
    await file.close()
  }
}

const SMALL = [
  { name: '商户/商户.csv', bytes: Buffer.from('一') },
  { name: '商户/商户.csv', bytes: Buffer.from('二') },
  { name: 'empty.txt', bytes: Buffer.alloc(0) },
  { name: '证明.json', whole: () => Buffer.from('{}') },
]

test('what was put in comes out: names in Chinese, parts in pieces, empty ones and whole ones', async () => {
  assert.deepEqual(await readBack(await buffer(zip(pieces(...SMALL)))), [
    ['商户/商户.csv', '一二'],
    ['empty.txt', ''],
    ['证明.json', '{}'],
  ])
})

test('a whole part is made when all before it has been handed on', async () => {
  let handed = 0
  let seen = 0
  const given: ZipPiece[] = [
    { name: 'first', bytes: Buffer.from('bytes') },
    {
      name: 'last',
      whole: () => {
        seen = handed
        return Buffer.alloc(0)
      },
    },
  ]
  const chunks: Buffer[] = []
  for await (const chunk of zip(pieces(...given))) {
    chunks.push(chunk)
    handed += chunk.length
  }
  const rest = Buffer.concat(chunks).indexOf(Buffer.from('last')) - 30
  assert.equal(seen, rest)
})

test('a byte that is another is found, or says nothing: those that fill up a packed part', async () => {
  const bytes = await buffer(zip(pieces(...SMALL)))
  const original = JSON.stringify(await readBack(bytes))
  for (let at = 0; at < bytes.length; at++) {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 0x55
    const found = await readBack(copy).then(
      read => JSON.stringify(read),
      error => (error instanceof Altered ? 'altered' : String(error)),
    )
    assert.ok(found === 'altered' || found === original, `byte ${at}: ${found}`)
  }
})

test('a part that is read in many pieces says no warning', async () => {
  const warnings: string[] = []
  const hear = ({ message }: Error) => void warnings.push(message)
  process.on('warning', hear)
  try {
    // What cannot be packed is longest.
    const piece = (): ZipPiece => ({ name: 'long', bytes: randomBytes(4.5 * 1_048_576) })
    const [[, read] = []] = await readBack(await buffer(zip(pieces(piece(), piece(), piece()))))
    assert.ok(read)
    // Warnings are told by the next turn.
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(warnings, [])
  } finally {
    process.off('warning', hear)
  }
})

test('it may hold more parts than the short end of an archive can count', async () => {
  const many = Array.from(
    { length: 65_600 },
    (_, nth): ZipPiece => ({
      name: `${nth}`,
      whole: () => Buffer.from(`${nth}`),
    }),
  )
  const read = await readBack(await buffer(zip(pieces(...many))))
  assert.equal(read.length, many.length)
  assert.deepEqual(read.at(-1), ['65599', '65599'])
})
