import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openVault } from '#server/backup/vault.ts'
import { readEnv } from '#server/env.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import {
  checkBackups,
  checkDatabase,
  checkDisk,
  checkNode,
  checkServices,
  checkSettingsFile,
} from './doctor-checks.ts'

const QUICK = `--import=${new URL('./quick-loading.ts', import.meta.url)}`
const SCRIPT = fileURLToPath(new URL('./doctor.ts', import.meta.url))
const BOOTSTRAP = fileURLToPath(new URL('./bootstrap.mjs', import.meta.url))
const WITHIN_MS = 2_000

let office: Office
let folder: string
let url: string
before(async () => {
  office = await openOffice()
  url = await office.app.http.listen({ host: '127.0.0.1', port: 0 })
  folder = mkdtempSync(join(tmpdir(), 'partner-office-doctor-'))
})
after(async () => {
  await office.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function doctor(settings: Record<string, string>) {
  const child = spawn(process.execPath, [QUICK, SCRIPT], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: office.ownerUrl,
      DATA_DIR: folder,
      SECRET_KEY: TEST_SECRET,
      ...settings,
    },
  })
  const [said, complained, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status, said: `${said}${complained}` }
}

/** Passes a request on, and says who made it as most do; resolves with its address. */
async function proxyTo(target: string, keepsHost: boolean) {
  const proxy = createServer((came, answer) => {
    const { host, 'x-forwarded-for': before, ...headers } = came.headers
    const forwarded = [before ?? [], came.socket.remoteAddress ?? ''].flat().join(', ')
    const passed = request(
      new URL(came.url ?? '/', target),
      { headers: { ...headers, 'x-forwarded-for': forwarded, ...(keepsHost && { host }) } },
      back => {
        answer.writeHead(back.statusCode ?? 500, back.headers)
        back.pipe(answer)
      },
    )
    came.pipe(passed)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => proxy.close() }
}

const failing = (said: string) => [...said.matchAll(/^FAIL {2}([^:]*):/gm)].map(([, about]) => about)
/** The databases of tests keep nothing through a crash of the machine, which is told. */
const UNKEPT = ['durability']

test('a sound office has no failure', async () => {
  const { status, said } = await doctor({ PUBLIC_URL: url })
  assert.deepEqual(failing(said), UNKEPT, said)
  assert.equal(status, 1)
  for (const line of [
    /^ok {4}database: PostgreSQL \d/m,
    /^ok {4}schema: \d+ migrations$/m,
    /^ok {4}files: .* keeps what is written$/m,
    /^ok {4}PUBLIC_URL: .* is ready$/m,
    /^ok {4}TRUST_PROXY: we are seen as 127\.0\.0\.1, through 0 proxies$/m,
    /^fail=1 warn=\d+ ok=\d+$/m,
  ])
    assert.match(said, line)
})

test('a proxy that is not counted, and one that changes the host, are named', async () => {
  const proxy = await proxyTo(url, false)
  try {
    const { said } = await doctor({ PUBLIC_URL: proxy.url })
    assert.deepEqual(failing(said), [...UNKEPT, 'TRUST_PROXY', 'host'])
    assert.match(said, /^FAIL {2}TRUST_PROXY: is 0, and 1 proxies stand in front.*Set it to 1$/m)
    assert.match(said, /^FAIL {2}host: the proxy passes on /m)
  } finally {
    proxy.stop()
  }
})

test('where nothing answers, and with the key of another office', async () => {
  const silent = await doctor({ PUBLIC_URL: 'http://127.0.0.1:9' })
  assert.deepEqual(failing(silent.said), UNKEPT)
  assert.match(silent.said, /^warn {2}PUBLIC_URL: nothing answers at http:\/\/127\.0\.0\.1:9 /m)
  const other = await doctor({ PUBLIC_URL: url, SECRET_KEY: '1'.repeat(64) })
  assert.deepEqual(failing(other.said), [...UNKEPT, 'PUBLIC_URL'])
  assert.match(other.said, /^FAIL {2}PUBLIC_URL: .* is no office with this SECRET_KEY$/m)
})

test('backups: no place, none made, one that is old, and one that another key has sealed', async () => {
  const settings = { BACKUP_FOLDER: join(folder, '../partner-office-none'), BACKUP_KEY: '9'.repeat(64) }
  const tell = async (more: Record<string, string> = {}) =>
    (await checkBackups(envWith(more), office.ownerUrl)).map(
      ({ level, about, words }) => `${level} ${about}: ${words}`,
    )
  assert.match((await tell()).join('\n'), /^warn backups: have no place: set BACKUP_FOLDER/)
  const none = await tell(settings)
  assert.match(none[0] ?? '', /^warn backups: .* holds no whole backup: npm run backup$/)
  assert.match(none[1] ?? '', /^warn last backup: never: make one each night/)
  assert.match(none[3] ?? '', /^warn last restore tried: never: try one each month/)
  const vaultDir = mkdtempSync(join(tmpdir(), 'partner-office-doctor-vault-'))
  const vault = openVault({ home: { bucket: null, dataDir: vaultDir }, key: settings.BACKUP_KEY, keep: 1 })
  const at = '2026-11-30T12:00:00.000Z'
  const name = '20261130t120000z'
  await vault.writeManifest({
    ...{ name, begunAt: at, endedAt: at, base: null, keys: [], files: [], checkpoints: [], fileRows: 0 },
  })
  await office.owner.query(
    `insert into service_checks (service, problem, checked_at)
     values ('files', '', now()), ('database', '', now() - interval '3 days'), ('changes', '', now()), ('restore', '', now() - interval '2 days')`,
  )
  assert.deepEqual((await tell({ ...settings, BACKUP_FOLDER: vaultDir })).slice(1), [
    'warn last backup: 3 days ago: make one each night: npm run backup',
    'ok kept changes: 0 minutes ago',
    'ok last restore tried: 2 days ago',
  ])
  const other = await tell({ BACKUP_FOLDER: vaultDir, BACKUP_KEY: 'a'.repeat(64) })
  assert.match(other[0] ?? '', /^fail backups: .* does not give them: .*BACKUP_KEY is another/)
  rmSync(vaultDir, { recursive: true, force: true })
})

test('settings that cannot be read end it with 2', async () => {
  const { status, said } = await doctor({ POOL_SIZE: 'many' })
  assert.equal(status, 2)
  assert.match(said, /^FAIL {2}Settings are wrong\. POOL_SIZE: is not a whole number$/m)
})

test('every command takes its settings from a file, before which the environment goes', async () => {
  const file = join(folder, 'given.env')
  writeFileSync(file, 'POOL_SIZE=many\nLOG_LEVEL=loud\n', { mode: 0o600 })
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [BOOTSTRAP, 'doctor', ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL: office.ownerUrl, SECRET_KEY: TEST_SECRET, ...env },
    })
    const [complained, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return [status, complained.trim()]
  }
  const wrong = 'FAIL  Settings are wrong.'
  const level = 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent'
  for (const args of [['--env-file', file], [`--env-file=${file}`]])
    assert.deepEqual(await run(args), [2, `${wrong} ${level}; POOL_SIZE: is not a whole number`])
  assert.deepEqual(await run(['--env-file', file], { POOL_SIZE: '20' }), [2, `${wrong} ${level}`])
  const none = join(folder, 'none.env')
  // Node looks for such a file itself, wherever the option stands, and is sooner where it does.
  const [status, complained] = await run(['--env-file', none])
  assert.notEqual(status, 0)
  assert.match(String(complained), /(There is no file .*none\.env with settings\.|none\.env: not found)$/)
})

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const envWith = (more: Record<string, string>) =>
  readEnv({ DATABASE_URL: office.ownerUrl, SECRET_KEY: TEST_SECRET, DATA_DIR: folder, ...more })
const failures = (findings: { level: string; about: string; words: string }[]) =>
  findings
    .filter(({ about }) => !UNKEPT.includes(about))

    .filter(({ level }) => level !== 'ok')
    .map(({ level, about, words }) => `${level} ${about}: ${words}`)

test('a database that lets nobody in, one with too few connections, and one of a later release', async () => {
  const nobody = office.ownerUrl.replace(/\/\/[^@]*@/, '//nobody:wrong@')
  assert.match(
    failures(await checkDatabase(nobody, envWith({}), MIGRATIONS)).join(),
    /^fail database: does not let us in: .*Look at DATABASE_URL$/,
  )
  assert.match(
    failures(await checkDatabase(office.ownerUrl, envWith({ POOL_SIZE: '200' }), MIGRATIONS)).join(),
    /^fail connections: only \d+ are let in, an instance takes up to 202/,
  )
  const older = join(folder, 'migrations')
  cpSync(join(MIGRATIONS, 'meta/_journal.json'), join(older, 'meta/_journal.json'))
  const [first] = JSON.parse(readFileSync(join(older, 'meta/_journal.json'), 'utf8')).entries
  writeFileSync(join(older, 'meta/_journal.json'), JSON.stringify({ entries: [first] }))
  assert.deepEqual(failures(await checkDatabase(office.ownerUrl, envWith({}), older)), [
    'fail schema: is of a later release than this program: start that one',
  ])
  await office.owner.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Number.MAX_SAFE_INTEGER})`,
  )
  assert.deepEqual(failures(await checkDatabase(office.ownerUrl, envWith({}), MIGRATIONS)), [
    'warn schema: is of a later release, which took nothing away that this program reads',
  ])
  await office.owner.query(`delete from drizzle.__drizzle_migrations where hash = 'later'`)
})

test('who may not make roles is told how to be let', async () => {
  await office.owner.query("create role poor login password 'poor'")
  try {
    const poor = office.ownerUrl.replace(/\/\/[^@]*@/, '//poor:poor@')
    assert.match(
      failures(await checkDatabase(poor, envWith({}), MIGRATIONS)).join('\n'),
      /^fail database rights: the user of DATABASE_URL does not own the database/m,
    )
  } finally {
    await office.owner.query('drop role poor')
  }
})

test('a service that does not answer, and one that does', async () => {
  const reached = await checkServices(
    envWith({
      ALIPAY_APP_ID: '1',
      ALIPAY_GATEWAY_URL: `${url}/gateway.do`,
      ALIPAY_BILL_ORIGIN: 'http://127.0.0.1:9',
    }),
    WITHIN_MS,
  )
  assert.deepEqual(
    reached.map(({ level, about }) => [level, about]),
    [
      ['ok', 'ALIPAY_GATEWAY_URL'],
      ['fail', 'ALIPAY_BILL_ORIGIN'],
    ],
  )
  assert.deepEqual(failures(await checkServices(envWith({}), WITHIN_MS)), [
    'warn services: none is configured',
  ])
})

test('a file of settings that everybody may read, an old Node, a disk', () => {
  const file = join(folder, 'office.env')
  writeFileSync(file, '# SECRET_KEY stands elsewhere\nPORT=1\n', { mode: 0o644 })
  assert.deepEqual(failures(checkSettingsFile(file)), [])
  writeFileSync(file, 'SECRET_KEY=0\n')
  chmodSync(file, 0o644)
  assert.match(
    failures(checkSettingsFile(file)).join(),
    /^warn settings: .* everybody may read it: chmod o= /,
  )
  for (const mode of [0o600, 0o640]) {
    chmodSync(file, mode)
    assert.deepEqual(failures(checkSettingsFile(file)), [])
  }
  assert.deepEqual(checkSettingsFile(undefined), [])
  assert.equal(checkNode('22.19.0').level, 'fail')
  assert.equal(checkNode('24.0.0').level, 'ok')
  assert.match(checkDisk(join(folder, 'not', 'yet')).words, /\d+ MB free for .*not.yet$/)
})
