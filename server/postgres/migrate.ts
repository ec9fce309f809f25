// Brings a database to the program's schema. Runs as the owner, one instance at a time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { runAgain } from './again.ts'

export const APP_ROLE = 'partner_office_app'
/** As the app's, for accounts that see their own shops alone: policies of their own hold for it. */
export const OWN_SHOPS_ROLE = 'partner_office_own'
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
  /** Holds the numbered migrations and `again/`; the bundle ships them beside itself. */
  folder?: string
}

/** Makes the app's roles, applies what is pending of the migrations and loads reference data, under an advisory lock. */
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
    await makeRoles(owner, options.appPassword)
    await migrateTables(owner, options.folder ?? MIGRATIONS)
    await refuseForeignRole(appUrl)
    await options.afterwards(owner)
    await owner.query('select pg_advisory_unlock($1)', [LOCK])
  } finally {
    await owner.end()
  }
}

async function makeRoles(owner: pg.Client, appPassword: string): Promise<void> {
  const { rows } = await owner.query<{ rolname: string }>('select rolname from pg_roles')
  const known = new Set(rows.map(({ rolname }) => rolname))
  const password = owner.escapeLiteral(appPassword)
  if (!known.has(APP_ROLE)) await owner.query(`create role ${APP_ROLE} login password ${password}`)
  if (!known.has(OWN_SHOPS_ROLE))
    await owner.query(`create role ${OWN_SHOPS_ROLE} login password ${password} in role ${APP_ROLE}`)
}

/**
 * Numbered migrations that are pending, then the files of `again/`, in one transaction: nobody ever sees a new table without its walls.
 * The views of own_shops hold on to the tables' columns, so they go before a change of those and are made anew behind it.
 */
async function migrateTables(owner: pg.Client, folder: string): Promise<void> {
  await owner.query('create schema if not exists drizzle')
  await owner.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  const known = knownIn(folder)
  const { rows } = await owner.query<{ at: string }>(
    'select created_at as at from drizzle.__drizzle_migrations',
  )
  const applied = rows.map(({ at }) => Number(at))
  refuseNewer(applied, known)
  const isPending = (at: number) => at > Math.max(0, ...applied)
  // A hundred files are read only for what some of them still have to do.
  const pending = known.some(isPending)
    ? readMigrationFiles({ migrationsFolder: folder }).filter(({ folderMillis }) => isPending(folderMillis))
    : []
  // What fails is taken back with the connection, which the caller ends.
  await owner.query('begin')
  if (pending.length > 0) await owner.query('drop schema if exists own_shops cascade')
  for (const { sql, hash, folderMillis } of pending) {
    for (const statement of sql) await owner.query(statement)
    await owner.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ])
  }
  await runAgain(owner, join(folder, 'again'), { all: pending.length > 0 })
  await owner.query('commit')
}

/** When each migration of the folder was made, by which they are told apart. */
function knownIn(folder: string): number[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  return journal.entries.map(({ when }) => when)
}

/** A newer program has dropped and renamed what this one reads: it must not run beside or after it. */
function refuseNewer(applied: number[], known: number[]): void {
  const newest = Math.max(0, ...known)
  const newer = applied.filter(at => at > newest).length
  if (newer > 0)
    throw new Error(
      `The database was upgraded by a newer program (${newer} migrations that this one does not know). Start that program, ` +
        'or restore the copy that was made before the upgrade.',
    )
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
