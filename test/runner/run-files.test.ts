import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runFiles } from './run-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-office-run-'))
after(() => rmSync(folder, { recursive: true }))

const GOOD = `test('good', () => {})`

/** What comes of files of these contents on one worker, in order. */
async function outcome(contents: string[], fileLimitMs = 60_000) {
  const files = contents.map((content, i) => {
    const file = join(folder, `${i}.test.ts`)
    const head = `import { after, before, describe, test } from 'node:test'`
    writeFileSync(file, `${head}\n${content}\n// ${Math.random()}`)
    return file
  })
  // Under a runner of Node's own a process would report to that.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const results = await runFiles({ files, workers: 1, env, fileLimitMs }).done
  for (const [i, { file }] of results.entries()) assert.equal(file, files[i])
  return results.map(({ passed, skipped, failures }) => ({ passed, skipped, failures }))
}

test('tests are counted by file, those in groups too, groups and files not', async () => {
  const group = `describe('group', () => { test('a', () => {}); test('b', { skip: true }, () => {}) })`
  assert.deepEqual(await outcome([`${GOOD}\n${group}`, GOOD]), [
    { passed: 2, skipped: 1, failures: [] },
    { passed: 1, skipped: 0, failures: [] },
  ])
})

test('a failure is told with the names around it and what was wrong', async () => {
  const [first, second] = await outcome([
    `describe('group', () => test('bad', () => { throw new Error('wrong') }))`,
    GOOD,
  ])
  assert.match(first?.failures.join('\n') ?? '', /^group\nbad\nError: wrong/)
  assert.equal(first?.failures.length, 1)
  assert.deepEqual(second, { passed: 1, skipped: 0, failures: [] })
})

test('a file that cannot be loaded or prepared fails', async () => {
  const [syntax, hook] = await outcome([
    `import './nowhere.ts'`,
    `before(() => { throw new Error('no') })\n${GOOD}`,
  ])
  assert.match(syntax?.failures.join('\n') ?? '', /ERR_MODULE_NOT_FOUND/)
  assert.match(hook?.failures.join('\n') ?? '', /Error: no/)
})

test('a file that ends its process fails, and the next ones run', async () => {
  assert.deepEqual(await outcome([`test('end', () => process.exit(3))`, GOOD]), [
    { passed: 0, skipped: 0, failures: ['The process of this file ended with 3.'] },
    { passed: 1, skipped: 0, failures: [] },
  ])
})

test('a file that hangs is ended and fails, and the next ones run', async () => {
  const endless = `test('endless', () => { for (;;); })`
  const waiting = `test('waiting', async () => { setInterval(() => {}, 1000); await new Promise(() => {}) })`
  const results = await outcome([endless, waiting, GOOD], 3_000)
  assert.deepEqual(
    results.map(({ passed, failures }) => ({ passed, failed: failures.length > 0 })),
    [
      { passed: 0, failed: true },
      { passed: 0, failed: true },
      { passed: 1, failed: false },
    ],
  )
})

test('a test may wait for what alone keeps no process', async () => {
  const waiting = `test('waiting', () => new Promise(done => setTimeout(done, 200).unref()))`
  assert.deepEqual(await outcome([waiting, GOOD]), [
    { passed: 1, skipped: 0, failures: [] },
    { passed: 1, skipped: 0, failures: [] },
  ])
})

test('a file that leaves something open fails', async () => {
  assert.deepEqual(await outcome([`setInterval(() => {}, 1000)\n${GOOD}`, GOOD]), [
    { passed: 1, skipped: 0, failures: ['It left open: Timeout.'] },
    { passed: 1, skipped: 0, failures: [] },
  ])
})
