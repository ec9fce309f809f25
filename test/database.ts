// The private database server of a test run: one for all files (started by scripts/test.ts), or one for a file run alone.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createDemoData } from '#app/demo.ts'
import { loadReferenceData } from '#app/reference.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { migrateDatabase } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { patient } from './patience.ts'
import { quickHash } from './quick-hash.ts'
import { movedMs } from './runner/day.ts'

const TEMPLATE = 'template_office'
/** Its databases have a clock that can be set. */
const CLOCK_TEMPLATE = 'template_office_clock'
const CLOCK = readFileSync(new URL('clock.sql', import.meta.url), 'utf8')
/** What the program must name before PostgreSQL's own in such a database. */
export const CLOCK_PATH = 'clock,pg_catalog'
const TEMPLATE_LOCK = 2
const UNUSED_WITHIN_MS = 5_000
export const TEST_SECRET = '0'.repeat(64)

export type TestServer = { ownerUrl: string; stop(): Promise<void> }

const MEMORY_DISK = '/dev/shm'
/** Of the few databases that there are at a time, their templates and what is written of them. */
const ROOM_BYTES = 6 * 1024 ** 3

/** In memory where there is room for it: a database of its own for each file is a thousand small files, made and deleted. */
function dataHome(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    return bavail * bsize > ROOM_BYTES ? MEMORY_DISK : tmpdir()
  } catch {
    // Not every system has one.
    return tmpdir()
  }
}

/** Starts a server with a migrated template to clone from. Not durable: tests that need durability start their own. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(dataHome(), 'partner-office-test-'))
  const embedded = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    localSocket: true,
    log: () => undefined,
    // Tables are small and processors few: helpers of a statement would cost more than they help.
    settings: { max_connections: '200', max_parallel_workers_per_gather: '0' },
  })
  const stop = async () => {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const ownerUrl = embedded.socketUrl ?? embedded.ownerUrl
  try {
    await runAt(ownerUrl, `create database ${TEMPLATE}`)
    await migrateDatabase({
      ownerUrl: urlOf(ownerUrl, TEMPLATE),
      appPassword: makeSecrets(TEST_SECRET).databasePassword,
      afterwards: loadReferenceData,
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { ownerUrl, stop }
}

let own: Promise<TestServer> | null = null
let open = 0

/**
 * A fresh database with schema and reference data, or demo data too, or a copy of another by its name, which nobody is connected to;
 * its clock stands `clockMs` from the server's, or where that of this process stands. The last `drop` also ends the server where this
 * file started it.
 */
export async function freshDatabase({
  demo = false,
  copyOf,
  clockMs = movedMs(),
  server = process.env.TEST_DATABASE_SERVER,
}: {
  demo?: boolean | undefined
  copyOf?: string | undefined
  clockMs?: number
  /** Of the run when absent. */
  server?: string | undefined
} = {}): Promise<{
  name: string
  ownerUrl: string
  drop(): Promise<void>
}> {
  if (!server) own ??= startTestServer()
  const serverUrl = server ?? (await (own as Promise<TestServer>)).ownerUrl
  open++
  const name = `test_${randomBytes(6).toString('hex')}`
  const template =
    copyOf ?? (demo ? await demoTemplate(serverUrl, clockMs) : await officeTemplate(serverUrl, clockMs))
  await runAt(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  if (clockMs !== 0) await setClock(serverUrl, name, clockMs)
  return {
    name,
    ownerUrl: urlOf(serverUrl, name),
    async drop() {
      await runAt(serverUrl, untilUnused(name))
      await runAt(serverUrl, `drop database ${name} with (force)`)
      open--
      if (own && open === 0) {
        const server = await own
        own = null
        await server.stop()
      }
    },
  }
}

/** The template of an office without rows; one whose clock can be set is made by whoever needs it first. */
async function officeTemplate(serverUrl: string, clockMs: number): Promise<string> {
  if (clockMs === 0) return TEMPLATE
  return makeTemplate(serverUrl, CLOCK_TEMPLATE, TEMPLATE, url => runAt(url, CLOCK))
}

/** Today's demo data, made by whoever needs it first; a run that goes on past midnight makes tomorrow's. */
async function demoTemplate(serverUrl: string, clockMs: number): Promise<string> {
  const day = formatDay(new Date()).replaceAll(/\D/g, '')
  const from = await officeTemplate(serverUrl, clockMs)
  return makeTemplate(serverUrl, `${from}_demo_${day}`, from, async (url, name) => {
    if (clockMs !== 0) await setClock(serverUrl, name, clockMs)
    await createDemoData(url, { now: demoNow() })
    await runAt(url, `update accounts set password_hash = '${quickHash(DEMO_PASSWORD)}'`)
  })
}

/** Made once for all processes of a run, out of another one. */
async function makeTemplate(
  serverUrl: string,
  name: string,
  from: string,
  fill: (url: string, name: string) => Promise<void>,
): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return name
    const unfinished = `${name}_${randomBytes(6).toString('hex')}`
    await client.query(`create database ${unfinished} template ${from} strategy file_copy`)
    await fill(urlOf(serverUrl, unfinished), unfinished)
    await client.query(untilUnused(unfinished))
    await client.query(`alter database ${unfinished} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

/** Holds for connections made from here on. A new month wants its part of the operation log. */
async function setClock(serverUrl: string, name: string, clockMs: number): Promise<void> {
  await runAt(
    serverUrl,
    `alter database ${name} set app.clock_offset = '${clockMs} milliseconds';
     alter database ${name} set search_path = public,${CLOCK_PATH}`,
  )
  await runAt(urlOf(serverUrl, name), 'select make_operation_log_months(now())')
}

/** An hour into today: what the demo data hold does not depend on when in the day they are made. */
function demoNow(): Date {
  const now = new Date()
  return new Date(Math.min(now.getTime(), startOfDay(formatDay(now)).getTime() + 3_600_000))
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.toString()
}

/** Connections that were just ended are given a moment to go: one that is cut off instead fails a test that is over. */
function untilUnused(name: string): string {
  return `do $$ begin
    for i in 1..${Math.ceil(patient(UNUSED_WITHIN_MS) / 20)} loop
      exit when not exists (select 1 from pg_stat_activity where datname = '${name}');
      perform pg_sleep(0.02), pg_stat_clear_snapshot();
    end loop;
  end $$`
}

async function runAt(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
