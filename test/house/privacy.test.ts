// docs/PRIVACY.md names every table with a column that looks like a person's, and none that has none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { getTableColumns } from 'drizzle-orm'
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
