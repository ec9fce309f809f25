// docs/ASVS.md has every requirement of OWASP ASVS 5.0 at levels 1 and 2 but those of OAuth and WebRTC, once, and what it names is there.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { forbid, ROOT } from './sources.ts'

/** How many requirements of levels 1 and 2 each section has: those of level 3 stand behind them. */
const SECTIONS: Record<string, number> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2 },
  ...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
  ...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
}
const IDS = Object.entries(SECTIONS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
)

const TEXT = readFileSync(join(ROOT, 'docs/ASVS.md'), 'utf8')
const ROWS = TEXT.split('\n').flatMap(line => {
  const [, id = '', asks = '', shown = ''] = /^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+) \|$/.exec(line) ?? []
  return id === '' ? [] : [{ id, asks, shown }]
})
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : null)

test('every requirement has one line, in the order of the standard', () => {
  assert.equal(IDS.length, 217)
  assert.deepEqual(
    ROWS.map(({ id }) => id),
    IDS,
  )
})

test('a line names a file, or says why there is none', () => {
  const bare = ROWS.filter(
    ({ shown }) => !/`[\w./-]+\.\w+`/.test(shown) && !/^Does not apply: \w|above/.test(shown),
  )
  forbid(
    bare.map(({ id }) => id),
    'Name the test or file that shows it, or begin with "Does not apply:" and the reason.',
  )
})

test('a paragraph that is named stands above', () => {
  const named = ROWS.flatMap(({ id, shown }) =>
    [...shown.matchAll(/"([^"]+)" above/g)].map(([, title = '']) => ({ id, title })),
  )
  assert.ok(named.length > 0)
  forbid(
    named.filter(({ title }) => !TEXT.includes(`**${title}**`)).map(({ id, title }) => `${id} "${title}"`),
    'Write the paragraph under "What is decided".',
  )
})

test('the files are there, and the tests of these titles in them', () => {
  const wrong: string[] = []
  let titles = 0
  for (const { id, shown } of ROWS) {
    let file = ''
    const references = shown.replaceAll(/"[^"]+" above/g, '')
    for (const [, path, title] of references.matchAll(/`([\w./-]+\.\w+)`|"([^"]+)"/g)) {
      if (path !== undefined) {
        file = path
        if (read(path) === null) wrong.push(`${id} ${path} is no file`)
      } else if (title !== undefined) {
        titles++
        if (!read(file)?.includes(title)) wrong.push(`${id} "${title}" is not in ${file}`)
      }
    }
  }
  assert.ok(titles > 40, `${titles}`)
  forbid(wrong, 'Name what shows it now.')
})
