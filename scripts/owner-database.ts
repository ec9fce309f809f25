// The owner's connection for scripts: DATABASE_URL, or the embedded database of DATA_DIR (started for as long as it is needed).
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { readEnv } from '#server/env.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export async function ownerDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const env = readEnv({ ...process.env, DATA_DIR: resolve(ROOT, process.env.DATA_DIR || './data') })
  if (env.databaseUrl) return { url: env.databaseUrl, close: async () => undefined }
  mkdirSync(env.dataDir, { recursive: true })
  const log = (line: string) => void process.stderr.write(`${line}\n`)
  const embedded = await startEmbeddedPostgres({ dataDir: env.dataDir, log })
  return { url: embedded.ownerUrl, close: () => embedded.stop() }
}
