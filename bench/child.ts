// Child processes of a measurement: our files bundled as for production, started with a channel, stopped with us.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { ASCII, COMPACT, HTTP, ON_DISK } from '../scripts/bundle.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUT = join(ROOT, '.cache/bench')
const START_WITHIN_MS = 30_000

/** As the office is served: scripts/bootstrap.mjs says why. */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50']
export const SERVER_ENV = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

export type Child = {
  pid: number
  /** Sends a message and resolves with the next one that comes back; rejects when the child ends instead. */
  ask<T>(message: unknown, withinMs: number): Promise<T>
  stop(): Promise<void>
}

/** Bundles files of this folder with their packages, as the production build does: loading them one by one takes memory. */
export async function bundle(names: readonly string[]): Promise<void> {
  await build({
    input: Object.fromEntries(names.map(name => [name, join(ROOT, 'bench', `${name}.ts`)])),
    cwd: ROOT,
    platform: 'node',
    external: ON_DISK,
    plugins: [ASCII, HTTP],
    logLevel: 'warn',
    output: { dir: OUT, format: 'esm', entryFileNames: '[name].js', minify: COMPACT },
  })
}

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10

/** Time that a process took of the processors so far; NaN where the system does not tell. */
export function cpuMs(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Starts a bundled file and waits for its first message. */
export async function startChild<T>(
  name: string,
  env: Record<string, string>,
  execArgv: string[] = [],
): Promise<Child & { hello: T }> {
  const child = fork(join(OUT, `${name}.js`), [], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const hello = await nextMessage<T>(child, name, START_WITHIN_MS)
  return {
    hello,
    pid: child.pid as number,
    ask(message, withinMs) {
      child.send(message as object)
      return nextMessage(child, name, withinMs)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

function nextMessage<T>(child: ChildProcess, name: string, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      settle()
    }
    const onMessage = (message: unknown) => end(() => resolve(message as T))
    const onExit = (code: number | null) => end(() => reject(new Error(`${name} ended with ${code}`)))
    const timer = setTimeout(
      () => end(() => reject(new Error(`${name} did not answer within ${withinMs} ms`))),
      withinMs,
    )
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}
