import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { loadReferenceData } from './reference.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

async function start(): Promise<number> {
  const owner = await office.owner.connect()
  const { query } = owner
  let inserts = 0
  try {
    owner.query = ((...given: unknown[]) => {
      const [first] = given as [string | { text: string }]
      if (/^insert into "/.test(typeof first === 'string' ? first : first.text)) inserts++
      return (query as (...all: unknown[]) => unknown).apply(owner, given)
    }) as typeof query
    await loadReferenceData(owner as never)
  } finally {
    owner.query = query
    owner.release()
  }
  return inserts
}

test('a start adds nothing where the program has no other rows than at the last; one behind a migration looks for all', async () => {
  assert.equal(await start(), 0)
  await office.owner.query(`delete from industries where name = '母婴用品'`)
  await office.owner.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a test', 1)`,
  )
  assert.ok((await start()) > 20)
  const { rowCount } = await office.owner.query(`select 1 from industries where name = '母婴用品'`)
  assert.equal(rowCount, 1)
  assert.equal(await start(), 0)
})
