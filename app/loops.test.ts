import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { LOOPS } from './joined.ts'
import { startLoops } from './loops.ts'
import { createApp } from './server.ts'

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
  const loops = startLoops(office.app.services, () =>
    Promise.reject(new Error('nothing waits for the owner')),
  )
  await loops.looked
  const opened = (await connections()) - before
  // All at once they would be as many as there are; one whose time comes meanwhile has its own.
  assert.ok(opened <= Object.keys(LOOPS).length / 2, `${opened} more`)
  await loops.stop()
})

test('of several processes the first has what is done once, and hears from the others that it waits', async () => {
  const woken: string[] = []
  const link = {
    nth: 2,
    isFirst: false,
    ready: () => undefined,
    emptied: async () => undefined,
    figures: async () => [],
    hear: () => undefined,
  }
  const second = await createApp({
    ...{ env: office.app.services.env, ownerUrl: office.ownerUrl, secretKey: TEST_SECRET, isMigrated: true },
    link: { ...link, wake: name => void woken.push(name) },
  })
  try {
    assert.equal(second.exports, null)
    second.services.wake('sending')
    second.services.exportQueued()
    // Each brings notices to the pages that are connected to it.
    second.services.wake('notices')
    assert.deepEqual(woken, ['sending', 'exports'])
    const { rows } = await office.owner.query(`select 1 from pg_namespace where nspname = 'pgboss'`)
    assert.deepEqual(rows, [])
  } finally {
    await second.stop()
  }
})
