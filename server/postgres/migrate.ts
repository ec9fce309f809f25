// Brings a database to the program's schema. Runs as the owner, one instance at a time.
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

export const APP_ROLE = 'partner_office_app'
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const LOCK = 7_211_002

/**
 * Connection text of the app's role on the database that `ownerUrl` names. Refuses a text without a host, or one that names a
 * user or password among its parameters: those would win over the role, and the app would run as the owner.
 */
export function appUrlOf(ownerUrl: string, appPassword: string): string {
  const url = new URL(ownerUrl)
  const named = ['user', 'password', 'host', 'port'].filter(name => url.searchParams.has(name))
  if (url.hostname === '' || named.length > 0)
    throw new Error(
      'DATABASE_URL must be written postgres://user:password@host:port/database, with none of these as parameters',
    )
  url.username = APP_ROLE
  url.password = appPassword
  return url.toString()
}

export type MigrationOptions = {
  ownerUrl: string
  appPassword: string
  /** Loads reference data on the owner's connection. */
  afterwards: (owner: pg.Client) => Promise<void>
  /** Holds the migrations; the bundle ships them beside itself. */
  folder?: string
}

/** Makes the app's role, applies pending migrations and loads reference data, under an advisory lock. */
export async function migrateDatabase(options: MigrationOptions): Promise<void> {
  const appUrl = appUrlOf(options.ownerUrl, options.appPassword)
  const owner = new pg.Client({
    connectionString: options.ownerUrl,
    options: '-c timezone=UTC -c lock_timeout=10s',
    connectionTimeoutMillis: 10_000,
  })
  await owner.connect()
  try {
    await owner.query('select pg_advisory_lock($1)', [LOCK])
    await makeAppRole(owner, options.appPassword)
    await migrate(drizzle(owner), { migrationsFolder: options.folder ?? MIGRATIONS })
    await refuseForeignRole(appUrl)
    await options.afterwards(owner)
    await owner.query('select pg_advisory_unlock($1)', [LOCK])
  } finally {
    await owner.end()
  }
}

async function makeAppRole(owner: pg.Client, appPassword: string): Promise<void> {
  const { rows } = await owner.query('select 1 from pg_roles where rolname = $1', [APP_ROLE])
  if (rows.length === 0)
    await owner.query(`create role ${APP_ROLE} login password ${owner.escapeLiteral(appPassword)}`)
}

/** Roles belong to the whole server: the password of one that another office made is never changed under it. */
async function refuseForeignRole(appUrl: string): Promise<void> {
  const app = new pg.Client({ connectionString: appUrl, connectionTimeoutMillis: 10_000 })
  try {
    await app.connect()
    const { rows } = await app.query<{ name: string }>('select current_user as name')
    if (rows[0]?.name !== APP_ROLE) throw new Error(`connected as ${rows[0]?.name} instead of ${APP_ROLE}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('28')) throw error
    throw new Error(
      `The role ${APP_ROLE} of this PostgreSQL server has another password than SECRET_KEY gives: it belongs to another ` +
        `office, or SECRET_KEY was changed. Use that office's SECRET_KEY, or "alter role ${APP_ROLE} password …" yourself.`,
      { cause: error },
    )
  } finally {
    await app.end()
  }
}
