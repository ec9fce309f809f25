// Every table that a fresh database starts with, or that the operator edits, stands in the list of features/office/reference-data/README.md.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { Feature } from '#server/feature.ts'
import { COLUMN_LABELS } from '#server/office/reference-tables.ts'
import { FEATURES } from './features.ts'
import { CONFIGURED_TABLES, EDITED_TABLES, SETTINGS } from './joined.ts'

const README = readFileSync(new URL('../features/office/reference-data/README.md', import.meta.url), 'utf8')
const LISTED = [...README.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]*)\|$/gm)].map(
  ([, table = '', where = '', why = '']) => ({ table, where: where.trim(), why: why.trim() }),
)
const seeded = Object.values<Feature>(FEATURES).flatMap(({ reference = [] }) => reference)
const names = (tables: readonly { table: Parameters<typeof getTableName>[0] }[]) => [
  ...new Set(tables.map(({ table }) => getTableName(table))),
]
const EDITED = names(EDITED_TABLES)
const OWN_PANEL = ['region_edition', 'region_changes']
/** Loaded apart from the others. */
const TREE = 'permission_nodes'

test('every table of reference data is in the list, once', () => {
  const known = [...new Set([...names(seeded), ...EDITED, ...names(CONFIGURED_TABLES), TREE])]
  assert.deepEqual(LISTED.map(({ table }) => table).toSorted(), known.toSorted())
})

test('one that the editor does not have says where it is edited and why not there', () => {
  for (const { table, where, why } of LISTED) {
    const isHere = EDITED.includes(table) || OWN_PANEL.includes(table)
    assert.equal(where.startsWith('基础数据'), isHere, table)
    assert.equal(why === '', isHere, table)
  }
})

test('every table of the list but the program’s own tree is carried by the configuration file', () => {
  const carried = [...EDITED, ...names(CONFIGURED_TABLES)]
  assert.deepEqual(
    LISTED.map(({ table }) => table).filter(table => !carried.includes(table)),
    [TREE],
  )
})

test('a file tells every column that it carries by what people call it', () => {
  for (const { key, table, labels = {}, fields = {}, leaves } of CONFIGURED_TABLES)
    for (const column of Object.keys(getTableColumns(table)))
      assert.ok(
        column in leaves || column in fields || column in labels || column in COLUMN_LABELS,
        `${key} ${column}`,
      )
  for (const { key, table, labels = {}, fields } of EDITED_TABLES)
    for (const column of Object.keys(getTableColumns(table)))
      assert.ok(column in fields || column in labels || column in COLUMN_LABELS, `${key} ${column}`)
})

test('every setting has its own key, and holds within its bounds until it is set', () => {
  assert.equal(new Set(SETTINGS.map(({ key }) => key)).size, SETTINGS.length)
  for (const { key, initial, min, max } of SETTINGS) assert.ok(min <= initial && initial <= max, key)
})
