// What lies encrypted is rotated with the keys: each column of bytes is in the list of those, or says why it is none.
import test from 'node:test'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { SEALED } from '#app/sealed.ts'
import { forbid } from './sources.ts'
import { TABLES } from './statements.ts'

/** By its name: what one hashes, or what is nobody's secret. */
const HASHED = /^(hash|\w+_hash)$/
const OPEN: Record<string, string> = {
  'compat_accesses.password_digest': 'a hash with the key of the program',
  'documents.facts': 'encrypted with the key of its file, files.sealed_key, which is in the list',
  'factor_failures.digest': 'a hash with the key of the program',
  'operation_log_erasures.signature': 'shown to whoever asks',
  'passkeys.public_key': 'public',
  'provider_events.body': 'a callback as it came',
  'recovery_codes.salt': 'part of a hash',
}

test('every column of bytes is encrypted and in the list, hashed, or said to be open', () => {
  const listed = new Set(SEALED.map(({ table, column }) => `${getTableName(table)}.${column}`))
  const all = TABLES.flatMap(({ columns, sqlName }) =>
    Object.values(getTableColumns(columns))
      .filter(column => column.getSQLType() === 'bytea' && !HASHED.test(column.name))
      .map(column => `${sqlName}.${column.name}`),
  )
  forbid(
    all.filter(name => !listed.has(name) && !(name in OPEN)),
    'Name it in app/sealed.ts where it is encrypted, or say here why it is not.',
  )
  forbid(
    [...listed, ...Object.keys(OPEN)].filter(name => !all.includes(name)),
    'There is no such column of bytes.',
  )
})
