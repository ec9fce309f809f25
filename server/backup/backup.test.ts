// A small database of its own with files beside it, backed up while it is written to, and brought back: to the end and to a moment, from a
// folder and from a bucket; and everything that must not be taken for a backup.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { type Backup, type Env, readEnv } from '#server/env.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { plainPlace } from '#server/storage/file-bytes.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { type Storage, wholeOf } from '#server/storage/storage.ts'
import { type S3Server, startS3Server } from '#test/s3-server.ts'
import { addChanges, alone, makeBackup, vaultOf, type Work } from './backup.ts'
import { LineBroken } from './database.ts'
import { chosenBackup, refuseUnlessEmpty, restoreDatabase, restoreFiles, restoreKeys } from './restore.ts'
import { openVault, type Vault } from './vault.ts'

const KEY = '5'.repeat(64)
const CHECKPOINT = 'checkpoints/ledger/2026-11-30.jsonl'
const silent = () => undefined

const folder = mkdtempSync(join(tmpdir(), 'partner-office-backup-'))
const dataDir = join(folder, 'data')
const vaultDir = join(folder, 'vault')
let server: EmbeddedPostgres
let owner: pg.Client
let beside: pg.Client
let storage: Storage
let env: Env
let s3: S3Server

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

before(async () => {
  s3 = await startS3Server()
  server = await startEmbeddedPostgres({ dataDir, durable: false, log: silent })
  owner = await connected(server.ownerUrl)
  beside = await connected(server.ownerUrl)
  await owner.query(
    'create table files (id uuid primary key); create table marks (id int primary key, padding text)',
  )
  storage = openStorage({ dataDir, bucket: null })
  env = readEnv({ DATA_DIR: dataDir, BACKUP_FOLDER: vaultDir, BACKUP_KEY: KEY, BACKUP_KEEP: '2' })
  writeFileSync(join(dataDir, 'secret-key'), 'a'.repeat(64))
})
after(async () => {
  await beside.end()
  await owner.end()
  await server.stop()
  await s3.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Backups of a test of their own. */
function vaultIn(name: string, more: Partial<Backup> = {}): { vault: Vault; work: Work } {
  const backup = { home: { bucket: null, dataDir: join(vaultDir, name) }, key: KEY, keep: 2, ...more }
  const vault = openVault(backup)
  let second = 0
  // Names of backups have seconds.
  const now = () => new Date(Date.UTC(2026, 10, 30, 12, 0, second++))
  return { vault, work: { owner, vault, storage, env: { ...env, backup }, now } }
}

async function addFile(text: string): Promise<string> {
  const id = randomUUID()
  await storage.put(plainPlace(id), Buffer.from(text))
  await owner.query('insert into files values ($1)', [id])
  return id
}

async function removeFile(id: string): Promise<void> {
  await owner.query('delete from files where id = $1', [id])
  await storage.delete(plainPlace(id))
}

let marks = 0
async function addMark(): Promise<number> {
  await owner.query(`insert into marks values ($1, repeat('x', 500))`, [++marks])
  return marks
}

/** Behind whatever was committed, and before what will be: its clock is finer than ours. */
async function momentOfDatabase(): Promise<Date> {
  await owner.query('select pg_sleep(0.01)')
  const { rows } = await owner.query<{ at: Date }>('select clock_timestamp() as at')
  await owner.query('select pg_sleep(0.01)')
  return (rows[0] as { at: Date }).at
}

const signed = (...moments: Date[]) =>
  storage.put(
    CHECKPOINT,
    Buffer.from(
      moments
        .map(
          at =>
            `${JSON.stringify({ checkpoint: JSON.stringify({ at: at.toISOString() }), signature: '' })}\n`,
        )
        .join(''),
    ),
  )

let folders = 0
/** What is found in a restored office; its server is ended again. */
async function restored(vault: Vault, moment: Date | null = null) {
  const to = join(folder, `restored-${++folders}`)
  const manifest = await chosenBackup(vault, moment)
  await restoreKeys({ vault, manifest }, to)
  const back = await restoreDatabase(
    { vault, manifest, moment },
    { dataDir: to, durable: false, log: silent },
  )
  const client = await connected(back.ownerUrl)
  const home = openStorage({ dataDir: to, bucket: null })
  try {
    const files = await restoreFiles({ vault, manifest, moment }, client, home)
    const { rows } = await client.query<{ id: number }>('select id from marks order by id')
    const texts = await client.query<{ id: string }>('select id from files')
    const read = await Promise.all(texts.rows.map(({ id }) => wholeOf(home, plainPlace(id))))
    return {
      files,
      marks: rows.map(({ id }) => id),
      archives: (await home.list('archives/')).kept.map(({ key }) => key),
      texts: read.map(String).sort(),
      lines: String(await wholeOf(home, CHECKPOINT)).split('\n').length - 1,
      forgotten: String(await wholeOf(home, 'erasures/pe1.json')),
      secret: readFileSync(join(to, 'secret-key'), 'utf8'),
      signing: existsSync(join(to, 'checkpoint-key.pem'))
        ? readFileSync(join(to, 'checkpoint-key.pem'), 'utf8')
        : null,
    }
  } finally {
    await client.end()
    await back.stop()
  }
}

const allMarks = () => Array.from({ length: marks }, (_, i) => i + 1)

test('an office that is written to is kept and comes back, to its end and to a moment', async () => {
  const { vault, work } = vaultIn('moment')
  await addMark()
  const first = await addFile('first')
  await signed(new Date(Date.now() - 3_600_000))
  let writing = true
  const writer = (async () => {
    const client = await connected(server.ownerUrl)
    for (; writing; ) await client.query('insert into marks values ($1)', [++marks])
    await client.end()
  })()
  const manifest = await makeBackup(work, beside)
  writing = false
  await writer
  assert.deepEqual([manifest.fileRows, manifest.files.length, manifest.keys.length], [1, 1, 2])
  await addFile('second')
  const before = await addMark()
  const moment = await momentOfDatabase()
  await addMark()
  await addFile('third')
  await storage.put('erasures/pe1.json', Buffer.from('forgotten later'))
  writeFileSync(join(dataDir, 'checkpoint-key.pem'), 'made with the first checkpoint')
  await signed(new Date(Date.now() - 3_600_000), new Date(Date.now() + 1_000))
  const archive = 'archives/operation-log/2021-01-0badf00d'
  await storage.put(archive, Buffer.from('a month'))
  await addChanges(work)
  await storage.delete(archive)
  const end = await restored(vault)
  assert.deepEqual(end.archives, [archive])
  assert.deepEqual([end.marks, end.texts], [allMarks(), ['first', 'second', 'third']])
  assert.deepEqual([end.lines, end.files.missing, end.files.leftOut], [2, 0, 0])
  assert.deepEqual([end.secret, end.signing], ['a'.repeat(64), 'made with the first checkpoint'])
  const then = await restored(vault, moment)
  assert.deepEqual([then.marks.at(-1), then.texts], [before, ['first', 'second']])
  // Who was forgotten behind that moment is back, and known to be.
  assert.equal(then.forgotten, 'forgotten later')
  // Signed behind that moment: the rows are not there any more.
  assert.deepEqual([then.lines, then.files.leftOut, then.files.missing], [1, 1, 0])
  await removeFile(first)
  const later = new Date((await momentOfDatabase()).getTime() + 60_000)
  await assert.rejects(restored(vault, later), /What was changed is kept up to .*, not up to /)
  await assert.rejects(
    restored(vault, new Date('2026-01-01')),
    /No backup is as old: the oldest can be restored to /,
  )
})

test('where nothing is changed, time passes all the same', async () => {
  const { vault, work } = vaultIn('idle')
  await makeBackup(work, beside)
  await owner.query('checkpoint')
  const kept = await addChanges(work)
  const again = await addChanges(work)
  assert.ok(kept && again && again.upTo > kept.upTo)
  const idle = await restored(vault, new Date(again.upTo))
  assert.deepEqual(idle.marks, allMarks())
})

test('a bucket keeps it as a folder does', async () => {
  const { vault, work } = vaultIn('none', { home: { bucket: s3.bucket, dataDir: '' } })
  await makeBackup(work, beside)
  const mark = await addMark()
  await addChanges(work)
  const { marks: found, texts } = await restored(vault)
  assert.deepEqual([found.at(-1), texts.slice(-2)], [mark, ['second', 'third']])
  assert.ok(s3.keys().every(key => key.startsWith('backups/')))
  vault.close()
})

test('no byte of it is readable, and none can be changed without being found', async () => {
  const { vault, work } = vaultIn('sealed')
  await addFile('a paper of somebody')
  const { name } = await makeBackup(work, beside)
  const all = readdirSync(join(vaultDir, 'sealed'), { recursive: true, withFileTypes: true }).filter(one =>
    one.isFile(),
  )
  for (const { parentPath, name: file } of all)
    assert.ok(!readFileSync(join(parentPath, file)).includes('a paper of somebody'), file)
  await assert.rejects(
    chosenBackup(openVault({ ...(work.env.backup as Backup), key: '6'.repeat(64) }), null),
    /BACKUP_KEY is another/,
  )
  for (const part of [`${name}/base`, `files/${(await vault.list('files/'))[0]?.name.slice(6)}`]) {
    const path = join(vaultDir, 'sealed/backups', part)
    const whole = readFileSync(path)
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20)
    writeFileSync(path, changed)
    await assert.rejects(restored(vault), /does not open/, part)
    writeFileSync(path, whole.subarray(0, -1))
    await assert.rejects(restored(vault), /does not open|cut off/, part)
    writeFileSync(path, whole)
  }
  const [segment = ''] = (await vault.list('wal/')).map(one => one.name)
  rmSync(join(vaultDir, 'sealed/backups', segment))
  await assert.rejects(restored(vault), /1 segments of the database's log are missing, the first 0000/)
})

test('a half backup is none, the older ones go, and what only they held with them', async () => {
  const { vault, work } = vaultIn('kept')
  const gone = await addFile('soon gone')
  await makeBackup(work, beside)
  const second = await makeBackup(work, beside)
  await removeFile(gone)
  await assert.rejects(
    makeBackup(
      { ...work, storage: { ...storage, list: () => Promise.reject(new Error('no disk')) } },
      beside,
    ),
    /no disk/,
  )
  const stopped = { ...vault, writeManifest: () => Promise.reject(new Error('killed')) }
  await assert.rejects(makeBackup({ ...work, vault: stopped }, beside), /killed/)
  const half = await vault.generations()
  assert.deepEqual(
    half.map(({ isWhole }) => isWhole),
    [true, true, false],
  )
  assert.equal((await chosenBackup(vault, null)).name, second.name)
  const third = await makeBackup(work, beside)
  const left = await vault.generations()
  assert.deepEqual(left, [
    { name: second.name, isWhole: true },
    { name: third.name, isWhole: true },
  ])
  const fileOfGone = `files/${plainPlace(gone)}`
  const lies = async () => (await vault.list('files/')).some(({ name }) => name === fileOfGone)
  assert.equal(await lies(), true)
  const segments = async () => (await vault.list('wal/')).length
  const before = await segments()
  await makeBackup(work, beside)
  assert.equal(await lies(), false)
  assert.ok((await segments()) <= before + 1)
  assert.deepEqual((await restored(vault)).marks, allMarks())
})

test('a log that was not held, and another database, need a whole backup', async () => {
  const { vault, work } = vaultIn('broken')
  assert.equal(await addChanges(work), null)
  const one = await makeBackup(work, beside)
  await owner.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots')
  await assert.rejects(addChanges(work), LineBroken)
  const other = await makeBackup(work, beside)
  assert.notEqual(one.base?.line, other.base?.line)
  await addMark()
  await addChanges(work)
  assert.deepEqual((await restored(vault)).marks, allMarks())
})

test('one at a time', async () => {
  const other = await connected(server.ownerUrl)
  const taken = await alone(owner, () => alone(other, async () => 'both'))
  assert.equal(taken, null)
  assert.equal(await alone(other, async () => 'alone'), 'alone')
  await other.end()
})

test('nothing is restored over anything', async () => {
  const to = join(folder, 'full')
  mkdirSync(to)
  const home = { ...env, dataDir: to }
  await refuseUnlessEmpty(home, storage)
  writeFileSync(join(to, 'secret-key'), '')
  await assert.rejects(refuseUnlessEmpty(home, storage), /full is not empty/)
  const bucket = openStorage({ dataDir: '', bucket: s3.bucket })
  const inBucket = { ...env, dataDir: join(folder, 'none'), bucket: s3.bucket }
  await refuseUnlessEmpty(inBucket, bucket)
  await bucket.put('files/ab/x', Buffer.from('x'))
  await assert.rejects(refuseUnlessEmpty(inBucket, bucket), /The bucket papers is not empty/)
  bucket.close()
})

test('without a place there is none', () => {
  assert.throws(() => vaultOf(readEnv({})), /Backups have no place: set BACKUP_FOLDER/)
})
