// What both ways of a backup have in common: the office itself, the commands, and how a restored one is judged.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '#scripts/checks.ts'
import { freePort } from '#test/free-port.ts'
import { countLoad, type Load } from './backup-load.ts'

const READY_WITHIN_MS = 240_000
const SERVER = join(ROOT, 'dist/server/server.js')

export type Scene = {
  folder: string
  megabytes: number
  tell(isRight: boolean, what: string): void
  ends: (() => Promise<unknown> | unknown)[]
}
export type Figures = {
  database_mb: number
  postings: number
  pictures: number
  backup_seconds: number
  restore_seconds: number
  lost_postings: number
  lost_seconds: number
}

export const seconds = (sinceMs: number) => Number(((performance.now() - sinceMs) / 1_000).toFixed(1))

/** The built program with these settings, until it serves. */
export async function startOffice({ ends }: Pick<Scene, 'ends'>, settings: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SERVER], {
    env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'error', SIMULATORS: 'off', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  ends.push(() => kill('SIGTERM'))
  for (const until = Date.now() + READY_WITHIN_MS; ; await pause(200)) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return { url, kill }
    if (child.exitCode !== null || Date.now() > until) throw new Error('the office does not come ready')
  }
}

/** A command of the program, as whoever operates it runs it. */
export async function npm(command: string, settings: Record<string, string>, args: string[] = []) {
  const bootstrap = join(ROOT, 'scripts/bootstrap.mjs')
  const child = spawn(process.execPath, [bootstrap, command, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...settings },
  })
  const [said, complained, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status: status as number, said: `${said}${complained}`.trim() }
}

/** The lines of a restore that say whether it is sound. */
export const soundness = (said: string) =>
  said
    .split('\n')
    .filter(line => /^(files|ledger|operation log|restore) /.test(line))
    .map(line =>
      line
        .split(' ')
        .slice(0, line.startsWith('operation') ? 3 : 2)
        .join(' '),
    )
    .join(', ')

/** What of the load is there, of what was acknowledged before a moment. */
export async function judgeMoment({ tell }: Scene, name: string, url: string, wanted: number): Promise<void> {
  const { postings, last } = await countLoad(url)
  tell(
    postings === wanted && last === wanted,
    `${name}: as of the moment there are ${postings} of ${wanted} postings, the last is number ${last}`,
  )
}

/** What was lost with the machine at that moment. */
export async function judgeEnd(
  { tell }: Scene,
  name: string,
  url: string,
  { posted, destroyedAt }: Pick<Load, 'posted'> & { destroyedAt: number },
): Promise<Pick<Figures, 'lost_postings' | 'lost_seconds'>> {
  const { postings, last } = await countLoad(url)
  tell(postings === last && postings > 0, `${name}: no posting is missing before the last that is there`)
  const firstLost = posted.find(({ nth }) => nth > last)
  const lost = firstLost ? Math.max(0, destroyedAt - firstLost.at) / 1_000 : 0
  return { lost_postings: posted.length - postings, lost_seconds: Number(lost.toFixed(1)) }
}
