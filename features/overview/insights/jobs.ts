import type { Job } from '#server/jobs.ts'

/** Of each agent, month and kind one row; what is added meanwhile stays as it is. */
export const FOLD = `
  with gone as (
    delete from insight_sums where (agent_id, month, kind) in (
      select agent_id, month, kind from insight_sums group by 1, 2, 3 having count(*) > 1)
    returning *)
  insert into insight_sums (agent_id, month, kind, entries, amount)
    select agent_id, month, kind, sum(entries), sum(amount) from gone group by 1, 2, 3
    having sum(entries) <> 0 or sum(amount) <> 0`

/** Of each version, month, kind and end one row. */
export const FOLD_COHORTS = `
  with gone as (
    delete from insight_cohorts where (version_id, month, kind, coalesce(ends, 'infinity')) in (
      select version_id, month, kind, coalesce(ends, 'infinity') from insight_cohorts group by 1, 2, 3, 4 having count(*) > 1)
    returning *)
  insert into insight_cohorts (version_id, month, kind, ends, shops)
    select version_id, month, kind, ends, sum(shops) from gone group by 1, 2, 3, 4 having sum(shops) <> 0`

export const jobs: readonly Job[] = [
  {
    name: 'fold-insight-sums',
    cron: '23 * * * *',
    async run(owner) {
      await owner.query(FOLD)
      await owner.query(FOLD_COHORTS)
    },
  },
]
