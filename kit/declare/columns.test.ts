import assert from 'node:assert/strict'
import test from 'node:test'
import {
  arrangedColumns,
  type ColumnSetting,
  clampWidth,
  movedColumn,
  orderedColumns,
  settingsOf,
} from './columns.ts'

type Column = { key: string; fixed?: 'start' | 'end'; width?: number }
const COLUMNS: Column[] = [
  { key: 'id', fixed: 'start' },
  { key: 'name' },
  { key: 'phone', width: 100 },
  { key: 'status' },
  { key: 'last', fixed: 'end' },
]
const keys = (columns: readonly { key: string }[]) => columns.map(({ key }) => key).join(' ')

test('columns come in the order of the settings, fixed ones where they belong', () => {
  const cases: [string, string][] = [
    ['', 'id name phone status last'],
    ['status name phone', 'id status name phone last'],
    ['last status phone name id', 'id status phone name last'],
    ['status', 'id name phone status last'],
    ['gone phone name', 'id phone status name last'],
    ['status phone', 'id name status phone last'],
  ]
  for (const [wanted, expected] of cases) {
    const settings = wanted.split(' ').map(key => ({ key }))
    assert.equal(keys(orderedColumns(COLUMNS, settings)), expected, wanted)
  }
})

test('hidden columns are not shown, fixed ones cannot be hidden, and one column always stays', () => {
  const hidden = (text: string): ColumnSetting[] => text.split(' ').map(key => ({ key, hidden: true }))
  assert.equal(keys(arrangedColumns(COLUMNS, hidden('phone id last'))), 'id name status last')
  assert.equal(keys(arrangedColumns([{ key: 'a' }, { key: 'b' }], hidden('a b'))), 'a')
})

test('widths are taken within limits, others stay as the list has them', () => {
  const arranged = arrangedColumns(COLUMNS, [
    { key: 'name', width: 10 },
    { key: 'status', width: 5_000 },
  ])
  assert.deepEqual(
    arranged.map(({ width }) => width),
    [undefined, 56, 100, 800, undefined],
  )
  assert.equal(clampWidth(120.4), 120)
})

test('a column is moved to the place of another, in both directions', () => {
  const settings = settingsOf(COLUMNS, [{ key: 'phone', hidden: true }])
  assert.equal(keys(settings), 'id name phone status last')
  assert.deepEqual(settings[2], { key: 'phone', hidden: true })
  assert.equal(keys(movedColumn(settings, 'name', 'status')), 'id phone status name last')
  assert.equal(keys(movedColumn(settings, 'status', 'name')), 'id status name phone last')
  assert.equal(keys(movedColumn(settings, 'gone', 'name')), 'id name phone status last')
})
