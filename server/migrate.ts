// Brings a database to the program's schema. Runs as the owner, one instance at a time.
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

export const APP_ROLE = 'partner_office_app'
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const LOCK = 7_211_002

/** Connection text of the app's role on the database that `ownerUrl` names. */
export function appUrlOf(ownerUrl: string, appPassword: string): string {
  const url = new URL(ownerUrl)
  url.username = APP_ROLE
  url.password = appPassword
  return url.toString()
}

/**
 * Applies pending migrations under an advisory lock, then `afterwards` (reference data) on the same connection, and gives
 * the app's role its password. `folder` holds the migrations (the bundle ships them beside itself).
 */
export async function migrateDatabase(options: {
  ownerUrl: string
  appPassword: string
  afterwards: (owner: pg.Client) => Promise<void>
  folder?: string
}): Promise<void> {
  const owner = new pg.Client({
    connectionString: options.ownerUrl,
    options: '-c timezone=UTC -c lock_timeout=10s',
  })
  await owner.connect()
  try {
    await owner.query('select pg_advisory_lock($1)', [LOCK])
    await migrate(drizzle(owner), { migrationsFolder: options.folder ?? MIGRATIONS })
    if (!(await isLetIn(appUrlOf(options.ownerUrl, options.appPassword))))
      await owner.query(`alter role ${APP_ROLE} login password ${owner.escapeLiteral(options.appPassword)}`)
    await options.afterwards(owner)
    await owner.query('select pg_advisory_unlock($1)', [LOCK])
  } finally {
    await owner.end()
  }
}

/** Roles belong to the whole server: instances that start at once on several databases must not all write this one. */
async function isLetIn(appUrl: string): Promise<boolean> {
  const app = new pg.Client({ connectionString: appUrl })
  try {
    await app.connect()
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) return false
    throw error
  } finally {
    await app.end()
  }
}
