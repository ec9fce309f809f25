// Read any table, write only your own: rows are written where their table is declared. It reads the sources.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import test from 'node:test'
import { fileOf, forbid, PRODUCT, room } from './sources.ts'
import { TABLES, writesIn } from './statements.ts'

const ELSEWHERE: Record<string, string> = {
  'app/reference.ts': 'loads the rows that every feature declares',
}

/** They act as the owner of the database, before or beside the program. */
const isBeside = (path: string) => ['scripts', 'bench'].includes(room(path)) || fileOf(path) === 'demo.ts'

const WRITES = PRODUCT.filter(({ path }) => path.endsWith('.ts') && !isBeside(path)).flatMap(writesIn)
const foreign = WRITES.filter(({ path, table }) => dirname(path) !== table.owner)

test('the walk sees the tables and who writes them', () => {
  assert.ok(TABLES.length > 50)
  assert.ok(WRITES.length > 100)
  const named = foreign.map(({ path }) => path)
  for (const path of Object.keys(ELSEWHERE))
    assert.ok(named.includes(path), `${path} writes no other's table any more`)
})

test('a table is written by the feature that declares it', () => {
  forbid(
    foreign
      .filter(({ path }) => !(path in ELSEWHERE))
      .map(
        ({ path, line, verb, table }) =>
          `${path}:${line} has an ${verb} of ${table.sqlName} of ${table.owner}`,
      ),
    "Call a verb of the table's feature with your ctx.",
  )
})
