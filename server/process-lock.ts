/**
 * Which processes live, and files that say who holds or uses something.
 * A pid alone is never believed: pids are used again, in a restarted container at once.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
const BREAK_STALE_MS = 5_000

type Holder = { pid: number; started: string; nonce: string }

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The file's text, or null where there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return null
    throw error
  }
}

/** Whether a process of this pid exists and has not ended (a zombie has ended). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
    if (codeOf(error) !== 'EPERM') throw error
  }
  if (!existsSync('/proc/self/stat')) return true
  const state = procStat(pid)?.state ?? 'gone'
  return !['Z', 'X', 'gone'].includes(state)
}

/** When the process started, in words that differ for two processes of the same pid. '' where unknown. */
function startOf(pid: number): string {
  if (existsSync('/proc/self/stat')) {
    const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
    const ticks = procStat(pid)?.startTicks ?? ''
    return ticks && `${boot}:${ticks}`
  }
  return askPs('lstart=', pid)
}

/** The name of the program that the process runs, '' where unknown. */
export function programOf(pid: number): string {
  if (existsSync('/proc/self/comm')) return readIfThere(`/proc/${pid}/comm`)?.trim() ?? ''
  return basename(askPs('comm=', pid))
}

function askPs(field: string, pid: number): string {
  const asked = spawnSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' })
  return asked.status === 0 ? asked.stdout.trim() : ''
}

function procStat(pid: number): { state: string; startTicks: string } | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The second field is the command in parentheses and may hold anything, spaces too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
}

let ownStart: string | undefined

function me(): Holder {
  ownStart ??= startOf(process.pid)
  return { pid: process.pid, started: ownStart, nonce: randomBytes(6).toString('hex') }
}

function holderOf(text: string): Holder | null {
  const [pid, started, nonce] = text.trim().split(' ')
  return pid && nonce ? { pid: Number(pid), started: started ?? '', nonce } : null
}

function textOf(holder: Holder): string {
  return `${holder.pid} ${holder.started.replaceAll(' ', '_')} ${holder.nonce}\n`
}

function isHeld(text: string): boolean {
  const holder = holderOf(text)
  if (!holder || !isAlive(holder.pid)) return false
  const started = startOf(holder.pid).replaceAll(' ', '_')
  return !holder.started || !started || holder.started === started
}

/**
 * Runs `work` while this process alone holds the lock file. Waits while a living process holds it,
 * and takes it from a dead one. Throws when it was not free within `timeoutMs`.
 */
export async function withLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const text = textOf(me())
  const deadline = performance.now() + timeoutMs
  while (!tryLock(path, text)) {
    const held = readIfThere(path)
    if (held === null || (!isHeld(held) && breakLock(path, held))) continue
    if (performance.now() > deadline)
      throw new Error(`${path} has been held by process ${held.split(' ')[0]} for too long.`)
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    if (readIfThere(path) === text) rmSync(path)
  }
}

function tryLock(path: string, text: string): boolean {
  // Written aside and linked, so that nobody ever reads a lock without its holder.
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(aside, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Removes a dead holder's lock. Two who find it dead must not both remove: the second would remove the first's new one. */
function breakLock(path: string, seen: string): boolean {
  const guard = `${path}.break`
  try {
    writeFileSync(guard, '', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    // The system’s clock: the age of a file, as the disk says when it was written.
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > BREAK_STALE_MS) rmSync(guard, { force: true })
    return false
  }
  try {
    if (readIfThere(path) === seen) rmSync(path)
    return true
  } finally {
    rmSync(guard, { force: true })
  }
}

/** Notes in `folder` that this process uses something; returns the note's path. */
export function addUser(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const holder = me()
  const path = join(folder, `${holder.pid}.${holder.nonce}`)
  writeFileSync(path, textOf(holder), { mode: 0o600, flag: 'wx' })
  return path
}

/** How many notes of living processes are in `folder`; those of dead ones are removed. */
export function countUsers(folder: string): number {
  if (!existsSync(folder)) return 0
  let count = 0
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (isHeld(readIfThere(path) ?? '')) count += 1
    else rmSync(path, { force: true })
  }
  return count
}
