// The file that this program is, where it is a packed one: how another takes its place, and how it is had back.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isSea } from 'node:sea'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { BRIDGE_PROGRAM } from '#kit/print/bridge/bridge.ts'
import { PACK_SYSTEMS, type PackSystem } from '#kit/print/bridge/packs.ts'
import { Refused, type Self } from './updates.ts'

/** Put in its place when the program is packed. */
declare const PRINT_UPDATE_KEY: string | undefined

export type OwnProgram = Self & { file: string }

const TRIED_WITHIN_MS = 60_000
const ANSWERS_WITHIN_MS = 60_000
const ASKED_EVERY_MS = 200

/** Null where it was not packed: it runs on a Node of its own, and is replaced by a person. */
export function ownProgram(): OwnProgram | null {
  const key = typeof PRINT_UPDATE_KEY === 'string' ? PRINT_UPDATE_KEY : null
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const file = isSea() ? process.execPath : process.argv[1]
  if (key === null || file === undefined || !isPacked(system)) return null
  return { key, system, version: BRIDGE_PROGRAM, file }
}
const isPacked = (system: string): system is PackSystem => Object.hasOwn(PACK_SYSTEMS, system)

/** A packed program is one file with Node in it; otherwise Node runs it. */
const commandOf = (file: string, args: readonly string[]): [string, string[]] =>
  isSea() ? [file, [...args]] : [process.execPath, [file, ...args]]

const beside = (file: string) => ({ fresh: `${file}.new`, part: `${file}.part`, old: `${file}.old` })
export const hasOld = (file: string): boolean => existsSync(beside(file).old)

/** Beside the own file, run once, and only then in its place; the own one is kept. Rejects with `Refused`, with the own one in place. */
export async function takeInto({ file }: OwnProgram, bytes: Buffer, version: string): Promise<void> {
  const { fresh } = beside(file)
  try {
    writeProgram(fresh, bytes)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw new Refused('unwritable', error)
  }
  const [program, args] = commandOf(fresh, ['--version'])
  const said = await promisify(execFile)(program, args, { timeout: TRIED_WITHIN_MS, windowsHide: true }).then(
    ({ stdout }) => stdout.trim(),
    (error: Error) => error,
  )
  if (said !== version) {
    rmSync(fresh, { force: true })
    throw new Refused('broken', said)
  }
  change(file, fresh)
}

/** The kept one in place of the own, which is then the kept one. */
export const exchange = ({ file }: OwnProgram): void => change(file, beside(file).old)

function change(file: string, fresh: string): void {
  const { part, old } = beside(file)
  try {
    // Windows lets a program that runs be renamed, and not be written over; elsewhere the place is never empty.
    if (process.platform === 'win32') renameSync(file, part)
    else copyFileSync(file, part)
    renameSync(fresh, file)
    renameSync(part, old)
  } catch (error) {
    if (!existsSync(file) && existsSync(part)) renameSync(part, file)
    throw new Refused('unwritable', error)
  }
}

function writeProgram(path: string, bytes: Buffer): void {
  const file = openSync(path, 'w', 0o755)
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Starts what stands in the own file's place. False: it does not answer at its page, and is ended again. */
export async function startInPlace(
  { file }: OwnProgram,
  args: readonly string[],
  answers: () => Promise<boolean>,
): Promise<boolean> {
  const [program, all] = commandOf(file, args)
  const child = spawn(program, all, { detached: true, stdio: 'ignore', windowsHide: true })
  const ended = new Promise<false>(resolve => {
    child.once('error', () => resolve(false))
    child.once('exit', () => resolve(false))
  })
  const over = new AbortController()
  const isThere = await Promise.race([ended, answered(answers, over.signal)])
  over.abort()
  if (isThere) child.unref()
  else await end(child, ended)
  return isThere
}

async function answered(answers: () => Promise<boolean>, over: AbortSignal): Promise<boolean> {
  const late = performance.now() + ANSWERS_WITHIN_MS
  while (!over.aborted && performance.now() < late) {
    if (await answers()) return true
    await sleep(ASKED_EVERY_MS)
  }
  return false
}

async function end(child: ChildProcess, ended: Promise<false>): Promise<void> {
  child.kill('SIGKILL')
  await ended
}
