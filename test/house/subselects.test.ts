// Drizzle leaves the table's name off the columns of a statement over one table, also within a subselect among them, where the same name
// then means a column of the inner table: `b.head_id = ${merchants.id}` compared each row with itself and counted none.
import assert from 'node:assert/strict'
import test from 'node:test'
import { forbid, PRODUCT } from './sources.ts'

const SELECT = /\.select\(\{/g
const SUBSELECT = /`[^`]*\(\s*select\b[^`]*`/g

/** The text between a bracket and the one that closes it. */
function between(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  throw new Error('a bracket is not closed')
}

/** Subselects among the columns of statements over one table that name a column of it through Drizzle. */
function ambiguousIn(text: string): string[] {
  return [...text.matchAll(SELECT)].flatMap(({ index }) => {
    const columns = between(text, index + '.select('.length)
    const [chain = ''] = text.slice(index + '.select('.length + columns.length).split(/\n\s*\n|\.select\(/, 1)
    const table = /^\s*\)\s*\.from\((\w+)\)/.exec(chain)?.[1]
    if (table === undefined || /Join\(/.test(chain)) return []
    return [...columns.matchAll(SUBSELECT)].flatMap(([sql]) => (sql.includes(`\${${table}.`) ? [sql] : []))
  })
}

test('a subselect among the columns of a statement over one table says whose its columns are', () => {
  const column = '$' + '{merchants.id}'
  const counted = `select({ n: sql\`(select count(*) from merchants b where b.head_id = ${column})\` })`
  assert.equal(ambiguousIn(`db.${counted}.from(merchants)`).length, 1)
  assert.deepEqual(ambiguousIn(`db.${counted}.from(page).innerJoin(merchants, on)`), [])
  assert.deepEqual(ambiguousIn(`db.${counted.replace(column, 'merchants.id')}.from(merchants)`), [])
  forbid(
    PRODUCT.filter(({ path }) => path.endsWith('.ts')).flatMap(({ path, text }) =>
      ambiguousIn(text).map(sql => `${path} ${sql}`),
    ),
    'Name the outer table in the text of the statement: merchants.id.',
  )
})
