import assert from 'node:assert/strict'
import test from 'node:test'
import { sampled, times } from '../lane.ts'
import { filesNamed, inOrder, isOfLongLane, testFiles } from './test-files.ts'

test('files are begun by their times, and without one by what others of their kind take for their size', () => {
  const size = new Map([
    ['a.test.ts', 100],
    ['b.e2e.ts', 100],
    ['c.e2e.ts', 300],
    ['d.test.ts', 5_000],
    ['e.test.ts', 10_000],
  ])
  assert.deepEqual(inOrder(size, { 'a.test.ts': 70, 'b.e2e.ts': 20, 'd.test.ts': 1 }), [
    // 10,000 bytes at 71 seconds for 5,100.
    'e.test.ts',
    'a.test.ts',
    'c.e2e.ts',
    'b.e2e.ts',
    'd.test.ts',
  ])
})

test('where no time is known, browser tests come first, each kind by its size', () => {
  const size = new Map([
    ['a.test.ts', 9_000],
    ['b.e2e.ts', 100],
    ['c.test.ts', 9_500],
    ['d.e2e.ts', 200],
  ])
  assert.deepEqual(inOrder(size, {}), ['d.e2e.ts', 'b.e2e.ts', 'c.test.ts', 'a.test.ts'])
})

test('files of the long lane are left out but where all is wanted', () => {
  assert.ok(isOfLongLane('test/print/alike.all.test.ts') && isOfLongLane('test/e2e/pay.all.e2e.ts'))
  assert.ok(!isOfLongLane('features/all/rules.test.ts') && !isOfLongLane('test/e2e/all.e2e.ts'))
  const [short, long] = [testFiles(), testFiles({ all: true })]
  assert.deepEqual(
    long.filter(file => !isOfLongLane(file)),
    short,
  )
})

test('files are named by their path or a part of it', () => {
  const files = [
    'features/office/notices/server.test.ts',
    'features/office/notices/rules.test.ts',
    'test/e2e/office/notices.e2e.ts',
  ]
  const named = (...wanted: string[]) => filesNamed(wanted, files)
  assert.deepEqual(named('features/office/notices/server.test.ts'), files.slice(0, 1))
  assert.deepEqual(named('./features/office/notices/rules.test.ts', 'e2e/'), files.slice(1))
  assert.deepEqual(named('notices'), files)
})

test('a name that no file has is refused in words', () => {
  for (const wanted of ['nowhere.test.ts', '', 'features/office/notices/server.ts'])
    assert.throws(() => filesNamed(['notices', wanted], ['features/office/notices/server.test.ts']), {
      message: `No test file has "${wanted}" in its path. Test files end in .test.ts, of components in .test.tsx, with a browser in .e2e.ts.`,
    })
})

test('a table is sampled evenly from its first row to its last, and whole in the long lane', () => {
  const rows = Array.from({ length: 10 }, (_, at) => at)
  assert.deepEqual(sampled(rows, 4, false), [0, 3, 6, 9])
  assert.deepEqual(sampled(rows, 1, false), [0])
  assert.deepEqual(sampled(rows, 20, false), rows)
  assert.deepEqual(sampled(rows, 4, true), rows)
  assert.deepEqual([times(2, 200, false), times(2, 200, true)], [2, 200])
})
