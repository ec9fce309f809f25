// The pieces of a text, under which indexes find it.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { freshDatabase } from '#test/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
before(async () => {
  database = await freshDatabase({})
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await database.drop()
})

const lettersOf = async (text: string): Promise<string[]> =>
  (await owner.query('select letters($1::text) as letters', [text])).rows[0].letters

const piecesOf = async (text: string | null): Promise<string[] | null> =>
  (await owner.query('select bigrams($1::text) as pieces', [text])).rows[0].pieces

test('each two letters side by side are a piece, those beyond the first plane too', async () => {
  assert.deepEqual(await piecesOf('福鑫餐厅'), ['福鑫', '鑫餐', '餐厅'])
  assert.deepEqual(await piecesOf('店😀a'), ['店😀', '😀a'])
  for (const text of ['', '福']) assert.deepEqual(await piecesOf(text), [])
  assert.equal(await piecesOf(null), null)
})

test('each letter is a piece of a search of one, but for digits and blanks; four of one digit are one', async () => {
  assert.deepEqual(await lettersOf('福1a 😀２'), ['福', 'a', '😀', '２'])
  assert.deepEqual(await lettersOf('13899999999 a 5550'), ['a', '9999'])
  assert.deepEqual(await lettersOf(''), [])
})

test('a text has the pieces of every part of it', () =>
  fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', 'b', '福', '鑫', '😀', ' ', "'", '\\'), maxLength: 40 }),
      fc.nat(40),
      fc.nat(40),
      async (text, from, to) => {
        const letters = [...text]
        const part = letters.slice(Math.min(from, to), Math.max(from, to)).join('')
        const expected = new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`))
        const whole = new Set(await piecesOf(text))
        assert.deepEqual(whole, expected)
        assert.ok((await piecesOf(part))?.every(piece => whole.has(piece)))
      },
    ),
  ))
