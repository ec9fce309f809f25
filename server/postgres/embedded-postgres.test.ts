import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isAlive } from '#server/process-lock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

/** A data folder that the test leaves without server and files; open or closed to other users. */
function makeFolder(t: TestContext, mode = 0o755): string {
  const outer = mkdtempSync(join(tmpdir(), 'embedded-postgres-'))
  chmodSync(outer, mode)
  const folder = join(outer, 'data')
  mkdirSync(folder)
  t.after(async () => {
    const pid = postmasterOf(folder)
    if (pid && isAlive(pid)) {
      process.kill(pid, 'SIGQUIT')
      await untilGone(pid)
    }
    rmSync(outer, { recursive: true, maxRetries: 5 })
  })
  return folder
}

function start(dataDir: string, more: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  return startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined, ...more })
}

/** Another app process that has started the server of `folder`. */
async function startApp(folder: string): Promise<{ app: ChildProcess; pid: number; attached: boolean }> {
  const app = spawnApp(folder)
  assert.ok(app.stdout)
  const [line] = await Promise.race([once(app.stdout, 'data'), once(app, 'exit').then(() => [null])])
  assert.ok(line !== null, 'the app has failed')
  return { app, ...(JSON.parse(String(line)) as { pid: number; attached: boolean }) }
}

function spawnApp(folder: string): ChildProcess {
  const script = `
    const { startEmbeddedPostgres } = await import(process.argv[1])
    const server = await startEmbeddedPostgres({ dataDir: process.argv[2], durable: false, log: () => undefined })
    process.once('SIGTERM', async () => { await server.stop(); process.exit(0) })
    setInterval(() => undefined, 1000)
    console.log(JSON.stringify({ pid: server.pid, attached: server.attached }))`
  const module = import.meta.resolve('./embedded-postgres.ts')
  return spawn(process.execPath, ['--input-type=module', '-e', script, module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
}

async function kill(app: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(app, 'exit')
  // Its whole process group, as a terminal does it.
  process.kill(-(app.pid ?? 0), signal)
  await ended
}

function postmasterOf(folder: string): number | null {
  const path = join(folder, 'postgres', 'postmaster.pid')
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : null
}

async function untilGone(pid: number) {
  while (isAlive(pid)) await sleep(10)
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function makeNote(server: EmbeddedPostgres) {
  await ask(server, "create table note as select '留下' as text")
}

async function readNote(server: EmbeddedPostgres) {
  return (await ask(server, 'select text from note'))[0]?.text
}

test('a fresh start gives a private UTF-8 server that sorts by code point and knows letter case', async t => {
  const folder = makeFolder(t)
  const server = await start(folder)
  const [row] = await ask(
    server,
    `select current_user as name, upper('é') as upper, 'Z' < 'a' as codepoints, pg_encoding_to_char(encoding) as encoding,
       datlocprovider as provider, current_setting('TimeZone') as zone, current_setting('fsync') as fsync,
       current_setting('listen_addresses') as address, current_setting('unix_socket_directories') as sockets
     from pg_database where datname = current_database()`,
  )
  assert.deepEqual(row, {
    name: 'owner',
    upper: 'É',
    codepoints: true,
    encoding: 'UTF8',
    provider: 'b',
    zone: 'UTC',
    fsync: 'off',
    address: '127.0.0.1',
    sockets: '',
  })
  assert.equal(server.attached, false)
  assert.equal(statSync(join(folder, 'postgres-password')).mode & 0o777, 0o600)
  const wrong = new pg.Client({ connectionString: server.ownerUrl.replace(/:[0-9a-f]{48}@/, ':wrong@') })
  await assert.rejects(wrong.connect(), { code: '28P01' })
  await server.stop()
})

test('a stopped server leaves no process and no marker, and the next start has its data and port', async t => {
  const folder = makeFolder(t)
  const first = await start(folder)
  await makeNote(first)
  const { pid } = first
  await first.stop()
  await first.stop()
  assert.equal(isAlive(pid), false)
  assert.deepEqual(readdirSync(join(folder, 'users')), [])
  assert.deepEqual(readdirSync(folder).sort(), [
    'postgres',
    'postgres-password',
    'postgres-port',
    'postgres.log',
    'users',
  ])
  const second = await start(folder)
  assert.equal(second.attached, false)
  assert.equal(second.port, first.port)
  assert.equal(await readNote(second), '留下')
  await second.stop()
})

test('a second start shares the running server, and only the last stop ends it', async t => {
  const folder = makeFolder(t)
  const first = await start(folder)
  const second = await start(folder)
  assert.equal(second.attached, true)
  assert.equal(second.pid, first.pid)
  await second.stop()
  assert.deepEqual(await ask(first, 'select 1 as one'), [{ one: 1 }])
  const other = await startApp(folder)
  assert.equal(other.attached, true)
  await first.stop()
  assert.equal(isAlive(first.pid), true)
  await kill(other.app, 'SIGTERM')
  assert.equal(isAlive(first.pid), false)
})

test('two apps that start at the same moment on an empty folder get one server', async t => {
  const folder = makeFolder(t)
  const apps = await Promise.all([startApp(folder), startApp(folder)])
  assert.equal(apps[0].pid, apps[1].pid)
  assert.deepEqual(apps.map(each => each.attached).sort(), [false, true])
  await kill(apps[0].app, 'SIGTERM')
  assert.equal(isAlive(apps[1].pid), true)
  await kill(apps[1].app, 'SIGTERM')
  assert.equal(isAlive(apps[1].pid), false)
})

test('the server outlives an app killed with its process group, and the next start takes it over', async t => {
  const folder = makeFolder(t)
  const killed = await startApp(folder)
  await kill(killed.app, 'SIGKILL')
  assert.equal(isAlive(killed.pid), true)
  const server = await start(folder)
  assert.equal(server.attached, true)
  assert.equal(server.pid, killed.pid)
  await server.stop()
  assert.equal(isAlive(killed.pid), false, 'the killed app no longer counts as a user')
})

test('a killed server recovers what was committed, in time, also with a session in the middle of a query', async t => {
  const server = await start(makeFolder(t), { durable: true })
  await makeNote(server)
  const busy = new pg.Client({ connectionString: server.ownerUrl })
  busy.on('error', () => undefined)
  await busy.connect()
  const query = assert.rejects(busy.query('select pg_sleep(60)'))
  const { pid } = server
  process.kill(pid, 'SIGKILL')
  await untilGone(pid)
  await server.ensureRunning()
  assert.notEqual(server.pid, pid)
  assert.equal(await readNote(server), '留下')
  await query
  const again = server.pid
  await server.ensureRunning()
  assert.equal(server.pid, again)
  await server.stop()
  await assert.rejects(server.ensureRunning(), /let go/)
})

test('a folder closed to everybody else works, at the first start and after a kill', async t => {
  const folder = makeFolder(t, 0o700)
  const first = await start(folder, { durable: true })
  await makeNote(first)
  process.kill(first.pid, 'SIGKILL')
  await untilGone(first.pid)
  const second = await start(folder)
  assert.equal(second.attached, false)
  assert.equal(await readNote(second), '留下')
  await second.stop()
  await first.stop()
})

test('a start killed while it creates the database is made good by the next one', async t => {
  const folder = makeFolder(t)
  const app = spawnApp(folder)
  const isHalfway = () =>
    readdirSync(folder).some(
      name => /^postgres\.new-[0-9a-f]+$/.test(name) && existsSync(join(folder, name, 'PG_VERSION')),
    )
  while (!isHalfway()) {
    assert.equal(app.exitCode, null, 'the app has failed')
    await sleep(5)
  }
  await kill(app, 'SIGKILL')
  assert.equal(existsSync(join(folder, 'postgres')), false)
  const server = await start(folder)
  assert.deepEqual(await ask(server, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(
    readdirSync(folder).filter(name => /new|lock/.test(name)),
    [],
  )
  await server.stop()
})

test('a note left by a killed server is not believed when its pid now belongs to another program', async t => {
  const folder = makeFolder(t)
  const server = await start(folder, { durable: true })
  await makeNote(server)
  process.kill(server.pid, 'SIGKILL')
  await untilGone(server.pid)
  // As the same user, where PostgreSQL by itself would take it for a running server.
  const { uid, gid } = statSync(join(folder, 'postgres'))
  const stranger = spawn('sleep', ['30'], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
  t.after(() => stranger.kill('SIGKILL'))
  const noteFile = join(folder, 'postgres', 'postmaster.pid')
  writeFileSync(noteFile, readFileSync(noteFile, 'utf8').replace(/^\d+/, String(stranger.pid)))
  const again = await start(folder)
  assert.equal(again.attached, false)
  assert.equal(await readNote(again), '留下')
  await again.stop()
  await server.stop()
  assert.equal(isAlive(stranger.pid ?? 0), true)
})

test('a server that lets nobody in for some seconds is waited for', async t => {
  const server = await start(makeFolder(t), { settings: { pre_auth_delay: '3' } })
  assert.equal(server.attached, false)
  await server.stop()
})

test('what stands in the way of a start is said in words', async t => {
  const folder = makeFolder(t)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const address = taken.address()
  assert.ok(address && typeof address === 'object')
  await assert.rejects(
    start(folder, { port: address.port }),
    (error: Error) => /another program uses it/.test(error.message) && error.cause instanceof Error,
  )
  const versionFile = join(folder, 'postgres', 'PG_VERSION')
  writeFileSync(versionFile, '17\n')
  await assert.rejects(start(folder), /is of PostgreSQL 17, this app brings 18/)
  writeFileSync(versionFile, '18\n')
  const passwordFile = join(folder, 'postgres-password')
  const password = readFileSync(passwordFile, 'utf8')
  writeFileSync(passwordFile, 'wrong\n')
  await assert.rejects(start(folder), /does not let this app in/)
  assert.equal(postmasterOf(folder), null, 'a server that nobody can use is not left running')
  rmSync(passwordFile)
  await assert.rejects(start(folder), /no password/)
  writeFileSync(passwordFile, password)
  const server = await start(folder)
  await server.stop()
})
