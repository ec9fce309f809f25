// Browser tests wait for what a page says of itself, never for a time or for quiet, and pick rows by what they are.
import { test } from 'node:test'
import { isOfLongLane } from '#test/runner/test-files.ts'
import { forbid, SOURCES } from './sources.ts'

const FILES = SOURCES.filter(({ path }) => path.startsWith('test/e2e/'))

/** Each place where this stands, but for where `allowed` says why it may. */
function placesOf(wrong: RegExp, allowed: Readonly<Record<string, string>> = {}): string[] {
  return FILES.flatMap(({ path, text }) =>
    path in allowed
      ? []
      : [...text.matchAll(wrong)].map(
          ({ index, 0: found }) => `${path}:${text.slice(0, index).split('\n').length} ${found.trim()}`,
        ),
  )
}

test('nothing is waited for but the page: no pause, no quiet network, no end of a motion', () => {
  forbid(
    placesOf(/networkidle|waitForLoadState|waitForTimeout|getAnimations|timers\/promises/g),
    '`ready(page)` waits until the page says that it is ready; `see` and `eventually` for what a test is about.',
  )
  forbid(
    placesOf(/\bsetTimeout\(/g, {
      'test/e2e/browser.ts': '`eventually` asks again after a moment',
      'test/e2e/house/every-page.e2e.ts': 'a page that writes after it was closed',
    }),
    '`eventually` asks again; `page.clock` moves a page’s own time.',
  )
})

test('nothing is done to what a person could not reach', () => {
  forbid(
    placesOf(/\w+\(\{ force: true \}\)/g),
    'Press the label that is seen; `pressWhere` presses the mouse where something stands, whatever comes of it.',
  )
})

/** Whatever is called a row, a card or an entry of a list, with what it is narrowed down by. */
const ROW = [
  String.raw`getByRole\('(?:row|listitem)'[^()]*\)`,
  String.raw`locator\('[^'\n]*\b(?:tr|li)'\)`,
  String.raw`\b(?:rows?|cards?|listed|rowOf)\b(?:\([^()]*\))?`,
].join('|')
const NARROWED = String.raw`(?:\s*\.filter\((?:[^()]|\([^()]*\))*\))*`
const BY_PLACE = String.raw`\s*\.(?:first\(\)|last\(\)|nth\()`
/** The button of whichever row is first. */
const OF_A_ROW = String.raw`getByRole\('table'\)\s*\.getByRole\('button'[^()]*\)`

test('a row is picked by what it is: which is first depends on the day', () => {
  forbid(
    placesOf(new RegExp(`(?:${ROW})${NARROWED}${BY_PLACE}|${OF_A_ROW}${BY_PLACE}`, 'g'), {
      'test/e2e/browser.ts': '`someRow`, where all that say the same are meant alike',
      'test/e2e/office/arrange.e2e.ts': 'about the places of columns and rows',
      'test/e2e/house/keys.e2e.ts': 'about keys that go from row to row',
      'test/e2e/shops/list.e2e.ts': 'about the order of rows',
      'test/e2e/house/shell.e2e.ts': 'about where the menus of the outermost rows open',
    }),
    '`rowOf(page, text)` with a name or a number that the test knows; `see(rows)` for any.',
  )
})

/** The first two arguments of a test of the long lane: its name, and the files that hold its rule. */
const LEFT_TO_ALL = /\bexhaustive\(\s*(?:'[^'\n]*'|`[^`]*`|\w+),\s*\[([^\]]*)\]/g

test('what a test of the long lane leaves to others, they hold in every run', () => {
  const known = new Set(SOURCES.map(({ path }) => path))
  forbid(
    SOURCES.flatMap(({ path, text }) =>
      [...text.matchAll(LEFT_TO_ALL)].flatMap(([, files = '']) =>
        [...files.matchAll(/'([^']+)'/g)]
          .map(([, file = '']) => file)
          .filter(file => !known.has(file) || isOfLongLane(file))
          .map(file => `${path} names ${file}`),
      ),
    ),
    'Name a test file that `npm test` runs, by its path from the root.',
  )
})
