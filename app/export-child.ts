// The program that writes one export: behind everything else in priority, as the app's role with the account's identity.
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { writeExport } from '#features/overview/exports/server-write.ts'
import { type Clock, SYSTEM_CLOCK } from '#server/clock.ts'
import type { Services } from '#server/ctx.ts'
import { openDatabase } from '#server/db.ts'
import { makeSettingsMemory } from '#server/office/settings.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import type { ExportOrder } from './exports.ts'
import { deedsOf, exportHandlers, firstCallOf, reachOfKeys } from './joined.ts'
import { NO_PROVIDERS } from './providers.ts'

/** The cursor, and what is told meanwhile. */
const CONNECTIONS = 3
/** The first rows of a large sorted list come late. */
const STATEMENT_WITHIN_MS = 600_000
const CLOSE_WITHIN_MS = 1_000

/** Waits for its order from the program that started it, and ends with the export or with that program; how far it steps back is its last argument. */
export function runExportChild(): void {
  comeLast(Number(process.argv.at(-1)))
  process.once('disconnect', () => process.exit(1))
  process.once('message', order => {
    work(order as ExportOrder).then(
      () => process.exit(0),
      error => {
        process.stderr.write(`export: ${error instanceof Error ? error.stack : String(error)}\n`)
        process.exit(1)
      },
    )
  })
}

async function work({
  claim,
  env,
  databaseUrl,
  readUrl,
  secretKey,
  walls,
  time,
}: ExportOrder): Promise<void> {
  const onProblem = (error: unknown) => void process.stderr.write(`export: ${String(error)}\n`)
  const clock: Clock = {
    now: () => new Date(SYSTEM_CLOCK.now().getTime() + time.aheadMs),
    sqlPath: time.sqlPath,
  }
  const connect = (url: string) =>
    openDatabase({
      url,
      sqlPath: clock.sqlPath,
      poolSize: CONNECTIONS,
      queryTimeoutMs: STATEMENT_WITHIN_MS,
      onProblem,
    })
  const database = connect(databaseUrl)
  const standby = readUrl ? connect(readUrl) : null
  const services: Services = {
    env,
    clock,
    database,
    standby,
    storage: openStorage(env),
    secrets: makeSecrets(secretKey, env.fieldKeys),
    exports: exportHandlers,
    deedsOf,
    firstCallOf,
    reachOfKeys,
    exportQueued: () => undefined,
    providers: NO_PROVIDERS,
    paid: {},
    edited: [],
    configured: [],
    districts: [],
    inbox: [],
    setup: [],
    settings: { declared: [], memory: makeSettingsMemory() },
    baseUrl: () => '',
    wake: () => undefined,
    push: () => undefined,
    connected: () => [],
    count: () => undefined,
    onProblem,
    walls,
    actorOf: async () => null,
    forgetActors: () => undefined,
    keyOf: async () => null,
    agentOf: () => undefined,
    takeCall: () => Promise.reject(new Error('no program comes in here')),
    noteForeign: async () => false,
    isFactorFresh: async () => false,
  }
  try {
    await writeExport(services, claim)
  } finally {
    // A statement that nobody waits for any more would hold it up.
    await Promise.race([Promise.all([database.close(), standby?.close()]), pause(CLOSE_WITHIN_MS)])
  }
}

/** On Linux a priority is each thread's own, and some have been started before this code. */
function comeLast(niceness: number): void {
  setPriority(niceness)
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
}
