// npm run agency:export as a program: an archive to a file, read back, and refused in words where it is asked wrongly.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'

/** As npm starts it. */
const QUICK = `--import=${new URL('./quick-loading.ts', import.meta.url)}`
const SCRIPT = fileURLToPath(new URL('./agency-export.ts', import.meta.url))

let office: Office
let agency: MadeAgent
let folder: string
before(async () => {
  office = await openOffice()
  agency = await makeAgent(office, { tokens: 100 })
  folder = mkdtempSync(join(tmpdir(), 'agency-export-'))
})
after(async () => {
  await office.stop()
  rmSync(folder, { recursive: true })
})

function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: office.ownerUrl,
    SECRET_KEY: TEST_SECRET,
    DATA_DIR: office.app.services.env.dataDir,
    INIT_CWD: folder,
  }
  return new Promise(resolve =>
    execFile(process.execPath, [QUICK, SCRIPT, ...args], { env }, (error, out, err) =>
      resolve({ status: error ? Number(error.code) : 0, out, err }),
    ),
  )
}

test('it writes an archive for its owner alone, which the office tells of and which reads back as it was signed', async () => {
  const made = await run('--agent', String(agency.id), '--out', 'agency.zip', '--reason', '合作终止')
  assert.equal(made.status, 0, made.err)
  assert.match(
    made.out,
    /^agency export number=SJ\d+ agency=\d+ rows=\d+ files=0 missing=0 bytes=\d+ sha256=[0-9a-f]{64} /,
  )
  const path = join(folder, 'agency.zip')
  assert.equal(statSync(path).mode & 0o077, 0)
  const { rows } = await office.owner.query(
    'select state, reason, created_by_name from agency_exports where agent_id = $1',
    [agency.id],
  )
  assert.deepEqual(rows, [{ state: 'deleted', reason: '合作终止', created_by_name: '命令行' }])
  const { rows: logged } = await office.owner.query(
    `select count(*)::int as n from operation_logs where about_agent_id = $1 and title = '生成移交数据'`,
    [agency.id],
  )
  assert.deepEqual(logged, [{ n: 1 }])
  const checked = await run('--check', 'agency.zip')
  assert.deepEqual([checked.status, checked.err], [0, ''])
  assert.match(checked.out, /^agency export sound /)
  const file = await open(path, 'r+')
  await file.write(Buffer.of(0), 0, 1, 600)
  await file.close()
  const changed = await run('--check', 'agency.zip')
  assert.equal(changed.status, 1)
  assert.match(changed.out, /^agency export ALTERED /)
})

test('what cannot be done is said in words, and leaves nothing', async () => {
  const unknown = await run('--agent', '没有这家公司', '--out', 'none.zip')
  assert.equal(unknown.status, 1)
  assert.match(unknown.err, /There is no agency 没有这家公司/)
  assert.equal((await run('--agent', String(agency.id))).status, 2)
  assert.equal((await run('--check', 'none.zip')).status, 2)
})
