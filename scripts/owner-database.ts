// The owner's connection for scripts: DATABASE_URL, or the embedded database of DATA_DIR (started for as long as it is needed).
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Env, readEnv } from '#server/env.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A relative DATA_DIR starts from the folder of the program. */
export const readSettings = (): Env =>
  readEnv({ ...process.env, DATA_DIR: resolve(ROOT, process.env.DATA_DIR || './data') })

/** With `mustExist` an embedded database is only opened, never created. */
export async function ownerDatabase(
  options: { mustExist?: boolean } = {},
): Promise<{ url: string; env: Env; close(): Promise<void> }> {
  const env = readSettings()
  if (env.databaseUrl) return { url: env.databaseUrl, env, close: async () => undefined }
  if (options.mustExist && !existsSync(join(env.dataDir, 'postgres')))
    throw new Error(
      `There is no database in ${env.dataDir}. Start the office first, or set DATA_DIR or DATABASE_URL.`,
    )
  mkdirSync(env.dataDir, { recursive: true })
  const log = (line: string) => void process.stderr.write(`${line}\n`)
  const embedded = await startEmbeddedPostgres({ dataDir: env.dataDir, log })
  return { url: embedded.ownerUrl, env, close: () => embedded.stop() }
}
