/**
 * The app's own PostgreSQL 18, used where no DATABASE_URL is given. It outlives the app on purpose: an app that
 * was killed finds its server again, and several apps on one data folder share one server. Never two servers.
 */
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addUser, codeOf, countUsers, readIfThere, withLock } from '#server/process-lock.ts'
import {
  checkVersion,
  createCluster,
  endServer,
  isServerOf,
  keptPassword,
  OWNER,
  type Place,
  placeIn,
  readPostmasterNote,
} from './embedded-postgres-cluster.ts'
import { findBinaries, findLauncher, type Launcher } from './embedded-postgres-launch.ts'

const HOST = '127.0.0.1'
const POLL_MS = 10
const SLOW_NOTICE_MS = 10_000
const ANSWER_TIMEOUT_MS = 30_000
const ASKED_WITHIN_MS = 2_000
const LOCK_TIMEOUT_MS = 120_000
const LOG_LIMIT_BYTES = 10 * 1024 * 1024
/** Below the range that systems hand out for outgoing connections, so that the port is free at the next start too. */
const PORTS = { from: 20_000, to: 30_000 }

export type EmbeddedPostgresOptions = {
  dataDir: string
  /** Without it a free port is chosen and kept for the next start. */
  port?: number
  /** Server settings by name. They are in force once a server is started, not when one is taken over. */
  settings?: Record<string, string>
  /** false only for tests: faster, but a crash of the machine loses data. */
  durable?: boolean
  /** true only for tests: a local socket in its own folder too, over which a statement costs two thirds as much. */
  localSocket?: boolean
  log: (line: string) => void
}

export type EmbeddedPostgres = {
  /** Superuser's address of the database `postgres`. */
  ownerUrl: string
  /** The same by the local socket, where there is one. */
  socketUrl: string | null
  port: number
  /** Whether a running server was taken over. */
  attached: boolean
  /** The server's process, changed by `ensureRunning`. */
  readonly pid: number
  /** Starts the server again on the same port if it has died; otherwise does nothing. */
  ensureRunning(): Promise<void>
  /** Ends the server unless another living app uses it. Close all connections first. */
  stop(): Promise<void>
}

type Running = { pid: number; port: number; attached: boolean }
/**
 * Starts or takes over the server of `dataDir` and resolves when it answers. Starts on the same folder queue up.
 * Throws an Error in words, with the server's own words as its cause.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true })
  const place = placeIn(realpathSync(options.dataDir))
  return await withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
    const password = keptPassword(place)
    const first = await bringUp(place, password, options)
    if (first.attached) options.log(`took over the running database on port ${first.port}`)
    return handleOf(place, password, options, first, addUser(place.users))
  })
}

function handleOf(
  place: Place,
  password: string,
  options: EmbeddedPostgresOptions,
  first: Running,
  mark: string,
): EmbeddedPostgres {
  let { pid } = first
  let stopping: Promise<void> | undefined
  return {
    ownerUrl: urlOf(first.port, password),
    socketUrl: hasSocket(options) ? urlOf(first.port, password, encodeURIComponent(place.cluster)) : null,
    port: first.port,
    attached: first.attached,
    get pid() {
      return pid
    },
    async ensureRunning() {
      if (stopping) throw new Error('This app has already let go of its database.')
      await withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
        const again = await bringUp(place, password, { ...options, port: first.port })
        if (again.port !== first.port) throw new Error(`The database now listens on port ${again.port}.`)
        pid = again.pid
      })
    },
    stop() {
      // Under the lock, so that nobody takes over a server that is about to end.
      stopping ??= withLock(place.lock, LOCK_TIMEOUT_MS, () => letGo(place, mark, options.log))
      return stopping
    },
  }
}

async function letGo(place: Place, mark: string, log: (line: string) => void) {
  rmSync(mark, { force: true })
  const others = countUsers(place.users)
  if (others > 0) {
    log(`database keeps running for ${others} other app(s)`)
    return
  }
  const note = readPostmasterNote(place)
  if (note && isServerOf(place, note.pid)) await endServer(note.pid)
}

async function bringUp(place: Place, password: string, options: EmbeddedPostgresOptions): Promise<Running> {
  if (!existsSync(place.cluster)) {
    options.log('creating the database')
    createCluster(place, password, options.durable !== false)
  }
  checkVersion(place)
  return (await findRunning(place, password, options.log)) ?? (await startServer(place, password, options))
}

/** The living server of this cluster, waited for until it answers; null when there is none. */
async function findRunning(
  place: Place,
  password: string,
  log: (line: string) => void,
): Promise<Running | null> {
  let deadline = performance.now() + ANSWER_TIMEOUT_MS
  const notice = slowNotice('waiting for the running database', log)
  for (;;) {
    const note = readPostmasterNote(place)
    if (!note || !isServerOf(place, note.pid)) return null
    // Recovery after a crash may take its time; giving up on it would only make it begin anew.
    if (note.status === 'starting') deadline = performance.now() + ANSWER_TIMEOUT_MS
    let failure: unknown
    if (note.status === 'ready') {
      try {
        const folder = await askFolder(note.port, password)
        return folder === place.cluster ? { pid: note.pid, port: note.port, attached: true } : null
      } catch (error) {
        failure = error
      }
    }
    if (codeOf(failure) === '28P01' || performance.now() > deadline)
      throw new Error(
        `A database runs on ${place.cluster} (process ${note.pid}, port ${note.port}) but does not let this app in.`,
        { cause: failure },
      )
    notice()
    await sleep(POLL_MS)
  }
}

async function startServer(
  place: Place,
  password: string,
  options: EmbeddedPostgresOptions,
): Promise<Running> {
  const launcher = findLauncher(findBinaries(), place.cluster)
  const deadline = performance.now() + ANSWER_TIMEOUT_MS
  let port = options.port ?? (await keptOrFreePort(place))
  for (;;) {
    const outcome = await tryServer(place, launcher, port, options)
    if ('pid' in outcome) {
      await checkAnswer(place, password, port, outcome.pid)
      writeFileSync(place.portFile, `${port}\n`, { mode: 0o600 })
      options.log(`database ready on port ${port}`)
      return { pid: outcome.pid, port, attached: false }
    }
    const portTaken = outcome.said.includes('could not create any TCP/IP sockets')
    // Sessions of a killed server live on for a moment; PostgreSQL waits for none of them.
    const sessionsLeft = outcome.said.includes('pre-existing shared memory block')
    const hopeful = sessionsLeft || (portTaken && options.port === undefined)
    if (!hopeful || performance.now() > deadline)
      throw new Error(
        portTaken
          ? `The database cannot have port ${port}: another program uses it.`
          : `The database in ${place.cluster} did not start. Its reasons are in ${place.logFile}.`,
        { cause: new Error(outcome.said || 'it said nothing') },
      )
    if (portTaken) port = await freePort()
    await sleep(5 * POLL_MS)
  }
}

/** One attempt. Resolves with the ready server's pid, or with what it said before it ended. */
async function tryServer(
  place: Place,
  launcher: Launcher,
  port: number,
  options: EmbeddedPostgresOptions,
): Promise<{ pid: number } | { said: string }> {
  const note = readPostmasterNote(place)
  // PostgreSQL takes any living process of the noted pid for a server, except its parent and the one named here.
  // Only named when the pid has demonstrably passed to something else; PostgreSQL's other checks stay in force.
  const env = note && !isServerOf(place, note.pid) ? { PG_GRANDPARENT_PID: String(note.pid) } : {}
  const logFd = openSync(place.logFile, 'a+', 0o600)
  try {
    if (fstatSync(logFd).size > LOG_LIMIT_BYTES) ftruncateSync(logFd)
    const logStart = fstatSync(logFd).size
    const args = ['-D', place.cluster, '-p', String(port), ...settingsOf(options)]
    // In a process group of its own: Ctrl-C is for the app, which closes its connections first.
    const child = launcher.spawn('postgres', args, {
      cwd: '/',
      detached: true,
      env,
      stdio: ['ignore', logFd, logFd],
    })
    const failure = await whenReady(place, child, options.log)
    if (failure === null) return { pid: child.pid as number }
    return { said: `${readFrom(logFd, logStart)}${failure}`.trim() }
  } finally {
    closeSync(logFd)
  }
}

/** null once the server is ready, or why it never will be. */
async function whenReady(
  place: Place,
  child: ChildProcess,
  log: (line: string) => void,
): Promise<string | null> {
  let failure: string | null = null
  child.once('error', error => {
    failure = error.message
  })
  child.once('exit', (code, signal) => {
    failure = `\n(ended with ${signal ?? code})`
  })
  child.unref()
  const notice = slowNotice('the database is still recovering', log)
  while (failure === null) {
    const note = readPostmasterNote(place)
    if (note && note.pid === child.pid && note.status === 'ready') return null
    notice()
    await sleep(POLL_MS)
  }
  return failure
}

async function checkAnswer(place: Place, password: string, port: number, pid: number) {
  try {
    const folder = await patientlyAskFolder(port, password)
    if (folder !== place.cluster) throw new Error(`Port ${port} answers for ${folder}.`)
  } catch (error) {
    await endServer(pid)
    throw new Error(
      `The database in ${place.cluster} does not let this app in (password in ${place.passwordFile}).`,
      {
        cause: error,
      },
    )
  }
}

function settingsOf(options: EmbeddedPostgresOptions): string[] {
  const settings: Record<string, string> = {
    shared_buffers: '256MB',
    effective_cache_size: `${Math.max(512, Math.floor(totalmem() / 2 / 1024 ** 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_connections: '100',
    jit: 'off',
    wal_compression: 'on',
    // Bounds how much a start after a crash has to do again.
    max_wal_size: '256MB',
    // Bounds what waits for a backup that nobody can make: more, and the next one begins anew.
    max_slot_wal_keep_size: '4GB',
    random_page_cost: '1.1',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] %d ',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    ...(options.durable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
    ...options.settings,
    // This module reads the messages and relies on who can connect.
    lc_messages: 'C',
    listen_addresses: HOST,
    unix_socket_directories: hasSocket(options) ? '.' : '',
    logging_collector: 'off',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Windows has none that the driver speaks. */
const hasSocket = ({ localSocket }: EmbeddedPostgresOptions) =>
  localSocket === true && process.platform !== 'win32'

function urlOf(port: number, password: string, host = HOST): string {
  return `postgres://${OWNER}:${password}@${host}:${port}/postgres`
}

/** A server that has just begun on a busy machine may answer late: it is given longer each time, until it refuses. */
async function patientlyAskFolder(port: number, password: string): Promise<string> {
  for (let withinMs = ASKED_WITHIN_MS; ; withinMs *= 2) {
    try {
      return await askFolder(port, password, withinMs)
    } catch (error) {
      if (codeOf(error) === '28P01' || withinMs >= ANSWER_TIMEOUT_MS) throw error
    }
  }
}

async function askFolder(port: number, password: string, withinMs = ASKED_WITHIN_MS): Promise<string> {
  const client = new pg.Client({
    connectionString: urlOf(port, password),
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  })
  let broken: Error | undefined
  client.on('error', error => {
    broken = error
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return realpathSync(rows[0]?.data_directory ?? '/')
  } catch (error) {
    throw broken ?? error
  } finally {
    await client.end()
  }
}

async function keptOrFreePort(place: Place): Promise<number> {
  const kept = Number(readIfThere(place.portFile))
  return kept > 0 && kept < 65_536 && (await isFree(kept)) ? kept : await freePort()
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}

function readFrom(fd: number, start: number): string {
  const buffer = Buffer.alloc(Math.min(64 * 1024, fstatSync(fd).size - start))
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start))
}

function slowNotice(line: string, log: (line: string) => void): () => void {
  let next = performance.now() + SLOW_NOTICE_MS
  return () => {
    if (performance.now() < next) return
    next = performance.now() + SLOW_NOTICE_MS
    log(line)
  }
}
