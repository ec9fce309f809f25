// Every column of a table that is declared in fields.ts is a field of a person's, or says why it is none; lists name operations.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { getTableColumns, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { contract } from '#app/joined.ts'
import { MERCHANT_FACTS, MERCHANT_FIELDS, MERCHANT_UNNAMED } from '#features/merchants/fields.ts'
import { merchants } from '#features/merchants/tables.ts'
import { type Fields, keysIn } from '#kit/fields.ts'
import { type List, paramsOf } from '#kit/list.ts'
import { listOps } from '#kit/op.ts'
import { PRODUCT, ROOT } from './sources.ts'

const TABLES: [table: PgTable, fields: Fields, unnamed: Readonly<Record<string, string>>][] = [
  [merchants, MERCHANT_FIELDS, MERCHANT_UNNAMED],
]

test('every column is a field or says why it is none', () => {
  for (const [table, fields, unnamed] of TABLES) {
    assert.ok(is(table, PgTable))
    const columns = Object.keys(getTableColumns(table))
    const forgotten = columns.filter(column => !(column in fields) && !(column in unnamed))
    assert.deepEqual(forgotten, [], 'Name them in fields.ts.')
    const gone = Object.keys(unnamed).filter(column => !columns.includes(column))
    assert.deepEqual(gone, [], 'These columns are not there any more.')
  }
})

const PAGES = PRODUCT.filter(({ path }) => path.endsWith('.tsx'))
  .map(({ text }) => text)
  .join('\n')
/** Facts that show more than the text of a field. */
const OTHER_FACTS = ['address', 'remark']

test('every field that a form takes has its control, and every text that is typed is a fact', () => {
  const fields: Fields = MERCHANT_FIELDS
  const entered = new Set([...keysIn(fields, 'add'), ...keysIn(fields, 'edit')])
  const unseen = [...entered].filter(key => {
    const group = fields[key]?.entry?.group
    return !PAGES.includes(group === undefined ? `name="${key}"` : `group="${group}"`)
  })
  assert.deepEqual(
    unseen,
    [],
    'Give a plain text an entry, and any other field a control in MerchantFields.tsx.',
  )
  const facts: readonly string[] = [...Object.values(MERCHANT_FACTS).flat(), ...OTHER_FACTS]
  const unread = [...entered].filter(key => fields[key]?.entry && !facts.includes(key))
  assert.deepEqual(unread, [], 'Name them in MERCHANT_FACTS.')
})

async function declaredLists(): Promise<List[]> {
  const modules = await Promise.all(
    globSync('features/*/fields*.ts', { cwd: ROOT }).map(path => import(`#${path}`)),
  )
  const exported = modules.flatMap(module => Object.values(module as Record<string, unknown>))
  return exported.filter((value): value is List =>
    Boolean(value && typeof value === 'object' && 'columns' in value),
  )
}

const OPS = new Map(listOps(contract).map(({ name, op }) => [name, op]))

test('every list is asked of the operation whose name it bears, with the parameters that it declares', async () => {
  const lists = await declaredLists()
  assert.ok(lists.length > 3)
  for (const list of lists) {
    const op = OPS.get(list.key)
    assert.ok(op, `${list.key} is no operation`)
    const shape = (op['~orpc'].inputSchema as unknown as z.ZodObject).shape
    const declared = [
      'page',
      'size',
      ...(list.search === undefined ? [] : ['search']),
      ...(list.sorts ? ['sort', 'order'] : []),
      ...Object.entries(list.filters ?? {}).flatMap(([key, filter]) => paramsOf(key, filter)),
    ]
    assert.deepEqual(
      declared.filter(name => !(name in shape)),
      [],
      `${list.key} does not take them`,
    )
  }
})

test('a list names fields that are there, for its columns, what they show besides, and its sorts', async () => {
  for (const { key, fields, columns, sorts = [] } of await declaredLists()) {
    const named = [...Object.entries(columns).flatMap(([name, { also = [] }]) => [name, ...also]), ...sorts]
    assert.deepEqual(
      named.filter(name => !(name in fields)),
      [],
      key,
    )
    const titles = Object.values(columns).filter(({ card }) => card === 'title')
    assert.equal(titles.length, 1, `${key}: one column is the title of a card`)
  }
})
