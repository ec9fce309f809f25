import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOffice } from '#test/app.ts'
import { until } from '#test/patience.ts'
import { openJobsPool } from './jobs.ts'

test('a connection that dies while a job holds it and asks nothing does not end the program', async () => {
  const office = await openOffice()
  const problems: unknown[] = []
  const pool = openJobsPool({ connectionString: office.ownerUrl, max: 1 }, error => problems.push(error))
  try {
    const held = await pool.connect()
    const { rows } = await held.query<{ pid: number }>('select pg_backend_pid() as pid')
    await office.owner.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await until(() => problems.length > 0, 'nobody was told')
    await assert.rejects(held.query('select 1'))
    held.release(true)
    assert.equal((await pool.query('select 1 as one')).rows[0].one, 1)
  } finally {
    await pool.end()
    await office.stop()
  }
})
