import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import test, { after } from 'node:test'
import { packFolder, unpackInto } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-office-tar-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const from = join(folder, 'from')
const LARGE = randomBytes(1_500_000)
mkdirSync(join(from, 'base/1'), { recursive: true })
mkdirSync(join(from, 'pg_wal'))
writeFileSync(join(from, 'base/1/large'), LARGE)
writeFileSync(join(from, 'base/1/whole'), Buffer.alloc(512, 'x'))
writeFileSync(join(from, 'empty'), '')
writeFileSync(join(from, 'pg_wal/0001'), 'left out')
writeFileSync(join(from, 'postmaster.pid'), 'left out')

const isWanted = (path: string) => !['pg_wal/*', 'postmaster.pid'].includes(path)

async function packed() {
  const { stream, told } = packFolder(from, isWanted)
  const bytes = await buffer(Readable.from(stream, { objectMode: false }))
  return { bytes, told: told() }
}

test('files and folders come back as they were, without what is not wanted', async () => {
  const { bytes, told } = await packed()
  const to = join(folder, 'to')
  const found = await unpackInto(to, Readable.from([bytes]))
  assert.deepEqual(found, told)
  assert.deepEqual([told.files, told.bytes], [3, 1_500_512])
  assert.ok(readFileSync(join(to, 'base/1/large')).equals(LARGE))
  assert.equal(readFileSync(join(to, 'empty'), 'utf8'), '')
  assert.throws(() => readFileSync(join(to, 'pg_wal/0001')), /ENOENT/)
  assert.throws(() => readFileSync(join(to, 'postmaster.pid')), /ENOENT/)
})

test('tar reads it, too', async () => {
  const { bytes } = await packed()
  const listed = spawnSync('tar', ['-tf', '-'], { input: bytes, encoding: 'utf8' })
  assert.deepEqual(
    [listed.status, listed.stdout.trim().split('\n')],
    [0, ['base/', 'base/1/', 'base/1/large', 'base/1/whole', 'empty', 'pg_wal/']],
  )
})

test('what is cut off, and what leads out of the folder, is refused', async () => {
  const { bytes } = await packed()
  await assert.rejects(
    unpackInto(join(folder, 'cut'), Readable.from([bytes.subarray(0, 700_000)])),
    /the archive is cut off/,
  )
  const out = Buffer.from(bytes)
  out.write('../base/\0', 0)
  await assert.rejects(unpackInto(join(folder, 'out'), Readable.from([out])), /leads out of the folder/)
})
