// An archive of everything of one agency by a command: beside the office, as the app's role.
import { type ByHand, makeByHand } from '#features/overview/agency-exports/server-command.ts'
import { SYSTEM_CLOCK } from '#server/clock.ts'
import { openDatabase } from '#server/db.ts'
import type { Env } from '#server/env.ts'
import { appUrlOf } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { bareServices } from './bare-services.ts'

/** The moment, a part of it, and what is written of it. */
const CONNECTIONS = 3
const STATEMENT_WITHIN_MS = 600_000

/** `put` takes the bytes to where they lie under their name afterwards. */
export async function makeByCommand(
  { ownerUrl, env, secretKey, ...asked }: { ownerUrl: string; env: Env; secretKey: string } & ByHand,
  put: (bytes: AsyncIterable<Buffer>) => Promise<void>,
  onProblem: (error: unknown) => void,
): ReturnType<typeof makeByHand> {
  const secrets = makeSecrets(secretKey, env.fieldKeys)
  const database = openDatabase({
    url: appUrlOf(ownerUrl, secrets.databasePassword),
    poolSize: CONNECTIONS,
    queryTimeoutMs: STATEMENT_WITHIN_MS,
    onProblem,
  })
  const storage = openStorage(env)
  try {
    const walls = { explicitScope: true, rowSecurity: true }
    const own = { env, clock: SYSTEM_CLOCK, database, standby: null, storage, secrets, walls, onProblem }
    return await makeByHand(bareServices(own), asked, put)
  } finally {
    storage.close()
    await database.close()
  }
}
