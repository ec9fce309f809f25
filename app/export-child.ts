// The program that writes one export, of a list or of an agency: behind everything else in priority, as the app's role.
import { setTimeout as pause } from 'node:timers/promises'
import { comeLast } from '#server/children.ts'
import { type Clock, SYSTEM_CLOCK } from '#server/clock.ts'
import { openDatabase } from '#server/db.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { bareServices } from './bare-services.ts'
import type { ExportOrder } from './exports.ts'

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
  what,
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
  const services = bareServices({
    ...{ env, clock, database, standby, walls, onProblem },
    storage: openStorage(env),
    secrets: makeSecrets(secretKey, env.fieldKeys),
  })
  try {
    if (what === 'agency') {
      const { writeAgencyExport } = await import('#features/overview/agency-exports/server-write.ts')
      await writeAgencyExport(services, claim)
    } else {
      const { writeExport } = await import('#features/overview/exports/server-write.ts')
      await writeExport(services, claim)
    }
  } finally {
    // A statement that nobody waits for any more would hold it up.
    await Promise.race([Promise.all([database.close(), standby?.close()]), pause(CLOSE_WITHIN_MS)])
  }
}
