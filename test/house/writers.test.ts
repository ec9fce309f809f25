// Read any table, write only your own: rows are written where their table is declared. It reads the sources.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import test from 'node:test'
import { fileOf, forbid, PRODUCT, room, SOURCES } from './sources.ts'
import { TABLES, writesIn } from './statements.ts'

const ELSEWHERE: Record<string, string> = {
  'app/reference.ts': 'loads the rows that every feature declares',
}

/** They act as the owner of the database, before or beside the program. */
const isBeside = (path: string) => ['scripts', 'bench'].includes(room(path)) || fileOf(path) === 'demo.ts'

const WRITES = PRODUCT.filter(({ path }) => path.endsWith('.ts') && !isBeside(path)).flatMap(writesIn)
/** The server's folders are one room. */
const roomOf = (path: string) => (room(path) === 'server' ? 'server' : dirname(path))
const foreign = WRITES.filter(({ path, table }) => roomOf(path) !== table.owner)

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

/** As `clearing` of a feature declares it; a job of its own asks a function of the owner. */
const CLEARS = /\{ table: '([a-z_]+)', (?:at|after): (?![^}]*\bjob: )/g

test('rows that go by their age are of the feature that says so', () => {
  const cleared = PRODUCT.filter(({ path }) => fileOf(path) === 'feature.ts').flatMap(({ path, text }) =>
    [...text.matchAll(CLEARS)].map(([, name]) => ({ path, name })),
  )
  assert.ok(cleared.length > 25)
  forbid(
    cleared
      .filter(({ path, name }) => TABLES.find(({ sqlName }) => sqlName === name)?.owner !== dirname(path))
      .map(({ path, name }) => `${path} clears ${name}`),
    'Declare it in the feature whose table it is.',
  )
})

const MAKERS: Record<string, string> = {
  accounts: 'accountRow',
  agents: 'agentRow',
  merchants: 'merchantRow',
  versionOrders: 'orderRow',
}

const WITHOUT_MAKER: Record<string, string> = {
  'bench/shop-import.ts': 'the bare statement that an import is measured against',
  'bench/bulk.ts': 'the same rows set by set, to compare with',
  'bench/office.ts': 'a hundred thousand shops, made inside the database',
  'bench/insights.ts': 'a million shops, made inside the database',
  'bench/quotes.ts': 'copies of a quote',
  'scripts/seed-orders.ts': 'millions of rows, made inside the database',
  'server/documents/export.test.ts': 'a table as large as a pipe, without its triggers',
  'test/e2e/office/day-lists.all.e2e.ts': 'copies of a shop',
  'test/faults/quotes.ts': 'copies of a quote',
}

test('rows made beside the operations come from the one maker of their table', () => {
  const made = SOURCES.filter(({ path }) => path.endsWith('.ts') && !path.startsWith('test/writers'))
    .filter(({ path }) => !/^features\/[\w/-]+\/server[\w-]*\.ts$/.test(path))
    .flatMap(source => writesIn(source).map(write => ({ ...write, text: source.text })))
    .filter(({ verb, table }) => verb === 'insert' && table.name in MAKERS)
  const wrong = made.filter(
    ({ table, sql, text }) => sql !== null || !text.includes(`${MAKERS[table.name]}(`),
  )
  const places = wrong.filter(({ path }) => !(path in WITHOUT_MAKER))
  forbid(
    places.map(({ path, line, table }) => `${path}:${line} makes a row of ${table.sqlName}`),
    'Make it with the maker in rows.ts of its feature (many of them with server/insert-rows.ts).',
  )
  for (const path of Object.keys(WITHOUT_MAKER))
    assert.ok(
      wrong.some(write => write.path === path),
      `${path} needs no exception any more`,
    )
})
