import assert from 'node:assert/strict'
import test from 'node:test'
import { freshDatabase, TEST_SECRET } from '#test/database.ts'
import { appUrlOf, migrateDatabase } from './migrate.ts'
import { makeSecrets } from './secrets.ts'

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
