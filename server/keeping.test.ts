// What is past goes in steps, by the clock and the operator's settings, and holds up nobody.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { CLEARED } from '#app/keeping.ts'
import { MESSAGES_KEPT } from '#features/shops/messages/rules.ts'
import { type Office, openOffice } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { type Cleared, clearPast, intervalOf } from './keeping.ts'

let office: Office
before(async () => {
  office = await openOffice({ on: '2031-05-20' })
  await office.owner.query(
    'create table kept_rows (id bigserial primary key, at timestamptz not null, word text)',
  )
  await office.owner.query('create index kept_rows_at on kept_rows (at)')
})
after(() => office.stop())

const ROWS: Cleared = { table: 'kept_rows', at: 'at', after: { days: 30 } }
/** One row for each age in days. */
async function fill(ages: readonly number[], word = 'x') {
  await office.owner.query('truncate kept_rows restart identity')
  await office.owner.query(
    'insert into kept_rows (at, word) select now() - make_interval(days => age), $2 from unnest($1::int[]) as age',
    [ages, word],
  )
}
const left = async (sql = 'id') =>
  (await office.owner.query(`select ${sql} as found from kept_rows order by id`)).rows.map(({ found }) =>
    Number(found),
  )
beforeEach(() => fill([40, 31, 29, 0, 35]))

test('what is older than its term goes, whichever way it is found, and nothing else does', async () => {
  assert.equal(await clearPast(office.owner, [ROWS]), 3)
  assert.deepEqual(await left(), [3, 4])
  await fill([40, 31, 29, 0, 35])
  // By number: a row that stands behind younger ones than it is has its turn later.
  assert.equal(await clearPast(office.owner, [{ ...ROWS, oldestBy: 'id' }], 2), 2)
  assert.deepEqual(await left(), [3, 4, 5])
  assert.equal(await clearPast(office.owner, [{ ...ROWS, only: 'id = 5' }]), 1)
  assert.equal(await clearPast(office.owner, [{ table: 'kept_rows', at: 'at' }]), 2, 'without a term, then')
})

test('a step takes so many rows, each in a transaction of its own', async () => {
  await fill(Array.from({ length: 25 }, (_, at) => 31 + at))
  const steps: number[] = []
  const owner = {
    query: async (text: string, values: unknown[]) => {
      const { rowCount } = await office.owner.query(text, values)
      steps.push(rowCount ?? 0)
      return { rowCount }
    },
  }
  assert.equal(await clearPast(owner as never, [ROWS], 10), 25)
  assert.deepEqual(steps, [10, 10, 5])
})

test('rows that somebody holds are passed over, and nobody waits', async () => {
  const other = await office.owner.connect()
  try {
    await other.query('begin; select from kept_rows where id = 1 for update')
    assert.equal(await clearPast(office.owner, [ROWS]), 2)
    assert.deepEqual(await left(), [1, 3, 4])
  } finally {
    await other.query('rollback')
    other.release()
  }
  assert.equal(await clearPast(office.owner, [ROWS]), 1)
})

test('where a row stays, what it holds is emptied once', async () => {
  const emptied = { ...ROWS, empties: ['word'] }
  assert.equal(await clearPast(office.owner, [emptied]), 3)
  assert.deepEqual(await left(`case when word is null then id else 0 end`), [1, 2, 0, 0, 5])
  assert.equal(await clearPast(office.owner, [emptied]), 0)
})

test('what fails with one table is told once the others are done', async () => {
  const failing = { table: 'kept_rows', at: 'no_such_column' }
  await assert.rejects(clearPast(office.owner, [failing, ROWS]), /rows of kept_rows could not be cleared/)
  assert.deepEqual(await left(), [3, 4])
})

test('a term is the operator’s, or a number of one unit', async () => {
  assert.equal(intervalOf({ minutes: 20 }), 'make_interval(mins => 20)')
  assert.match(intervalOf(MESSAGES_KEPT), /^make_interval\(months => \(select/)
  assert.throws(() => intervalOf({}), /no unit of time/)
})

test('messages go after their months where nobody was charged for them, and stay as vouchers where somebody was', async () => {
  const agent = await makeAgent(office)
  const write = (months: number, payer: string, charged: number) =>
    office.owner.query(
      `insert into outbox_messages (agent_id, kind, phone, text, status, payer, payer_id, charged, document_no, created_by, created_by_name, created_at)
       values ($1, 'campaign', '13800000000', 'x', 'delivered', $2, case when $2 = 'vendor' then null else 1 end, $3, 'D1', 1, '甲',
         now() - make_interval(months => $4))`,
      [agent.id, payer, charged, months],
    )
  await write(25, 'vendor', 0)
  await write(23, 'vendor', 0)
  await write(25, 'agent', 0)
  await write(25, 'vendor', 1)
  const there = async () =>
    (
      await office.owner.query(
        `select payer || charged as found from outbox_messages where agent_id = $1 order by id`,
        [agent.id],
      )
    ).rows.map(({ found }) => found)
  await clearPast(office.owner, CLEARED)
  assert.deepEqual(await there(), ['vendor0', 'agent0', 'vendor1'])
  await office.owner.query(
    `insert into office_settings (key, value, updated_by, updated_at) values ($1, '12', 1, now())`,
    [MESSAGES_KEPT.key],
  )
  await clearPast(office.owner, CLEARED)
  assert.deepEqual(await there(), ['agent0', 'vendor1'])
})
