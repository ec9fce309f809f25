// Runs queued exports, one at a time in each instance, each in a program of its own, so that lists stay quick meanwhile.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type Claim, claimExport, releaseExport } from '#features/overview/exports/server-queue.ts'
import { halfFile, removePastFiles } from '#features/overview/exports/server-write.ts'
import { childProgram, EXPORT_CHILD } from '#server/children.ts'
import { SYSTEM_CLOCK } from '#server/clock.ts'
import type { Services } from '#server/ctx.ts'
import type { Env } from '#server/env.ts'
import type { Standby } from '#server/standby.ts'

export type ExportRunner = {
  /** Looks for waiting exports soon: whoever queued one has not committed yet. */
  wake(): void
  /** The program at work, or null. */
  readonly childPid: number | null
  stop(): Promise<void>
}

/** What the program is told, not on its command line since that is seen by everyone. */
export type ExportOrder = {
  claim: Claim
  env: Env
  databaseUrl: string
  /** A standby that holds what was committed before. */
  readUrl?: string | undefined
  secretKey: string
  walls: Services['walls']
  /** The office's clock, as far as it can be sent: how far it is ahead of the system's. */
  time: { aheadMs: number; sqlPath: string | undefined }
}

const LOOK_EVERY_MS = 5_000
const LOOK_AFTER_MS = 150
/** Who has asked for a file sees in it what they had changed before. */
const CAUGHT_UP_WITHIN_MS = 2_000
const SWEEP_EVERY_MS = 3_600_000
const STOP_WITHIN_MS = 3_000
/** Short-lived rows would otherwise grow the heap past what an export may cost. */
const CHILD_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--max-old-space-size=160',
]

const CHILD = childProgram(EXPORT_CHILD)

/** Starts looking. `onProblem` hears what goes wrong. */
export function startExports(
  services: Pick<Services, 'database' | 'env' | 'storage' | 'walls' | 'clock'>,
  {
    standby,
    readUrl,
    ...access
  }: Pick<ExportOrder, 'databaseUrl' | 'readUrl' | 'secretKey'> & {
    standby?: Pick<Standby, 'catchesUp'> | null
  },
  onProblem: (error: unknown) => void,
): ExportRunner {
  const { database, env, storage, walls, clock } = services
  let child: ChildProcess | null = null
  let atWork: Promise<void> | null = null
  let stopping = false
  const soon = new Set<NodeJS.Timeout>()

  function look(): void {
    if (stopping || atWork) return
    atWork = workThrough()
      .catch(onProblem)
      .finally(() => {
        atWork = null
      })
  }

  async function workThrough(): Promise<void> {
    while (!stopping) {
      const claim = await claimExport({ database })
      if (!claim) return
      await run(claim)
    }
  }

  async function run(claim: Claim): Promise<void> {
    try {
      // Rows that the primary has removed may be taken from under a long read: the next attempt is the primary's.
      const isAtStandby = claim.attempt === 1 && (await standby?.catchesUp(CAUGHT_UP_WITHIN_MS))
      child = fork(CHILD.file, [...CHILD.args, String(env.exportNiceness)], {
        execArgv: CHILD_FLAGS,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const ended = once(child, 'exit')
      child.on('error', onProblem)
      const aheadMs = clock.now().getTime() - SYSTEM_CLOCK.now().getTime()
      const time = { aheadMs, sqlPath: clock.sqlPath }
      child.send(
        {
          claim,
          env,
          walls,
          time,
          readUrl: isAtStandby ? readUrl : undefined,
          ...access,
        } satisfies ExportOrder,
        error => error && onProblem(error),
      )
      await ended
    } finally {
      child = null
      await rm(halfFile(env.dataDir, claim), { force: true })
      // Does nothing where the program has ended the export itself.
      await releaseExport({ database }, claim, stopping)
    }
  }

  const sweep = () => void removePastFiles({ database, env, storage }).catch(onProblem)
  const timers = [setInterval(look, LOOK_EVERY_MS).unref(), setInterval(sweep, SWEEP_EVERY_MS).unref()]
  sweep()
  look()
  return {
    wake() {
      const timer = setTimeout(() => {
        soon.delete(timer)
        look()
      }, LOOK_AFTER_MS)
      soon.add(timer)
    },
    get childPid() {
      return child?.pid ?? null
    },
    async stop() {
      stopping = true
      for (const timer of [...timers, ...soon]) clearTimeout(timer)
      const forced = setTimeout(() => child?.kill('SIGKILL'), STOP_WITHIN_MS)
      child?.kill('SIGTERM')
      await atWork
      clearTimeout(forced)
    },
  }
}
