// Runs queued exports, one of lists and one of agencies at a time in each instance, each in a program of its own, so that lists stay quick
// meanwhile.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { claimAgencyExport, releaseAgencyExport } from '#features/overview/agency-exports/server-queue.ts'
import { deletePastArchives } from '#features/overview/agency-exports/server-shelf.ts'
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
  /** The program at work, or null: that of a list before that of an agency. */
  readonly childPid: number | null
  stop(): Promise<void>
}

/** What the program is told, not on its command line since that is seen by everyone. */
export type ExportOrder = {
  what: What
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

type What = 'list' | 'agency'
type Shelf = Pick<Services, 'database' | 'env' | 'storage'>
type Queue = {
  what: What
  claim(shelf: Shelf): Promise<Claim | null>
  release(shelf: Shelf, claim: Claim, isOrderly: boolean): Promise<void>
  /** What its program may have left on this machine. */
  clear(shelf: Shelf, claim: Claim): Promise<void>
  sweep(shelf: Shelf): Promise<void>
  /** Whether a standby may be read. */
  mayLag: boolean
}

/** Each goes on beside the other: everything of an agency may take an hour. */
const QUEUES: readonly Queue[] = [
  {
    what: 'list',
    claim: claimExport,
    release: releaseExport,
    clear: ({ env }, claim) => rm(halfFile(env.dataDir, claim), { force: true }),
    sweep: removePastFiles,
    mayLag: true,
  },
  {
    what: 'agency',
    claim: claimAgencyExport,
    release: releaseAgencyExport,
    clear: async () => undefined,
    sweep: deletePastArchives,
    // A standby ends what reads one moment for long.
    mayLag: false,
  },
]

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

type Access = Pick<ExportOrder, 'databaseUrl' | 'readUrl' | 'secretKey'> & {
  standby?: Pick<Standby, 'catchesUp'> | null
}
type Running = Pick<Services, 'database' | 'env' | 'storage' | 'walls' | 'clock'>

/** Starts looking. `onProblem` hears what goes wrong. */
export function startExports(
  services: Running,
  access: Access,
  onProblem: (error: unknown) => void,
): ExportRunner {
  const runners = QUEUES.map(queue => startQueue(queue, services, access, onProblem))
  return {
    wake() {
      for (const runner of runners) runner.wake()
    },
    get childPid() {
      return runners.map(({ childPid }) => childPid).find(pid => pid !== null) ?? null
    },
    async stop() {
      await Promise.all(runners.map(runner => runner.stop()))
    },
  }
}

function startQueue(
  queue: Queue,
  services: Running,
  { standby, readUrl, ...access }: Access,
  onProblem: (error: unknown) => void,
): ExportRunner {
  const { env, walls, clock } = services
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
      const claim = await queue.claim(services)
      if (!claim) return
      await run(claim)
    }
  }

  async function run(claim: Claim): Promise<void> {
    try {
      // Rows that the primary has removed may be taken from under a long read: the next attempt is the primary's.
      const isAtStandby =
        queue.mayLag && claim.attempt === 1 && (await standby?.catchesUp(CAUGHT_UP_WITHIN_MS))
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
          what: queue.what,
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
      await queue.clear(services, claim)
      // Does nothing where the program has ended the export itself.
      await queue.release(services, claim, stopping)
    }
  }

  const sweep = () => void queue.sweep(services).catch(onProblem)
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
