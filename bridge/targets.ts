// How bytes come to a printer: a folder, raw TCP, a queue of CUPS, a device. `open` reaches it before anything is sent, so that
// a job is begun only where its printer is there.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, existsSync, mkdirSync } from 'node:fs'
import { access, type FileHandle, open as openFile, readFile } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import type { TargetSettings } from './config.ts'
import { writeWhole } from './files.ts'
import { isSpoolerReached, sendToSpooler } from './spooler.ts'
import { isTaken } from './taken.ts'

const REACHED_WITHIN_MS = 5_000
/** How long a printer may take to close a connection, until it is taken for one that never does. */
const CLOSES_WITHIN_MS = 3_000
/** How long one that never closes is watched for breaking off when it has taken all. */
const WATCHED_MS = 100
const ASKED_EVERY_MS = 20
const PART = 65_536
/** How long until a device that was full is asked again. */
const FULL_MS = 20

/** The printer cannot be reached; nothing was sent. */
export class Offline extends Error {}
/** It was cut off after it had begun. */
export class Broken extends Error {}

export type Printing = {
  /** What the job is called, where the way has a place for it. */
  id: string
  name: string
  bytes: Buffer
  /** Told each time a part was taken. */
  onTaken: () => void
  signal: AbortSignal
}
export type Opened = { send(printing: Printing): Promise<void>; close(): void }
export type Way = {
  open(): Promise<Opened>
  /** Whether the very job is there already, where that can be seen: after the program was ended in the middle of it. */
  isThere(id: string, name: string, bytes: Buffer): Promise<boolean>
}

export function wayOf(settings: TargetSettings, dir: string, stallMs: number): Way {
  if (settings.way === 'file') return fileWay(settings, dir)
  if (settings.way === 'tcp') return tcpWay(settings, stallMs)
  if (settings.way === 'cups') return { open: () => openCups(settings), isThere: never }
  if (settings.way === 'spool') return { open: () => openSpooler(settings, dir), isThere: never }
  return { open: () => openDevice(settings), isThere: never }
}

const never = async () => false

/** A file for each job, named after what it is and the job's id: it is there whole, or it is not. */
function fileWay({ folder, language }: { folder: string; language: string }, dir: string): Way {
  const place = isAbsolute(folder) ? folder : join(dir, folder)
  const pathOf = (id: string, name: string) => {
    const mark = createHash('sha256').update(id).digest('hex').slice(0, 12)
    const plain = name.replace(/[^\p{L}\p{N}-]+/gu, '_').slice(0, 40)
    return join(place, `${plain || 'job'}-${mark}.${language}`)
  }
  return {
    async open() {
      try {
        mkdirSync(place, { recursive: true })
        await access(place, constants.W_OK)
      } catch (error) {
        throw new Offline((error as Error).message)
      }
      return {
        async send({ id, name, bytes }) {
          try {
            writeWhole(pathOf(id, name), bytes)
          } catch (error) {
            throw new Offline((error as Error).message)
          }
        },
        close: () => undefined,
      }
    },
    async isThere(id, name, bytes) {
      const path = pathOf(id, name)
      return existsSync(path) && (await readFile(path)).equals(bytes)
    },
  }
}

/** What its last job has shown of a printer. */
type Manner = { staysOpen: boolean }

function tcpWay({ host, port }: { host: string; port: number }, stallMs: number): Way {
  const manner: Manner = { staysOpen: false }
  return { open: () => openTcp(host, port, { stallMs, manner }), isThere: never }
}

type TcpOptions = { stallMs: number; manner: Manner }

async function openTcp(host: string, port: number, { stallMs, manner }: TcpOptions): Promise<Opened> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = createConnection({ host, port, noDelay: true })
    const late = setTimeout(
      () => made.destroy(new Error('does not answer')),
      Math.max(REACHED_WITHIN_MS, stallMs),
    )
    made.once('error', error => {
      clearTimeout(late)
      reject(new Offline(error.message))
    })
    made.once('connect', () => {
      clearTimeout(late)
      resolve(made)
    })
  })
  let failed: Error | null = null
  socket.on('error', error => {
    failed = error
  })
  // What a printer says is not asked for, but must be taken.
  socket.resume()
  return {
    async send({ bytes, onTaken, signal }) {
      const stop = () => socket.destroy(new Error('cancelled'))
      signal.addEventListener('abort', stop, { once: true })
      try {
        for (let at = 0; at < bytes.length; at += PART) {
          await writePart(socket, bytes.subarray(at, at + PART))
          onTaken()
        }
        await endOf(socket, manner)
      } catch (error) {
        throw new Broken((error as Error).message)
      } finally {
        signal.removeEventListener('abort', stop)
        socket.destroy()
      }
      if (failed) throw new Broken((failed as Error).message)
    },
    close: () => void socket.destroy(),
  }
}

/** Resolves when the system has taken it; a printer that takes nothing holds it up. */
function writePart(socket: Socket, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('closed by the printer'))
    socket.once('close', closed)
    socket.write(part, error => {
      socket.off('close', closed)
      if (error) reject(error)
      else resolve()
    })
  })
}

/**
 * Until the printer has closed too. One that never does is waited for until it has taken all, and watched a little longer; the next job
 * knows it. Rejects where it breaks off.
 */
async function endOf(socket: Socket, manner: Manner): Promise<void> {
  if (socket.closed) return
  const closed = new Promise<void>((resolve, reject) => {
    socket.once('close', hadError => (hadError ? reject(new Error('broken off')) : resolve()))
  })
  socket.end()
  let hasClosed = await within(closed, manner.staysOpen ? ASKED_EVERY_MS : CLOSES_WITHIN_MS)
  let taken: boolean | null = null
  while (!hasClosed) {
    taken = await isTaken(socket)
    if (taken !== false) break
    hasClosed = await within(closed, ASKED_EVERY_MS)
  }
  hasClosed ||= await within(closed, WATCHED_MS)
  // Where nobody can say what was taken, each job is given the time that a first one has.
  manner.staysOpen = taken === true && !hasClosed
}

/** False where it takes longer. */
async function within(happened: Promise<void>, ms: number): Promise<boolean> {
  const over = new AbortController()
  try {
    return await Promise.race([happened.then(() => true), sleep(ms, false, { signal: over.signal })])
  } finally {
    over.abort()
  }
}

/** As with CUPS, the spooler takes the job whole or not at all. */
async function openSpooler({ printer }: { printer: string }, dir: string): Promise<Opened> {
  try {
    await isSpoolerReached(printer)
  } catch (error) {
    throw new Offline((error as Error).message)
  }
  return { send: printing => sendToSpooler(printer, printing, dir), close: () => undefined }
}

/** `lp` takes the job whole or not at all; what the queue does with it is the queue's. */
async function openCups({ queue, language }: { queue: string; language: string }): Promise<Opened> {
  const state = await run('lpstat', ['-p', queue]).catch((error: Error) => {
    throw new Offline(error.message)
  })
  if (/disabled|not accepting|Rejecting Jobs/.test(state)) throw new Offline(state.trim())
  const raw = language === 'pdf' ? [] : ['-o', 'raw']
  return {
    send: async ({ name, bytes, signal }) => {
      const title = name.replace(/\p{C}/gu, ' ').trim() || 'job'
      await run('lp', ['-d', queue, ...raw, '-t', title], bytes, signal)
    },
    close: () => undefined,
  }
}

function run(program: string, args: string[], input?: Buffer, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 30_000, signal, env: { PATH: process.env.PATH, LC_ALL: 'C' } }
    const child = execFile(program, args, options, (error, out, said) =>
      error ? reject(new Error(said.trim() || error.message)) : resolve(out),
    )
    // A program that ends early has said why.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

/**
 * A serial port or the USB device of a printer. It is never made where it is missing, nor waited for: a port whose other end is away opens
 * or refuses at once, and one that takes nothing is asked again, so that a job can be taken back.
 */
async function openDevice({ device, baud }: { device: string; baud?: number | undefined }): Promise<Opened> {
  let handle: FileHandle
  try {
    handle = await openFile(
      device,
      constants.O_WRONLY | (constants.O_NOCTTY ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
  } catch (error) {
    throw new Offline((error as Error).message)
  }
  try {
    if (isatty(handle.fd)) await passBytes(device, baud)
  } catch (error) {
    await handle.close()
    throw new Offline((error as Error).message)
  }
  return {
    async send({ bytes, onTaken, signal }) {
      try {
        for (let at = 0; at < bytes.length; ) {
          if (signal.aborted) throw new Error('cancelled')
          const taken = await writeSome(handle, bytes.subarray(at, at + PART))
          at += taken
          if (taken > 0) onTaken()
          else await sleep(FULL_MS)
        }
      } catch (error) {
        throw new Broken((error as Error).message)
      } finally {
        await handle.close()
      }
    },
    close: () => void handle.close(),
  }
}

/** A terminal makes two bytes of the end of a line, unless it is told to pass what it gets. */
async function passBytes(device: string, baud: number | undefined): Promise<void> {
  const file = process.platform === 'darwin' ? '-f' : '-F'
  await run('stty', [file, device, 'raw', '-echo', ...(baud === undefined ? [] : [String(baud)])])
}

/** How many bytes were taken: none where it is full. */
async function writeSome(handle: FileHandle, part: Buffer): Promise<number> {
  try {
    return (await handle.write(part)).bytesWritten
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}
