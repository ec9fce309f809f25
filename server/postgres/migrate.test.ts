import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import pg from 'pg'
import { makeSecrets } from '#server/secrets.ts'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { appUrlOf, migrateDatabase } from './migrate.ts'

test('the app’s address is the owner’s with the app’s role, and nothing in it can name another', () => {
  assert.equal(
    appUrlOf('postgres://own:pw@db.test:5433/office?sslmode=require', 'app'),
    'postgres://partner_office_app:app@db.test:5433/office?sslmode=require',
  )
  for (const ambiguous of [
    'postgres://db.test/office?user=own&password=pw',
    'postgres:///office?host=/run/sock&user=own',
    'postgres:///office',
    'postgres://own:pw@db.test/office?password=pw',
  ])
    assert.throws(() => appUrlOf(ambiguous, 'app'), /DATABASE_URL must be written/, ambiguous)
})

test('an office with another key is refused in words, and the first keeps its password', async () => {
  const { ownerUrl, drop } = await freshDatabase()
  try {
    const migrateWith = (secret: string) =>
      migrateDatabase({
        ownerUrl,
        appPassword: makeSecrets(secret).databasePassword,
        afterwards: async () => undefined,
      })
    await assert.rejects(migrateWith('f'.repeat(64)), /has another password than SECRET_KEY gives/)
    await migrateWith(TEST_SECRET)
  } finally {
    await drop()
  }
})

test('a database of an older program is brought to the same tables as an empty one', async () => {
  const { ownerUrl, drop } = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'partner-office-migrations-'))
  const older = new URL(ownerUrl)
  older.pathname += '_older'
  const name = older.pathname.slice(1)
  try {
    cpSync('migrations', folder, { recursive: true, filter: path => !path.endsWith('again') })
    const journalFile = join(folder, 'meta/_journal.json')
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: unknown[] }
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 3) }))
    const migrateFrom = (migrations?: string) =>
      migrateDatabase({
        ownerUrl: older.toString(),
        appPassword: makeSecrets(TEST_SECRET).databasePassword,
        afterwards: async () => undefined,
        folder: migrations,
      })
    await rowsAt(ownerUrl, `create database ${name} template template0`)
    await migrateFrom(folder)
    const newest = await columnsAt(ownerUrl)
    assert.ok((await columnsAt(older.toString())).length < newest.length)
    await migrateFrom()
    assert.deepEqual(await columnsAt(older.toString()), newest)
    // The older program does not run on it any more.
    await assert.rejects(migrateFrom(folder), /was upgraded by a newer program/)
    assert.deepEqual(await columnsAt(older.toString()), newest)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await rowsAt(ownerUrl, `drop database if exists ${name} with (force)`)
    await drop()
  }
})

function columnsAt(url: string): Promise<unknown[]> {
  return rowsAt(
    url,
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  )
}

async function rowsAt(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
