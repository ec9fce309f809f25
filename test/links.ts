// The operation log's links are made behind the commit, once each earlier transaction of the server has ended: another test file's, too.
import type pg from 'pg'
import { linkAll } from '#features/overview/operation-log/server-link.ts'
import { until } from './patience.ts'

/** Waits until each row of the log that is committed has its link. */
export async function allLinked(owner: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await until(async () => {
    await linkAll(owner)
    const { rowCount } = await owner.query('select from operation_log_waiting limit 1')
    return rowCount === 0
  }, 'rows of the operation log still wait for their links')
}
