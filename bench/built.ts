// The built server as people run it, as a process of its own, and what it and those below it take of memory.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildPageIfNeeded } from '../scripts/build-page.ts'
import { buildServerIfNeeded } from '../scripts/build-server.ts'
import { cpuMs, ROOT } from './child.ts'

const READY_WITHIN_MS = 180_000

export type Running = { pid: number; url: string; readyMs: number; cpuMs: number; stop(): Promise<void> }

export async function buildAll(say: (line: string) => void): Promise<void> {
  await buildPageIfNeeded(ROOT, say)
  await buildServerIfNeeded(ROOT, say)
}

/** As `npm run serve` runs it: the program takes the place of what finds its Node and its flags. */
export const startBuilt = (env: Record<string, string>) =>
  startProgram(process.execPath, [join(ROOT, 'scripts/bootstrap.mjs'), 'serve'], env)

/** Resolves once the program says at which address it is ready. */
export async function startProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Running> {
  const startedMs = performance.now()
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
    // A group of its own: what it starts below itself ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // However this process ends: the other has a group of its own.
  const end = () => process.kill(-(child.pid as number), 'SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const url = await readyAt(child)
  const readyMs = performance.now() - startedMs
  const pid = child.pid as number
  return {
    pid,
    url,
    readyMs,
    cpuMs: cpuMs(pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      process.kill(-pid, 'SIGTERM')
      await ended
    },
  }
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the program was not ready in time')), READY_WITHIN_MS)
    child.once('exit', code => reject(new Error(`the program ended with ${code}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
      const [, url] = /ready at (http\S+)/.exec(line) ?? []
      if (!url) return
      clearTimeout(late)
      resolve(url)
    })
  })
}

/** In MB: all that is resident, and its share where pages are shared with others. NaN where the system does not tell. */
export type Memory = { resident: number; share: number }

export function memoryOf(pid: number): Memory {
  const file = `/proc/${pid}/smaps_rollup`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN) / 1_024
  return { resident: mb('Rss'), share: mb('Pss') }
}

/** A process and all below it. */
export function treeOf(pid: number): { pid: number; command: string }[] {
  const below = new Map<number, number[]>()
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/stat`) : ''
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (stat !== '') below.set(parent, [...(below.get(parent) ?? []), Number(name)])
  }
  const walk = (one: number): number[] => [one, ...(below.get(one) ?? []).flatMap(walk)]
  return walk(pid).map(one => ({
    pid: one,
    command: readIfThere(`/proc/${one}/cmdline`).replaceAll('\0', ' '),
  }))
}

/** Processes end while they are looked for. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''
    throw error
  }
}
