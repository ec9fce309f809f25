// The program has one clock, which tests set: nothing that judges or records a moment asks the system or PostgreSQL for another.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileOf, forbid, PRODUCT, ROOT, room } from './sources.ts'

/** The clock of the system is chosen where the program is put together, and nowhere else. */
const CHOOSES: readonly string[] = [
  'app/server.ts',
  'app/exports.ts',
  'app/export-child.ts',
  'app/agency-export.ts',
  'app/providers.ts',
]

/** Functions of the database that do, as the newest migration leaves them. */
const FUNCTIONS_WITH_THE_MOMENT: Record<string, string> = {
  ledger_move_merchant: 'entries of an account follow each other in time, in the order of its lock',
  ledger_post_at: 'as above',
  next_order_no: 'a number that rises with the time',
  note_changed_merchants: 'changes of a shop follow each other in time',
  note_new_merchants: 'as above',
  note_services: 'as above',
  note_shop_change: 'as above',
  note_sms_moved: 'as above',
  note_version: 'as above',
  write_operation_log: 'a row says when it was written, not when its transaction began',
}

const ASKING = /\bnew Date\(\s*\)|\bnew Date\b(?!\()|\bDate\.now\b(?:\(\))?|\bdayjs\(\s*\)/g
const IN_SQL =
  /\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?|(?:clock|statement|transaction)_timestamp|timeofday)\b/gi

/** What runs beside the program, or in the browser, has the day of its own machine. */
const isBeside = (path: string) => /^(use[A-Z]\w*|rows|sample|(demo|make|walk)[\w-]*)\.ts$/.test(fileOf(path))
const CODE = PRODUCT.filter(
  ({ path }) =>
    ['app', 'features', 'kit', 'server'].includes(room(path)) && path.endsWith('.ts') && !isBeside(path),
)

/** `above`: the line before, which says why where the rule does not hold. */
type Place = { path: string; line: number; word: string; above?: string }
const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length
const placesOf = (words: RegExp): Place[] =>
  CODE.flatMap(({ path, text }) =>
    [...text.matchAll(words)].map(({ 0: word, index }) => ({
      path,
      line: lineAt(text, index),
      word,
      above: text.split('\n')[lineAt(text, index) - 2] ?? '',
    })),
  )

function forbidUnsaid(places: readonly Place[], rule: string, remedy: string): void {
  const isSaid = ({ above = '' }: Place) => above.trim().startsWith(`// ${rule}: `)
  forbid(
    places.filter(place => !isSaid(place)).map(({ path, line, word }) => `${path}:${line} has ${word}`),
    `${remedy} Where it must, the line above says why: \`// ${rule}: …\`.`,
  )
  const said = CODE.reduce((sum, { text }) => sum + text.split(`// ${rule}: `).length - 1, 0)
  assert.equal(
    said,
    new Set(places.filter(isSaid).map(({ path, line }) => `${path}:${line}`)).size,
    `"${rule}" stands over what needs no reason`,
  )
}

function forbidBut(
  places: readonly Place[],
  keyOf: (place: Place) => string,
  exceptions: readonly string[],
  remedy: string,
): void {
  const wrong = places.filter(place => !exceptions.includes(keyOf(place)))
  forbid(
    wrong.map(({ path, line, word }) => `${path}:${line} has ${word}`),
    remedy,
  )
  for (const exception of exceptions)
    assert.ok(
      places.some(place => keyOf(place) === exception),
      `${exception} needs no exception any more`,
    )
}

test('nothing asks the system what time it is', () => {
  forbidUnsaid(
    placesOf(ASKING),
    'The system’s clock',
    'Take ctx.now, or services.clock.now() where there is no operation; how long something takes is performance.now().',
  )
})

test('the system’s clock is named where the program is put together alone', () => {
  const places = placesOf(/\bSYSTEM_CLOCK\b/g).filter(({ path }) => path !== 'server/clock.ts')
  forbidBut(places, ({ path }) => path, CHOOSES, 'Take ctx.now, or services.clock.now().')
})

const OF_SQL = 'Write now(): a test’s database has one of its own, and no own keyword (docs/decisions/0053).'

test('statements ask the database with now() alone', () => {
  forbidUnsaid(placesOf(IN_SQL), 'Behind a lock', OF_SQL)
})

const DEFINED = /\bcreate (?:or replace )?(?:function|procedure)\s+([\w.]+)\s*\(/gi

test('functions, defaults and views of the database do so, too', () => {
  const stand = new Map<string, Place[]>()
  const outside: Place[] = []
  for (const path of globSync('migrations/{,again/}*.sql', { cwd: ROOT }).sort()) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const words = [...text.matchAll(IN_SQL)].map(({ 0: word, index }) => ({ word, index }))
    const bodies = [...text.matchAll(DEFINED)].map(({ 1: name = '', index }) => ({
      ...{ name, index },
      end: endOf(text, index),
    }))
    const within = (of: { index: number; end: number }) =>
      words.filter(({ index }) => index > of.index && index < of.end)
    const placed = ({ word, index }: { word: string; index: number }) => ({
      path,
      line: lineAt(text, index),
      word,
    })
    for (const body of bodies) stand.set(body.name, within(body).map(placed))
    const inBodies = new Set(bodies.flatMap(within))
    outside.push(...words.filter(word => !inBodies.has(word)).map(placed))
  }
  assert.ok(stand.size > 50)
  const found = [...stand].flatMap(([name, places]) => places.map(place => ({ ...place, name })))
  const nameOf = (place: Place) => found.find(one => one === place)?.name ?? ''
  forbidBut([...found, ...outside], nameOf, Object.keys(FUNCTIONS_WITH_THE_MOMENT), OF_SQL)
})

/** Where the body closes that opens behind `start`. */
function endOf(text: string, start: number): number {
  const open = /\$\w*\$/g
  open.lastIndex = start
  const quote = open.exec(text)
  const end = quote ? text.indexOf(quote[0], open.lastIndex) : -1
  assert.ok(end > 0, `a function of a migration has no body in quotes: ${text.slice(start, start + 80)}`)
  return end
}
