// Brings a database to the program's schema, beside programs that use it. Runs as the owner, one instance at a time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { dueAgain, runAgain } from './again.ts'
import { again, LOCK_LIMITS, type LockLimits, lockAll } from './lock-tables.ts'
import { isOutside, runOutside } from './steps.ts'

export const APP_ROLE = 'partner_office_app'
/** As the app's, for accounts that see their own shops alone: policies of their own hold for it. */
export const OWN_SHOPS_ROLE = 'partner_office_own'
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const LOCK = 7_211_002
const LOCK_LOOK_MS = 250
/** Before it migrations took away what older programs read; since then one that does says so. */
const LAST_OF_BEFORE = 112

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
  limits?: LockLimits
}

/**
 * Makes the app's roles, applies what is pending of the migrations and loads reference data, under an advisory lock. Where a newer program was
 * here that this one can run beside, the schema and its rows are that one's.
 */
export async function migrateDatabase(options: MigrationOptions): Promise<void> {
  const appUrl = appUrlOf(options.ownerUrl, options.appPassword)
  const limits = options.limits ?? LOCK_LIMITS
  const owner = new pg.Client({
    connectionString: options.ownerUrl,
    options: `-c timezone=UTC -c lock_timeout=${limits.locksMs}`,
    connectionTimeoutMillis: 10_000,
  })
  await owner.connect()
  try {
    await takeTurn(owner)
    await makeRoles(owner, options.appPassword)
    const isNewest = await migrateTables(owner, options.folder ?? MIGRATIONS, limits)
    await refuseForeignRole(appUrl)
    if (isNewest) await again(owner, limits, () => options.afterwards(owner))
    await owner.query('select pg_advisory_unlock($1)', [LOCK])
  } finally {
    await owner.end()
  }
}

/** However long another instance migrates: whoever dies gives the lock back. */
async function takeTurn(owner: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK])
    if (rows[0]?.taken) return
    await pause(LOCK_LOOK_MS)
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

/** Whether the program is as new as the database. */
async function migrateTables(owner: pg.Client, folder: string, limits: LockLimits): Promise<boolean> {
  await owner.query('create schema if not exists drizzle')
  await owner.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  const known = knownIn(folder)
  const { rows } = await owner.query<{ at: string }>(
    'select created_at as at from drizzle.__drizzle_migrations',
  )
  const applied = rows.map(({ at }) => Number(at))
  if (!(await isNewest(owner, applied, known))) return false
  const isPending = (at: number) => at > Math.max(0, ...applied)
  // A hundred files are read only for what some of them still have to do.
  const pending = known.some(({ when }) => isPending(when))
    ? readMigrationFiles({ migrationsFolder: folder }).filter(({ folderMillis }) => isPending(folderMillis))
    : []
  for (const part of partsOf(pending)) {
    const [first] = part
    if (first && isOutside(first.sql)) {
      await runOutside(owner, first.sql, { migration: first.folderMillis, limits })
      await note(owner, first, known)
    } else
      await inOneTransaction(owner, limits, locksMs => migrateAtOnce(owner, part, { folder, known, locksMs }))
  }
  if (!pending.some(({ sql }) => !isOutside(sql)))
    await inOneTransaction(owner, limits, async locksMs => {
      if ((await dueAgain(owner, join(folder, 'again'))).length === 0) return
      await lockAll(owner, locksMs)
      await runAgain(owner, join(folder, 'again'), { all: false })
    })
  return true
}

/** Each that is no transaction by itself; those between them together. */
function partsOf(pending: readonly MigrationMeta[]): MigrationMeta[][] {
  const parts: MigrationMeta[][] = []
  for (const one of pending) {
    const last = parts.at(-1)
    const isApart = isOutside(one.sql) || (last?.[0] && isOutside(last[0].sql))
    if (last && !isApart) last.push(one)
    else parts.push([one])
  }
  return parts
}

async function inOneTransaction(
  owner: pg.Client,
  limits: LockLimits,
  work: (locksMs: number) => Promise<void>,
): Promise<void> {
  await again(
    owner,
    limits,
    async locksMs => {
      await owner.query('begin')
      await work(locksMs)
      await owner.query('commit')
    },
    () => owner.query('rollback'),
  )
}

/**
 * Numbered migrations, then the files of `again/`, in one transaction: nobody ever sees a new table without its walls.
 * The views of own_shops hold on to the tables' columns, so they go before a change of those and are made anew behind it.
 */
async function migrateAtOnce(
  owner: pg.Client,
  part: readonly MigrationMeta[],
  { folder, known, locksMs }: { folder: string; known: readonly Known[]; locksMs: number },
): Promise<void> {
  await lockAll(owner, locksMs)
  await owner.query('drop schema if exists own_shops cascade')
  for (const one of part) {
    for (const statement of one.sql) await owner.query(statement)
    await note(owner, one, known)
  }
  await runAgain(owner, join(folder, 'again'), { all: true })
}

/** That it is done, and which programs it leaves behind. */
async function note(
  owner: pg.Client,
  { sql, hash, folderMillis }: MigrationMeta,
  known: readonly Known[],
): Promise<void> {
  await owner.query(OLDEST)
  await owner.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ])
  const { number } = known.find(({ when }) => when === folderMillis) ?? { number: 0 }
  const left = number <= LAST_OF_BEFORE ? number : contractedIn(sql)
  const oldest = known.find(one => one.number === left)?.when
  if (oldest !== undefined)
    await owner.query('insert into drizzle.oldest_programs (made_at) values ($1)', [oldest])
}

/** The newest migration that a program must know to run here. */
const OLDEST = 'create table if not exists drizzle.oldest_programs (made_at bigint not null)'

/** `-- contracts: 0112`: what only programs read that do not know that one goes. */
export function contractedIn(sql: readonly string[]): number | null {
  const number = /^-- contracts: (\d{4})\b/m.exec(sql[0] ?? '')?.[1]
  return number === undefined ? null : Number(number)
}

type Known = { number: number; when: number }

/** The migrations of the folder, by their numbers and by when each was made, by which a database knows them. */
function knownIn(folder: string): Known[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number; tag: string }[]
  }
  return journal.entries.map(({ when, tag }) => ({ when, number: Number(tag.slice(0, 4)) }))
}

/** False where a newer program was here that took nothing away which this one reads. One that did is not to be run beside or after. */
async function isNewest(
  owner: pg.Client,
  applied: readonly number[],
  known: readonly Known[],
): Promise<boolean> {
  const newest = Math.max(0, ...known.map(({ when }) => when))
  const newer = applied.filter(at => at > newest).length
  if (newer === 0) return true
  await owner.query(OLDEST)
  const { rows } = await owner.query<{ oldest: string | null }>(
    'select max(made_at) as oldest from drizzle.oldest_programs',
  )
  if (Number(rows[0]?.oldest ?? 0) <= newest) return false
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
