// Every column of a table that lists show is a field of a person's, or says why it is none; lists name operations.
import assert from 'node:assert/strict'
import test from 'node:test'
import { getTableColumns } from 'drizzle-orm'
import type { z } from 'zod'
import { contract } from '#app/joined.ts'
import { MERCHANT_FACTS, MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { type Fields, headOf, keysIn } from '#kit/declare/fields.ts'
import { besides, fieldOf, paramsOf } from '#kit/declare/list.ts'
import { listOps } from '#kit/declare/op.ts'
import { featureAt } from '#kit/feature-name.ts'
import { DECLARED } from './declared.ts'
import { forbid, PRODUCT } from './sources.ts'
import { columnReasons, TABLES, tableReasons } from './statements.ts'

/** Columns that are no field of a person's wherever they stand, and why. */
const NO_FIELD: Record<string, string> = {
  id: 'names the row',
  agentId: 'shown as agentName',
  accountId: 'the reader is its own',
  createdBy: 'shown by name',
  createdByName: 'a fact of the details',
  searchText: 'made by the database of other columns',
  position: 'shown as the order of the rows',
  revision: 'told to forms alone, against stale ones',
  discountBasisPoints: 'in the price',
  offer: 'in the price',
  askAt: "the program's own note of its next call",
  asked: "the program's own count of its calls",
  undoneAt: 'a fact of the details',
  undoneBy: 'shown by name',
  undoneByName: 'a fact of the timeline',
  undoneReason: 'a fact of the timeline',
}

/** Columns of a listed table that are none of its fields, and tables whose rows no list shows one by one: each says why where it stands. */
const NOT_FIELDS = columnReasons('No field')
const IN_NO_LIST = tableReasons('In no list')

/** The fields of an owner's tables, also those that the feature's desk declares. */
const DESKS: Record<string, string> = {
  'partner-desk': 'agents',
  'order-details': 'purchases',
  'message-desk': 'messages',
  'payment-desk': 'payments',
  'sms-desk': 'sms',
}
const fieldsOf = (owner: string) =>
  DECLARED.filter(({ feature }) => featureAt(owner) === (DESKS[feature] ?? feature)).map(
    ({ fields }) => fields,
  )

/** Who it is cannot be told from a name alone. */
const IS_PERSON = /(人|经理|姓名|称呼)$/

test('the name of a second person below a first one has its heading', () => {
  const bare = DECLARED.flatMap(({ list }) =>
    Object.entries(list?.columns ?? {}).flatMap(([key, { title = '', below = [] }]) =>
      below
        .map(other => fieldOf(list as NonNullable<typeof list>, other).label)
        .filter(label => IS_PERSON.test(label) && !title.includes('/'))
        .map(label => `${list?.key} ${key}: ${label}`),
    ),
  )
  forbid(bare, 'Name both in the title of the column: 客户经理 / 推荐人.')
})

test('every column of a listed table is a field or says why it is none', () => {
  assert.ok(NOT_FIELDS.size > 100 && IN_NO_LIST.size > 50)
  const broken = TABLES.flatMap(({ name, owner, columns }) => {
    const fields = fieldsOf(owner)
    const isField = (key: string) => fields.some(declared => key in declared)
    const keys = Object.keys(getTableColumns(columns))
    const reasoned = keys.filter(key => NOT_FIELDS.has(`${name}.${key}`))
    if (fields.length === 0 || IN_NO_LIST.has(name))
      return reasoned.map(key => `${name}.${key} needs no reason: no list shows its rows`)
    const forgotten = keys.filter(key => !isField(key) && !(key in NO_FIELD) && !reasoned.includes(key))
    return [
      ...forgotten.map(key => `${name}.${key} is no field`),
      ...reasoned.filter(isField).map(key => `${name}.${key} is a field after all`),
    ]
  })
  forbid(
    broken,
    'Name it in fields.ts, or say over the column why it is none: `// No field: …`; over a table: `// In no list: …`.',
  )
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
    const group = fields[key]?.control?.group
    return !PAGES.includes(group === undefined ? `name="${key}"` : `group="${group}"`)
  })
  assert.deepEqual(
    unseen,
    [],
    'Give a plain text a group, and any other field its control in MerchantFields.tsx.',
  )
  const facts: readonly string[] = [...Object.values(MERCHANT_FACTS).flat(), ...OTHER_FACTS]
  const unread = [...entered].filter(key => fields[key]?.control && !facts.includes(key))
  assert.deepEqual(unread, [], 'Name them in MERCHANT_FACTS.')
})

const LISTS = DECLARED.flatMap(({ list }) => list ?? [])
const OPS = new Map(listOps(contract).map(({ name, op }) => [name, op]))

test('every list is asked of the operation whose name it bears, with the parameters that it declares', () => {
  assert.ok(LISTS.length > 3)
  for (const list of LISTS) {
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

test('a list names fields that are there, for its columns, what they show besides, and its sorts', () => {
  for (const { key, fields, columns, sorts = [] } of LISTS) {
    const named = [
      ...Object.entries(columns).flatMap(([name, column]) => [name, ...besides(column)]),
      ...sorts,
    ]
    assert.deepEqual(
      named.filter(name => !(name in fields)),
      [],
      key,
    )
    const titles = Object.values(columns).filter(({ card }) => card === 'title')
    assert.equal(titles.length, 1, `${key}: one column is the title of a card`)
  }
})

/** Places in an order, and what is drawn with a unit of its own size. */
const NO_UNIT = ['index', 'position', 'byteSize', 'weight']

test('the head of every amount and every number says what it counts', () => {
  const silent = LISTS.flatMap(list =>
    Object.entries(list.columns)
      .flatMap(([key, { also = [] }]) => [key, ...also])
      .filter(key => {
        const field = fieldOf(list, key)
        const counts = field.kind === 'money' || field.kind === 'count'
        return (
          counts &&
          field.unitIn === undefined &&
          !NO_UNIT.includes(key) &&
          !/[元币条家天件次个人项行%]/.test(headOf(field))
        )
      })
      .map(key => `${list.key}.${key}`),
  )
  forbid(silent, 'Give the field a unit.')
})

test('a column of amounts in several units names none in its head: each amount says its own', () => {
  const mixed = LISTS.flatMap(list =>
    Object.entries(list.columns).flatMap(([key, { title, also = [] }]) => {
      const units = [key, ...also].map(name => fieldOf(list, name)).filter(({ kind }) => kind === 'money')
      const isMixed = new Set(units.map(({ unit }) => unit)).size > 1
      const head = title ?? headOf(fieldOf(list, key))
      return isMixed && units.some(({ unit = '' }) => head.includes(unit)) ? [`${list.key}.${key}`] : []
    }),
  )
  forbid(mixed, 'Give the column a title without a unit, and draw each amount with its own.')
})
