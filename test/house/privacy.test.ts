// docs/PRIVACY.md names every table with a column that looks like a person's, and none that has none; and an erasure knows each such column.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { getTableColumns } from 'drizzle-orm'
import {
  APART,
  MASKED_OF_ACCOUNTS,
  OF_ACCOUNTS,
  OTHERWISE,
  PLACES,
} from '#features/overview/person-erasures/server-places.ts'
import { forbid, ROOT } from './sources.ts'
import { TABLES } from './statements.ts'

const PERSONAL =
  /mobile|phone|id_number|legal_person|contact_name|person_name|person_in_charge|email|qq|wechat|account_number|holder|last_ip|^ip$|user_agent|^address/
const NAMED = readFileSync(join(ROOT, 'docs/PRIVACY.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| '))
  .flatMap(line => [...(line.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => String(name)))

test('every table that knows people says so', () => {
  const personal = TABLES.filter(({ columns }) =>
    Object.values(getTableColumns(columns)).some(({ name }) => PERSONAL.test(name)),
  ).map(({ sqlName }) => sqlName)
  forbid(
    personal.filter(name => !NAMED.includes(name)),
    'Say in docs/PRIVACY.md what it knows of whom, who sees it and how long it stays.',
  )
  forbid(
    NAMED.filter(name => !TABLES.some(({ sqlName }) => sqlName === name)),
    'There is no such table.',
  )
})

test('an erasure knows what becomes of every column that looks like a person’s', () => {
  const known = new Set([
    ...PLACES.flatMap(({ table, phone, name = [], idNumber, set = {}, sealed = [], fate }) =>
      fate === 'goes'
        ? [table]
        : [...phone, ...name, ...sealed, ...(idNumber ? [idNumber] : []), ...Object.keys(set)].map(
            column => `${table}.${column}`,
          ),
    ),
    ...OF_ACCOUNTS.map(({ table }) => table),
    ...MASKED_OF_ACCOUNTS.flatMap(({ table, set }) => Object.keys(set).map(column => `${table}.${column}`)),
    ...Object.keys(APART),
    ...Object.keys(OTHERWISE),
  ])
  const columns = TABLES.flatMap(({ sqlName, columns: of }) =>
    Object.values(getTableColumns(of))
      .filter(({ name }) => PERSONAL.test(name))
      .map(({ name }) => ({ sqlName, name: `${sqlName}.${name}` })),
  )
  forbid(
    columns.filter(({ sqlName, name }) => !known.has(sqlName) && !known.has(name)).map(({ name }) => name),
    'Say in features/overview/person-erasures/server-places.ts what becomes of it where a person asks to be forgotten.',
  )
  const all = new Set(columns.map(({ name }) => name))
  forbid(
    Object.keys(OTHERWISE).filter(name => !all.has(name)),
    'There is no such column that looks like a person’s.',
  )
})
