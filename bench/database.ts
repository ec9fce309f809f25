// The seeded database of a measurement: given by DATABASE_URL or DATA_DIR, otherwise ./data/bench; seeded when it is empty.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { loadReferenceData } from '#app/reference.ts'
import { readEnv } from '#server/env.ts'
import { migrateDatabase } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { ownerDatabase } from '../scripts/owner-database.ts'
import { secretKeyOf } from '../scripts/secret-key.ts'
import { ROOT } from './child.ts'

export const SHOPS = 1_000_000
/** Measurements add shops, so a used database may hold this much more than was asked for. */
const GROWTH = 1.2

export type BenchDatabase = {
  url: string
  secretKey: string
  owner: pg.Pool
  merchants: number
  close(): Promise<void>
}

export async function openBenchDatabase(merchants: number): Promise<BenchDatabase> {
  if (!process.env.DATABASE_URL) process.env.DATA_DIR ||= join(ROOT, 'data/bench')
  const { url, close } = await ownerDatabase()
  const secretKey = secretKeyOf(readEnv(process.env))
  await migrateDatabase({
    ownerUrl: url,
    appPassword: makeSecrets(secretKey).databasePassword,
    afterwards: loadReferenceData,
  })
  const owner = new pg.Pool({
    connectionString: url,
    max: 4,
    options: '-c timezone=UTC -c app.scope=all',
  })
  const count = async () => {
    const { rows } = await owner.query<{ total: string }>(
      `select coalesce(sum(total), 0) as total from merchant_counts
         where agent_id in (select agent_id from accounts where login_name like '30___')`,
    )
    return Number(rows[0]?.total)
  }
  if ((await count()) === 0) await seed(merchants)
  const found = await count()
  if (found < merchants || found > merchants * GROWTH)
    throw new Error(
      `The database holds ${found} seeded merchants, not ${merchants}. Name its size with --merchants or choose another DATA_DIR.`,
    )
  return {
    url,
    secretKey,
    owner,
    merchants: found,
    async close() {
      await owner.end()
      await close()
    },
  }
}

/** For those that come after it. */
export async function makeBenchDatabase(): Promise<void> {
  await (await openBenchDatabase(SHOPS)).close()
}

/** In a process of its own, as people run it. */
async function seed(merchants: number): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts/seed.ts')]
  const child = spawn(process.execPath, [...args, '--merchants', String(merchants)], { stdio: 'inherit' })
  const code = await new Promise(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`seeding ended with ${code}`)
}
