/**
 * The files of the app's own database: folder, password, notes about the server. Knows nothing about starting it.
 */
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, isAlive, programOf, readIfThere } from '#server/process-lock.ts'
import { findBinaries, findLauncher, type Launcher } from './embedded-postgres-launch.ts'

const MAJOR_VERSION = '18'
const POLL_MS = 10
const STOP_TIMEOUT_MS = 60_000
/** The superuser. The app itself connects as a role that owns nothing. */
export const OWNER = 'owner'

export type Place = {
  folder: string
  cluster: string
  passwordFile: string
  portFile: string
  logFile: string
  lock: string
  users: string
}
export type PostmasterNote = { pid: number; port: number; status: string }

export function placeIn(folder: string): Place {
  return {
    folder,
    cluster: existsSync(join(folder, 'postgres'))
      ? realpathSync(join(folder, 'postgres'))
      : join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    portFile: join(folder, 'postgres-port'),
    logFile: join(folder, 'postgres.log'),
    lock: join(folder, 'start.lock'),
    users: join(folder, 'users'),
  }
}

export function keptPassword(place: Place): string {
  const kept = readIfThere(place.passwordFile)?.trim()
  if (kept) return kept
  if (existsSync(place.cluster))
    throw new Error(`There is a database in ${place.cluster} but no password in ${place.passwordFile}.`)
  const password = randomBytes(24).toString('hex')
  const aside = `${place.passwordFile}.new`
  rmSync(aside, { force: true })
  const fd = openSync(aside, 'wx', 0o600)
  writeFileSync(fd, `${password}\n`)
  fsyncSync(fd)
  closeSync(fd)
  renameSync(aside, place.passwordFile)
  syncFolder(place.folder)
  return password
}

export function readPostmasterNote(place: Place): PostmasterNote | null {
  const lines = readIfThere(join(place.cluster, 'postmaster.pid'))?.split('\n')
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 0) return null
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() || 'starting' }
}

/** Whether the process can be the server of this cluster. False only when that is certain. */
export function isServerOf(place: Place, pid: number): boolean {
  if (!isAlive(pid)) return false
  const program = programOf(pid)
  if (program && program !== 'postgres') return false
  try {
    // A server's working directory is its cluster.
    return readlinkSync(`/proc/${pid}/cwd`) === place.cluster
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error))) return isAlive(pid)
    throw error
  }
}

/** Throws in words when the data is of a version that this server cannot read. */
export function checkVersion(place: Place) {
  const version = readIfThere(join(place.cluster, 'PG_VERSION'))?.trim() ?? 'no known version'
  if (version !== MAJOR_VERSION)
    throw new Error(
      `The data in ${place.cluster} is of PostgreSQL ${version}, this app brings ${MAJOR_VERSION}. ` +
        'Restore a backup into an empty data folder, or start the version that wrote it.',
    )
}

/** Built aside and renamed, so that a start cut short leaves nothing that looks like a cluster. */
export function createCluster(place: Place, password: string, durable: boolean) {
  for (const name of readdirSync(place.folder))
    if (name.startsWith('postgres.new'))
      rmSync(join(place.folder, name), { recursive: true, force: true, maxRetries: 10 })
  // A name of its own each time: an initdb whose app was killed may still be running, and clears its folder at the end.
  const fresh = join(place.folder, `postgres.new-${randomBytes(4).toString('hex')}`)
  mkdirSync(fresh, { mode: 0o700 })
  const launcher = findLauncher(findBinaries(), fresh)
  const passwordFile = `${fresh}.password`
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
  if (launcher.owner) chownSync(passwordFile, launcher.owner.uid, launcher.owner.gid)
  const failure = initialize(launcher, fresh, passwordFile, durable)
  rmSync(passwordFile)
  if (failure) {
    rmSync(fresh, { recursive: true, force: true })
    const reason = failure.match(/initdb: (?:error: )?(.*)/)?.[1] ?? 'no reason given'
    throw new Error(`The database could not be created in ${place.folder}: ${reason}.`, {
      cause: new Error(failure),
    })
  }
  renameSync(fresh, place.cluster)
  syncFolder(place.folder)
}

/** Null, or what initdb said. */
function initialize(
  launcher: Launcher,
  fresh: string,
  passwordFile: string,
  durable: boolean,
): string | null {
  let said = ''
  // Not every system has C.UTF-8. Ordering and letter case come from the built-in provider in any case.
  for (const locale of ['C.UTF-8', 'C']) {
    const args = ['-D', fresh, `--username=${OWNER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    args.push(
      '--encoding=UTF8',
      `--locale=${locale}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    )
    if (!durable) args.push('--no-sync')
    const made = launcher.run('initdb', args)
    if (made.status === 0) return null
    said += `${made.output.trim()}\n`
  }
  return said
}

/** Asks the server to close its sessions and end; resolves when it is gone. */
export async function endServer(pid: number) {
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + STOP_TIMEOUT_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline)
      throw new Error(`The database (process ${pid}) is still writing its data after a minute.`)
    await sleep(POLL_MS)
  }
}

function syncFolder(path: string) {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
