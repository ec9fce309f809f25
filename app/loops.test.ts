import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { startLoops } from './loops.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

test('the first looks for waiting work need few connections', async () => {
  const connections = async () => {
    const { rows } = await office.owner.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'partner-office'`,
    )
    return rows[0]?.count ?? 0
  }
  const before = await connections()
  const loops = startLoops(office.app.services)
  await loops.looked
  assert.ok((await connections()) - before <= 6, `${await connections()} after ${before}`)
  await loops.stop()
})
