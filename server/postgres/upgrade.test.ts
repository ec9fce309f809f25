// Migrations beside programs that go on: how long anybody waits, what is cut off and goes on, and which programs may still run.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before, beforeEach } from 'node:test'
import pg from 'pg'
import { makeSecrets } from '#server/secrets.ts'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { comesTrue } from '#test/patience.ts'
import { migrateDatabase } from './migrate.ts'

const LIMITS = { locksMs: 100, restMs: 100, giveUpMs: 600_000 }
/** Whoever writes is refused by the database where it waits longer. */
const WRITERS_WAIT = '10s'
const OUTSIDE = '-- outside of a transaction\n'

let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
const folders: string[] = []
let number = 900

before(async () => {
  database = await freshDatabase()
  client = await connected()
})
after(async () => {
  await client.end()
  await database.drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
/** What a test adds, the next one finds applied. */
let folder = 'migrations'
beforeEach(() => {
  folder = next(folder, [])
})

async function connected(): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: database.ownerUrl })
  await made.connect()
  return made
}

/** The migrations of a later release. */
function next(from: string, added: readonly string[]): string {
  const made = mkdtempSync(join(tmpdir(), 'partner-office-upgrade-'))
  folders.push(made)
  cpSync(from, made, { recursive: true })
  const file = join(made, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { when: number }[] }
  for (const sql of added) {
    number++
    const tag = `${String(number).padStart(4, '0')}_added`
    writeFileSync(join(made, `${tag}.sql`), sql)
    const when = (journal.entries.at(-1)?.when ?? 0) + 1
    journal.entries.push({ idx: number, version: '7', when, tag, breakpoints: true } as { when: number })
  }
  writeFileSync(file, JSON.stringify(journal))
  return made
}

const migrate = (from: string, afterwards = async () => undefined) =>
  migrateDatabase({
    ...{ ownerUrl: database.ownerUrl, appPassword: makeSecrets(TEST_SECRET).databasePassword },
    ...{ folder: from, limits: LIMITS, afterwards },
  })

async function one<T>(text: string, values: unknown[] = []): Promise<T | undefined> {
  const { rows } = await client.query(text, values)
  return rows[0] as T | undefined
}

const isWaiting = async () =>
  (await one(
    `select 1 from pg_stat_activity where datname = current_database() and query like 'lock table%' and wait_event_type = 'Lock'`,
  )) !== undefined

test('who reads for long holds up the change alone: it gives up and tries again, and others go on', async () => {
  const reader = await connected()
  const writer = await connected()
  await reader.query('begin; select count(*) from merchants')
  await writer.query(`set lock_timeout = '${WRITERS_WAIT}'`)
  folder = next(folder, ['alter table merchants add column added text'])
  const migrating = migrate(folder)
  for (let tries = 0; tries < 3; tries++) {
    assert.ok(await comesTrue(isWaiting))
    await writer.query('update merchants set remark = remark where id = -1')
    assert.ok(await comesTrue(async () => !(await isWaiting())))
  }
  await reader.query('commit')
  await migrating
  assert.ok((await one(`select added from merchants where false`)) === undefined)
  await reader.end()
  await writer.end()
})

test('a change that never has its tables is given up in words', async () => {
  const reader = await connected()
  await reader.query('begin; select count(*) from merchants')
  const later = next(folder, ['alter table merchants add column never text'])
  const limits = { ...LIMITS, giveUpMs: 0 }
  const options = { ownerUrl: database.ownerUrl, appPassword: makeSecrets(TEST_SECRET).databasePassword }
  await assert.rejects(
    migrateDatabase({ ...options, folder: later, limits, afterwards: async () => undefined }),
    /The tables cannot be had .* has been at work for \d+ s: begin; select count/,
  )
  await reader.end()
})

test('a backfill in steps goes on where it was cut off', async () => {
  folder = next(folder, [
    `create table stepped (id bigint primary key, times int not null default 0);
     insert into stepped (id) select n from generate_series(1, 25) n; create table knob (v int); insert into knob values (0)`,
    `${OUTSIDE}-- in steps: stepped.id 10
     update stepped set times = times + 1 / (case when id > 20 then (select v from knob) else 1 end) where id > $1 and id <= $2`,
  ])
  await assert.rejects(migrate(folder), /division by zero/)
  assert.deepEqual(await one('select sum(times)::int as sum, max(times) as most from stepped'), {
    sum: 20,
    most: 1,
  })
  await client.query('update knob set v = 1; insert into stepped (id) values (26)')
  await migrate(folder)
  assert.deepEqual(await one('select sum(times)::int as sum, max(times) as most from stepped'), {
    sum: 26,
    most: 1,
  })
  assert.equal(await one('select 1 from drizzle.steps'), undefined)
})

test('an index that was cut off is made anew, and one that is there is left', async () => {
  await client.query('create index stepped_times on stepped (times)')
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'stepped_times'::regclass`)
  folder = next(folder, [`${OUTSIDE}create index concurrently stepped_times on stepped (times)`])
  await migrate(folder)
  const valid = 'select indisvalid as valid from pg_index where indexrelid = $1::regclass'
  assert.deepEqual(await one(valid, ['stepped_times']), { valid: true })
  folder = next(folder, [`${OUTSIDE}create index concurrently stepped_times on stepped (times)`])
  await migrate(folder)
  assert.deepEqual(await one(valid, ['stepped_times']), { valid: true })
})

test('a program may be gone back to until something is taken from it', async () => {
  const older = folder
  const newer = next(older, ['alter table stepped add column more text'])
  const again = join(newer, 'again/notify-accounts.sql')
  writeFileSync(again, `${readFileSync(again, 'utf8')}\ncomment on function notify_accounts is 'newer';`)
  await migrate(newer)
  const comment = `select obj_description('notify_accounts'::regproc) as text`
  let loaded = 0
  // The older program leaves all as the newer one has made it, its own reference data too.
  await migrate(older, async () => {
    loaded++
    return undefined
  })
  assert.equal(loaded, 0)
  assert.deepEqual(await one(comment), { text: 'newer' })
  const contracting = next(newer, [
    `-- contracts: ${String(number).padStart(4, '0')}\nalter table stepped drop column times`,
  ])
  await migrate(contracting)
  await migrate(newer)
  await assert.rejects(migrate(older), /was upgraded by a newer program/)
  folder = contracting
})
