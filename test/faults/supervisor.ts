// Keeps the program running while it is killed: starts it, kills it or its database, starts it again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from '#server/process-lock.ts'
import { freePort } from '#test/free-port.ts'

export const VICTIMS = ['app', 'both', 'database'] as const
export type Victim = (typeof VICTIMS)[number]

const ENTRY = fileURLToPath(new URL('./office.ts', import.meta.url))
const LOADING = `--import=${new URL('../../scripts/quick-loading.ts', import.meta.url)}`
const PID_FILE = 'postgres/postmaster.pid'
/** A first start makes the database, beside whatever else the machine does. */
const READY_WITHIN_MS = 180_000
const POLL_MS = 20

export type Supervisor = {
  url: string
  /** Kills with SIGKILL and resolves, with the time it took, when the program serves again. */
  kill(victim: Victim): Promise<number>
  killsOf: { app: number; database: number }
  /** How often the program ended without being killed. */
  fallsOf(): number
  stop(): Promise<void>
}

/** Starts the program on `dataDir` and resolves when it serves. */
export async function supervise(dataDir: string, settings: Record<string, string>): Promise<Supervisor> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const killsOf = { app: 0, database: 0 }
  let child = start()
  let stopping = false
  let falls = 0
  let expected = false

  function start(): ChildProcess {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', LOADING, ENTRY], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: 'silent',
        ...settings,
      },
      stdio: ['ignore', 'ignore', process.env.FAULTS_VERBOSE ? 'inherit' : 'ignore'],
    })
    started.once('exit', () => {
      if (stopping) return
      if (!expected) falls++
      expected = false
      child = start()
    })
    return started
  }

  async function untilReady(): Promise<number> {
    const began = Date.now()
    while (!(await isReady(url))) {
      if (Date.now() - began > READY_WITHIN_MS) throw new Error(`not ready after ${READY_WITHIN_MS} ms`)
      await pause(POLL_MS)
    }
    return Date.now() - began
  }

  // What never came to serve is not left running.
  await untilReady().catch(async error => {
    stopping = true
    child.kill('SIGKILL')
    await endDatabase(dataDir)
    throw error
  })
  return {
    url,
    killsOf,
    fallsOf: () => falls,
    async kill(victim) {
      if (victim !== 'app') {
        process.kill(postmasterOf(dataDir), 'SIGKILL')
        killsOf.database++
      }
      if (victim !== 'database') {
        const ended = once(child, 'exit')
        expected = true
        child.kill('SIGKILL')
        killsOf.app++
        await ended
      }
      return untilReady()
    },
    async stop() {
      if (stopping) return
      stopping = true
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await endDatabase(dataDir)
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/** A program that was not ready yet leaves the database that it began. */
async function endDatabase(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, PID_FILE))) return
  const pid = postmasterOf(dataDir)
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  while (isAlive(pid)) await pause(POLL_MS)
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, PID_FILE), 'utf8').split('\n')[0])
}
