// docs/DEPENDENCIES.md names every package that the project asks for, once, with its reason, its licence and what would replace it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { forbid, ROOT } from './sources.ts'

const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Record<string, Record<string, string>>
const ASKED = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
const ROWS = readFileSync(join(ROOT, 'docs/DEPENDENCIES.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => line.split('|').map(cell => cell.trim()))
const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name))
const NAMED = ROWS.flatMap(([, names]) => namesIn(names))

test('every package is named once, and none that is gone', () => {
  forbid(
    ASKED.filter(name => !NAMED.includes(name)),
    'Say in docs/DEPENDENCIES.md why it is needed, and what would replace it.',
  )
  forbid(
    NAMED.filter(name => !ASKED.includes(name)),
    'It is no longer asked for: take it out of docs/DEPENDENCIES.md.',
  )
  forbid(
    NAMED.filter((name, at) => NAMED.indexOf(name) !== at),
    'Name it once.',
  )
})

test('each says why, under which licence, and of which day its release is', () => {
  forbid(
    ROWS.filter(([, , why, licence]) => !why || !licence).map(([, names]) => String(names)),
    'Fill the row.',
  )
  forbid(
    ROWS.filter(([, , , , day]) => !/^\d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d)?$/.test(day ?? '')).map(String),
    'Write the day of the pinned release, or the first and the last.',
  )
})
