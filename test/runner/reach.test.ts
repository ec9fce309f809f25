import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsToCheck } from './reach.ts'
import { testFiles } from './test-files.ts'

const tests = testFiles()
const chosen = (...changed: string[]) => testsToCheck(changed, tests)

test('tests of rules are chosen whatever has changed, a test with a database or a browser is not', () => {
  const files = chosen('README.md')
  for (const file of [
    'features/sales/orders/rules.test.ts',
    'kit/kit.test.ts',
    'test/house/architecture.test.ts',
  ])
    assert.ok(files.includes(file), file)
  assert.deepEqual(
    files.filter(file => /\.e2e\.ts$|\/server\.test\.ts$/.test(file)),
    [],
  )
})

test('a change of a feature’s server reaches its own tests before those of others', () => {
  const files = chosen('features/office/views/server.ts')
  const own = files.indexOf('features/office/views/server.test.ts')
  const others = files.findIndex(file => file.startsWith('features/office/access/server'))
  assert.ok(own >= 0 && others > own, `${own} ${others}`)
})

test('a test that has changed comes before what is further away', () => {
  const files = chosen('test/e2e/sales/sell.e2e.ts')
  assert.equal(files.at(-1), 'test/e2e/sales/sell.e2e.ts')
})

test('a page, its styles and the pieces it is made of reach the browser tests that open it, and no operation', () => {
  for (const changed of [
    'features/office/views/ListSettings.tsx',
    'features/office/content/content.module.css',
    'web/controls/Button.tsx',
  ]) {
    const files = chosen(changed)
    assert.ok(files.includes('test/e2e/house/appearance.e2e.ts'), changed)
    assert.ok(!files.some(file => /\/server\.test\.ts$/.test(file)), changed)
  }
})

test('a migration reaches every test with a database; the lockfile reaches all', () => {
  assert.ok(chosen('migrations/0001_x.sql').includes('features/agencies/partners/desk/server.test.ts'))
  assert.deepEqual(chosen('package-lock.json').toSorted(), tests.toSorted())
})
