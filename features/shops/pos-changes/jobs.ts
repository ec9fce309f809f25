// Changes that are older than the operator keeps them go, in batches: readers and writers wait for none of it.
import type pg from 'pg'
import type { Job } from '#server/jobs.ts'
import { settingInSql } from '#server/office/settings.ts'
import { CHANGES_KEPT_DAYS } from './rules.ts'

const CLEARED_AT_ONCE = 10_000

/** What is gone and that it is gone are told by one commit. Those before the last that is due go with it, so that none is left between. */
const CLEAR = `
  with oldest as (select seq, at from shop_changes order by seq limit $1),
    due as (select max(seq) as seq from oldest where at < now() - make_interval(days => ${settingInSql(CHANGES_KEPT_DAYS)})),
    gone as (delete from shop_changes where seq <= (select seq from due) returning seq)
  update shop_change_ends set cleared = due.seq from due where due.seq is not null and id = 1
  returning (select count(*)::int from gone) as gone`

/** Answers how many are gone. */
export async function clearChanges(owner: pg.Pool, atOnce = CLEARED_AT_ONCE): Promise<number> {
  let all = 0
  for (;;) {
    const { rows } = await owner.query<{ gone: number }>(CLEAR, [atOnce])
    const gone = rows[0]?.gone ?? 0
    all += gone
    if (gone < atOnce) return all
  }
}

export const jobs: readonly Job[] = [
  {
    name: 'clear-shop-changes',
    cron: '47 * * * *',
    async run(owner) {
      await clearChanges(owner)
    },
  },
]
