// Deliveries go when their changes do.
import type pg from 'pg'
import { CHANGES_KEPT_DAYS } from '#features/shops/pos-changes/rules.ts'
import type { Job } from '#server/jobs.ts'
import { settingInSql } from '#server/office/settings.ts'

const CLEARED_AT_ONCE = 10_000

const CLEAR = `
  delete from webhook_deliveries where id in (
    select one.id from webhook_deliveries one
    where one.queued_at < now() - make_interval(days => ${settingInSql(CHANGES_KEPT_DAYS)}) order by one.queued_at limit $1)`

/** In batches, so that who sends waits for none of it. */
export async function clearDeliveries(owner: pg.Pool, atOnce = CLEARED_AT_ONCE): Promise<void> {
  for (let gone = atOnce; gone === atOnce; ) gone = (await owner.query(CLEAR, [atOnce])).rowCount ?? 0
}

export const jobs: readonly Job[] = [
  {
    name: 'clear-webhook-deliveries',
    cron: '57 * * * *',
    async run(owner) {
      await clearDeliveries(owner)
    },
  },
]
