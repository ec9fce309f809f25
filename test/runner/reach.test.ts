import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsToCheck } from './reach.ts'
import { testFiles } from './test-files.ts'

const tests = testFiles()
const chosen = (...changed: string[]) => testsToCheck(changed, tests)

test('tests of rules are chosen whatever has changed, a test with a database or a browser is not', () => {
  const files = chosen('README.md')
  for (const file of ['features/orders/rules.test.ts', 'kit/kit.test.ts', 'test/house/architecture.test.ts'])
    assert.ok(files.includes(file), file)
  assert.deepEqual(
    files.filter(file => /\.e2e\.ts$|\/server\.test\.ts$/.test(file)),
    [],
  )
})

test('a change of a feature’s server reaches its own tests before those of others', () => {
  const files = chosen('features/views/server.ts')
  const own = files.indexOf('features/views/server.test.ts')
  const others = files.findIndex(file => file.startsWith('features/access/server'))
  assert.ok(own >= 0 && others > own, `${own} ${others}`)
})

test('a test that has changed comes before what is further away', () => {
  const files = chosen('test/e2e/sell.e2e.ts')
  assert.equal(files.at(-1), 'test/e2e/sell.e2e.ts')
})

test('a page, its styles and the pieces it is made of reach the browser tests that open it, and no operation', () => {
  for (const changed of [
    'features/views/ListSettings.tsx',
    'features/content/content.module.css',
    'web/Button.tsx',
  ]) {
    const files = chosen(changed)
    assert.ok(files.includes('test/e2e/appearance.e2e.ts'), changed)
    assert.ok(!files.some(file => /\/server\.test\.ts$/.test(file)), changed)
  }
})

test('a migration reaches every test with a database; the lockfile reaches all', () => {
  assert.ok(chosen('migrations/0001_x.sql').includes('features/partner-desk/server.test.ts'))
  assert.deepEqual(chosen('package-lock.json').toSorted(), tests.toSorted())
})
