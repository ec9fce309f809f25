import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type FileResult, runFiles, sayFigures } from './run-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-office-run-'))
after(() => rmSync(folder, { recursive: true }))

const GOOD = `test('good', () => {})`

/** Files of these contents, named by their place; `ending` says which of them have a browser. */
function written(contents: string[], ending = (_: number) => 'test.ts'): string[] {
  return contents.map((content, i) => {
    const file = join(folder, `${i}.${ending(i)}`)
    const head = `import { after, before, describe, test } from 'node:test'`
    writeFileSync(file, `${head}\n${content}\n// ${Math.random()}`)
    return file
  })
}

/** What the processes of tests are given: under a runner of Node's own they would report to that. */
function envOf(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return env
}

const needsPage = (file: string) => file.endsWith('.page.test.ts')

/** What comes of files of these contents on one worker, in order. */
async function outcome(contents: string[], fileLimitMs = 60_000) {
  const files = written(contents)
  const results = await runFiles({ files, workers: 1, env: envOf(), fileLimitMs }).done
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

test('an error that nobody caught fails the test that it began in, whatever the program did on the way', async () => {
  const later = `await new Promise(done => setImmediate(done))`
  // Timers of one length end in the order in which they began.
  const afterIt = `await new Promise(done => setTimeout(done))`
  const [loading, group] = await outcome([
    `${later}; ${GOOD}; setTimeout(() => { throw new Error('while loading') })\ntest('waits', async () => { ${afterIt} })`,
    `describe('group', () => {
      test('forgets', async () => { (async () => { ${later}; throw new Error('forgotten') })(); ${later}; ${later} })
      test('is told', async () => { setTimeout(() => { throw new Error('thrown') }); ${afterIt} })
      test('is good', async () => { ${later} })
    })`,
  ])
  assert.match(loading?.failures.join('\n') ?? '', /Error: while loading/)
  const [forgotten, thrown] = group?.failures ?? []
  assert.match(forgotten ?? '', /^group\nforgets\nError: forgotten/)
  assert.match(thrown ?? '', /^group\nis told\nError: thrown/)
  assert.equal(group?.passed, 1)
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
  const results = await outcome([endless, waiting, GOOD], 1_500)
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

describe('a browser test that fails', () => {
  const isRunAgain = (file: string) => file.endsWith('.again.test.ts')
  const noted = join(folder, 'noted.txt')
  const note = (what: string) => `fs.appendFileSync(${JSON.stringify(noted)}, '${what} ')`
  const fails = (what: string, times: number) =>
    `import fs from 'node:fs'
     test('${what}', () => {
       ${note(what)}
       if (fs.readFileSync(${JSON.stringify(noted)}, 'utf8').split('${what}').length - 1 <= ${times}) throw new Error('not yet')
     })
     test('beside it', () => {})`
  const run = async (contents: string[]) => {
    writeFileSync(noted, '')
    const ending = (at: number) => (at === 0 ? 'again.test.ts' : 'test.ts')
    const finished: string[] = []
    const results = await runFiles({
      files: written(contents, ending),
      workers: 3,
      env: envOf(),
      isRunAgain,
      finished: ({ file, failures }) => finished.push(`${file.at(folder.length + 1)} ${failures.length}`),
    }).done
    return {
      finished,
      noted: readFileSync(noted, 'utf8').trim().split(' '),
      results: results.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    }
  }

  test('is run once more after all others, and counts as passed where it passes then', async () => {
    const slow = `import fs from 'node:fs'
      test('slow', async () => { await new Promise(done => setTimeout(done, 1_000)); ${note('slow')} })`
    const { results, finished, noted } = await run([fails('shaky', 1), slow, GOOD])
    assert.deepEqual(
      results.map(({ passed, failures }) => [passed, failures.length]),
      [
        [2, 0],
        [1, 0],
        [1, 0],
      ],
    )
    assert.match(results[0]?.flaky?.join('\n') ?? '', /^shaky\nError: not yet/)
    assert.equal(results[1]?.flaky, undefined)
    assert.deepEqual(noted, ['shaky', 'slow', 'shaky'])
    assert.deepEqual([finished.length, finished.at(-1)], [4, '0 0'])
  })

  test('twice, has failed, and is run no third time', async () => {
    const { results, noted } = await run([fails('broken', 9), GOOD])
    assert.deepEqual(
      results.map(({ passed, failures, flaky }) => [passed, failures.length, flaky]),
      [
        [1, 1, undefined],
        [1, 0, undefined],
      ],
    )
    assert.deepEqual(noted, ['broken', 'broken'])
  })

  test('is the only one that is run again', async () => {
    const { results, noted } = await run([GOOD, fails('other', 1)])
    assert.equal(results[1]?.failures.length, 1)
    assert.deepEqual(noted, ['other'])
  })
})

test('the figures come last, with what was flaky and its first failure before them', t => {
  const said: string[] = []
  t.mock.method(process.stdout, 'write', (text: string) => said.push(text))
  const result = { file: 'a.e2e.ts', passed: 2, skipped: 0, seconds: 1, failures: [] }
  const isWell = sayFigures([
    { ...result, flaky: ['menu\nError: not there'] },
    { ...result, skipped: 1 },
  ])
  t.mock.restoreAll()
  assert.equal(isWell, true)
  const lines = said.join('').trim().split('\n')
  assert.match(lines[0] ?? '', /^flaky a\.e2e\.ts: .*First it failed:$/)
  assert.deepEqual(lines.slice(1, 3), ['    menu', '    Error: not there'])
  assert.equal(lines.at(-1), '4 passed, 0 failed, 1 skipped')
})

test('files that need no page are begun before it is built, those that need it know where it is', async () => {
  const built = Promise.withResolvers<string>()
  const browser = `test('has the page', () => { if (process.env.TEST_PAGES !== 'built') throw new Error('none') })`
  const files = written([browser, GOOD], at => (at === 0 ? 'page.test.ts' : 'test.ts'))
  const order: string[] = []
  const finished = ({ file }: FileResult) => {
    order.push(file)
    built.resolve('built')
  }
  const results = await runFiles({
    files,
    workers: 1,
    env: envOf(),
    needsPage,
    pages: built.promise,
    finished,
  }).done
  assert.deepEqual(order, files.toReversed())
  assert.deepEqual(
    results.map(({ failures }) => failures),
    [[], []],
  )
})

test('a page that cannot be built ends the run', async () => {
  const pages = Promise.reject<string>(new Error('no page'))
  const files = written([GOOD, GOOD], at => (at === 0 ? 'page.test.ts' : 'test.ts'))
  const run = runFiles({ files, workers: 1, env: envOf(), needsPage, pages })
  await assert.rejects(run.done, /no page/)
  await run.stop()
})
