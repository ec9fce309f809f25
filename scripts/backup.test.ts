// npm run backup and npm run restore as whoever runs them sees them: what they say, what they exit with, what is remembered. With a database of
// its own, whose rows are kept by other means; what becomes of the embedded one is tried in server/backup and by npm run faults -- backup.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { plainPlace } from '#server/storage/file-bytes.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { makeAgent } from '#test/make.ts'

const QUICK = `--import=${new URL('./quick-loading.ts', import.meta.url)}`
const KEY = '7'.repeat(64)

let office: Office
let folder: string
let agentId: number
before(async () => {
  office = await openOffice()
  folder = mkdtempSync(join(tmpdir(), 'partner-office-backups-'))
  agentId = (await makeAgent(office, { tokens: 100 })).id
})
after(async () => {
  await office.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(script: 'backup' | 'restore', args: string[] = [], settings: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(`./${script}.ts`, import.meta.url))
  const child = spawn(process.execPath, [QUICK, file, ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: office.ownerUrl,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: TEST_SECRET,
      BACKUP_FOLDER: join(folder, 'vault'),
      BACKUP_KEY: KEY,
      ...settings,
    },
  })
  const [said, complained, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status, said: `${said}${complained}`.trim() }
}

/** A file that a row names, as an upload leaves it. */
async function upload(words: string): Promise<string> {
  const id = randomUUID()
  await openStorage({ dataDir: join(folder, 'data'), bucket: null }).put(plainPlace(id), Buffer.from(words))
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values ($1, $2, 'logo', 'image/png', 1, 1, $3, 1, now())`,
    [id, agentId, words.length],
  )
  return id
}

const noted = async () => {
  const { rows } = await office.owner.query<{ service: string }>(
    `select service from service_checks where service in ('files', 'database', 'changes', 'restore') order by service`,
  )
  return rows.map(({ service }) => service)
}

test('without a place or a key it ends with 2 and says what is missing', async () => {
  assert.deepEqual(await run('backup', [], { BACKUP_FOLDER: '', BACKUP_KEY: '' }), {
    status: 2,
    said: 'Backups have no place: set BACKUP_FOLDER or BACKUP_S3_ENDPOINT and those with it, and BACKUP_KEY.',
  })
  for (const [settings, words] of [
    [{ BACKUP_KEY: '' }, /BACKUP_KEY: is required to make or read backups/],
    [{ BACKUP_FOLDER: 'backups' }, /BACKUP_FOLDER: must be a whole path/],
    [{ BACKUP_FOLDER: join(folder, 'data/backups') }, /BACKUP_FOLDER: must lie apart from DATA_DIR/],
  ] as const) {
    const { status, said } = await run('restore', ['--list'], settings)
    assert.equal(status, 2)
    assert.match(said, words)
  }
})

test('what was never backed up is not added to, and not restored', async () => {
  assert.deepEqual(await run('backup', ['--changes']), {
    status: 1,
    said: 'There is no backup to add to. Make a whole one: npm run backup.',
  })
  const restored = await run('restore', [], { DATA_DIR: join(folder, 'nothing') })
  assert.deepEqual(restored, { status: 1, said: 'There is no whole backup here.' })
})

test('an office is backed up, added to, restored and looked through, and all of it is remembered', async () => {
  await upload('first')
  const made = await run('backup')
  assert.equal(made.status, 0, made.said)
  assert.match(made.said, /^backup \d{8}t\d{6}z database=elsewhere files=1 file_rows=1 file_bytes=5 seconds=/)
  const id = await upload('second')
  const added = await run('backup', ['--changes'])
  assert.deepEqual([added.status, /^backup changes up_to=2/.test(added.said)], [0, true], added.said)
  const back = join(folder, 'back')
  const restored = await run('restore', [], { DATA_DIR: back })
  assert.equal(restored.status, 0, restored.said)
  assert.match(restored.said, /^files sound rows=2 restored=2 missing=0 bytes=11 /m)
  assert.match(restored.said, /^ledger sound /m)
  assert.match(restored.said, /^operation log sound /m)
  assert.match(restored.said, /^restore sound from=\d{8}t\d{6}z /m)
  assert.equal(readFileSync(join(back, plainPlace(id)), 'utf8'), 'second')
  assert.deepEqual(await noted(), ['files'])
  await run('backup', ['--changes'])
  assert.deepEqual(await noted(), ['files', 'restore'])
  const listed = await run('restore', ['--list'])
  assert.match(listed.said, /^\d{8}t\d{6}z from=2\S+ files=1$/)
})

test('a folder that is not empty, a wrong key and a wrong moment are refused before anything is written', async () => {
  const full = await run('restore')
  assert.equal(full.status, 1)
  assert.match(full.said, /data is not empty\. Restore into a folder that holds nothing/)
  const none = join(folder, 'none')
  for (const [args, settings, words] of [
    [[], { BACKUP_KEY: '8'.repeat(64) }, /BACKUP_KEY is another, or it was changed/],
    [['--to', 'yesterday'], {}, /--to yesterday is no moment with its time zone/],
    [['--to', '2026-01-01T00:00:00Z'], {}, /No backup is as old/],
  ] as const) {
    const { status, said } = await run('restore', [...args], { DATA_DIR: none, ...settings })
    assert.equal(status, 1)
    assert.match(said, words)
    assert.equal(existsSync(none), false)
  }
})

test('a row whose bytes are in no backup is told, and the restore is not sound', async () => {
  const id = randomUUID()
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
     values ($1, $2, 'logo', 'image/png', 1, 1, 1, 1, now())`,
    [id, agentId],
  )
  const { status, said } = await run('restore', [], { DATA_DIR: join(folder, 'wanting') })
  assert.equal(status, 1)
  assert.match(said, /^files MISSING rows=3 restored=2 missing=1 /m)
  assert.match(said, /^restore NOT SOUND /m)
})
